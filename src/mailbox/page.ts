import type { ReadOptions } from './reader'

/** A stretch of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** For the next request; null at the end. */
  readonly nextCursor: string | null
}

/** How every list is asked for. */
export interface ListOptions extends ReadOptions {
  /** Id or address. Default: the inbox that the mailbox was opened for, or all. */
  inbox?: string
  /** 1 to 100; default 25. */
  limit?: number
  /** `nextCursor` of the page before. */
  cursor?: string
  /** With mail that is marked as spam, which is left out otherwise. */
  spam?: boolean
}
