import type { Client } from '../../client/client'
import { UsageError } from '../../protocol/errors/error'
import type { MessageSummary } from '../../protocol/records/message'
import type { Cache } from '../cache/cache'
import type { Reader, ReadOptions } from '../cache/reader'

/**
 * Returns the short name of a message for models, such as `m1042-mxk`: its position in the log of the account
 * and the end of its id. It depends on the record alone, so every process resolves it to the same message. If
 * an older service reports no position, it is the id, which is accepted everywhere.
 */
export const handleOf = ({ id, created_seq }: Pick<MessageSummary, 'id' | 'created_seq'>): string =>
  created_seq ? `m${created_seq}-${id.slice(-3)}` : id

const shape = /^m([1-9]\d{0,14})-[0-9a-z]{3}$/
const nearShape = /^\W*([mt]\W*)?\d+\W*([0-9a-z]{1,4}\W*)?$/i
/** Kinds of records that are not messages, by the prefix of their ids. */
const others: Readonly<Record<string, string>> = {
  thr: 'a conversation: read it, and name one of its messages',
  drf: 'a draft, and no message yet',
  att: 'a file: name the message that it came with',
  inb: 'an inbox: list or search its messages, and name one of them',
}
const rightForm = 'its handle as a prompt, list or search shows it, such as m1042-mxk'
const unknown = (message: string) => new UsageError('unknown_handle', message)

/** @throws UsageError `unknown_handle`, with the right form, if it cannot name a message */
const requireForm = (reference: string): void => {
  const other = others[reference.slice(0, Math.max(reference.indexOf('_'), 0))]
  if (other !== undefined) throw unknown(`${reference} is ${other}. A message is named by ${rightForm}.`)
  if (!shape.test(reference) && nearShape.test(reference))
    throw unknown(`${reference} names no message: copy ${rightForm}, whole and in lower case.`)
}

/** Resolves names of messages and threads. */
export interface Handles {
  /**
   * Resolves a handle to the id of its message: finds the message at that position and compares the end of
   * its id. Any other value is returned as an id.
   *
   * @throws UsageError `unknown_handle`. ServiceError. NetworkError.
   */
  messageId(reference: string, options?: ReadOptions): Promise<string>
  /** Resolves the id of a thread, or a name of one of its messages. @throws as {@link messageId} */
  threadId(reference: string, options?: ReadOptions): Promise<string>
}

/** The parts of its mailbox that {@link createHandles} uses. */
interface HandlesOptions {
  client: Client
  cache: Cache
  reader: Reader
  /** The one inbox that is read: messages of other inboxes are not found. */
  inboxId: string | undefined
}

/**
 * Finds the message of a handle through the service; null if the reference is not a handle, and so an id.
 *
 * @throws UsageError `unknown_handle`. ServiceError. NetworkError.
 */
export async function findByHandle(
  client: Client,
  reference: string,
  { inbox_id, signal }: { inbox_id?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<MessageSummary | null> {
  requireForm(reference)
  const [, position] = shape.exec(reference) ?? []
  if (position === undefined) return null
  const at = { after_seq: Number(position) - 1, to_seq: Number(position) }
  const only = { inbox_id, include: 'all', body: 'false', limit: 1 } as const
  const [message] = (await client.messages.list({ ...at, ...only }, { signal })).messages
  if (message && handleOf(message) === reference) return message
  throw unknown(
    `${reference} names no message here: it was erased, is in another mailbox, or was copied wrongly. List or search again, and copy ${rightForm}.`,
  )
}

/** Makes {@link Handles}. */
export const createHandles = ({ client, cache, reader, inboxId: inbox_id }: HandlesOptions): Handles => {
  const messageId = async (reference: string, { signal }: ReadOptions = {}): Promise<string> => {
    const { epoch } = cache
    const message = await findByHandle(client, reference, { inbox_id, signal })
    if (!message) return reference
    cache.put('message', message, epoch)
    return message.id
  }
  return {
    messageId,
    threadId: async (reference, options) => {
      if (isThreadId(reference)) return reference
      return (await reader.message(await messageId(reference, options), options)).thread_id
    },
  }
}

const isThreadId = (reference: string): boolean => !reference.startsWith('msg_') && !nearShape.test(reference)

/** @throws UsageError `unknown_handle` for a handle, which only the service can resolve */
export const requireMessageId = (reference: string): string => {
  requireForm(reference)
  if (!shape.test(reference)) return reference
  throw unknown(`${reference} is a handle: read its message with messages.get, and give that`)
}

/** @throws UsageError `unknown_handle` for a message, whose thread only the service can resolve */
export const requireThreadId = (reference: string): string => {
  if (isThreadId(reference)) return reference
  throw unknown(`${reference} is no id of a thread: read that message, and give its threadId`)
}
