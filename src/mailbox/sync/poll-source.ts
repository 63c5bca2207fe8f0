import type { Client } from '../../client/client'
import type { EventPage } from '../../protocol/records/event'
import { type Clock, monotonicNow } from '../../protocol/time/clock'
import { pageLimit, type Source, type SourceSink, type StartSource, takePage } from './source'

/** Options of a poll source. */
interface PollSourceOptions {
  client: Client
  inboxId: string | undefined
  clock: Clock
}

/** Pace of the requests for the log. */
interface Pace {
  readonly kind: 'poll' | 'webhook'
  /** Time for which the service may hold a request. */
  readonly waitMs: number
  /** Least time from the start of one request to the next, if it returned nothing. */
  readonly emptyPauseMs: number
  /** Least time after a page that reached the end of the log. */
  readonly pauseMs: number
}

/** Proxies cut requests at 30 or 60 seconds. */
const longPoll: Pace = { kind: 'poll', waitMs: 25_000, emptyPauseMs: 1_000, pauseMs: 0 }
const besideWebhooks: Pace = { kind: 'webhook', waitMs: 0, emptyPauseMs: 60_000, pauseMs: 60_000 }

const marginMs = 10_000

class PollSource implements Source {
  readonly #options: PollSourceOptions
  readonly #pace: Pace
  readonly #sink: SourceSink
  readonly #controller = new AbortController()
  #cancelPause = () => {}

  constructor(options: PollSourceOptions, pace: Pace, sink: SourceSink) {
    this.#options = options
    this.#pace = pace
    this.#sink = sink
    // The first page is returned at once, so that the sync soon knows its position.
    void this.#next(0, true)
  }

  get kind(): Pace['kind'] {
    return this.#pace.kind
  }

  close(): void {
    this.#controller.abort()
    this.#cancelPause()
  }

  async #next(waitMs: number, first = false): Promise<void> {
    const askedAt = monotonicNow(this.#options.clock)
    try {
      const page = await this.#read(waitMs)
      if (this.#controller.signal.aborted) return
      this.#sink.check(page)
      if (first) this.#sink.opened(page.head)
      takePage(page, this.#sink)
      this.#later(this.#pauseMs(page, askedAt, first), () => void this.#next(this.#pace.waitMs))
    } catch (error) {
      if (!this.#controller.signal.aborted) this.#sink.lost(error)
    }
  }

  #pauseMs({ from, to, head }: EventPage, askedAt: number, first: boolean): number {
    const { emptyPauseMs, pauseMs } = this.#pace
    if (to < head) return 0
    return to > from || first ? pauseMs : askedAt + emptyPauseMs - monotonicNow(this.#options.clock)
  }

  /** Pauses even for a service that ignores `wait_ms`, so as not to poll in a tight loop. */
  #later(pauseMs: number, next: () => void): void {
    if (this.#controller.signal.aborted) return
    if (pauseMs <= 0) next()
    else this.#cancelPause = this.#options.clock.after(pauseMs, next)
  }

  #read(waitMs: number): Promise<EventPage> {
    const { client, inboxId } = this.#options
    return client.events.list(
      { after: this.#sink.cursor(), inbox_id: inboxId, limit: pageLimit, wait_ms: waitMs },
      { signal: this.#controller.signal, timeoutMs: waitMs + marginMs, retry: false },
    )
  }
}

/** Reads the log by long polling, for networks that block sockets. */
export const createPollSource =
  (options: PollSourceOptions): StartSource =>
  (sink) =>
    new PollSource(options, longPoll, sink)

/** Reads the log once a minute, for mailboxes whose webhooks announce news. */
export const createWebhookSource =
  (options: PollSourceOptions): StartSource =>
  (sink) =>
    new PollSource(options, besideWebhooks, sink)
