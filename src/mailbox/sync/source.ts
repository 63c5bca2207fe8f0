import type { RestanteError } from '../../protocol/errors/error'
import type { Event, EventPage } from '../../protocol/records/event'
import { findMisfit } from './read-frame'

/** Callbacks of a source to the sync. After `lost` the source calls none. */
export interface SourceSink {
  /** Last applied position, from any source. */
  cursor(): number
  /** Checks the epoch of a response. @throws ServiceError `cursor_expired` for another epoch */
  check(answer: { epoch?: string | undefined }): void
  /** Everything after the cursor will come; the log now ends at `head`. */
  opened(head: number): void
  /** An event; `prev` is the last position covered before it, `misfit` the error if its data does not fit. */
  event(prev: number, event: Event, misfit: RestanteError | null): void
  /** Everything in `prev < … ≤ seq` has come or was filtered out. */
  covered(prev: number, seq: number, head: number): void
  /** An error that does not end the source. */
  warn(error: unknown): void
  /** The source has ended with this error. */
  lost(error: unknown): void
}

/**
 * How the log is read. With `webhook`, requests from the service announce news, and the log is read once a
 * minute in case one was lost.
 */
export type SourceKind = 'socket' | 'webhook' | 'poll'

/** A reader of the log that reports to a sink. */
export interface Source {
  readonly kind: SourceKind
  /** Ends it without a callback. */
  close(): void
}

/** Starts reading from the cursor of the sink. */
export type StartSource = (sink: SourceSink) => Source

/** Most events on one page (`limit` of GET /events). */
export const pageLimit = 500

/** Passes a page of the log to a sink. */
export const takePage = (page: EventPage, sink: Pick<SourceSink, 'event' | 'covered'>): void => {
  let prev = page.from
  for (const event of page.events) {
    sink.event(prev, event, findMisfit(event))
    prev = event.seq
  }
  sink.covered(prev, page.to, page.head)
}
