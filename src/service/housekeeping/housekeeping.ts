import { sql } from 'kysely'
import type { SystemLabelId } from '../../protocol/records/label-names'
import { dayMs, hourMs, timeOf } from '../base/time'
import { eraseExpiredAccount } from '../erasure/erase-account'
import { eraseMessageIn } from '../erasure/erase-mail'
import type { HttpPorts } from '../http/handlers/ports'
import { dropKeptAnswers } from '../http/idempotency-key'
import { dropOldDeliveries } from '../inbound/deliveries'
import { dropSeenSignatures } from '../inbound/seen-signatures'
import { hasInbox, hasThread } from '../inboxes/inboxes'
import { dropOldAudit } from '../log/audit'
import { changeAccount } from '../log/change'
import { dropOldPartitions, lateMs, makePartitions } from '../log/log-partitions'
import type { ChangeContext } from '../log/registry'
import { dropOldPolicies } from '../outbound/delivery/mta-sts-policies'
import { dropOldRates } from '../store/rate-slices'
import { dropDispatches } from '../webhooks/dispatch-rows'

/** Ports of housekeeping, and with them of the whole service. */
export interface HousekeepingPorts extends HttpPorts {
  readonly settings: HttpPorts['settings'] & {
    /** Retention in ms of events and their webhook deliveries. */
    readonly keepEventsMs: number
    /** Retention in ms of the data of an unclaimed account after its expiry. */
    readonly keepExpiredMs: number
    /** Retention in ms of messages in the trash; null to keep them. */
    readonly keepTrashMs: number | null
    /** Retention in ms of the audit log; null to keep it. */
    readonly keepAuditMs: number | null
  }
}

/** Maximum number of rows that one transaction removes. */
const maxRows = 500
const maxAccounts = 100
/** Maximum number of messages that one transaction erases. */
const maxErased = 50

/** Times between which an event is young; all others are old, or have a time from a clock that was ahead. */
interface Young {
  from: string
  to: string
}

/** Removes old events of an account, up to {@link maxRows}. @returns True if there may be more. */
async function shortenLog(change: ChangeContext, { from, to }: Young): Promise<boolean> {
  const { tx, account } = change
  const { tenant_id } = account
  const rows = await tx
    .selectFrom('events')
    .select(['seq', 'created_at'])
    .where('tenant_id', '=', tenant_id)
    .where('seq', '>', account.log_start)
    .orderBy('seq')
    .limit(maxRows)
    .execute()
  // Clocks of nodes differ: the kept part starts with the first young event.
  const young = rows.findIndex(({ created_at }) => created_at >= from && created_at < to)
  const before = young < 0 ? rows : rows.slice(0, young)
  // Events of a clock that was ahead are removed with the later ones.
  const last = before.reverse().find(({ created_at }) => created_at < from)
  if (!last) return false
  await tx.deleteFrom('events').where('tenant_id', '=', tenant_id).where('seq', '<=', last.seq).execute()
  await dropDispatches(change, (where) => where('event_seq', '<=', last.seq))
  await tx.updateTable('accounts').set({ log_start: last.seq }).where('tenant_id', '=', tenant_id).execute()
  return rows.length === maxRows
}

const onPostgres = ({ store }: HousekeepingPorts) => store.dialect === 'postgres'

async function makeLogPartitions(ports: HousekeepingPorts): Promise<void> {
  if (onPostgres(ports)) await makePartitions(ports, ports.settings.keepEventsMs)
}

async function dropLogPartitions(ports: HousekeepingPorts): Promise<void> {
  if (onPostgres(ports)) await dropOldPartitions(ports, ports.settings.keepEventsMs)
}

