import { heartbeatMs } from '../protocol'
import type { Clock } from './clock'

/** Watches a connection for silence. */
export interface Heartbeat {
  /** Something came from the other side. */
  heard(): void
  stop(): void
}

/** What a {@link Heartbeat} does. */
export interface HeartbeatOptions {
  clock: Clock
  /** Called after each stretch of silence. */
  ping(): void
  /** Called once, after two stretches of silence. */
  dead(): void
}

/** Pings after `heartbeatMs` of silence and gives up after twice as much. */
export const createHeartbeat = ({ clock, ping, dead }: HeartbeatOptions): Heartbeat => {
  let heardAt = clock.now()
  let cancel = () => {}
  // A timer that looks at a number costs nothing per event, unlike one that is set anew.
  const look = (delayMs: number): void => {
    cancel = clock.background(delayMs, () => {
      const silenceMs = clock.now() - heardAt
      if (silenceMs >= 2 * heartbeatMs) return dead()
      if (silenceMs >= heartbeatMs) ping()
      look(silenceMs >= heartbeatMs ? 2 * heartbeatMs - silenceMs : heartbeatMs - silenceMs)
    })
  }
  look(heartbeatMs)
  return {
    heard: () => {
      heardAt = clock.now()
    },
    stop: () => cancel(),
  }
}
