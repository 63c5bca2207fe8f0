import type { Mailbox } from '../../mailbox/mailbox'
import type { Message, Thread } from '../../mailbox/records/message'
import { labelId } from '../mail/move'

const atOnce = 4

/** Runs work for each item, some at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Adds a label to messages, or removes it. */
async function setLabel(mailbox: Mailbox, messages: readonly Message[], name: string, isOn: boolean) {
  const changed = messages.filter(({ labels }) => labels.includes(name) !== isOn)
  if (changed.length === 0) return
  const id = await labelId(mailbox, name)
  const verb = isOn ? 'assign' : 'unassign'
  await each(changed, (message) => mailbox.client.labels[verb]({ id, message_id: message.id }))
}

/** Marks messages as unread or read. */
export const setUnread = (mailbox: Mailbox, messages: readonly Message[], isOn: boolean): Promise<void> =>
  setLabel(mailbox, messages, 'unread', isOn)

/** Actions on several conversations, with their words. */
export const bulkActions = {
  close: { title: 'Archive', done: 'archived', act: (thread: Thread) => thread.close() },
  hold: { title: 'Hold', done: 'held', act: (thread: Thread) => thread.hold() },
  release: { title: 'Release', done: 'released', act: (thread: Thread) => thread.release() },
} as const
export type BulkAction = keyof typeof bulkActions

/** Runs an action on conversations. */
export const actOn = (mailbox: Mailbox, ids: Iterable<string>, action: BulkAction): Promise<void> =>
  each([...ids], async (id) => bulkActions[action].act(await mailbox.threads.get(id)))

/** Marks conversations as read. */
export const markRead = (mailbox: Mailbox, ids: Iterable<string>): Promise<void> =>
  each([...ids], async (id) => setUnread(mailbox, (await mailbox.threads.get(id)).messages, false))

/** Adds a label to all messages of conversations. */
export const label = (mailbox: Mailbox, ids: Iterable<string>, name: string): Promise<void> =>
  each([...ids], async (id) => setLabel(mailbox, (await mailbox.threads.get(id)).messages, name, true))
