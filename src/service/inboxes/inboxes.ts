import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Inbox, InboxBody, InboxChanges } from '../../protocol/records/inbox'
import {
  type CountLimit,
  limitsOf,
  requireBelowLimit,
  requireManaging,
  requireReader,
  requireWholeAccount,
} from '../accounts/account'
import { type InboxRow, inboxRecord } from '../accounts/account-inboxes'
import { isReserved, takeAddress } from '../accounts/addresses'
import type { Caller, Scope } from '../accounts/keys'
import type { AccountPorts } from '../accounts/ports'
import { decodeIdCursor, pageOf } from '../base/cursor'
import { newId, randomDigitsOf } from '../base/ids'
import { notFound, refuse } from '../base/refuse'
import { administrator } from '../base/sender'
import { domainByName } from '../domains/domains'
import { audit } from '../log/audit'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import { asciiHostname } from '../net/hostname'
import { labelled, notLabelled, runPrepared } from '../store/prepared'
import type { Database } from '../store/tables/schema'

type OfInbox = 'messages' | 'threads' | 'drafts'

/** Condition that the inbox of a row exists: rows of a deleted inbox may be erased in later steps. */
export const hasInbox = (table: OfInbox) => sql<boolean>`exists (select 1 from inboxes
  where inboxes.tenant_id = ${sql.ref(`${table}.tenant_id`)} and inboxes.id = ${sql.ref(`${table}.inbox_id`)})`

/** Condition that the inbox of a row exists, for lists: trivial if the account never deleted an inbox. */
export const hasInboxIn = (table: OfInbox, { account }: Pick<Caller, 'account'>) =>
  account?.deleted_inboxes === 0 ? sql<boolean>`1 = 1` : hasInbox(table)

/** Condition that the thread of a message exists. */
export const hasThread = sql<boolean>`exists (select 1 from threads
  where threads.tenant_id = messages.tenant_id and threads.id = messages.thread_id)`

/** Conditions that a message exists, for lists: they check its thread only while one is being erased. */
export function isThere(scope: Pick<Caller, 'account'>): RawBuilder<boolean>[] {
  const inInbox = hasInboxIn('messages', scope)
  return scope.account?.erasing_threads === 0 ? [inInbox] : [inInbox, hasThread]
}

const list = 'inboxes'

/** Counts the unread messages of each inbox that has any, without spam and trash. */
async function countUnread(db: Kysely<Database>, { tenantId, inboxId }: Scope): Promise<Map<string, number>> {
  // An expression instead of the column: otherwise SQLite would read all messages in the order of inboxes to
  // group them.
  const inbox = sql<string>`"inbox_id" || ''`
  let query = db
    .selectFrom('messages')
    .select([inbox.as('inbox_id'), ({ fn }) => fn.countAll<number>().as('count')])
    .where('tenant_id', '=', tenantId)
    .where((where) => where.and([labelled('messages', 'unread'), ...notLabelled('messages')]))
    .groupBy(inbox)
  if (inboxId) query = query.where('inbox_id', '=', inboxId)
  return new Map((await query.execute()).map((row) => [row.inbox_id, Number(row.count)]))
}

/** Returns the inboxes that the key reaches, oldest first. */
export async function listInboxes(
  ports: AccountPorts,
  scope: Caller,
  { limit, cursor, include }: { limit: number; cursor?: string | undefined; include?: 'unread' | undefined },
) {
  requireReader(ports, scope)
  let query = ports.store.db
    .selectFrom('inboxes')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('id')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(list, cursor))
  if (scope.inboxId) query = query.where('id', '=', scope.inboxId)
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.id)
  const inboxes = page.map(inboxRecord)
  if (include === undefined) return { inboxes, next_cursor }
  const unread = await countUnread(ports.store.db, scope)
  return { inboxes: inboxes.map((one) => ({ ...one, unread: unread.get(one.id) ?? 0 })), next_cursor }
}

/** @throws ServiceError `not_found`, `account_expired` */
export async function readInbox(ports: AccountPorts, scope: Caller, id: string): Promise<Inbox> {
  requireReader(ports, scope)
  return inboxRecord(await inboxRow(ports, scope, id))
}

