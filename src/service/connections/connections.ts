import type { Kysely } from 'kysely'
import type { Connection, ConnectionBody } from '../../protocol/connections/connection'
import {
  type CountLimit,
  limitsOf,
  requireBelowLimit,
  requireManaging,
  requireReader,
  requireWholeAccount,
} from '../accounts/account'
import { type InboxRow, inboxRecord } from '../accounts/account-inboxes'
import type { Caller, Scope } from '../accounts/keys'
import { decodeIdCursor, pageOf } from '../base/cursor'
import { newId } from '../base/ids'
import { notFound, refuse } from '../base/refuse'
import { now, timeOf } from '../base/time'
import { insertJobs, queueTopic } from '../jobs/jobs'
import { changeAccount } from '../log/change'
import type { ChangeContext, Registry } from '../log/registry'
import type { Database } from '../store/tables/schema'
import { serversOf } from './find-servers'
import { foldersOf, saveFolder } from './folders'
import { skippedOf, writeSkipped } from './obstacles'
import type { ConnectionPorts } from './ports'
import {
  type ConnectionRow,
  type ConnectionSettings,
  connectionRecord,
  sealLogin,
  sealToken,
  settingsOf,
} from './records'
import { MailSourceError } from './source/mail-source'
import { type Trial, tryConnection } from './trial'
import { loginsOf } from './trial-limits'
import { changedTopic } from './worker'

const list = 'connections'
const maxConnections = 100
const countLimit: CountLimit = {
  max: maxConnections,
  code: 'connection_limit_reached',
  message: `The account has ${maxConnections} connected mailboxes, which is the most: disconnect one.`,
}

/** Returns the row of a connection that the key reaches. @throws ServiceError `not_found` */
async function connectionRow(db: Kysely<Database>, scope: Scope, id: string): Promise<ConnectionRow> {
  const row = await db
    .selectFrom('connections')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row || (scope.inboxId && scope.inboxId !== row.inbox_id)) throw notFound('connection', id)
  return row
}

/** @throws MailSourceError if no server is found */
async function readSettings(
  ports: ConnectionPorts,
  request: ConnectionBody,
  signal: AbortSignal,
): Promise<ConnectionSettings> {
  const { folders, since, mark_answered, keyword, authserv_id, sent_copy, address, login } = request
  const { imap, smtp, user } = await serversOf(ports, request, signal)
  return {
    ...{ imap, smtp },
    user: request.user ?? user ?? address,
    login: login.type,
    folders: [...new Set(folders)],
    since: since === 'all' ? null : since === 'now' ? now(ports) : timeOf(Date.parse(since)),
    mark_answered,
    sent_copy,
    ...(keyword !== undefined && { keyword }),
    ...(authserv_id !== undefined && { authserv_id }),
  }
}

/** Finds the inbox of a mailbox address, even if it is no longer connected. */
async function inboxOf({ tx, account }: ChangeContext, address: string): Promise<InboxRow | undefined> {
  return tx
    .selectFrom('inboxes')
    .selectAll()
    .where('tenant_id', '=', account.tenant_id)
    .where('address', '=', address)
    .where('connection_id', 'is not', null)
    .executeTakeFirst()
}

/**
 * The address need not be of this service: only a client with the login has it, and others can connect it
 * too.
 */
async function addInbox(ports: ConnectionPorts, change: ChangeContext, request: ConnectionBody, id: string) {
  const { account, tx } = change
  const max = limitsOf(ports, account).inboxes
  await requireBelowLimit(change, 'inboxes', {
    max,
    code: 'inbox_limit_reached',
    message: `The account has ${max} inboxes, which is the most of its plan: delete one.`,
  })
  const row: InboxRow = {
    tenant_id: account.tenant_id,
    id: newId('inb', ports.clock.now()),
    address: request.address.toLowerCase(),
    name: request.name ?? null,
    client_id: null,
    connection_id: id,
    ...{ automatic_answers: null, treat_as_person: null, treat_as_program: null, hold_after_reply: null },
    ...{ handover_text: null, unattended_after: null, agent: null, time_zone: null },
    created_at: change.now,
    seq: 0,
  }
  row.seq = change.append('inbox.created', row.id, inboxRecord(row))
  await tx.insertInto('inboxes').values(row).execute()
  return row
}

const jobDataOf = (connectionId: string): string => JSON.stringify({ connectionId })

