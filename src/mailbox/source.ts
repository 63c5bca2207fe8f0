import type { Event, RestanteError } from '../protocol'

/** What a source tells the sync. After `lost` it says nothing more. */
export interface SourceSink {
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

/** Something that reads the log from a cursor on and tells a sink. */
export interface Source {
  readonly kind: 'socket' | 'poll'
  /** Ends it silently. */
  close(): void
}

/** Starts reading after this position. */
export type StartSource = (after: number, sink: SourceSink) => Source
