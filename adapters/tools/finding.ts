import type { Mailbox, Message, MessageListOptions, Page, SearchPage, TextPiece } from 'restante'
import type { FlowGuard } from './guard'

type Where = Omit<MessageListOptions, 'signal' | 'limit'>

/** Page of results. */
export interface Found<T> {
  readonly items: readonly T[]
  readonly nextCursor: string | null
  /** Number of items left out because the recipients of the answer may not see them. */
  readonly hidden: number
  /** Whether there may be older items, though no cursor leads to them. */
  readonly isCut: boolean
}

/** Conversation in a list, limited to the messages that may be shown. */
export interface Conversation {
  /** Oldest first. */
  readonly messages: readonly Message[]
}

/** Message that was found, with the matching part of its text. */
export interface FoundMail {
  readonly message: Message
  readonly snippet: readonly TextPiece[]
}

export interface FoundMails extends Found<FoundMail> {
  /** Parts of the query that may have been misread. */
  readonly warnings: readonly string[]
}

const perPage = 100

/** Reads a page of messages: best match first for a query, else newest first. */
async function read(mailbox: Mailbox, { query, ...where }: Where & { limit: number }, signal?: AbortSignal) {
  const page: Page<Message> | SearchPage = query
    ? await mailbox.messages.search(query, { ...where, signal })
    : await mailbox.messages.list({ ...where, signal })
  const items = page.items.map((one): FoundMail => ('snippet' in one ? one : { message: one, snippet: [] }))
  const warnings = 'warnings' in page ? page.warnings : []
  return {
    items,
    nextCursor: page.nextCursor,
    warnings: warnings.map(({ column, message }) => `Character ${column}: ${message}`),
  }
}

const messageOf = ({ message }: FoundMail): Message => message

/** Merges several lists: newest first, or for a query, the best of each list first. */
function together(lists: readonly (readonly FoundMail[])[], query: string | undefined): FoundMail[] {
  const rows = Math.max(0, ...lists.map(({ length }) => length))
  const inTurn = Array.from({ length: rows }, (_, row) => lists.flatMap((one) => one[row] ?? [])).flat()
  const all = new Map<string, FoundMail>()
  for (const one of inTurn) if (!all.has(one.message.id)) all.set(one.message.id, one)
  const once = [...all.values()]
  if (query) return once
  return once.sort((one, other) => other.message.receivedAt.getTime() - one.message.receivedAt.getTime())
}

/** Finds messages from or to some people. */
const mailOf = async (mailbox: Mailbox, people: readonly string[], where: Where, signal?: AbortSignal) => {
  const asked = people.flatMap((person) => [
    ...(where.from === undefined ? [{ from: person }] : []),
    ...(where.to === undefined ? [{ to: person }] : []),
  ])
  const pages = await Promise.all(
    asked.map((filter) => read(mailbox, { ...where, ...filter, limit: perPage }, signal)),
  )
  return {
    found: together(
      pages.map(({ items }) => items),
      where.query,
    ),
    isCut: pages.some((page) => page.nextCursor),
  }
}

/** Returns whether a filter narrows the search, such as words, a person or a time. */
const isNarrowed = (where: Where): boolean => Object.values(where).some((one) => one !== undefined)

/**
 * Finds a page of all messages. That there are more results is information too: for a query or filter, the
 * first result after the page counts as shown.
 */
async function findAny(
  mailbox: Mailbox,
  guard: FlowGuard,
  where: Where,
  limit: number,
  signal?: AbortSignal,
): Promise<FoundMails> {
  const page = await read(mailbox, { ...where, limit }, signal)
  const { cursor: _cursor, ...filter } = where
  if (isNarrowed(filter)) {
    const rest =
      page.nextCursor && (await read(mailbox, { ...where, cursor: page.nextCursor, limit: 1 }, signal))
    guard.show([...page.items, ...(rest ? rest.items : [])].map(messageOf))
  }
  return { ...page, hidden: 0, isCut: false }
}

/**
 * Finds messages. While a message is answered, messages from and to its sender are searched by that filter,
 * so they are found among any number of others. Of the rest, only the first are considered, and read only if
 * the sender is part of their conversation.
 *
 * Hidden messages are counted independent of the query: else one could spell their words, with a search for
 * each letter.
 */
export async function findMessages(
  mailbox: Mailbox,
  guard: FlowGuard,
  where: Where,
  limit: number,
  signal?: AbortSignal,
): Promise<FoundMails> {
  const { viewers } = guard
  if (viewers.length === 0) return findAny(mailbox, guard, where, limit, signal)
  const { cursor: _cursor, ...filter } = where
  const isAsked = isNarrowed(filter)
  const [theirs, others, part, newest] = await Promise.all([
    mailOf(mailbox, viewers.slice(0, 1), filter, signal),
    read(mailbox, { ...filter, limit: perPage }, signal),
    mailOf(mailbox, viewers.slice(0, 1), {}, signal),
    isAsked ? read(mailbox, { limit: perPage }, signal) : null,
  ])
  const known = new Set([...threadsOf(part.found), guard.threadAtHand])
  const isNear = ({ message }: FoundMail) => known.has(message.threadId)
  const counted = (newest ?? others).items
  const looked = together([theirs.found, others.items, counted], where.query)
  const seen = await guard.sight(looked.filter((one) => isNear(one)).map(messageOf), signal)
  const open = guard.publicOf(looked.filter((one) => !isNear(one)).map(messageOf))
  const shown = new Set([...seen.messages, ...open].map(({ id }) => id))
  const isShown = ({ message }: FoundMail) => shown.has(message.id)
  const items = together([theirs.found, others.items.filter(isNear), others.items], where.query).filter(
    isShown,
  )
  return {
    items: items.slice(0, limit),
    nextCursor: null,
    hidden: counted.filter((one) => !isShown(one)).length,
    isCut: items.length > limit || theirs.isCut || (!isAsked && others.nextCursor !== null),
    warnings: others.warnings,
  }
}

/** Lists conversations, latest activity first. While answering, only those that the sender is part of. */
export async function findConversations(
  mailbox: Mailbox,
  guard: FlowGuard,
  { label, ...where }: { label?: string; inbox?: string; cursor?: string },
  limit: number,
  signal?: AbortSignal,
): Promise<Found<Conversation>> {
  const { viewers } = guard
  if (viewers.length === 0) {
    const page = await mailbox.threads.list({ ...where, label, limit, signal })
    const items = await readAll(mailbox, guard, idsOf(page.items), signal)
    return { items, nextCursor: page.nextCursor, hidden: 0, isCut: false }
  }
  const filter = { label, inbox: where.inbox }
  const [all, part, theirs] = await Promise.all([
    mailbox.threads.list({ limit: perPage, signal }),
    mailOf(mailbox, viewers.slice(0, 1), {}, signal),
    isNarrowed(filter) ? mailOf(mailbox, viewers.slice(0, 1), filter, signal) : null,
  ])
  const known = new Set(threadsOf(part.found))
  const { found, isCut } = theirs ?? part
  const ids = [...new Set(threadsOf(found))]
  return {
    items: await readAll(mailbox, guard, ids.slice(0, limit), signal),
    nextCursor: null,
    // Counted independent of the label, as in a search.
    hidden: idsOf(all.items).filter((id) => !known.has(id)).length,
    isCut: ids.length > limit || isCut,
  }
}

const idsOf = (threads: readonly { readonly id: string }[]): string[] => threads.map(({ id }) => id)
const threadsOf = (found: readonly FoundMail[]): string[] => found.map(({ message }) => message.threadId)

const atOnce = 8

/** Reads what may be shown of each conversation. */
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
