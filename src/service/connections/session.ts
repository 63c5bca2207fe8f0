import { isServiceError } from '../../protocol/errors/error'
import { minuteMs, now } from '../base/time'
import { inboxRow } from '../inboxes/inboxes'
import { logTopic } from '../log/event-log'
import type { LogEntry, LogHint } from '../ports'
import { fileSent } from './filing'
import { beginFolder, findFolders, foldersOf } from './folders'
import { openImapSource } from './imap-source'
import { importFolder, importSkipped } from './import-folder'
import { checkValidity, type ImportContext } from './import-messages'
import { createJudge } from './inbound-mail'
import { reachable, takesAnyCertificate } from './login'
import { wordsOfSkipped } from './obstacles'
import type { ConnectionPorts } from './ports'
import { type ConnectionRow, type FolderRow, settingsOf } from './records'
import { type MailSource, MailSourceError } from './source/mail-source'
import { credentialsOfRow, dropToken } from './tokens'

/** Time in ms between two polls of all folders: connections can die silently. */
const lookEveryMs = 30_000

/** Requests that wait until messages sent by a person were read. */
export interface LookRequests {
  /** True if a request waits. */
  readonly isAsked: boolean
  take(): (() => void)[]
  /** Calls back on each request. */
  onRequest(listener: () => void): () => void
}

/** Options of {@link runSession}. */
interface SessionOptions {
  ports: ConnectionPorts
  row: ConnectionRow
  requests: LookRequests
  /** Rejects if the connection was changed, deleted or leased to another worker. */
  requireLease: ImportContext['requireLease']
  /** Ends it without a failure. */
  signal: AbortSignal
}

/*
 * connecting ──login──► catching_up ──nothing more──► live ──idle, look, idle …
 *      │                     │                          │
 *      └─────────────────────┴────────failure───────────┴──► failing ──back-off──► connecting
 *
 * A source is used once: after a failure the worker opens another, and continues from the committed position.
 */

async function saveState(
  { ports, row, requireLease }: SessionOptions,
  changes: Partial<ConnectionRow>,
): Promise<void> {
  Object.assign(row, changes)
  await ports.store.write(async (tx) => {
    await requireLease(tx)
    await tx
      .updateTable('connections')
      .set(changes)
      .where('tenant_id', '=', row.tenant_id)
      .where('id', '=', row.id)
      .execute()
  })
}

/** Opens the mailbox of a connection. @throws MailSourceError */
async function openSource(
  ports: ConnectionPorts,
  row: ConnectionRow,
  signal: AbortSignal,
): Promise<MailSource> {
  const { imap: server, user } = settingsOf(row)
  const address = await reachable(ports, server)
  const credentials = await credentialsOfRow(ports, row, user, signal)
  const anyCertificate = takesAnyCertificate(ports, address)
  try {
    return await openImapSource({ server, address, credentials, anyCertificate }, signal)
  } catch (error) {
    if (error instanceof MailSourceError && error.kind === 'login_refused')
      await dropToken(ports, row, credentials)
    throw error
  }
}

/**
 * Returns the folders of a connection. A folder that appears later is read from its first message: a Sent folder is
 * often made by the first message in it. Messages before `since` are left out one by one.
 */
async function readFolders({ ports, row, source, requireLease }: ImportContext): Promise<FolderRow[]> {
  const known = await foldersOf(ports.store.db, row)
  const wanted = await findFolders(source, settingsOf(row))
  const missing = wanted.filter(({ path }) => !known.some((one) => one.path === path))
  for (const one of missing) {
    const folder = await beginFolder(source, row, false, one)
    await ports.store.write(async (tx) => {
      await requireLease(tx)
      await tx.insertInto('connection_folders').values(folder).execute()
    })
    known.push(folder)
  }
  return known.filter(({ path }) => wanted.some((one) => one.path === path))
}

const outcomes = new Set(['message.sent', 'message.delivered', 'message.bounced'])

class Session {
  readonly #options: SessionOptions
  readonly #context: ImportContext
  readonly #folders: FolderRow[]
  /** True if a sent message must be filed. */
  #toFile = true
  #wake = () => {}

  constructor(options: SessionOptions, context: ImportContext, folders: FolderRow[]) {
    this.#options = options
    this.#context = context
    this.#folders = folders
  }

