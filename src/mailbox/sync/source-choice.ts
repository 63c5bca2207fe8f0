import { minuteMs } from '../../protocol/time/clock'
import type { SourceKind } from './source'

/** Counts of failed sockets and trials, which determine the source. */
interface SocketRecord {
  /** Failures since the last socket that held. */
  readonly failures: number
  /** Number of trials of a socket beside a poll since then; -1 if the next one is due soon. */
  readonly trials: number
}

const patience = 3
const soonMs = 5_000
const firstTrialMs = 60_000
const maxTrialMs = 10 * minuteMs

/** Record before any socket was tried. */
export const untriedSockets: SocketRecord = { failures: 0, trials: 0 }

/**
 * Chooses the source: the preferred one, else the socket. After three failed sockets in succession it chooses
 * polling.
 */
export const chooseSource = (prefer: 'auto' | SourceKind, { failures }: SocketRecord): SourceKind => {
  if (prefer !== 'auto') return prefer
  return failures >= patience ? 'poll' : 'socket'
}

/** Counts a lost socket; `steady` means that it had held for a while. */
export const lostSocket = (record: SocketRecord, steady: boolean, error: unknown): SocketRecord => {
  const { failures, trials } = steady ? untriedSockets : record
  // A proxy that swallows sockets will do so again: three tries would gain nothing.
  const hopeless = (error as { code?: unknown } | null)?.code === 'socket_timeout'
  return { failures: failures + (hopeless ? patience : 1), trials }
}

/** Record after a poll failed before its first page: the whole service is down, not its sockets. */
export const lostPoll: SocketRecord = { failures: 0, trials: -1 }

/** Counts a socket that opened in a trial beside a poll. */
export const wonSocket = ({ trials }: SocketRecord): SocketRecord => ({ failures: 0, trials })

/** Plans the next trial of a socket: the time to poll before it, and the record that counts it. */
export const planTrial = ({ failures, trials }: SocketRecord): { delayMs: number; record: SocketRecord } => ({
  delayMs: trials < 0 ? soonMs : Math.min(maxTrialMs, firstTrialMs * 2 ** Math.min(trials, 10)),
  record: { failures, trials: trials + 1 },
})
