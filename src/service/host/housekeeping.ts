import { sql } from 'kysely'
import type { SystemLabelId } from '../../protocol/records'
import { countStorage } from '../accounts'
import { dayMs, hourMs, timeOf } from '../base'
import { eraseExpiredAccount, eraseMessageIn } from '../erasure'
import { dropKeptAnswers } from '../http'
import { dropOldDeliveries, dropSeenSignatures } from '../inbound'
import { hasInbox, hasThread } from '../inboxes'
import { type ChangeContext, changeAccount, dropOldPartitions, lateMs, makePartitions } from '../log'
import { dropOldPolicies } from '../outbound/delivery'
import { dropOldRates } from '../store'
import { dropDispatches } from '../webhooks'
import type { HostPorts } from './ports'

/** Rows that one transaction removes at most, and accounts that are looked at at once. */
const maxRows = 500
const maxAccounts = 100
/** Messages that one transaction erases at most. */
const maxErased = 50

/** The times between which an event is young: the others are older, or of a clock that was ahead. */
interface Young {
  from: string
  to: string
}

/** Shortens the log of an account by what is not young any more, or by a part of it. @returns Whether there may be more. */
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
  // Clocks of nodes differ: what is kept begins with the first event that is young enough.
  const young = rows.findIndex(({ created_at }) => created_at >= from && created_at < to)
  const before = young < 0 ? rows : rows.slice(0, young)
  // What a clock that was ahead wrote goes with what came after it.
  const last = before.reverse().find(({ created_at }) => created_at < from)
  if (!last) return false
  await tx.deleteFrom('events').where('tenant_id', '=', tenant_id).where('seq', '<=', last.seq).execute()
  await dropDispatches(change, (where) => where('event_seq', '<=', last.seq))
  await tx.updateTable('accounts').set({ log_start: last.seq }).where('tenant_id', '=', tenant_id).execute()
  return rows.length === maxRows
}

const onPostgres = ({ store }: HostPorts) => store.dialect === 'postgres'

async function makeLogPartitions(ports: HostPorts): Promise<void> {
  if (onPostgres(ports)) await makePartitions(ports, ports.settings.keepEventsMs)
}

async function dropLogPartitions(ports: HostPorts): Promise<void> {
  if (onPostgres(ports)) await dropOldPartitions(ports, ports.settings.keepEventsMs)
}

/** Forgets what was sent to webhooks of events that are gone, or a part of it. */
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

/** Forgets what was sent to webhooks of events whose partitions were dropped. */
async function forgetDispatches(ports: HostPorts): Promise<void> {
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
 * Forgets events that are older than the service keeps them: a cursor before them gets `cursor_expired`. Partitions are
 * dropped whole: there it forgets what one that cannot be would keep.
 */
async function shortenLogs(ports: HostPorts): Promise<void> {
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

/** Begins to erase the accounts whose time to be claimed was over so long ago. */
async function eraseExpiredAccounts(ports: HostPorts): Promise<void> {
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

/** Erases what an account threw away before this time, or a part of it. @returns the number of messages */
async function emptyTrashOf(ports: HostPorts, change: ChangeContext, before: string): Promise<number> {
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

/** Erases what has been in the trash for so long. */
async function emptyTrash(ports: HostPorts): Promise<void> {
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
          // The trash of the others goes all the same.
          ports.logger.error({ error, account: tenant_id }, 'the trash of an account could not be emptied')
          return 0
        },
      )
    // What is left is being erased otherwise, with its inbox or thread, or could not be: there is another hour.
    if (erased === 0) return
  }
}

const everyMs = hourMs

type Work = (ports: HostPorts) => Promise<unknown>

const works: readonly Work[] = [
  countStorage,
  makeLogPartitions,
  dropLogPartitions,
  shortenLogs,
  forgetDispatches,
  dropOldPolicies,
  dropOldDeliveries,
  dropSeenSignatures,
  ({ store, clock }) => dropOldRates(store, clock.now()),
  dropKeptAnswers,
  emptyTrash,
  eraseExpiredAccounts,
]

/** Tells whether a work gave way to others in the database, and is to be tried again soon. */
const gaveWay = (error: unknown): boolean => (error as { code?: string }).code === '55P03'

/** The pause before a work that gave way is tried again; nodes that began at the same time try it at different ones. */
const againMs = ({ clock }: HostPorts) => 2_000 + Math.floor(clock.random() * 3_000)

/** Looks at the start and every hour for what has been kept long enough. */
export class Housekeeper {
  readonly #ports: HostPorts
  #cancel = () => {}
  #running: Promise<void>
  #closed = false

  constructor(ports: HostPorts) {
    this.#ports = ports
    this.#running = this.#run()
  }

  /** Lets what runs come to its end. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    await this.#running
  }

  async #run(some = works, nextMs = this.#ports.clock.now() + everyMs): Promise<void> {
    const { clock, logger } = this.#ports
    const again: Work[] = []
    for (const work of some)
      await work(this.#ports).catch((error) => {
        if (gaveWay(error)) again.push(work)
        else logger.error({ error }, 'what was kept long enough could not be removed')
      })
    if (this.#closed) return
    const restMs = Math.min(everyMs, Math.max(0, nextMs - clock.now()))
    const pauseMs = againMs(this.#ports)
    const isSoon = again.length > 0 && pauseMs < restMs
    this.#cancel = clock.background(isSoon ? pauseMs : restMs, () => {
      this.#running = isSoon ? this.#run(again, nextMs) : this.#run()
    })
  }
}
