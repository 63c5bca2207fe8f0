import type { Mailbox } from '../../mailbox'
import { type Event, isAway, type MessageSummary } from '../../protocol/records'
import { readUnread, readWaiting, unread } from '../core'

/** The number of unread messages of an inbox, or of all. */
export const unreadIn = (inbox: string | null): number =>
  inbox === null
    ? [...unread.value.values()].reduce((sum, one) => sum + one, 0)
    : (unread.value.get(inbox) ?? 0)

/** The time between a change and a new count: changes of many messages at once are counted once. */
const settleMs = 400

/** The events after which something is counted anew, and how. */
const countings: readonly [changes: RegExp, count: (account: string) => Promise<void>][] = [
  [/^(label\.(un)?assigned|label\.deleted|message\.deleted|thread\.deleted|inbox\.)/, readUnread],
  [/^draft\./, readWaiting],
]

/** Keeps the numbers of unread messages and of waiting drafts as the log says: what comes in is counted here, and the rest by the service. */
export function followCounts(account: string, mailbox: Mailbox, ends: AbortSignal): void {
  const timers = new Map<RegExp, ReturnType<typeof setTimeout>>()
  const apply = ({ type, data }: Event) => {
    const record = data as unknown as MessageSummary
    if (type === 'message.received' && record.label_ids.includes('unread') && !isAway(record))
      unread.value = new Map(unread.value).set(record.inbox_id, unreadIn(record.inbox_id) + 1)
    for (const [changes, count] of countings) {
      if (!changes.test(type)) continue
      clearTimeout(timers.get(changes))
      // Where it cannot be read, what was known stays.
      timers.set(
        changes,
        setTimeout(() => void count(account).catch(() => {}), settleMs),
      )
    }
  }
  const stop = mailbox.on('event', apply)
  ends.addEventListener('abort', () => {
    stop()
    for (const timer of timers.values()) clearTimeout(timer)
  })
  // What came between the first reading of a page and now was told to nobody.
  for (const [, count] of countings) void count(account).catch(() => {})
}
