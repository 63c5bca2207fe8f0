import type { Mailbox } from '../../mailbox/mailbox'
import { systemLabelOf } from '../../protocol/records/label-names'
import type { MessageSummary } from '../../protocol/records/message'
import { tell, tellError } from '../core/notices'
import type { MailList } from './mail-list'

/** Returns the id of a label, and creates the label if it does not exist. */
export async function labelId(mailbox: Mailbox, name: string): Promise<string> {
  const system = systemLabelOf(name)
  if (system !== null) return system
  const found = (await mailbox.labels.list()).find((label) => label.name.toLowerCase() === name.toLowerCase())
  return found?.id ?? (await mailbox.client.labels.create({ name })).id
}

const atOnce = 6

const words: Record<string, [string, string]> = {
  archived: ['archived', 'moved to the inbox'],
  trash: ['moved to the trash', 'restored from the trash'],
  spam: ['marked as spam', 'marked as not spam'],
  unread: ['marked as unread', 'marked as read'],
}

/** Adds labels to messages and removes them. */
export class Mover {
  readonly #mailbox: Mailbox
  #before: Promise<unknown> = Promise.resolve()

  constructor(mailbox: Mailbox) {
    this.#mailbox = mailbox
  }

  /**
   * Adds a label to messages of a list or removes it, some at a time. Each row changes once the service
   * confirms. Calls run in order, so that the last of several fast key presses wins.
   */
  set(
    list: MailList,
    records: readonly MessageSummary[],
    name: string,
    isOn: boolean,
  ): Promise<MessageSummary[]> {
    const done = this.#before.then(() => this.#change(list, records, name, isOn))
    this.#before = done.catch(() => {})
    return done
  }

  /** Like `set`, with a notice that has an undo. */
  async move(list: MailList, records: readonly MessageSummary[], name: string, isOn: boolean): Promise<void> {
    const changed = await this.set(list, records, name, isOn)
    if (changed.length === 0) return
    const [on, off] = words[name] ?? [`labelled “${name}”`, `no longer labelled “${name}”`]
    const what = changed.length === 1 ? 'Message' : `${changed.length} messages`
    const back = () => this.set(list, changed, name, !isOn).catch(tellError)
    tell(`${what} ${isOn ? on : off}.`, { undo: () => void back() })
  }

  async #change(
    list: MailList,
    records: readonly MessageSummary[],
    name: string,
    isOn: boolean,
  ): Promise<MessageSummary[]> {
    const id = await labelId(this.#mailbox, name)
    const { labels } = this.#mailbox.client
    const now = records.map((record) => list.find(record.id)?.record ?? record)
    const waiting = now.filter(({ labels }) => labels.includes(name) !== isOn)
    const changed: MessageSummary[] = []
    const work = async () => {
      for (let record = waiting.pop(); record; record = waiting.pop()) {
        const done = await labels[isOn ? 'assign' : 'unassign']({ id, message_id: record.id })
        changed.push(done)
        list.put(done)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return changed
  }
}
