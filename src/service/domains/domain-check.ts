import type { Domain, DomainRecord } from '../../protocol/records/domain'
import type { Scope } from '../accounts/keys'
import { refuse } from '../base/refuse'
import { timeOf } from '../base/time'
import { finishJob, type Job, postponeJob } from '../jobs/jobs'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import { type DkimKeyRow, dkimKeys, refreshDkimKey } from './dkim-keys'
import { noteReceiving, takeHost } from './domain-hosts'
import { lookFor } from './domain-lookup'
import {
  type DomainRow,
  domainRecordOf,
  type Finding,
  type Findings,
  lostAfterMs,
  nextCheckMs,
  readFindings,
  recordKey,
  type WantedRecord,
  wantedRecords,
} from './domain-records'
import { changeDomain, findDomain } from './domains'
import type { DomainPorts } from './ports'

/** Findings of a check, without those for which the DNS gave no answer. */
type Seen = Map<string, Finding>

async function look(ports: DomainPorts, row: DomainRow, wanted: readonly WantedRecord[]): Promise<Seen> {
  const { resolver, settings } = ports
  const context = { resolver, hostname: row.hostname, serviceDomain: settings.domain }
  const answers = await Promise.all(
    wanted.map(async (record) => [recordKey(record), await lookFor(record, context)] as const),
  )
  return new Map(answers.filter((answer): answer is [string, Finding] => answer[1] !== null))
}

/** Merges the findings of a check with earlier ones, which stay if there was no answer. */
function merge(wanted: readonly WantedRecord[], before: Findings, seen: Seen): Findings {
  const silent = (old: Finding | undefined): Finding => ({
    status: old?.status ?? 'missing',
    found: old?.found ?? [],
    hint: 'The DNS gave no answer at the last check; this is what was known before. It is looked for again by itself.',
  })
  return Object.fromEntries(
    wanted.map((record) => {
      const key = recordKey(record)
      return [key, seen.get(key) ?? silent(before[key])]
    }),
  )
}

type Judged = Pick<DomainRow, 'status' | 'verified_at' | 'lost_since'>

/** Judges the domain: only an answer verifies it, and only an answer takes that away. */
function judge(
  row: DomainRow,
  records: readonly DomainRecord[],
  owned: Finding | undefined,
  time: string,
): Judged {
  const proven =
    owned?.status === 'ok' && records.every(({ required, status }) => !required || status === 'ok')
  if (row.status !== 'verified') {
    if (!proven) return row
    return { status: 'verified', verified_at: time, lost_since: null }
  }
  const lost_since = !owned ? row.lost_since : owned.status === 'ok' ? null : (row.lost_since ?? time)
  const lostMs = lost_since === null ? 0 : Date.parse(time) - Date.parse(lost_since)
  const failing = owned !== undefined && lostMs >= lostAfterMs
  return { status: failing ? 'failing' : 'verified', verified_at: row.verified_at, lost_since }
}

/** Lets a new DKIM key sign once its record was found, and deletes the old one. */
async function switchKeys(
  { tx }: ChangeContext,
  keys: readonly DkimKeyRow[],
  records: readonly DomainRecord[],
) {
  const next = keys.find(({ state }) => state === 'next')
  if (!next || records.find(({ purpose }) => purpose === 'dkim_next')?.status !== 'ok') return
  await tx
    .deleteFrom('dkim_keys')
    .where('tenant_id', '=', next.tenant_id)
    .where('domain_id', '=', next.domain_id)
    .where('selector', '!=', next.selector)
    .execute()
  await tx
    .updateTable('dkim_keys')
    .set({ state: 'current' })
    .where('tenant_id', '=', next.tenant_id)
    .where('domain_id', '=', next.domain_id)
    .execute()
}

const isOk = (records: readonly DomainRecord[], wanted: DomainRecord['purpose']) =>
  records.filter(({ purpose }) => purpose === wanted).every(({ status }) => status === 'ok')

/** A domain after a check; `taken` if it could be verified, but belongs to another account. */
interface Checked {
  row: DomainRow
  domain: Domain
  taken: boolean
}

/** Stores the findings, and appends an event if the domain's state changed. */
async function save(ports: DomainPorts, change: ChangeContext, row: DomainRow, seen: Seen): Promise<Checked> {
  const { tx, now } = change
  const owner = { tenant_id: row.tenant_id, domain_id: row.id }
  const keys = await dkimKeys(tx, owner)
  const wanted = wantedRecords(row, keys, ports.settings.domain)
  const findings = JSON.stringify(merge(wanted, readFindings(row), seen))
  const { records } = domainRecordOf({ ...row, findings }, keys, ports.settings.domain)
  const judged = judge(row, records, seen.get(recordKey(wanted[0]!)), now)
  const taken = judged.status === 'verified' && !(await takeHost(tx, row))
  const { status, verified_at, lost_since } = taken ? row : judged
  const return_path = isOk(records, 'return_path') ? 1 : 0
  const values = { status, verified_at, lost_since, findings, checked_at: now, return_path }
  await noteReceiving(tx, row, isOk(records, 'receiving'))
  await switchKeys(change, keys, records)
  await tx
    .updateTable('domains')
    .set(values)
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .execute()
  const saved = { ...row, ...values }
  const domain = domainRecordOf(saved, await dkimKeys(tx, owner), ports.settings.domain)
  if (status !== row.status)
    change.append(status === 'failing' ? 'domain.failing' : 'domain.verified', null, domain)
  return { row: saved, domain, taken }
}

async function lookAt(ports: DomainPorts, row: DomainRow): Promise<Seen> {
  const keys = await dkimKeys(ports.store.db, { tenant_id: row.tenant_id, domain_id: row.id })
  for (const key of keys) await refreshDkimKey(ports, key)
  return look(ports, row, wantedRecords(row, keys, ports.settings.domain))
}

/**
 * Looks up the records of a domain now.
 *
 * @throws ServiceError `domain_unavailable`, `not_found`, `claim_required`, `insufficient_scope`
 */
export async function verifyDomain(ports: DomainPorts, scope: Scope, id: string): Promise<Domain> {
  const row = await changeDomain(ports, scope, id, async (_change, found) => found)
  const seen = await lookAt(ports, row)
  const { domain, taken } = await changeDomain(ports, scope, id, (change, current) =>
    save(ports, change, current, seen),
  )
  if (!taken) return domain
  throw refuse(
    'domain_unavailable',
    `Another account here has proven that ${row.hostname} is its own: delete it there, or take the _restante TXT record of that account out of the DNS; 3 days later the domain is free.`,
  )
}

/** Checks a domain again, and schedules the next check; the job ends when the domain is deleted. */
export async function recheckDomain(ports: DomainPorts, job: Job): Promise<void> {
  const { domainId } = JSON.parse(job.data) as { domainId: string }
  const row = await findDomain(ports.store.db, job.tenant_id, domainId)
  const seen = row && (await lookAt(ports, row))
  await changeAccount(ports, job.tenant_id, async (change) => {
    const current = await findDomain(change.tx, job.tenant_id, domainId)
    if (!current || !seen) return finishJob(change.tx, job)
    const nowMs = ports.clock.now()
    const checked = await save(ports, change, current, seen)
    return postponeJob(change.tx, job, timeOf(nowMs + nextCheckMs(checked.row, nowMs)))
  })
}
