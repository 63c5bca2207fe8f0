import type { LogHint } from '../ports'
import type { Core } from './context'
import { lookAgainMs } from './lookout'

/** What a look came to. */
export interface Looked<T> {
  answer: T
  /** Whether it is what was waited for. */
  done: boolean
  /** When to look again at the latest. */
  againAtMs?: number | undefined
}

/** How long to look, and what may change the answer. */
export interface LookOptions {
  waitMs: number
  signal?: AbortSignal | undefined
  /** Topics of the signals, each with whether a hint on it is worth a look. */
  topics: Record<string, (hint?: LogHint) => boolean>
}

/** Looks until it finds what it waits for, the time is over or the signal aborts; answers what it saw last. */
export async function lookUntil<T>(
  core: Pick<Core, 'clock' | 'signals'>,
  { waitMs, signal, topics }: LookOptions,
  look: () => Promise<Looked<T>>,
): Promise<T> {
  const endsAtMs = core.clock.now() + waitMs
  for (;;) {
    let woken = false
    let wake = () => {}
    const stops = Object.entries(topics).map(([topic, isWorth]) =>
      core.signals.subscribe(topic, (hint) => {
        if (!isWorth(hint)) return
        woken = true
        wake()
      }),
    )
    try {
      const { answer, done, againAtMs = Number.POSITIVE_INFINITY } = await look()
      const nowMs = core.clock.now()
      if (done || nowMs >= endsAtMs || signal?.aborted) return answer
      const pauseMs = Math.min(endsAtMs - nowMs, againAtMs - nowMs, lookAgainMs)
      if (!woken && pauseMs > 0)
        await new Promise<void>((resolve) => pause(core, pauseMs, signal, resolve, (end) => (wake = end)))
    } finally {
      for (const stop of stops) stop()
    }
  }
}

function pause(
  { clock }: Pick<Core, 'clock'>,
  pauseMs: number,
  signal: AbortSignal | undefined,
  resolve: () => void,
  wakeWith: (wake: () => void) => void,
): void {
  const end = () => {
    cancel()
    signal?.removeEventListener('abort', end)
    resolve()
  }
  const cancel = clock.after(pauseMs, end)
  signal?.addEventListener('abort', end)
  wakeWith(end)
}
