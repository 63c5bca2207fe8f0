import { defaultHoldAfterReply, type InboxRow } from '../accounts/account-inboxes'
import { durationMs } from '../base/durations'
import type { StoredSender } from '../base/sender'
import { timeOf } from '../base/time'
import type { ChangeContext } from '../log/registry'
import type { MessagePorts } from '../messages/ports'
import { holdOf, type StoredHold, type ThreadRow } from '../messages/records'
import { holdThread } from './holds'

/** Returns the later end of two holds: a reply prolongs a hold, and never shortens it. */
const laterOf = (before: StoredHold | null, until: string | null): string | null => {
  if (!before) return until
  return before.until === null || until === null ? null : [before.until, until].sort().at(-1)!
}

/** A reply that a person wrote. */
interface PersonsReply {
  by: StoredSender
  /** Time of the reply, in ms since 1970: the hold lasts from it. */
  atMs: number
}

/** Holds a thread after the reply of a person, for as long as its inbox says. */
export async function holdAfterReply(
  ports: Pick<MessagePorts, 'clock'>,
  change: ChangeContext,
  { hold_after_reply }: Pick<InboxRow, 'hold_after_reply'>,
  thread: ThreadRow,
  { by, atMs }: PersonsReply,
): Promise<void> {
  const setting = hold_after_reply ?? defaultHoldAfterReply
  if (setting === 'never') return
  const until = setting === 'until_released' ? null : timeOf(atMs + durationMs(setting))
  if (until !== null && until <= change.now) return
  const before = holdOf(thread)
  const reason = before ? before.reason : 'A person replied.'
  await holdThread(ports, change, thread, { by, reason, until: laterOf(before, until) })
}
