import type { Mailbox, Message, MessageListOptions } from 'restante'
import type { FlowGuard } from './guard'

type Where = Omit<MessageListOptions, 'signal' | 'limit'>

/** A page of what was found. */
export interface Found<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
  /** Number of items that were passed over, as they are not for whoever is answered. */
  readonly hidden: number
  /** True where there may be older ones, though no cursor leads to them. */
  readonly isCut: boolean
}

/** A conversation as it is told in a list, of what may be shown of it. */
export interface Conversation {
  /** Oldest first. */
  readonly messages: readonly Message[]
}

const perPage = 100

const newestFirst = (lists: readonly (readonly Message[])[]): Message[] =>
  [...new Map(lists.flat().map((message) => [message.id, message])).values()].sort(
    (one, other) => other.receivedAt.getTime() - one.receivedAt.getTime(),
  )

/** The newest mail that some people wrote or got. */
const mailOf = async (mailbox: Mailbox, people: readonly string[], where: Where, signal?: AbortSignal) => {
  const asked = people.flatMap((person) => [
    ...(where.from === undefined ? [{ from: person }] : []),
    ...(where.to === undefined ? [{ to: person }] : []),
  ])
  const pages = await Promise.all(
    asked.map((filter) => mailbox.messages.list({ ...where, ...filter, limit: perPage, signal })),
  )
  return {
    messages: newestFirst(pages.map(({ items }) => items)),
    isCut: pages.some((page) => page.nextCursor),
  }
}

/**
 * Finds messages. Where a mail is being answered, what its sender wrote or got is asked for by that, so that it is found
 * among any number of others; of the rest only the newest are looked at, and of these only those whose conversation has
 * the sender in it are read.
 */
export async function findMessages(
  mailbox: Mailbox,
  guard: FlowGuard,
  where: Where,
  limit: number,
  signal?: AbortSignal,
): Promise<Found<Message>> {
  const { viewers } = guard
  if (viewers.length === 0) {
    const page = await mailbox.messages.list({ ...where, limit, signal })
    return { ...page, hidden: 0, isCut: false }
  }
  const { cursor: _cursor, ...filter } = where
  const [theirs, others, part] = await Promise.all([
    mailOf(mailbox, viewers.slice(0, 1), filter, signal),
    mailbox.messages.list({ ...filter, limit: perPage, signal }),
    mailOf(mailbox, viewers.slice(0, 1), {}, signal),
  ])
  const known = new Set(part.messages.map(({ threadId }) => threadId))
  const near = newestFirst([theirs.messages, others.items.filter(({ threadId }) => known.has(threadId))])
  const far = others.items.filter(({ threadId }) => !known.has(threadId))
  const seen = await guard.sight(near, signal)
  const open = guard.publicOf(far)
  const items = newestFirst([seen.messages, open])
  return {
    items: items.slice(0, limit),
    nextCursor: null,
    hidden: seen.hidden + far.length - open.length,
    isCut: items.length > limit || theirs.isCut || others.nextCursor !== null,
  }
}

/** Lists conversations, the last active first; where a mail is being answered, those that its sender is part of. */
export async function findConversations(
  mailbox: Mailbox,
  guard: FlowGuard,
  { label, ...where }: { label?: string; inbox?: string; cursor?: string },
  limit: number,
  signal?: AbortSignal,
): Promise<Found<Conversation>> {
  const { viewers } = guard
  const wanted = viewers.length > 0 ? 100 : limit
  const page = await mailbox.threads.list({ ...where, label, limit: wanted, signal })
  const listed = page.items.map(({ id }) => id)
  if (viewers.length === 0) {
    const items = await readAll(mailbox, guard, listed, signal)
    return { items, nextCursor: page.nextCursor, hidden: 0, isCut: false }
  }
  const theirs = await mailOf(mailbox, viewers.slice(0, 1), { label, inbox: where.inbox }, signal)
  const ids = [...new Set(theirs.messages.map(({ threadId }) => threadId))]
  const items = await readAll(mailbox, guard, ids.slice(0, limit), signal)
  return {
    items,
    nextCursor: null,
    hidden: listed.filter((id) => !ids.includes(id)).length,
    isCut: ids.length > limit || theirs.isCut,
  }
}

const atOnce = 8

/** Reads of each conversation what may be shown. */
const readAll = async (mailbox: Mailbox, guard: FlowGuard, ids: readonly string[], signal?: AbortSignal) => {
  const read: Conversation[] = []
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce).map(async (id) => {
      const { messages } = await mailbox.threads.get(id, { signal })
      return guard.sight(messages, signal)
    })
    read.push(...(await Promise.all(some)))
  }
  return read.filter(({ messages }) => messages.length > 0)
}
