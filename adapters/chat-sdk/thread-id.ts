import { UsageError } from 'restante'

/** Conversation of the Chat SDK: a thread of the service, or all messages with one person. */
export type MailThreadId =
  | { readonly inboxId: string; readonly threadId: string }
  | { readonly inboxId: string; readonly address: string }

const direct = 'dm-'

/** Encodes a thread id. It holds everything needed to go on in another process. */
export function encodeThreadId(name: string, thread: MailThreadId): string {
  const last = 'threadId' in thread ? thread.threadId : direct + encodeURIComponent(thread.address)
  return `${name}:${thread.inboxId}:${last}`
}

/** @throws UsageError `invalid_thread_id` */
export function decodeThreadId(name: string, id: string): MailThreadId {
  const [prefix, inboxId, last, ...rest] = id.split(':')
  if (prefix !== name || !inboxId || !last || rest.length > 0)
    throw new UsageError('invalid_thread_id', `${id} is no thread of the adapter ${name}: pass a thread's id`)
  if (!last.startsWith(direct)) return { inboxId, threadId: last }
  return { inboxId, address: decodeURIComponent(last.slice(direct.length)) }
}

/** Returns the channel of a thread: the part of its id that names the inbox. */
export const channelOf = (threadId: string): string => threadId.split(':').slice(0, 2).join(':')

const unproven = 'unproven:'

/** Returns the user id of a sender, for code that decides by it: the plain address only if it is proven. */
export const userIdOf = (address: string, isProven: boolean): string =>
  (isProven ? '' : unproven) + address.toLowerCase()

/** Returns the address of a user id. */
export const addressOf = (userId: string): string =>
  userId.startsWith(unproven) ? userId.slice(unproven.length) : userId
