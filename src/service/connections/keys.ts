import { withoutTrace } from '../../mail/headers/header-bytes'
import { sha256 } from '../base/secrets'
import { sha256InTurns } from '../base/turns'
import { insertPrepared, padded, runPrepared } from '../store/prepared'
import type { Store } from '../store/store'
import { olderPrefix } from '../store/tables/connection-tables'
import type { ConnectionPorts } from './ports'
import type { ConnectionRow } from './records'
import type { SourceMail } from './source/mail-source'

type Db = Store['db']
type Owner = Pick<ConnectionRow, 'tenant_id' | 'inbox_id'>

/** Returns the header without trailing line ends. */
function trimmed(header: Uint8Array): Uint8Array {
  let end = header.length
  while (end > 0 && (header[end - 1] === 10 || header[end - 1] === 13)) end--
  return header.subarray(0, end)
}

/**
 * Returns the keys that identify a message in any folder: its header and size, which no move changes, and the
 * server's id. They need no download.
 */
export function keysOf({ header, size, globalId }: SourceMail): string[] {
  const text = Buffer.from(trimmed(header)).toString('latin1').replace(/\r\n/g, '\n')
  const own = `h:${sha256(`${size}\n${text}`)}`
  return globalId === null ? [own] : [own, `e:${globalId}`]
}

/**
 * Returns the key of a message's content: the same if a program rewrote its header, or it was delivered
 * another way.
 */
export const contentKey = async (raw: Uint8Array, size: number, isCut: boolean): Promise<string> =>
  isCut ? `c:${size}:${await sha256InTurns(raw)}` : `c:${await sha256InTurns(withoutTrace(raw))}`

/** Returns the key that marks the copy of a sent message as filed. */
export const filedKey = (messageId: string): string => `f:${messageId}`

/** Returns the key that marks a message as older than the connection. */
export const olderKey = (messageId: string): string => `${olderPrefix}${messageId}`

const perQuery = 512

/** Returns those of the keys that are known in an inbox. */
export async function knownKeys(db: Db, owner: Owner, keys: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (let at = 0; at < keys.length; at += perQuery) {
    const asked = padded(keys.slice(at, at + perQuery))
    const { tenant_id, inbox_id } = owner
    const rows = await runPrepared(db, `known keys ${asked.length}`, [tenant_id, inbox_id, ...asked], () =>
      db
        .selectFrom('connected_mails')
        .select('key')
        .where('tenant_id', '=', tenant_id)
        .where('inbox_id', '=', inbox_id)
        .where('key', 'in', asked),
    )
    for (const row of rows) known.add(row.key)
  }
  return known
}

/** Stores keys in the transaction that adds their messages. */
export async function noteKeys(
  db: Db,
  owner: Owner,
  mails: readonly { keys: readonly string[]; messageId: string }[],
): Promise<void> {
  const rows = mails.flatMap(({ keys, messageId }) =>
    keys.map((key) => ({
      tenant_id: owner.tenant_id,
      inbox_id: owner.inbox_id,
      key,
      message_id: messageId,
    })),
  )
  await insertPrepared(db, 'note keys', rows, (some) =>
    db
      .insertInto('connected_mails')
      .values([...some])
      .onConflict((conflict) => conflict.doNothing()),
  )
}

/** Stores keys in a transaction of their own. */
export const saveKeys = (
  { store }: Pick<ConnectionPorts, 'store'>,
  owner: Owner,
  mails: readonly { keys: readonly string[]; messageId: string }[],
): Promise<void> => store.write((tx) => noteKeys(tx, owner, mails))