async function dropRows({ tx, account }: ChangeContext, id: string): Promise<void> {
  // Deleted first, in the lock order of the worker, whose uncommitted work is then lost.
  await tx
    .deleteFrom('jobs')
    .where('tenant_id', '=', account.tenant_id)
    .where('queue', '=', 'connections')
    .where('data', '=', jobDataOf(id))
    .execute()
  await tx.deleteFrom('connections').where('tenant_id', '=', account.tenant_id).where('id', '=', id).execute()
  await tx
    .deleteFrom('connection_folders')
    .where('tenant_id', '=', account.tenant_id)
    .where('connection_id', '=', id)
    .execute()
}

/** Restarts the job of a connection with its present settings: a worker with older ones loses its lease. */
async function restartJob(
  ports: ConnectionPorts,
  { tx, account }: ChangeContext,
  connectionId: string,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set({ run_at: now(ports), lease_token: null, lease_until: null })
    .where('tenant_id', '=', account.tenant_id)
    .where('queue', '=', 'connections')
    .where('data', '=', jobDataOf(connectionId))
    .executeTakeFirst()
  if (Number(numUpdatedRows) === 0)
    await insertJobs(ports, tx, account.tenant_id, 'connections', [{ connectionId }])
}

interface Made {
  row: ConnectionRow
  replayed: boolean
}

async function saveConnection(
  ports: ConnectionPorts,
  change: ChangeContext,
  { request, settings, token }: Pick<Trial, 'request' | 'settings' | 'token'>,
): Promise<Made> {
  const { tx, account } = change
  const inbox = await inboxOf(change, request.address.toLowerCase())
  const before = inbox && (await findByInbox(tx, inbox))
  if (!before) await requireBelowLimit(change, 'connections', countLimit)
  const id = before?.id ?? inbox?.connection_id ?? newId('con', ports.clock.now())
  const { id: inbox_id } = inbox ?? (await addInbox(ports, change, request, id))
  // A new login continues where the one before ended, with what arrived meanwhile.
  const since = before && request.since === 'now' ? settingsOf(before).since : settings.since
  const key = { tenant_id: account.tenant_id, id }
  const row: ConnectionRow = {
    ...key,
    inbox_id,
    address: request.address.toLowerCase(),
    settings: JSON.stringify({ ...settings, since }),
    secret: sealLogin(ports, key, request.login),
    token: sealToken(ports, key, token),
    token_lease_until: null,
    state: 'connecting',
    error: null,
    live_since: null,
    looked_at: before?.looked_at ?? null,
    failing_since: null,
    next_attempt_at: null,
    failures: 0,
    filed_seq: before?.filed_seq ?? change.account.seq,
    created_at: before?.created_at ?? (request.since === 'now' && since !== null ? since : change.now),
  }
  await restartJob(ports, change, id)
  await tx.deleteFrom('connections').where('tenant_id', '=', account.tenant_id).where('id', '=', id).execute()
  await tx.insertInto('connections').values(row).execute()
  return { row, replayed: before !== undefined }
}

const findByInbox = (db: Kysely<Database>, { tenant_id, id }: InboxRow): Promise<ConnectionRow | undefined> =>
  db
    .selectFrom('connections')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('inbox_id', '=', id)
    .executeTakeFirst()

/**
 * Maximum duration of a trial in ms: a server that sends a byte now and then cannot hold the request longer.
 */
const maxTrialMs = 30_000

/** Runs a trial with a time limit. @throws MailSourceError */
async function withinTrialTime<T extends { close(): void }>(
  { clock }: ConnectionPorts,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  let cancel = () => {}
  const late = new Promise<never>((_, reject) => {
    cancel = clock.background(maxTrialMs, () => {
      reject(new MailSourceError('unreachable', `The server took longer than ${maxTrialMs / 1_000} s.`))
      ending.abort()
    })
  })
  const trying = run(AbortSignal.any([signal, ending.signal]))
  // A trial that opens after its time is closed.
  trying.then((trial) => ending.signal.aborted && trial.close()).catch(() => {})
  return Promise.race([trying, late]).finally(() => cancel())
}

/** @throws ServiceError `connection_failed` */
const refusedTrial = (error: unknown): never => {
  if (error instanceof MailSourceError) throw refuse('connection_failed', error.message, { kind: error.kind })
  throw error
}

/**
 * Connects a mailbox, or gives a connected one another login. The login is tried before anything is stored.
 *
 * @param client Rate limit key of the caller's address; null if it is not limited.
 * @throws ServiceError `connection_failed`, `connection_limit_reached`, `inbox_limit_reached`,
 * `claim_required`, `rate_limited`
 */
