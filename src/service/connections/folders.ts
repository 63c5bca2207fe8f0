import { readHeaders } from '../../mail/headers/header-reader'
import { parseMailDate } from '../../mail/headers/mail-date'
import { dayMs } from '../base/time'
import type { Store } from '../store/store'
import { keysOf } from './keys'
import type { ConnectionPorts } from './ports'
import { type ConnectionRow, type ConnectionSettings, type FolderRow, settingsOf } from './records'
import { type MailSource, MailSourceError, type SourceMail } from './source/mail-source'

type Db = Store['db']

const maxHeaderBytes = 256 * 1024
/** Messages from before the connection that are remembered, so that they stay old if UIDs restart. */
const maxRemembered = 2_000
const perRequest = 200

export const foldersOf = (
  db: Db,
  { tenant_id, id }: Pick<ConnectionRow, 'tenant_id' | 'id'>,
): Promise<FolderRow[]> =>
  db
    .selectFrom('connection_folders')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('connection_id', '=', id)
    .orderBy('path')
    .execute()

/**
 * Stores the progress in a folder, unless it was reset meanwhile.
 *
 * @throws MailSourceError `lost`
 */
export async function saveFolder(db: Db, folder: FolderRow, changes: Partial<FolderRow>): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('connection_folders')
    .set(changes)
    .where('tenant_id', '=', folder.tenant_id)
    .where('connection_id', '=', folder.connection_id)
    .where('path', '=', folder.path)
    .where('uid_validity', '=', folder.uid_validity)
    .executeTakeFirst()
  if (Number(numUpdatedRows) === 0)
    throw new MailSourceError('lost', `The server recreated the folder ${folder.path} meanwhile.`)
}

/** Returns the folders to read: those that the caller named, and the sent folder if there is one. */
export async function findFolders(
  source: MailSource,
  { folders }: Pick<ConnectionSettings, 'folders'>,
): Promise<{ path: string; role: FolderRow['role'] }[]> {
  const all = await source.folders()
  const incoming = folders.map((path) => ({ path, role: 'incoming' as const }))
  const sent = all.find(({ role }) => role === 'sent') ?? all.find(({ path }) => sentNames.test(path))
  if (!sent || folders.includes(sent.path)) return incoming
  return [...incoming, { path: sent.path, role: 'sent' }]
}

/** Common names of the sent folder, for servers that do not mark it. */
const sentNames = /^(?:INBOX[./])?Sent(?:[ -](?:Items|Mail|Messages))?$/i

/** Returns a new folder with its start position. */
export async function beginFolder(
  source: MailSource,
  row: Pick<ConnectionRow, 'tenant_id' | 'id'>,
  isFromNow: boolean,
  { path, role }: Pick<FolderRow, 'path' | 'role'>,
): Promise<FolderRow> {
  const { uidValidity, uidNext } = await source.state(path)
  return {
    tenant_id: row.tenant_id,
    connection_id: row.id,
    path,
    role,
    uid_validity: uidValidity,
    uid: isFromNow ? uidNext - 1 : 0,
    waiting: 0,
    obstacle: null,
    skipped: null,
  }
}

/** Returns the keys of readable messages of the last two days that must not be ingested. */
export async function rememberedRecent(
  ports: ConnectionPorts,
  source: MailSource,
  folder: FolderRow,
): Promise<string[][]> {
  const keys: string[][] = []
  const since = new Date(ports.clock.now() - 2 * dayMs)
  const uids = (await source.list(folder.path, 0, since)).filter((uid) => uid <= folder.uid)
  const recent = uids.slice(-maxRemembered)
  for (let at = 0; at < recent.length; at += perRequest)
    keys.push(...(await describeGiven(source, folder.path, recent.slice(at, at + perRequest))).map(keysOf))
  return keys
}

/** Describes messages except those that the server refuses. */
async function describeGiven(
  source: MailSource,
  path: string,
  uids: readonly number[],
): Promise<SourceMail[]> {
  try {
    return await source.describe(path, uids, 'header')
  } catch (error) {
    if (!(error instanceof MailSourceError) || error.kind !== 'refused') throw error
    if (uids.length === 1) return []
    const half = uids.length >> 1
    return [
      ...(await describeGiven(source, path, uids.slice(0, half))),
      ...(await describeGiven(source, path, uids.slice(half))),
    ]
  }
}

/** Returns the time of the last Received field, or else of Date, in ms since 1970. */
function stampOf(mail: SourceMail): number | null {
  const { fields } = readHeaders(mail.header, maxHeaderBytes)
  const value = (name: string) => fields.find((field) => field.name.toLowerCase() === name)?.value
  const stamp = value('received')?.split(';').at(-1) ?? value('date')
  const date = stamp === undefined ? null : parseMailDate(stamp.trim())
  return date === null ? null : Date.parse(date)
}

/** INTERNALDATE has no fraction of a second. */
const internalDateMs = 1_000

/**
 * Returns true if a message arrived in the mailbox before that was connected. Only the server's time counts:
 * senders choose the Date field.
 */
export const isOlder = (
  { created_at }: Pick<ConnectionRow, 'created_at'>,
  { arrivedAt }: Pick<SourceMail, 'arrivedAt'>,
): boolean => arrivedAt !== null && arrivedAt.getTime() + internalDateMs <= Date.parse(created_at)

/**
 * Checks whether a message is older than wanted. Programs upload old messages again, with new UIDs and the
 * time of the upload: then the header shows their age. Clocks differ, so a day of margin is allowed; messages
 * of that day are recognized by their keys.
 */
export function isOld(row: ConnectionRow, isExact: boolean, mail: SourceMail): boolean {
  const { since } = settingsOf(row)
  if (since === null) return false
  const sinceMs = Date.parse(since)
  const arrivedMs = mail.arrivedAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (isExact && arrivedMs < sinceMs) return true
  return Math.min(arrivedMs, stampOf(mail) ?? arrivedMs) < sinceMs - dayMs
}
