import { type ClientFrame, closeCodes, type Event, type MessageSummary } from 'restante/protocol'
import type { ServiceLike } from '../../../src/client/client'
import type { Clock } from '../../../src/protocol/time/clock'
import { answer, type FakeRequest, type FakeState } from './fake-routes'
import { MemorySocket } from './memory-socket'
import { inboxRecord, messageRecord, threadRecord } from './records'

interface Subscription {
  socket: MemorySocket
  inboxIds: readonly string[] | undefined
  /** The last position told. */
  covered: number
}

/** A service in memory with one account: a real log with dense positions, and faults on demand. */
export class FakeService implements ServiceLike, FakeState {
  readonly inboxes = [inboxRecord('a'), inboxRecord('b')]
  readonly log: Event[] = []
  readonly messages = new Map<string, MessageSummary>()
  readonly sends = new Map<string, string>()
  readonly requests: FakeRequest[] = []
  readonly sockets: MemorySocket[] = []
  readonly subscriptions = new Set<Subscription>()
  readonly waiting = new Set<() => void>()
  key = 'key-1'
  /** By which a poll ends that hears of nothing. */
  clock: Clock | undefined
  /** Events up to here are gone. */
  lostUpTo = 0
  /** Epoch of the log after a restore. */
  epoch: { epoch: string; epoch_from: number } | undefined
  down = false
  socketsRefused = false
  socketsHang = false
  /** Answers instead of the service. */
  override: ((request: FakeRequest) => Response | Promise<Response | undefined> | undefined) | undefined

  get head(): number {
    return this.log.length
  }

  async home(): Promise<{ apiKey: string }> {
    return { apiKey: this.key }
  }

  async fetch(request: Request): Promise<Response> {
    const text = await request.text()
    const { pathname: path, searchParams: query } = new URL(request.url)
    const body = text === '' ? {} : JSON.parse(text)
    const { method, headers, signal } = request
    const asked: FakeRequest = { method, path, query, body, key: headers.get('authorization') ?? '', signal }
    this.requests.push(asked)
    if (this.down) throw new TypeError('fetch failed')
    return (await this.override?.(asked)) ?? answer(this, asked)
  }

  socket({ apiKey }: { apiKey: string }): MemorySocket {
    const socket = new MemorySocket()
    this.sockets.push(socket)
    if (this.down || this.socketsRefused) socket.serverClose(1006)
    else if (!this.socketsHang) socket.serverOpen()
    socket.serverReceives = (frame) => this.#receive(socket, apiKey, frame)
    socket.serverCloses = () => {
      for (const subscription of this.subscriptions)
        if (subscription.socket === socket) this.subscriptions.delete(subscription)
    }
    return socket
  }

  /** Commits an event and tells everybody. */
  append(type: string, data: Record<string, unknown>, inboxId: string | null = 'inb_a'): Event {
    const seq = this.head + 1
    const created_at = '2026-01-31T12:00:00.000Z'
    const event: Event = { id: `evt_${seq}`, type, seq, inbox_id: inboxId, created_at, data }
    this.log.push(event)
    for (const subscription of this.subscriptions) this.#tell(subscription)
    for (const wake of [...this.waiting]) wake()
    return event
  }

  /** A mail comes in. */
  receive(fields: Partial<MessageSummary> = {}): Event {
    const seq = this.head + 1
    const record = messageRecord({ id: `msg_${seq}`, seq, ...fields })
    this.messages.set(record.id, record)
    return this.append('message.received', record, record.inbox_id)
  }

  /** An event that no message comes with. */
  touchThread(id = 'thr_1', inboxId = 'inb_a'): Event {
    return this.append('thread.updated', threadRecord({ id, inbox_id: inboxId, seq: this.head + 1 }), inboxId)
  }

  /** A backup is restored, whose log ends at that position. */
  restore(epoch_from: number): void {
    this.epoch = { epoch: 'restored', epoch_from }
    for (const { data } of this.log.splice(epoch_from)) this.messages.delete(data.id as string)
  }

  /** All sockets break. */
  cut(): void {
    for (const { socket } of [...this.subscriptions]) socket.serverClose(1006)
  }

  #receive(socket: MemorySocket, apiKey: string, frame: ClientFrame): void {
    if (frame.type === 'ping') return socket.serverSend({ type: 'pong' })
    if (frame.type !== 'subscribe') return
    const close = (reason: keyof typeof closeCodes) => socket.serverClose(closeCodes[reason].code, reason)
    if (apiKey !== this.key) return close('unauthorized')
    const after = frame.after === 'now' ? this.head : frame.after
    if (after < this.lostUpTo) return close('cursor_expired')
    const subscription = { socket, inboxIds: frame.inbox_ids, covered: after }
    this.subscriptions.add(subscription)
    socket.serverSend({ type: 'subscribed', after, head: this.head, ...this.epoch })
    this.#tell(subscription)
    socket.serverSend({ type: 'caught-up', prev: after, seq: after })
  }

  #tell(subscription: Subscription): void {
    const { socket, inboxIds } = subscription
    let prev = subscription.covered
    for (const event of this.log.slice(subscription.covered)) {
      if (inboxIds && event.inbox_id !== null && !inboxIds.includes(event.inbox_id)) continue
      socket.serverSend({ type: 'event', prev, event })
      prev = event.seq
    }
    if (prev < this.head) socket.serverSend({ type: 'caught-up', prev, seq: this.head })
    subscription.covered = this.head
  }
}