  /**
   * Reads messages sent by a person, always before received ones are committed, so that nobody answers those
   * again.
   */
  readonly #importSent = async (): Promise<void> => {
    const waiting = this.#options.requests.take()
    const sent = this.#folders.find(({ role }) => role === 'sent')
    if (sent) {
      const { uidValidity, uidNext } = await this.#context.source.state(sent.path)
      await checkValidity(this.#context, sent, uidValidity)
      if (uidNext - 1 > sent.uid) await importFolder(this.#context, sent, this.#options.signal)
      if (uidNext - 1 > sent.uid) sent.uid = uidNext - 1
    }
    for (const done of waiting) done()
  }

  /** Reads a folder that is not watched. */
  async #lookAt(folder: FolderRow): Promise<void> {
    const { uidValidity, uidNext } = await this.#context.source.state(folder.path)
    await checkValidity(this.#context, folder, uidValidity)
    if (uidNext - 1 > folder.uid)
      await importFolder(this.#context, folder, this.#options.signal, this.#importSent)
  }

  get #watched(): FolderRow {
    const [first] = settingsOf(this.#options.row).folders
    return this.#folders.find(({ path }) => path === first)!
  }

  async #lookAtAll(): Promise<void> {
    await this.#importSent()
    for (const folder of this.#folders)
      if (folder.role !== 'sent' && folder !== this.#watched) await this.#lookAt(folder)
    const { uidValidity } = await this.#context.source.state(this.#watched.path)
    await checkValidity(this.#context, this.#watched, uidValidity)
    await importFolder(this.#context, this.#watched, this.#options.signal, this.#importSent)
  }

  async #file(): Promise<void> {
    if (!this.#toFile) return
    this.#toFile = false
    await fileSent(this.#context, this.#folders)
  }

  /** Waits for news; returns true if it is time to poll all folders. */
  async #wait(): Promise<boolean> {
    const { ports, requests, signal } = this.#options
    const waking = new AbortController()
    const wake = () => waking.abort()
    let isTime = false
    const cancel = ports.clock.background(lookEveryMs, () => {
      isTime = true
      wake()
    })
    this.#wake = wake
    const unask = requests.onRequest(wake)
    signal.addEventListener('abort', wake, { once: true })
    try {
      await this.#context.source.wait(this.#watched.path, waking.signal)
      return isTime
    } finally {
      cancel()
      this.#wake = () => {}
      unask()
      signal.removeEventListener('abort', wake)
    }
  }

  /** Requests filing as soon as a message is known to be sent. */
  #hear(hint?: LogHint): void {
    const { row } = this.#options
    const entries = hint?.()
    const isOurs = ({ type, inboxId }: LogEntry) => inboxId === row.inbox_id && outcomes.has(type)
    if (entries && !entries.some(isOurs)) return
    this.#toFile = true
    this.#wake()
  }

  async run(): Promise<void> {
    const { ports, row } = this.#options
    const unsubscribe = ports.signals.subscribe(logTopic(row.tenant_id), (hint) => this.#hear(hint))
    await this.#work().finally(unsubscribe)
  }

  async #work(): Promise<void> {
    const { ports, row, signal } = this.#options
    await saveState(this.#options, { state: 'catching_up', error: null, next_attempt_at: null })
    await this.#lookAtAll()
    for (const folder of this.#folders) await importSkipped(this.#context, folder, this.#importSent)
    const time = now(ports)
    const error = wordsOfSkipped(this.#folders, row.id)
    await saveState(this.#options, {
      state: 'live',
      live_since: time,
      looked_at: time,
      failing_since: null,
      error,
    })
    while (!signal.aborted) {
      await this.#file()
      const isTime = this.#toFile ? false : await this.#wait()
      if (signal.aborted) return
      if (isTime) {
        this.#toFile = true
        await this.#lookAtAll()
        const failures = ports.clock.now() - Date.parse(row.live_since!) > minuteMs ? 0 : row.failures
        await saveState(this.#options, { looked_at: now(ports), failures })
        continue
      }
      await importFolder(this.#context, this.#watched, signal, this.#importSent)
      // Only on request: opening another folder makes the watched one look changed again.
      if (this.#options.requests.isAsked) await this.#importSent()
    }
  }
}

/**
 * Ingests the messages of a connected mailbox until it fails or `signal` aborts.
 *
 * @throws MailSourceError
 */
export async function runSession(options: SessionOptions): Promise<void> {
  const { ports, row, requireLease, signal } = options
  const scope = { tenantId: row.tenant_id, keyId: '', inboxId: null, scopes: [] }
  const inbox = await inboxRow(ports, scope, row.inbox_id)
  const source = await openSource(ports, row, signal)
  const end = () => source.close()
  signal.addEventListener('abort', end, { once: true })
  try {
    const isExact = settingsOf(row).since !== null && settingsOf(row).since !== row.created_at
    const context: ImportContext = {
      ports,
      row,
      inbox,
      source,
      judge: createJudge(ports),
      isExact,
      requireLease,
    }
    await new Session(options, context, await readFolders(context)).run()
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', end)
    for (const done of options.requests.take()) done()
    source.close()
  }
}

/** Describes a failure for the owner of a mailbox. */
export function wordsOf(error: unknown): string {
  if (error instanceof MailSourceError || isServiceError(error)) return error.message
  return 'The service failed, and tries again: its host finds the reason in the log.'
}
