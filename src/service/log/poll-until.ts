import { idle } from '../../protocol/time'
import type { LogHint } from '../ports'
import { pollEveryMs } from './poller'
import type { LogPorts } from './ports'

/** The result of one poll. */
interface Polled<T> {
  answer: T
  /** True where it is what was waited for. */
  done: boolean
  /** The latest time of the next poll, in ms since 1970. */
  againAtMs?: number | undefined
}

/** The time to poll for, and the topics that may change the answer. */
interface PollOptions {
  waitMs: number
  signal?: AbortSignal | undefined
  /** Topics of the signals, each with whether a hint on it is worth a poll. */
  topics: Record<string, (hint?: LogHint) => boolean>
}

/** Polls until it finds what it waits for, the time is over or the signal aborts; answers what it saw last. */
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
      // Whoever left takes nothing more.
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
