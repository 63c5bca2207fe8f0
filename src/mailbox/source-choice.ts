import type { SourceKind } from './source'

/** How sockets have fared, which is what the choice of a source depends on. */
export interface SocketRecord {
  /** Since one last held. */
  readonly failures: number
  /** How often a socket was tried beside a poll since then. */
  readonly trials: number
}

const patience = 3
const firstTrialMs = 60_000
const longestTrialMs = 10 * 60_000

/** Before any socket was tried. */
export const untriedSockets: SocketRecord = { failures: 0, trials: 0 }

/**
 * What to read from now: what was asked for, or the socket, and polls after three sockets in a row that failed.
 */
export const chooseSource = (prefer: 'auto' | SourceKind, { failures }: SocketRecord): SourceKind => {
  if (prefer !== 'auto') return prefer
  return failures >= patience ? 'poll' : 'socket'
}

/** A socket was lost; `steady` says that it had held for a while. */
export const lostSocket = (record: SocketRecord, steady: boolean, error: unknown): SocketRecord => {
  const { failures, trials } = steady ? untriedSockets : record
  // Something that swallows sockets will do so again: no need to wait for it three times.
  const hopeless = (error as { code?: unknown } | null)?.code === 'socket_timeout'
  return { failures: failures + (hopeless ? patience : 1), trials }
}

/** A socket opened that was tried beside a poll. */
export const wonSocket = ({ trials }: SocketRecord): SocketRecord => ({ failures: 0, trials })

/** How long to poll before a socket is tried again, and that it will be. */
export const planTrial = ({ failures, trials }: SocketRecord): { delayMs: number; record: SocketRecord } => ({
  delayMs: Math.min(longestTrialMs, firstTrialMs * 2 ** Math.min(trials, 10)),
  record: { failures, trials: trials + 1 },
})
