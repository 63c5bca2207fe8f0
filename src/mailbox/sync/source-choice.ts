import { minuteMs } from '../../protocol/time'
import type { SourceKind } from './source'

/** Counts how sockets have fared, which the choice of a source depends on. */
interface SocketRecord {
  /** Since one last held. */
  readonly failures: number
  /** The number of times that a socket was tried beside a poll since then; -1 where one is to be tried soon. */
  readonly trials: number
}

const patience = 3
const soonMs = 5_000
const firstTrialMs = 60_000
const maxTrialMs = 10 * minuteMs

/** Before any socket was tried. */
export const untriedSockets: SocketRecord = { failures: 0, trials: 0 }

/**
 * Chooses the source to read from: the one that was asked for, else the socket, and polls after three successive sockets
 * that failed.
 */
export const chooseSource = (prefer: 'auto' | SourceKind, { failures }: SocketRecord): SourceKind => {
  if (prefer !== 'auto') return prefer
  return failures >= patience ? 'poll' : 'socket'
}

/** Counts a socket that was lost; `steady` says that it had held for a while. */
export const lostSocket = (record: SocketRecord, steady: boolean, error: unknown): SocketRecord => {
  const { failures, trials } = steady ? untriedSockets : record
  // Something that swallows sockets will do so again: no need to wait for it three times.
  const hopeless = (error as { code?: unknown } | null)?.code === 'socket_timeout'
  return { failures: failures + (hopeless ? patience : 1), trials }
}

/** Forgets how sockets fared once a poll fails before it brought anything: the whole service is away, not its sockets. */
export const lostPoll: SocketRecord = { failures: 0, trials: -1 }

/** Counts a socket that opened when it was tried beside a poll. */
export const wonSocket = ({ trials }: SocketRecord): SocketRecord => ({ failures: 0, trials })

/** Plans the next trial of a socket: the time to poll before it, and the record with it counted. */
export const planTrial = ({ failures, trials }: SocketRecord): { delayMs: number; record: SocketRecord } => ({
  delayMs: trials < 0 ? soonMs : Math.min(maxTrialMs, firstTrialMs * 2 ** Math.min(trials, 10)),
  record: { failures, trials: trials + 1 },
})