export async function createConnection(
  ports: ConnectionPorts,
  scope: Scope,
  request: ConnectionBody,
  client: string | null,
  signal: AbortSignal,
): Promise<{ replayed: boolean; answer: Connection }> {
  requireWholeAccount(scope)
  // Without this right, nobody can make the service log in anywhere.
  await changeAccount(ports, scope.tenantId, async (change) => requireManaging(change.account, change.now))
  await ports.trialLimits.countCaller({ tenantId: scope.tenantId, client })
  const tried = await withinTrialTime(ports, signal, async (inTime) => {
    const settings = await readSettings(ports, request, inTime)
    await ports.trialLimits.countLogins(loginsOf(settings, request))
    return tryConnection(ports, settings, request, inTime)
  }).catch(refusedTrial)
  try {
    const { row, replayed } = await changeAccount(ports, scope.tenantId, async (change) => {
      requireManaging(change.account, change.now)
      const made = await saveConnection(ports, change, tried)
      await tried.begin(change.tx, made.row)
      change.wake(queueTopic('connections'))
      change.wake(changedTopic(made.row.id))
      return made
    })
    return { replayed, answer: connectionRecord(row, await foldersOf(ports.store.db, row)) }
  } finally {
    tried.close()
  }
}

/** Returns the connections that the key reaches, oldest first. */
export async function listConnections(
  ports: ConnectionPorts,
  scope: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  requireReader(ports, scope)
  let query = ports.store.db
    .selectFrom('connections')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('id')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(list, cursor))
  if (scope.inboxId) query = query.where('inbox_id', '=', scope.inboxId)
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.id)
  const folders = await Promise.all(page.map((row) => foldersOf(ports.store.db, row)))
  return { connections: page.map((row, i) => connectionRecord(row, folders[i]!)), next_cursor }
}

/** @throws ServiceError `not_found`, `account_expired` */
export async function readConnection(ports: ConnectionPorts, scope: Caller, id: string): Promise<Connection> {
  requireReader(ports, scope)
  const row = await connectionRow(ports.store.db, scope, id)
  return connectionRecord(row, await foldersOf(ports.store.db, row))
}

/**
 * Tries a mailbox at once, and its skipped messages again.
 *
 * @throws ServiceError `not_found`, `claim_required`
 */
export async function retryConnection(ports: ConnectionPorts, scope: Scope, id: string): Promise<Connection> {
  return changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const row = await connectionRow(change.tx, scope, id)
    // First, in the lock order of the worker.
    await restartJob(ports, change, id)
    const folders = await foldersOf(change.tx, row)
    for (const folder of folders) {
      if (folder.skipped === null) continue
      const changes = writeSkipped(skippedOf(folder).map((one) => ({ ...one, again: true as const })))
      await saveFolder(change.tx, folder, changes)
    }
    const begun = { failures: 0, next_attempt_at: null, state: 'connecting' as const }
    await change.tx
      .updateTable('connections')
      .set(begun)
      .where('tenant_id', '=', row.tenant_id)
      .where('id', '=', id)
      .execute()
    change.wake(queueTopic('connections'))
    change.wake(changedTopic(id))
    return connectionRecord({ ...row, ...begun }, folders)
  })
}

/**
 * Disconnects a mailbox: its login is deleted at once, its inbox and messages stay.
 *
 * @throws ServiceError `not_found`, `claim_required`
 */
export async function deleteConnection(ports: ConnectionPorts, scope: Scope, id: string): Promise<undefined> {
  await changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    await connectionRow(change.tx, scope, id)
    await dropRows(change, id)
    change.wake(changedTopic(id))
  })
  return undefined
}

/** Registers a handler that deletes the connection of a deleted inbox, with the keys of its messages. */
export function joinConnections(registry: Registry): void {
  registry.on('inboxDeleted', async (change, { inboxId }) => {
    const { tx, account } = change
    const rows = await tx
      .selectFrom('connections')
      .select('id')
      .where('tenant_id', '=', account.tenant_id)
      .where('inbox_id', '=', inboxId)
      .execute()
    for (const { id } of rows) {
      await dropRows(change, id)
      change.wake(changedTopic(id))
    }
    await tx
      .deleteFrom('connected_mails')
      .where('tenant_id', '=', account.tenant_id)
      .where('inbox_id', '=', inboxId)
      .execute()
  })
}
