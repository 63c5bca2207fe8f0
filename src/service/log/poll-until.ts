import { idle } from '../../protocol/time/clock'
import type { LogHint } from '../ports'
import { pollEveryMs } from './poller'
import type { LogPorts } from './ports'

/** Result of one poll. */
interface Polled<T> {
  answer: T
  /** True if the answer is the awaited one. */
  done: boolean
  /** Latest time of the next poll, in ms since 1970. */
  againAtMs?: number | undefined
}

/** Duration of the polling, and the topics that may change the answer. */
interface PollOptions {
  waitMs: number
  signal?: AbortSignal | undefined
  /** Topics of the signals, each with a test whether a hint is worth a poll. */
  topics: Record<string, (hint?: LogHint) => boolean>
}

/** Polls until it is done, the time is over or the signal aborts; returns the last answer. */
export async function pollUntil<T>(
  ports: Pick<LogPorts, 'clock' | 'signals'>,
  { waitMs, signal, topics }: PollOptions,
  poll: () => Promise<Polled<T>>,
): Promise<T> {
  const endsAtMs = ports.clock.now() + waitMs
  for (;;) {
    let woken = false
    let wake = () => {}
    const stops = Object.entries(topics).map(([topic, isWorth]) =>
      ports.signals.subscribe(topic, (hint) => {
        if (!isWorth(hint)) return
        woken = true
        wake()
      }),
    )
    try {
      const { answer, done, againAtMs = Number.POSITIVE_INFINITY } = await poll()
      const nowMs = ports.clock.now()
      if (done || nowMs >= endsAtMs || signal?.aborted) return answer
      const pauseMs = Math.min(endsAtMs, againAtMs) - nowMs
      if (!woken && pauseMs > 0)
        await new Promise<void>((resolve) => pause(ports, pauseMs, signal, resolve, (end) => (wake = end)))
      // An aborted reader must take nothing more.
      if (signal?.aborted) return answer
    } finally {
      for (const stop of stops) stop()
    }
  }
}

function pause(
  { clock }: Pick<LogPorts, 'clock'>,
  pauseMs: number,
  signal: AbortSignal | undefined,
  resolve: () => void,
  wakeWith: (wake: () => void) => void,
): void {
  const end = () => {
    cancelEnd()
    cancelLook()
    signal?.removeEventListener('abort', end)
    resolve()
  }
  const cancelEnd = clock.background(pauseMs, end)
  const cancelLook = pauseMs > pollEveryMs ? idle(clock, pollEveryMs, end) : () => {}
  signal?.addEventListener('abort', end)
  wakeWith(end)
}