/** Returns the row of an inbox that the key reaches. @throws ServiceError `not_found` */
export const inboxRow = (ports: AccountPorts, scope: Scope, id: string): Promise<InboxRow> =>
  inboxRowIn(ports.store.db, scope, id)

/** Returns the row of an inbox that the key reaches, in a transaction. @throws ServiceError `not_found` */
export async function inboxRowIn(db: Kysely<Database>, scope: Scope, id: string): Promise<InboxRow> {
  const [row] = await runPrepared(db, 'inbox', [scope.tenantId, id], () =>
    db.selectFrom('inboxes').selectAll().where('tenant_id', '=', scope.tenantId).where('id', '=', id),
  )
  if (!row || (scope.inboxId && scope.inboxId !== id)) throw notFound('inbox', id)
  return row
}

function countLimitOf(ports: AccountPorts, { account }: ChangeContext): CountLimit {
  const max = limitsOf(ports, account).inboxes
  const message = `The account has ${max} inboxes, which is the most of its plan: delete one, or use plus addressing (name+anything@).`
  return { max, code: 'inbox_limit_reached', message }
}

/** Returns the inbox that this client_id made, if it exists. @throws ServiceError `client_id_conflict` */
async function findByClientId(
  change: ChangeContext,
  request: InboxBody,
  domain: string,
): Promise<InboxRow | null> {
  if (request.client_id === undefined) return null
  const row = await change.tx
    .selectFrom('inboxes')
    .selectAll()
    .where('tenant_id', '=', change.account.tenant_id)
    .where('client_id', '=', request.client_id)
    .executeTakeFirst()
  if (!row) return null
  const [localPart, hostname] = row.address.split('@')
  const isOther =
    (request.local_part !== undefined && request.local_part !== localPart) ||
    (request.domain !== undefined && domain !== hostname)
  if (isOther) {
    throw refuse(
      'client_id_conflict',
      `The client_id was used for ${row.address}: use a new one for another inbox.`,
      { inbox_id: row.id },
    )
  }
  return row
}

/** @throws ServiceError `domain_not_verified` */
async function requireVerified({ tx, account }: ChangeContext, hostname: string): Promise<void> {
  const row = await domainByName(tx, account.tenant_id, hostname)
  if (row?.status === 'verified') return
  throw refuse(
    'domain_not_verified',
    `The account has no verified domain ${JSON.stringify(hostname)}: add it (POST /domains), publish its records and verify it, or leave domain out.`,
  )
}

type TreatedColumns = Pick<InboxRow, 'treat_as_person' | 'treat_as_program'>

const none: TreatedColumns = { treat_as_person: null, treat_as_program: null }

/** Returns the columns of senders treated as persons or programs; left-out fields stay unchanged. */
function treatedColumns(request: InboxChanges, before: TreatedColumns = none): TreatedColumns {
  const columnOf = (name: keyof TreatedColumns): string | null => {
    const patterns = request[name] && [...new Set(request[name])]
    if (!patterns) return before[name]
    return patterns.length === 0 ? null : JSON.stringify(patterns)
  }
  return { treat_as_person: columnOf('treat_as_person'), treat_as_program: columnOf('treat_as_program') }
}

/** Returns the columns about agents, their people and their time; left-out fields stay unchanged. */
const agentColumns = (
  {
    hold_after_reply: after,
    handover_text: text,
    unattended_after: unattended,
    agent,
    time_zone,
  }: InboxChanges,
  before: InboxRow,
) => ({
  hold_after_reply: after ?? before.hold_after_reply,
  handover_text: text === undefined ? before.handover_text : text,
  unattended_after: unattended ?? before.unattended_after,
  agent: agent ?? before.agent,
  time_zone: time_zone ?? before.time_zone,
})

/** Notes in the account that messages must be checked for such senders. */
async function noteTreated({ tx, account }: ChangeContext, columns: TreatedColumns): Promise<void> {
  const isTreated = columns.treat_as_person !== null || columns.treat_as_program !== null
  if (!isTreated || account.treats_senders > 0) return
  await tx
    .updateTable('accounts')
    .set({ treats_senders: 1 })
    .where('tenant_id', '=', account.tenant_id)
    .execute()
}

