/**
 * Tracks how far the mailbox has read the log, and whether that is its end. Pure: no I/O, no clock. Inputs
 * come from a socket, a poll, or webhooks, which only hint at news.
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

/** Signals that change the status. */
export type SyncSignal = 'opened' | 'behind' | 'level' | 'lost' | 'expired' | 'refused' | 'closed'

/** Next status for every status and signal. */
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

/** State of a reader of the log. */
export interface SyncModel {
  readonly status: SyncStatus
  /** Everything up to this position was applied. */
  readonly cursor: number
  /** Newest known position. */
  readonly head: number
  /** Position up to which to fetch the log: something was announced and did not arrive. */
  readonly wanted: number
}

/** Inputs of the machine, from the sources of events. */
export type SyncInput =
  /** A snapshot was taken at this position. */
  | { readonly type: 'snapshot'; readonly cursor: number }
  /** A source will deliver everything after the cursor; the log ends at `head`. */
  | { readonly type: 'opened'; readonly head: number }
  /** The event at `seq`; everything between `prev` and `seq` was filtered out. */
  | { readonly type: 'event'; readonly prev: number; readonly seq: number }
  /** Everything in `prev < … ≤ seq` that passes the filter has been delivered. */
  | { readonly type: 'covered'; readonly prev: number; readonly seq: number; readonly head: number }
  /** The log reaches `seq`: a webhook reported it, or a record that new was read. */
  | { readonly type: 'hint'; readonly seq: number }
  /** The log was read to its end: hinted positions beyond it do not exist. */
  | { readonly type: 'ended' }
  | { readonly type: 'lost' }
  | { readonly type: 'expired' }
  | { readonly type: 'refused' }
  | { readonly type: 'closed' }

/** Effect of an input: apply the event, fetch the log from the cursor, or neither. */
type SyncEffect = 'apply' | 'fetch' | 'none'

/** The next model, with its effect. */
interface SyncStep {
  readonly model: SyncModel
  readonly effect: SyncEffect
}

/** State before the first input. */
export const initialSync: SyncModel = { status: 'connecting', cursor: 0, head: 0, wanted: 0 }

const settle = (status: SyncStatus, cursor: number, head: number, wanted: number): SyncModel => {
  const signal = cursor >= head && cursor >= wanted ? 'level' : 'behind'
  return { status: syncTable[status][signal], cursor, head, wanted }
}

/** Advances over `(prev, seq]`, which is possible only if the cursor has reached `prev`. */
const advance = (model: SyncModel, prev: number, seq: number, newest: number, gain: SyncEffect): SyncStep => {
  const { status, cursor, wanted } = model
  const head = Math.max(model.head, newest)
  if (prev > cursor) return { model: settle(status, cursor, head, Math.max(wanted, seq)), effect: 'fetch' }
  if (seq <= cursor) return { model: settle(status, cursor, head, wanted), effect: 'none' }
  return { model: settle(status, seq, head, wanted), effect: gain }
}

/** Only this function moves the cursor: each event is applied once, in order, and never past a gap. */
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
