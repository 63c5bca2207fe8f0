import type { Client } from '../client'
import type { EventPage } from '../protocol'
import type { Clock } from './clock'
import { deliverPage, pageLimit } from './deliver-page'
import type { Source, SourceSink, StartSource } from './source'

/** What a poll source reads. */
export interface PollSourceOptions {
  client: Client
  inboxId: string | undefined
  clock: Clock
  /** How long the service may hold a request. Default 25,000: proxies cut at 30 or 60 seconds. */
  waitMs?: number
}

const marginMs = 10_000
const emptyPauseMs = 1_000

class PollSource implements Source {
  readonly kind = 'poll'
  readonly #options: PollSourceOptions
  readonly #sink: SourceSink
  readonly #controller = new AbortController()
  #after: number
  #cancelPause = () => {}

  constructor(options: PollSourceOptions, after: number, sink: SourceSink) {
    this.#options = options
    this.#after = after
    this.#sink = sink
    // The first page answers at once, so that the sync soon knows where it stands.
    void this.#next(0, true)
  }

  close(): void {
    this.#controller.abort()
    this.#cancelPause()
  }

  async #next(waitMs: number, first = false): Promise<void> {
    const { clock, waitMs: longWaitMs = 25_000 } = this.#options
    const askedAt = clock.now()
    try {
      const page = await this.#read(waitMs)
      if (this.#controller.signal.aborted) return
      if (first) this.#sink.opened(page.head)
      deliverPage(page, this.#sink)
      this.#after = page.to
      const pauseMs = page.to > page.from || first ? 0 : askedAt + emptyPauseMs - clock.now()
      this.#later(pauseMs, () => void this.#next(longWaitMs))
    } catch (error) {
      if (!this.#controller.signal.aborted) this.#sink.lost(error)
    }
  }

  /** A service that answers nothing at once, whatever it was asked to wait, is not asked in a loop. */
  #later(pauseMs: number, next: () => void): void {
    if (this.#controller.signal.aborted) return
    if (pauseMs <= 0) next()
    else this.#cancelPause = this.#options.clock.after(pauseMs, next)
  }

  #read(waitMs: number): Promise<EventPage> {
    const { client, inboxId } = this.#options
    return client.events.list(
      { after: this.#after, inbox_id: inboxId, limit: pageLimit, wait_ms: waitMs },
      { signal: this.#controller.signal, timeoutMs: waitMs + marginMs, retry: false },
    )
  }
}

/** Reads the log by long polling: for where sockets do not get through. */
export const createPollSource =
  (options: PollSourceOptions): StartSource =>
  (after, sink) =>
    new PollSource(options, after, sink)