async function addInbox(
  ports: AccountPorts,
  change: ChangeContext,
  request: InboxBody,
  domain: string,
): Promise<InboxRow> {
  const { tenant_id } = change.account
  const localPart = request.local_part ?? `agent-${randomDigitsOf(8)}`
  const isOwn = domain !== ports.settings.domain
  if (isOwn) await requireVerified(change, domain)
  if (isReserved(localPart, isOwn)) {
    throw refuse(
      'inbox_unavailable',
      `The name ${localPart} is reserved. Choose another, or leave out local_part to get a generated one.`,
    )
  }
  const row: InboxRow = {
    tenant_id,
    id: newId('inb', ports.clock.now()),
    address: `${localPart}@${domain}`,
    name: request.name ?? null,
    client_id: request.client_id ?? null,
    connection_id: null,
    automatic_answers: null,
    ...{ hold_after_reply: null, handover_text: null, unattended_after: null, agent: null, time_zone: null },
    ...treatedColumns(request),
    created_at: change.now,
    seq: 0,
  }
  await noteTreated(change, row)
  await takeAddress(change.tx, row.address, { tenant_id, inbox_id: row.id })
  row.seq = change.append('inbox.created', row.id, inboxRecord(row))
  await change.tx.insertInto('inboxes').values(row).execute()
  return row
}

/**
 * Creates an inbox, or finds the one that the same client_id made before.
 *
 * @throws ServiceError `claim_required`, `insufficient_scope`, `client_id_conflict`, `inbox_unavailable`,
 * `inbox_limit_reached`, `domain_not_verified`
 */
export async function createInbox(
  ports: AccountPorts,
  scope: Scope,
  request: InboxBody,
): Promise<{ replayed: boolean; answer: Inbox }> {
  requireWholeAccount(scope)
  const domain = request.domain === undefined ? ports.settings.domain : asciiHostname(request.domain)
  return changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const before = await findByClientId(change, request, domain)
    if (before) return { replayed: true, answer: inboxRecord(before) }
    await requireBelowLimit(change, 'inboxes', countLimitOf(ports, change))
    return { replayed: false, answer: inboxRecord(await addInbox(ports, change, request, domain)) }
  })
}

/** Longest text of a setting that the audit log repeats, in characters. */
const maxAudited = 100

/** Returns the changed settings for the audit log; of lists and long texts only the names. */
const shortFieldsOf = (changes: object): object =>
  Object.fromEntries(
    Object.entries(changes)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [
        name,
        typeof value === 'object' || String(value).length > maxAudited ? '…' : value,
      ]),
  )

/** Changes the name or the settings of an inbox. @throws ServiceError `not_found`, `claim_required` */
export async function updateInbox(
  ports: AccountPorts,
  scope: Scope,
  { id, ...changes }: { id: string } & InboxChanges,
): Promise<Inbox> {
  return changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const row = await inboxRowIn(change.tx, scope, id)
    const { name = row.name, automatic_answers_per_hour: automatic_answers = row.automatic_answers } = changes
    const columns = {
      name,
      automatic_answers,
      ...agentColumns(changes, row),
      ...treatedColumns(changes, row),
    }
    if (isDeepStrictEqual({ ...row, ...columns }, row)) return inboxRecord(row)
    const changed = { ...row, ...columns }
    const seq = change.append('inbox.updated', id, inboxRecord(changed))
    await noteTreated(change, changed)
    const isSwitched = (row.agent === 'off') !== (changed.agent === 'off')
    await change.tx
      .updateTable('inboxes')
      .set({ ...columns, seq })
      .where('tenant_id', '=', scope.tenantId)
      .where('id', '=', id)
      .execute()
    const by = scope.sender ?? administrator
    await audit(change, { action: 'inbox.updated', by, target: id, details: shortFieldsOf(changes) })
    if (isSwitched) await change.tell('agentSwitched', { inboxId: id, isOff: changed.agent === 'off' })
    return inboxRecord({ ...changed, seq })
  })
}
