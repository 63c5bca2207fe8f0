import type { Event, RestanteError } from '../protocol'

/** What a source tells the sync. After `lost` it says nothing more. */
export interface SourceSink {
  /** The last position that was applied, wherever it was read. */
  cursor(): number
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
 * By what the log is read. `webhook` means that others say when there is something new, and that it is looked for
 * now and then in case a webhook was lost.
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
