import type { Answer } from './service'

/** An event, as the rules of a hold look at it. */
interface HoldEvent {
  seq: number
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: the record of any event
  data: any
}

interface Caller {
  call(method: string, path: string): Promise<Answer>
}

/** Reads the log after a position. */
export async function readLog({ call }: Caller, after: number): Promise<HoldEvent[]> {
  const events: HoldEvent[] = []
  for (let from = after, head = after + 1; from < head; ) {
    const { body } = await call('GET', `/events?after=${from}&limit=100`)
    events.push(...body.events)
    from = body.to
    head = body.head
  }
  return events
}

const isOfAgent = ({ sent_by, approved_by }: HoldEvent['data']): boolean =>
  sent_by !== null && sent_by.kind !== 'operator' && approved_by === null

/**
 * Returns what breaks the rules of a hold. Between `thread.held` and `thread.released` no agent's
 * `message.queued` stands in the log, but for one prepared text in each hold. Each of the given messages was
 * leased, or a person answered it or closed its thread.
 *
 * @param leased Ids of the messages that a consumer got.
 */
export function faultsIn(
  log: readonly HoldEvent[],
  given: ReadonlySet<string>,
  leased: ReadonlySet<string>,
  preparedText = 'A colleague will write.',
): string[] {
  const faults: string[] = []
  /** Held threads, with the number of prepared texts in the present hold. */
  const held = new Map<string, number>()
  const received = new Map<string, { seq: number; threadId: string }>()
  const answers: { seq: number; threadId: string }[] = []
  for (const { seq, type, data } of log) {
    // Only people close threads here.
    if (type.startsWith('thread.') && data.status === 'closed') answers.push({ seq, threadId: data.id })
    if (type === 'thread.held' && !held.has(data.id)) held.set(data.id, 0)
    if (type === 'thread.released') held.delete(data.id)
    if (type === 'message.received') received.set(data.id, { seq, threadId: data.thread_id })
    if (type !== 'message.queued') continue
    if (!isOfAgent(data)) answers.push({ seq, threadId: data.thread_id })
    const texts = held.get(data.thread_id)
    if (texts === undefined || !isOfAgent(data)) continue
    if (data.reply_text?.trim() === preparedText && texts === 0) held.set(data.thread_id, 1)
    else
      faults.push(`the agent's message ${data.id} was queued at ${seq} in the held thread ${data.thread_id}`)
  }
  for (const id of given) {
    const message = received.get(id)
    if (leased.has(id) || !message) continue
    const isAnswered = answers.some(({ seq, threadId }) => threadId === message.threadId && seq > message.seq)
    if (!isAnswered) faults.push(`nobody got the message ${id}`)
  }
  return faults
}
