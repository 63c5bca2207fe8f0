import { minuteMs } from '../../base/time'
import { defer, type RecipientOutcome, type Verdict } from './outcome'

/*
 * The number of concurrent deliveries to a site is learned from its answers, as in Postfix:
 *
 *          taken: window + 1/window                  a window of
 *            ┌──────────┐                            consecutive failures
 *            ▼          │                          ┌────────────────────▶ closed
 *          open ────────┴──────────────────────────┘                      │  ▲
 *            ▲  throttled: window / 2, below one a pause                   │  │ unreachable:
 *            │                                              time is over   ▼  │ twice as long
 *            └───────────────────────────────────────────────────────── probing
 *                                    taken                               (one at a time)
 *
 * While it is closed, messages to it are deferred without a try.
 */

const firstWindow = 5
const maxWindow = 20
/** One delivery in about a minute. */
const minWindow = 1 / 64
const firstClosedMs = minuteMs
const maxClosedMs = 60 * minuteMs

/** Effect of a delivery on its site's state. */
type Feedback = 'taken' | 'throttled' | 'unreachable' | 'none'

const isTooMuch = ({ stage, code, enhanced }: RecipientOutcome): boolean =>
  code === 421 || stage === 'mail' || stage === 'content' || enhanced === '4.7.28'

/**
 * Derives the feedback from the outcomes of one delivery: an outcome about a single recipient says nothing of
 * the site.
 */
export function feedbackOf(outcomes: readonly RecipientOutcome[]): Feedback {
  const deferred = outcomes.filter(({ outcome }) => outcome === 'deferred')
  if (deferred.length < outcomes.length) return 'taken'
  if (deferred.length === 0) return 'none'
  if (deferred.every(({ stage }) => stage === 'route' || stage === 'connect')) return 'unreachable'
  return deferred.some(isTooMuch) ? 'throttled' : 'none'
}

/** A destination of messages: a domain, or the smarthost for all of them. */
export class Site {
  running = 0
  lastUsedMs = 0
  #window = firstWindow
  /** Failures to reach it since it was last reached, each as a share of the window at that time. */
  #failed = 0
  #closedMs = 0
  #closedUntilMs = 0
  #reason = ''
  #nextStartMs = 0

  /** Returns how many deliveries may start now beside the running ones. */
  slots(nowMs: number): number {
    if (nowMs < this.#nextStartMs) return 0
    const max = this.isClosed(nowMs) ? maxWindow : Math.max(1, Math.floor(this.#window))
    return Math.max(0, max - this.running)
  }

  isClosed(nowMs: number): boolean {
    return nowMs < this.#closedUntilMs
  }

  /** Returns the verdict on messages while it is closed. */
  refusal(nowMs: number): Verdict & { retryAfterMs: number } {
    return { ...defer('4.4.1', this.#reason), stage: 'connect', retryAfterMs: this.#closedUntilMs - nowMs }
  }

  report(feedback: Feedback, reason: string, nowMs: number): void {
    this.lastUsedMs = nowMs
    if (feedback === 'taken') this.#taken()
    else if (feedback === 'throttled') this.#throttled(nowMs)
    else if (feedback === 'unreachable') this.#unreachable(reason, nowMs)
  }

  #taken(): void {
    this.#failed = 0
    this.#closedMs = 0
    this.#closedUntilMs = 0
    this.#nextStartMs = 0
    this.#window = this.#window < 1 ? this.#window * 2 : this.#window + 1 / this.#window
    this.#window = Math.min(maxWindow, this.#window)
  }

  #throttled(nowMs: number): void {
    this.#failed = 0
    this.#closedMs = 0
    this.#closedUntilMs = 0
    this.#window = Math.max(minWindow, this.#window / 2)
    if (this.#window < 1) this.#nextStartMs = nowMs + 1_000 / this.#window
  }

  #unreachable(reason: string, nowMs: number): void {
    // Deliveries that began before it was closed say nothing new.
    if (this.isClosed(nowMs)) return
    this.#failed += 1 / Math.max(1, this.#window)
    this.#window = Math.max(1, this.#window - 1)
    if (this.#failed < 1) return
    this.#closedMs = Math.min(maxClosedMs, this.#closedMs * 2 || firstClosedMs)
    this.#closedUntilMs = nowMs + this.#closedMs
    this.#reason = reason
    this.#window = 1
  }
}
