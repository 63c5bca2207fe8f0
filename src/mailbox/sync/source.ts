import type { RestanteError } from '../../protocol/errors'
import type { Event, EventPage } from '../../protocol/records'
import { findMisfit } from './read-frame'

/** Receives what a source tells the sync. After `lost` the source says nothing more. */
export interface SourceSink {
  /** The last position that was applied, wherever it was read. */
  cursor(): number
  /** Checks the epoch of what the service sent. @throws ServiceError `cursor_expired` for another epoch than was read */
  check(told: { epoch?: string | undefined }): void
  /** Everything after the cursor will come; the log reaches to `head` now. */
  opened(head: number): void
  /** An event; `prev` is the last position covered before it, `misfit` what is wrong with its data. */
  event(prev: number, event: Event, misfit: RestanteError | null): void
  /** Everything in `prev < … ≤ seq` has come or was filtered out. */
  covered(prev: number, seq: number, head: number): void
  /** Something that is worth telling but does not end the source. */
  warn(error: unknown): void
  /** The source is over, by this error. */
  lost(error: unknown): void
}

/**
 * The means by which the log is read. With `webhook`, requests from the service say when there is something new, and
 * the log is looked at now and then in case one was lost.
 */
export type SourceKind = 'socket' | 'webhook' | 'poll'

/** Something that reads the log and tells a sink. */
export interface Source {
  readonly kind: SourceKind
  /** Ends it silently. */
  close(): void
}

/** Starts reading from the cursor of the sink on. */
export type StartSource = (sink: SourceSink) => Source

/** The most events that one page holds (`limit` of GET /events). */
export const pageLimit = 500

/** Tells a sink what a page of the log says. */
export const takePage = (page: EventPage, sink: Pick<SourceSink, 'event' | 'covered'>): void => {
  let prev = page.from
  for (const event of page.events) {
    sink.event(prev, event, findMisfit(event))
    prev = event.seq
  }
  sink.covered(prev, page.to, page.head)
}
