import { type CloseReason, closeCodes, type ServerFrame } from '../../protocol/frames'
import type { Clock } from '../ports'

/** The gateway's end of a socket, independent of the transport. */
export interface Peer {
  /** Bytes that were sent and not yet passed to the network. */
  readonly bufferedAmount: number
  send(text: string): void
  /** Closes the socket; one that does not read is cut off a moment later. */
  close(code: number, reason: string): void
  onmessage: (text: string) => void
  /** Called on a ping of the transport itself, which answers it. */
  onping: () => void
  /** Called whenever sent data has gone out. */
  ondrain: () => void
  onclose: () => void
}

/** Sends the reason and the position to resume from, and closes the socket. */
export function sayGoodbye(peer: Peer, reason: CloseReason, message: string, after?: number): void {
  const { code, reconnect } = closeCodes[reason]
  const bye: ServerFrame = { type: 'bye', reason, reconnect, message, ...(after !== undefined && { after }) }
  peer.send(JSON.stringify(bye))
  peer.close(code, reason)
}

/** Bytes that are sent ahead of a reader; more is sent once the reader has read half of them. */
const aheadBytes = 16 * 1024
/** Time in ms that a reader may take for that half. */
const takeMs = 10_000
/** Bytes of all kinds of frames that may wait for one reader. */
const maxWaitingBytes = 1024 * 1024

/** Bounds the unread output of all sockets; beyond it, the socket with the most is closed. */
export class OutputBudget {
  readonly #maxBytes: number
  readonly #outputs = new Set<Output>()
  #waiting = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Updates the sum when a reader's unread output changes. */
  change(output: Output, byBytes: number): void {
    this.#waiting += byBytes
    if (output.waiting > 0) this.#outputs.add(output)
    else this.#outputs.delete(output)
    while (this.#waiting > this.#maxBytes) this.#largest().giveUp()
  }

  #largest(): Output {
    let largest: Output | undefined
    for (const one of this.#outputs) if (!largest || one.waiting > largest.waiting) largest = one
    return largest!
  }
}

/** Sends to one socket, and measures its unread output. */
export class Output {
  readonly #peer: Peer
  readonly #clock: Clock
  readonly #budget: OutputBudget
  readonly #onSlow: () => void
  #waiting = 0
  #full = false
  #owesPong = false
  #closed = false
  #cancelTimer = () => {}
  #onDrained: (() => void) | undefined

  constructor(peer: Peer, clock: Clock, budget: OutputBudget, onSlow: () => void) {
    this.#peer = peer
    this.#clock = clock
    this.#budget = budget
    this.#onSlow = onSlow
    peer.ondrain = () => this.#measure()
  }

  /** Bytes that were sent and not yet read. */
  get waiting(): number {
    return this.#waiting
  }

  /** True while the reader must read before more of the log is sent. */
  get full(): boolean {
    return this.#full
  }

  send(frame: ServerFrame): void {
    this.sendText(JSON.stringify(frame))
  }

  sendText(text: string): void {
    if (this.#closed) return
    if (this.#waiting > maxWaitingBytes) return this.giveUp()
    this.#peer.send(text)
    this.#measure()
  }

  /** Answers a ping at once; while the reader is behind, one answer follows later for all pings. */
  pong(): void {
    if (this.#full) this.#owesPong = true
    else this.send({ type: 'pong' })
  }

  /** Resolves once more can be sent, or the output is closed. */
  drained(): Promise<void> {
    if (!this.#full || this.#closed) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onDrained = resolve
    })
  }

  /** Gives up a slow reader: the owner sends the reason, and closes. */
  giveUp(): void {
    this.close()
    this.#onSlow()
  }

  /** Stops sending and counting. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#count(0)
    this.#cancelTimer()
    this.#onDrained?.()
  }

  #measure(): void {
    if (this.#closed) return
    this.#count(this.#peer.bufferedAmount)
    if (!this.#full && this.#waiting > aheadBytes) {
      this.#full = true
      this.#cancelTimer = this.#clock.background(takeMs, () => this.giveUp())
    } else if (this.#full && this.#waiting <= aheadBytes / 2) this.#empty()
  }

  #empty(): void {
    this.#full = false
    this.#cancelTimer()
    this.#onDrained?.()
    this.#onDrained = undefined
    if (this.#owesPong) this.send({ type: 'pong' })
    this.#owesPong = false
  }

  #count(waiting: number): void {
    const change = waiting - this.#waiting
    this.#waiting = waiting
    if (change !== 0) this.#budget.change(this, change)
  }
}
