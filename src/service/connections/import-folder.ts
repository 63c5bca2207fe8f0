import { now } from '../base/time'
import { commit, type ImportContext, prepare, readMail, save } from './import-messages'
import {
  failedAt,
  maxFailures,
  maxSkipped,
  maxTogether,
  maxWhole,
  obstacleOf,
  type SkippedMail,
  skippedOf,
  wordsOfUids,
  writeSkipped,
} from './obstacles'
import type { FolderRow } from './records'
import { MailSourceError, type SourceMail } from './source/mail-source'

/** Messages that are described at once. */
const maxBatch = 50

/** State of reading a folder. */
interface Taking {
  context: ImportContext
  folder: FolderRow
  signal: AbortSignal
  /** Runs after messages were read and before they are committed. */
  before: () => Promise<unknown>
}

/** Failures that one message may cause. */
const mayBeOfMail = new Set(['lost', 'refused'])

/** Reads messages; a failure is counted and described. */
async function attempt<T>(
  { context, folder, signal }: Taking,
  uids: readonly number[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted || !(error instanceof MailSourceError) || !mayBeOfMail.has(error.kind)) throw error
    const reason = `${error.message} It was asked for ${wordsOfUids(uids)} of ${folder.path}.`
    const changes = failedAt(folder, uids.at(-1)!, reason)
    await save(context, folder, changes)
    Object.assign(folder, changes)
    throw new MailSourceError(error.kind, reason, { cause: error })
  }
}

/** Ingests the newest messages; null if they may be many. */
async function takeNewest(taking: Taking): Promise<number | null> {
  const { context, folder, before } = taking
  const next = [folder.uid + 1]
  const newest = await attempt(taking, next, () => context.source.newest(folder.path, folder.uid))
  if (!newest) return null
  if (newest.length === 0) return 0
  const uids = newest.map(({ uid }) => uid)
  // Both may use the connection unless all bytes are here; then messages are parsed while the server answers.
  const looking = newest.every(({ raw }) => raw !== null) ? before() : null
  const preparing = attempt(taking, uids, () => prepare(context, folder, newest))
  const [batch] = await Promise.all([preparing, looking])
  if (looking === null) await before()
  const isAll = batch.upTo === uids.at(-1)!
  const taken = await commit(context, folder, batch, { waiting: isAll ? 0 : newest.length })
  return isAll ? taken : null
}

async function takeTogether(taking: Taking, uids: readonly number[]): Promise<number> {
  const { context, folder, before } = taking
  const asked = uids.slice(0, maxBatch)
  const [mails, batch] = await attempt(taking, asked, async () => {
    const found = await context.source.describe(folder.path, asked)
    return [found, await prepare(context, folder, found)] as const
  })
  await before()
  if (mails.length === 0 || batch.upTo === mails.at(-1)!.uid) batch.upTo = asked.at(-1)!
  return commit(context, folder, batch, { waiting: uids.filter((uid) => uid > batch.upTo).length })
}

const failuresOf = (folder: FolderRow): number => obstacleOf(folder)?.failures ?? 0

/**
 * Reads another message whole: if the server gives none, the fault is not of one message, and none is
 * skipped.
 *
 * @throws MailSourceError
 */
async function requireOther({ context, folder, signal }: Taking, uid: number): Promise<void> {
  const { source, row } = context
  const { path } = folder
  const skipped = new Set(skippedOf(folder).map((one) => one.uid))
  const all = (await source.list(path, 0, null)).filter((one) => one !== uid && !skipped.has(one))
  const others = [...all.filter((one) => one < uid).reverse(), ...all.filter((one) => one > uid)]
  // A different one each time, as that may be faulty too.
  const other = others[row.failures % Math.max(1, others.length)]
  const { reason } = obstacleOf(folder)!
  if (other === undefined)
    throw new MailSourceError('refused', `${reason} It is skipped once another mail there can be read.`)
  // Including its bytes: a server may send the header of a message that it cannot send.
  const read = await source
    .describe(path, [other])
    .then(([found]) => found && readMail(context, path, found))
    .catch((error) => {
      if (signal.aborted || !(error instanceof MailSourceError)) throw error
      throw new MailSourceError(error.kind, `${reason} Nor is UID ${other} given: nothing is skipped.`)
    })
  if (!read) throw new MailSourceError('refused', `${reason} UID ${other} was deleted meanwhile.`)
  if (read.raw.byteLength === 0)
    throw new MailSourceError('refused', `${reason} UID ${other} has no content: nothing is skipped.`)
}

