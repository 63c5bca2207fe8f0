/**
 * Tracks how far the mailbox has read the log, and whether that is all there is. Pure: no I/O, no clock. Three sources
 * tell it: a socket, a poll, and webhooks, which only hint that there is more.
 *
 * ```
 *                opened                 level
 *  connecting ───────────▶ catching-up ───────▶ live
 *    ▲    ▲                 │  ▲   ▲             │ │
 *    │    └──── expired ────┤  │   └── behind ───┘ │
 *    │                 lost │  │ opened            │
 *    │                      ▼  │                   │
 *    └─────── expired ──── stale ◀──── lost ───────┘
 *
 *  every state ── refused, closed ──▶ closed        live ── expired ──▶ connecting
 * ```
 */
export type SyncStatus = 'connecting' | 'catching-up' | 'live' | 'stale' | 'closed'

/** The signals that move the status. */
export type SyncSignal = 'opened' | 'behind' | 'level' | 'lost' | 'expired' | 'refused' | 'closed'

/** Every signal in every state. */
export const syncTable: Readonly<Record<SyncStatus, Readonly<Record<SyncSignal, SyncStatus>>>> = {
  connecting: {
    opened: 'catching-up',
    behind: 'connecting',
    level: 'connecting',
    lost: 'connecting',
    expired: 'connecting',
    refused: 'closed',
    closed: 'closed',
  },
  'catching-up': {
    opened: 'catching-up',
    behind: 'catching-up',
    level: 'live',
    lost: 'stale',
    expired: 'connecting',
    refused: 'closed',
    closed: 'closed',
  },
  live: {
    opened: 'live',
    behind: 'catching-up',
    level: 'live',
    lost: 'stale',
    expired: 'connecting',
    refused: 'closed',
    closed: 'closed',
  },
  stale: {
    opened: 'catching-up',
    behind: 'stale',
    level: 'stale',
    lost: 'stale',
    expired: 'connecting',
    refused: 'closed',
    closed: 'closed',
  },
  closed: {
    opened: 'closed',
    behind: 'closed',
    level: 'closed',
    lost: 'closed',
    expired: 'closed',
    refused: 'closed',
    closed: 'closed',
  },
}

/** The whole state of a reader of the log. */
export interface SyncModel {
  readonly status: SyncStatus
  /** Everything up to here was applied. */
  readonly cursor: number
  /** The newest position known to exist. */
  readonly head: number
  /** The log up to here must be fetched: something after the cursor was announced and did not come. */
  readonly wanted: number
}

/** The inputs of the machine, as sources of events tell them. */
export type SyncInput =
  /** A snapshot was taken at this position. */
  | { readonly type: 'snapshot'; readonly cursor: number }
  /** A source will bring everything after the cursor; the log reaches to `head`. */
  | { readonly type: 'opened'; readonly head: number }
  /** The event at `seq`; everything in `prev < seq` was filtered out. */
  | { readonly type: 'event'; readonly prev: number; readonly seq: number }
  /** Nothing in `prev < … ≤ seq` passes the filter, beside what came. */
  | { readonly type: 'covered'; readonly prev: number; readonly seq: number; readonly head: number }
  /** The log reaches to `seq`: a webhook said so, or a record was read that is so new. */
  | { readonly type: 'hint'; readonly seq: number }
  /** The log was read to its end: what was hinted at beyond is not there. */
  | { readonly type: 'ended' }
  | { readonly type: 'lost' }
  | { readonly type: 'expired' }
  | { readonly type: 'refused' }
  | { readonly type: 'closed' }

/** The effect of an input: show the event, fetch the log from the cursor, or neither. */
type SyncEffect = 'apply' | 'fetch' | 'none'

/** The next model, and what to do. */
interface SyncStep {
  readonly model: SyncModel
  readonly effect: SyncEffect
}

/** Before anything is known. */
export const initialSync: SyncModel = { status: 'connecting', cursor: 0, head: 0, wanted: 0 }

const settle = (status: SyncStatus, cursor: number, head: number, wanted: number): SyncModel => {
  const signal = cursor >= head && cursor >= wanted ? 'level' : 'behind'
  return { status: syncTable[status][signal], cursor, head, wanted }
}

/** Moves over `(prev, seq]`, which joins on only where the cursor has reached `prev`. */
const advance = (model: SyncModel, prev: number, seq: number, newest: number, gain: SyncEffect): SyncStep => {
  const { status, cursor, wanted } = model
  const head = Math.max(model.head, newest)
  if (prev > cursor) return { model: settle(status, cursor, head, Math.max(wanted, seq)), effect: 'fetch' }
  if (seq <= cursor) return { model: settle(status, cursor, head, wanted), effect: 'none' }
  return { model: settle(status, seq, head, wanted), effect: gain }
}

/** The one function that moves the cursor: an event is applied once, in order, and never over a hole. */
export const stepSync = (model: SyncModel, input: SyncInput): SyncStep => {
  if (model.status === 'closed') return { model, effect: 'none' }
  switch (input.type) {
    case 'event':
      return advance(model, input.prev, input.seq, input.seq, 'apply')
    case 'covered':
      return advance(model, input.prev, input.seq, Math.max(input.seq, input.head), 'none')
    case 'snapshot':
      return { model: { ...model, cursor: input.cursor, head: input.cursor, wanted: 0 }, effect: 'none' }
    case 'opened': {
      const status = syncTable[model.status].opened
      return {
        model: settle(status, model.cursor, Math.max(model.head, input.head), model.wanted),
        effect: 'none',
      }
    }
    case 'hint': {
      const { status, cursor, head, wanted } = model
      if (input.seq <= cursor) return { model, effect: 'none' }
      return { model: settle(status, cursor, head, Math.max(wanted, input.seq)), effect: 'fetch' }
    }
    case 'ended': {
      const { status, cursor, head, wanted } = model
      return { model: settle(status, cursor, head, Math.min(wanted, head)), effect: 'none' }
    }
    default:
      return { model: { ...model, status: syncTable[model.status][input.type] }, effect: 'none' }
  }
}
