import type { Selectable } from 'kysely'
import type { Domain, DomainRecord } from '../../protocol/records/domain'
import { dayMs, hourMs, minuteMs } from '../base/time'
import type { DomainTable } from '../store/tables/domain-tables'
import { type DkimKeyRow, dkimKeyName, dkimKeyValue } from './dkim-keys'

/** Time in ms until the first check: short, since a person waits for it. */
export const firstCheckMs = minuteMs

/** Time in ms after which a domain without its ownership record can no longer send. */
export const lostAfterMs = 3 * dayMs

/**
 * Returns the time in ms until the next check: a day if verified, an hour if its ownership record is missing.
 * Otherwise it is half the time since its creation or loss, from a minute to a day.
 */
export function nextCheckMs(row: DomainRow, nowMs: number): number {
  if (row.status === 'verified') return row.lost_since === null ? dayMs : hourMs
  const sinceMs = nowMs - Date.parse(row.lost_since ?? row.created_at)
  return Math.min(dayMs, Math.max(firstCheckMs, sinceMs / 2))
}

export type DomainRow = Selectable<DomainTable>

/** A record to publish. */
export type WantedRecord = Pick<DomainRecord, 'type' | 'name' | 'value' | 'purpose' | 'required'>

/** Finding of one record at its last lookup. */
export type Finding = Pick<DomainRecord, 'status' | 'found' | 'hint'>

/** Findings by record. */
export type Findings = Record<string, Finding>

export const recordKey = ({ type, name }: Pick<WantedRecord, 'type' | 'name'>): string => `${type} ${name}`

/** Returns the records of a domain in publishing order. `serviceDomain` is the host that receives email. */
export function wantedRecords(
  row: DomainRow,
  keys: readonly DkimKeyRow[],
  serviceDomain: string,
): WantedRecord[] {
  const { hostname, mail_from_domain, token } = row
  const dkim = keys.map(
    (key): WantedRecord => ({
      type: 'TXT',
      name: dkimKeyName(key, hostname),
      value: dkimKeyValue(key),
      purpose: key.state === 'next' ? 'dkim_next' : 'dkim',
      required: key.state === 'current',
    }),
  )
  const mx = `10 ${serviceDomain}`
  const spf = `v=spf1 include:${serviceDomain} ~all`
  return [
    {
      type: 'TXT',
      name: `_restante.${hostname}`,
      value: `restante-verification=${token}`,
      purpose: 'ownership',
      required: true,
    },
    ...dkim,
    { type: 'MX', name: hostname, value: mx, purpose: 'receiving', required: false },
    { type: 'MX', name: mail_from_domain, value: mx, purpose: 'return_path', required: false },
    { type: 'TXT', name: mail_from_domain, value: spf, purpose: 'return_path', required: false },
    {
      type: 'TXT',
      name: `_dmarc.${hostname}`,
      value: 'v=DMARC1; p=none;',
      purpose: 'dmarc',
      required: false,
    },
  ]
}

const notLooked: Finding = {
  status: 'missing',
  found: [],
  hint: 'Not looked for yet: publish it, then POST /domains/{id}/verify.',
}

export const readFindings = (row: DomainRow): Findings => JSON.parse(row.findings)

/** Returns a domain as the API shows it (specification 2.10). */
export function domainRecordOf(row: DomainRow, keys: readonly DkimKeyRow[], serviceDomain: string): Domain {
  const findings = readFindings(row)
  return {
    id: row.id,
    hostname: row.hostname,
    mail_from_domain: row.mail_from_domain,
    status: row.status,
    verified_at: row.verified_at,
    checked_at: row.checked_at,
    created_at: row.created_at,
    records: wantedRecords(row, keys, serviceDomain).map((record) => ({
      ...record,
      ...(findings[recordKey(record)] ?? notLooked),
    })),
  }
}