async function skip({ context, folder }: Taking, uid: number, waiting: number): Promise<number> {
  const before = skippedOf(folder)
  const { reason } = obstacleOf(folder)!
  if (before.length >= maxSkipped)
    throw new MailSourceError(
      'refused',
      `${reason} ${maxSkipped} mails of ${folder.path} are skipped already, which is the most.`,
    )
  const one: SkippedMail = { uid, reason, at: now(context.ports) }
  context.ports.logger.warn({ connection: context.row.id, folder: folder.path, uid }, 'a mail was skipped')
  return commit(context, folder, { prepared: [], upTo: uid }, { waiting, ...writeSkipped([...before, one]) })
}

/** Ingests one message after failures: whole, then its header, then not at all. */
async function takeAlone(taking: Taking, uids: readonly number[]): Promise<number> {
  const { context, folder, before } = taking
  const uid = uids[0]!
  const waiting = uids.length - 1
  const isWhole = failuresOf(folder) < maxWhole
  if (!isWhole) await requireOther(taking, uid)
  if (failuresOf(folder) >= maxFailures) return skip(taking, uid, waiting)
  const batch = await attempt(taking, [uid], async () => {
    const mails = await context.source.describe(folder.path, [uid], isWhole ? 'usual' : 'header')
    return prepare(context, folder, mails, isWhole)
  })
  await before()
  return commit(context, folder, { ...batch, upTo: uid }, { waiting })
}

/**
 * Ingests the new messages of a folder. After some failures, a message is fetched alone, then only its
 * header, and finally it is skipped, so that later ones follow.
 *
 * @param before Runs after messages were read and before they are committed.
 * @returns the number of ingested messages
 */
export async function importFolder(
  context: ImportContext,
  folder: FolderRow,
  signal: AbortSignal,
  before: Taking['before'] = async () => {},
): Promise<number> {
  const taking = { context, folder, signal, before }
  const newest = folder.obstacle === null ? await takeNewest(taking) : null
  if (newest !== null) return newest
  let taken = 0
  const since = context.isExact ? new Date(Date.parse(sinceOf(context))) : null
  const uids = await context.source.list(folder.path, folder.uid, since)
  for (let at = 0; at >= 0 && at < uids.length && !signal.aborted; ) {
    const rest = uids.slice(at)
    const take = failuresOf(folder) >= maxTogether ? takeAlone : takeTogether
    taken += await take(taking, rest)
    at = uids.findIndex((uid) => uid > folder.uid)
  }
  // The blocking message was deleted.
  if (!signal.aborted && folder.obstacle !== null) {
    await save(context, folder, { obstacle: null })
    folder.obstacle = null
  }
  return taken
}

const sinceOf = ({ row }: ImportContext): string =>
  (JSON.parse(row.settings) as { since: string | null }).since ?? new Date(0).toISOString()

/** Tries the skipped messages that are marked for it again, each once, so that none blocks forever. */
export async function importSkipped(
  context: ImportContext,
  folder: FolderRow,
  before: Taking['before'],
): Promise<void> {
  const write = async (mails: readonly SkippedMail[]) => {
    const changes = writeSkipped(mails)
    await save(context, folder, changes)
    Object.assign(folder, changes)
  }
  for (const { again, ...one } of skippedOf(folder)) {
    if (!again) continue
    const others = () => skippedOf(folder).filter(({ uid }) => uid !== one.uid)
    const inOrder = (mail: SkippedMail) => [...others(), mail].sort((a, b) => a.uid - b.uid)
    await write(inOrder(one))
    try {
      const mails: SourceMail[] = await context.source.describe(folder.path, [one.uid])
      const { prepared } = await prepare(context, folder, mails)
      await before()
      await commit(context, folder, { prepared, upTo: folder.uid }, writeSkipped(others()))
    } catch (error) {
      if (!(error instanceof MailSourceError) || error.kind !== 'refused') throw error
      await write(inOrder({ ...one, reason: error.message, at: now(context.ports) }))
    }
  }
}
