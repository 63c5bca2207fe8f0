import { asciiDomain, headerValues, parseAddressList, readHeaders, splitAddress } from '../../mail/headers'
import type { Authentication } from '../../protocol/records'
import { dayMs, hourMs, loadSuffixes } from '../base'
import { changeAccount } from '../log'
import { readStored, saveVerdict } from '../messages'
import { writtenSignatures } from './authentication'
import type { InboundPorts } from './ports'
import { judgedByParts } from './verdict'

const maxHeaderBytes = 256 * 1024
/** Messages per step. */
const pageRows = 200
/** Time after which no node of an older version adds messages without signed fields. */
const settledMs = dayMs

type Ports = Pick<InboundPorts, 'store' | 'clock' | 'blobs' | 'logger' | 'signals' | 'registry' | 'parser'>

/** Stored message whose verdict lacks the proven fields. */
interface StoredMessage {
  from_addr: string
  mail_from: string
  received_at: string | null
  authentication: Authentication
  source: 'smtp' | 'key' | 'imap'
}

const domainOf = (address: string) => asciiDomain(splitAddress(address)?.domain ?? '').replace(/\.$/, '')

/**
 * Completes the verdict on a stored message from its original, without DNS. Clears proofs if the domain of
 * From is not that of the stored sender. Reads signed fields from aligned signatures if one passed at
 * arrival.
 */
export async function verdictOf(message: StoredMessage, raw: Uint8Array): Promise<Authentication> {
  const { authentication: judged, from_addr, mail_from, received_at, source } = message
  const { fields, isComplete, hasSureSignatures, hasStrayControl } = readHeaders(raw, maxHeaderBytes)
  const domain = domainOf(from_addr)
  const senders = headerValues(fields, 'from').flatMap(parseAddressList)
  const isSame = senders.length === 1 && domain !== '' && domainOf(senders[0]!.address) === domain
  const unproven = { ...judged, spf_aligned: false, signed_fields: [], source, replayed: false }
  if (!isSame || !isComplete || hasStrayControl)
    return { ...unproven, from_verified: false, dkim_aligned: false }
  const { getDomain } = await loadSuffixes()
  const organizationOf = (name: string) => getDomain(name, { allowPrivateDomains: true }) ?? name
  const isAligned = (name: string) => organizationOf(name) === organizationOf(domain)
  const signatures = judged.dkim === 'pass' && hasSureSignatures ? writtenSignatures(fields, isAligned) : []
  const arrivedMs = source === 'imap' || received_at === null ? null : Date.parse(received_at)
  // A message that never left the service is verified without DMARC. Without DKIM, only SPF can have passed
  // DMARC.
  const isOwn = judged.from_verified && judged.dmarc !== 'pass'
  const isBySpf = source !== 'imap' && judged.from_verified && judged.dkim_aligned === false
  const isFromDomain = judged.spf === 'pass' && domainOf(mail_from) === domain
  return {
    ...unproven,
    spf_aligned: isOwn || isBySpf || isFromDomain,
    signed_fields: [...new Set(signatures.flatMap((one) => one.fields))],
    replayed: signatures.some(
      ({ signedAt }) => arrivedMs !== null && signedAt !== null && arrivedMs - signedAt * 1_000 > 7 * dayMs,
    ),
  }
}

/** Background job that reads the originals of stored messages once, to find their proven fields. */
export class StoredVerdicts {
  readonly #ports: Ports
  #running: Promise<void>
  #cancel = () => {}
  #closed = false

  constructor(ports: Ports) {
    this.#ports = ports
    this.#running = this.#run()
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    await this.#running
  }

  async #run(): Promise<void> {
    const { clock, logger } = this.#ports
    const isDone = await this.#readAll().catch((error) => {
      logger.error({ error }, 'stored messages could not be read again for signed fields')
      return false
    })
    if (this.#closed || isDone) return
    this.#cancel = clock.background(hourMs, () => {
      this.#running = this.#run()
    })
  }

  /** @returns whether nothing is left, also for later runs */
  async #readAll(): Promise<boolean> {
    const { db } = this.#ports.store
    const accounts = await db
      .selectFrom('accounts')
      .leftJoin('proof_readings', 'proof_readings.tenant_id', 'accounts.tenant_id')
      .select(['accounts.tenant_id', 'reached_seq', 'started_at', 'done'])
      .where((where) => where.or([where('done', 'is', null), where('done', '=', 0)]))
      .execute()
    for (const { tenant_id, reached_seq, started_at } of accounts) {
      if (this.#closed) return false
      await this.#readAccount(tenant_id, reached_seq ?? 0, started_at)
    }
    return accounts.length === 0
  }

  async #readAccount(tenantId: string, from: number, startedAt: string | null): Promise<void> {
    const { store, clock } = this.#ports
    const started_at = startedAt ?? new Date(clock.now()).toISOString()
    for (let reached = from; !this.#closed; ) {
      const rows = await store.db
        .selectFrom('messages')
        .select(['id', 'created_seq', 'direction', 'authentication'])
        .where('tenant_id', '=', tenantId)
        .where('created_seq', '>', reached)
        .orderBy('created_seq')
        .limit(pageRows)
        .execute()
      for (const row of rows) {
        const judged = JSON.parse(row.authentication ?? 'null') as Authentication | null
        const isVerified = judged?.from_verified || judged?.dkim_aligned
        if (row.direction === 'inbound' && isVerified && judged.signed_fields === undefined)
          await this.#readMessage(tenantId, row.id)
      }
      reached = rows.at(-1)?.created_seq ?? reached
      const isEnd = rows.length < pageRows
      const done = isEnd && clock.now() - Date.parse(started_at) > settledMs ? 1 : 0
      const at = { reached_seq: reached, done }
      await store.write((tx) =>
        tx
          .insertInto('proof_readings')
          .values({ tenant_id: tenantId, started_at, ...at })
          .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(at))
          .execute(),
      )
      if (isEnd) return
    }
  }

  async #sourceOf(tenantId: string, inboxId: string, id: string): Promise<StoredMessage['source']> {
    const { db } = this.#ports.store
    const connection = await db
      .selectFrom('connections')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('inbox_id', '=', inboxId)
      .executeTakeFirst()
    if (connection) return 'imap'
    const delivery = await db
      .selectFrom('inbound_deliveries')
      .select('delivery')
      .where('tenant_id', '=', tenantId)
      .where('inbox_id', '=', inboxId)
      .where('message_id', '=', id)
      .executeTakeFirst()
    return delivery ? 'key' : 'smtp'
  }

  async #readMessage(tenantId: string, id: string): Promise<void> {
    const row = await this.#ports.store.db
      .selectFrom('messages')
      .select(['inbox_id', 'from_addr', 'mail_from', 'received_at', 'authentication', 'raw', 'blob_hash'])
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst()
    const raw = row && (await readStored(this.#ports, row))
    if (!raw || row.authentication === null) return
    const authentication = JSON.parse(row.authentication) as Authentication
    const source = await this.#sourceOf(tenantId, row.inbox_id, id)
    const verdict = await verdictOf({ ...row, authentication, source }, raw)
    const mail = await this.#ports.parser.parse(raw, row.mail_from)
    const judged = judgedByParts(verdict, mail)
    await changeAccount(this.#ports, tenantId, (change) => saveVerdict(change, id, judged))
  }
}
