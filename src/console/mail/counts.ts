import type { Mailbox } from '../../mailbox/mailbox'
import type { Event } from '../../protocol/records/event'
import { isAway } from '../../protocol/records/label-names'
import type { MessageSummary } from '../../protocol/records/message'
import { readUnread, unread } from '../core/session'
import { readWaiting } from '../core/waiting'

/** Returns the number of unread messages of an inbox, or of all. */
export const unreadIn = (inbox: string | null): number =>
  inbox === null
    ? [...unread.value.values()].reduce((sum, one) => sum + one, 0)
    : (unread.value.get(inbox) ?? 0)

/** Time in ms between a change and a new count, so that many changes at once cause one count. */
const settleMs = 400

/** Event types that require a new count, and the function that counts. */
const countings: readonly [changes: RegExp, count: (account: string) => Promise<void>][] = [
  [/^(label\.(un)?assigned|label\.deleted|message\.deleted|thread\.deleted|inbox\.)/, readUnread],
  [/^draft\./, readWaiting],
]

/**
 * Keeps the counts of unread messages and waiting drafts current. Adds received messages here; reads all
 * other changes from the service.
 */
export function followCounts(account: string, mailbox: Mailbox, ends: AbortSignal): void {
  const timers = new Map<RegExp, ReturnType<typeof setTimeout>>()
  const apply = ({ type, data }: Event) => {
    const record = data as unknown as MessageSummary
    if (type === 'message.received' && record.label_ids.includes('unread') && !isAway(record))
      unread.value = new Map(unread.value).set(record.inbox_id, unreadIn(record.inbox_id) + 1)
    for (const [changes, count] of countings) {
      if (!changes.test(type)) continue
      clearTimeout(timers.get(changes))
      // If the count cannot be read, the known one stays.
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
  // Nobody saw the events between the first read of a page and now.
  for (const [, count] of countings) void count(account).catch(() => {})
}
