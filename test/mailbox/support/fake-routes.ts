import type { Event, Inbox, MessageSummary } from 'restante/protocol'
import type { Clock } from '../../../src/protocol/time/clock'
import { accountRecord, threadRecord } from './records'

export interface FakeRequest {
  method: string
  path: string
  query: URLSearchParams
  body: Record<string, unknown>
  key: string
  signal: AbortSignal
}

export interface FakeState {
  readonly inboxes: readonly Inbox[]
  readonly log: readonly Event[]
  readonly messages: ReadonlyMap<string, MessageSummary>
  readonly sends: Map<string, string>
  readonly waiting: Set<() => void>
  readonly head: number
  key: string
  lostUpTo: number
  epoch: { epoch: string; epoch_from: number } | undefined
  clock: Clock | undefined
}

export const refuse = (status: number, error: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error, message: `refused: ${error}` }, { status, headers })

const eventPage = (state: FakeState, query: URLSearchParams) => {
  const asked = query.get('after') ?? 'now'
  const from = asked === 'now' ? state.head : Number(asked)
  const types = query.get('types')?.split(',')
  const inboxId = query.get('inbox_id')
  const limit = Number(query.get('limit') ?? 100)
  const passes = (event: Event) =>
    (!types || types.includes(event.type)) &&
    (!inboxId || event.inbox_id === null || event.inbox_id === inboxId)
  const matching = state.log.slice(from).filter(passes)
  const events = matching.slice(0, limit)
  const to = matching.length > limit ? (events.at(-1)?.seq ?? from) : state.head
  return { events, from, to, head: state.head, ...state.epoch }
}

const listEvents = async (state: FakeState, { query, signal }: FakeRequest): Promise<Response> => {
  const after = query.get('after')
  if (after !== 'now' && Number(after) < state.lostUpTo) return refuse(410, 'cursor_expired')
  const at = Number(after)
  const waitMs = Number(query.get('wait_ms') ?? 0)
  if (after !== 'now' && waitMs > 0 && at >= state.head)
    await new Promise<void>((resolve) => {
      const wake = () => {
        state.waiting.delete(wake)
        cancel?.()
        resolve()
      }
      const cancel = state.clock?.background(waitMs, wake)
      state.waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  return Response.json(eventPage(state, query))
}

const listMessages = (state: FakeState, query: URLSearchParams): Response => {
  const threadId = query.get('thread_id')
  const inboxId = query.get('inbox_id')
  const afterSeq = Number(query.get('after_seq') ?? 0)
  const toSeq = Number(query.get('to_seq') ?? state.head)
  const all = [...state.messages.values()].filter(
    ({ thread_id, inbox_id, seq }) =>
      (!threadId || thread_id === threadId) &&
      (!inboxId || inbox_id === inboxId) &&
      seq > afterSeq &&
      seq <= toSeq,
  )
  if (query.get('order') !== 'asc') all.reverse()
  const from = Number(query.get('cursor') ?? 0)
  const limit = Math.min(2, Number(query.get('limit') ?? 25))
  const to = from + limit
  return Response.json({
    messages: all.slice(from, to),
    mode_used: 'keyword',
    next_cursor: to < all.length ? String(to) : null,
  })
}

const send = (state: FakeState, threadId: string, clientId: unknown): Response => {
  const held = state.sends.get(String(clientId))
  const id = held ?? `out_${state.sends.size + 1}`
  state.sends.set(String(clientId), id)
  const result = { id, thread_id: threadId, message_id: `<${id}@mail.example>`, relay_message_id: `q_${id}` }
  return Response.json({ ...result, idempotent: held !== undefined })
}

const readMessage = (state: FakeState, id: string, part: string | undefined): Response => {
  const record = state.messages.get(id)
  if (!record) return refuse(404, 'not_found')
  if (part === 'raw') return new Response(`raw of ${id}`, { headers: { 'content-type': 'message/rfc822' } })
  return Response.json({
    ...record,
    body_text: `text of ${id}`,
    body_html: null,
    headers: [],
    codes: [],
    links: [],
    report: null,
  })
}

const readThread = (state: FakeState, id: string): Response => {
  const records = [...state.messages.values()].filter((record) => record.thread_id === id)
  const newest = records.at(-1)
  if (!newest) return refuse(404, 'not_found')
  const fields = { message_count: records.length, last_message_id: newest.id, seq: newest.seq }
  const last_message_created_seq = newest.created_seq
  return Response.json(threadRecord({ id, inbox_id: newest.inbox_id, last_message_created_seq, ...fields }))
}

/** The answers of the fake service. */
export const answer = async (state: FakeState, request: FakeRequest): Promise<Response> => {
  const { method, path, query, body, key } = request
  if (key !== `Bearer ${state.key}`) return refuse(401, 'unauthorized')
  const [, version, group, id = '', part] = path.split('/')
  if (version !== 'v1') return new Response('<h1>Not Found</h1>', { status: 404 })
  if (method === 'POST' && group === 'messages')
    return send(state, state.messages.get(id)?.thread_id ?? 'thr_new', body.client_id)
  if (group === 'account') return Response.json(accountRecord(state.inboxes))
  if (group === 'events') return listEvents(state, request)
  if (group === 'messages') return id ? readMessage(state, id, part) : listMessages(state, query)
  if (group === 'threads' && id) return readThread(state, id)
  if (group === 'threads') return Response.json({ threads: [threadRecord()], next_cursor: null })
  if (group === 'attachments')
    return Response.json({ filename: 'a.txt', content_type: 'text/plain', content_base64: btoa('file') })
  return refuse(404, 'not_found')
}