/** Deletes old webhook deliveries of removed events, up to {@link maxRows}. */
async function dropOldDispatches(change: ChangeContext, before: string): Promise<void> {
  const { tx, account } = change
  const rows = await tx
    .selectFrom('webhook_dispatches')
    .select('event_seq')
    .where('tenant_id', '=', account.tenant_id)
    .where('event_seq', '<=', account.log_start)
    .where('created_at', '<', before)
    .orderBy('event_seq')
    .limit(maxRows)
    .execute()
  const last = rows.at(-1)
  if (last)
    await dropDispatches(change, (where) =>
      where.and([where('event_seq', '<=', last.event_seq), where('created_at', '<', before)]),
    )
}

/** Deletes webhook deliveries of events whose partitions were dropped. */
async function forgetDispatches(ports: HousekeepingPorts): Promise<void> {
  if (!onPostgres(ports)) return
  const before = timeOf(ports.clock.now() - ports.settings.keepEventsMs)
  for (;;) {
    const rows = await ports.store.db
      .selectFrom('accounts')
      .select('accounts.tenant_id')
      .where('accounts.tenant_id', 'in', (from) => from.selectFrom('webhooks').select('webhooks.tenant_id'))
      .where(
        (from) =>
          from
            .selectFrom('webhook_dispatches as old')
            .select('old.id')
            .whereRef('old.tenant_id', '=', 'accounts.tenant_id')
            .whereRef('old.event_seq', '<=', 'accounts.log_start')
            .where('old.created_at', '<', before)
            .orderBy('old.event_seq')
            .limit(1),
        'is not',
        null,
      )
      .limit(maxAccounts)
      .execute()
    if (rows.length === 0) return
    for (const { tenant_id } of rows)
      await changeAccount(ports, tenant_id, (change) => dropOldDispatches(change, before))
  }
}

/**
 * Removes events that are older than the retention time; a cursor before them gets `cursor_expired`. On
 * PostgreSQL whole partitions are dropped, and this removes old events from partitions that cannot be.
 */
async function shortenLogs(ports: HousekeepingPorts): Promise<void> {
  const { keepEventsMs } = ports.settings
  const nowMs = ports.clock.now()
  const from = timeOf(nowMs - keepEventsMs - (onPostgres(ports) ? lateMs(keepEventsMs) : 0))
  const to = timeOf(nowMs + dayMs)
  for (let after = ''; ; ) {
    const rows = await ports.store.db
      .selectFrom('accounts')
      .innerJoin('events', 'events.tenant_id', 'accounts.tenant_id')
      .select('accounts.tenant_id')
      .where('accounts.tenant_id', '>', after)
      .where((where) => where('events.seq', '=', where('accounts.log_start', '+', 1)))
      .where((where) =>
        where.or([where('events.created_at', '<', from), where('events.created_at', '>=', to)]),
      )
      .orderBy('accounts.tenant_id')
      .limit(maxAccounts)
      .execute()
    for (const { tenant_id } of rows)
      while (await changeAccount(ports, tenant_id, (change) => shortenLog(change, { from, to })));
    if (rows.length < maxAccounts) return
    after = rows.at(-1)!.tenant_id
  }
}

/** Starts to erase accounts that were not claimed in time and whose retention is over. */
async function eraseExpiredAccounts(ports: HousekeepingPorts): Promise<void> {
  const before = timeOf(ports.clock.now() - ports.settings.keepExpiredMs)
  for (;;) {
    const rows = await ports.store.db
      .selectFrom('accounts')
      .select('tenant_id')
      .where('unclaimed_expires_at', '<=', before)
      .where('onboarding_state', '=', 'unclaimed')
      .where('erased_at', 'is', null)
      .limit(maxAccounts)
      .execute()
    for (const { tenant_id } of rows) await eraseExpiredAccount(ports, tenant_id)
    if (rows.length < maxAccounts) return
  }
}

/** Erases messages trashed before this time, up to {@link maxErased}. @returns Their number */
async function emptyTrashOf(
  ports: HousekeepingPorts,
  change: ChangeContext,
  before: string,
): Promise<number> {
  const rows = await change.tx
    .selectFrom('message_labels')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.tenant_id', '=', 'message_labels.tenant_id')
        .onRef('messages.id', '=', 'message_labels.message_id'),
    )
    .select(['messages.id', 'messages.inbox_id', 'messages.thread_id'])
    .where(hasInbox('messages'))
    .where(hasThread)
    .where('message_labels.tenant_id', '=', change.account.tenant_id)
    .where('message_labels.label_id', '=', sql.lit('trash' satisfies SystemLabelId))
    .where('message_labels.assigned_at', '<=', before)
    .orderBy('message_labels.assigned_at')
    .limit(maxErased)
    .execute()
  for (const row of rows) await eraseMessageIn(ports, change, row)
  return rows.length
}

/** Erases messages whose retention in the trash is over. */
async function emptyTrash(ports: HousekeepingPorts): Promise<void> {
  const { keepTrashMs } = ports.settings
  if (keepTrashMs === null) return
  const before = timeOf(ports.clock.now() - keepTrashMs)
  for (;;) {
    const rows = await ports.store.db
      .selectFrom('message_labels')
      .select('tenant_id')
      .distinct()
      .where('label_id', '=', sql.lit('trash' satisfies SystemLabelId))
      .where('assigned_at', '<=', before)
      .limit(maxAccounts)
      .execute()
    let erased = 0
    for (const { tenant_id } of rows)
      erased += await changeAccount(ports, tenant_id, (change) => emptyTrashOf(ports, change, before)).catch(
        (error) => {
          // Continue with the trash of other accounts.
          ports.logger.error({ error, account: tenant_id }, 'the trash of an account could not be emptied')
          return 0
        },
      )
    // The rest is being erased with its inbox or thread, or failed: the next run tries again.
    if (erased === 0) return
  }
}

const everyMs = hourMs

type Work = (ports: HousekeepingPorts) => Promise<unknown>

const works: readonly Work[] = [
  makeLogPartitions,
  dropLogPartitions,
  shortenLogs,
  forgetDispatches,
  dropOldPolicies,
  dropOldDeliveries,
  dropSeenSignatures,
  ({ store, clock }) => dropOldRates(store, clock.now()),
  dropKeptAnswers,
  (ports) => dropOldAudit(ports, ports.settings.keepAuditMs),
  emptyTrash,
  eraseExpiredAccounts,
]

/** Returns true if a task gave way to others in the database and should run again soon. */
const gaveWay = (error: unknown): boolean => (error as { code?: string }).code === '55P03'

/** Pause in ms before such a task runs again; random, so that nodes do not collide again. */
const againMs = ({ clock }: HousekeepingPorts) => 2_000 + Math.floor(clock.random() * 3_000)

/** Removes data whose retention is over, at the start and every hour. */
export class Housekeeper {
  readonly #ports: HousekeepingPorts
  #cancel = () => {}
  #running: Promise<void>
  #closed = false

  constructor(ports: HousekeepingPorts) {
    this.#ports = ports
    this.#running = this.#run()
  }

  /** Waits for the running tasks. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    await this.#running
  }

  async #run(some = works, nextMs = this.#ports.clock.now() + everyMs): Promise<void> {
    const { clock, logger } = this.#ports
    const again: Work[] = []
    for (const work of some) {
      if (this.#closed) return
      await work(this.#ports).catch((error) => {
        if (gaveWay(error)) again.push(work)
        else logger.error({ error }, 'what was kept long enough could not be removed')
      })
    }
    if (this.#closed) return
    const restMs = Math.min(everyMs, Math.max(0, nextMs - clock.now()))
    const pauseMs = againMs(this.#ports)
    const isSoon = again.length > 0 && pauseMs < restMs
    this.#cancel = clock.background(isSoon ? pauseMs : restMs, () => {
      this.#running = isSoon ? this.#run(again, nextMs) : this.#run()
    })
  }
}
