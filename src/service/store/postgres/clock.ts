import { uptime } from 'node:os'
import { type Kysely, sql } from 'kysely'
import { type Clock, systemClock } from '../../../protocol/time/clock'
import type { Database } from '../tables/schema'

/** Clock of a database, as known to this process. */
export interface DatabaseClock extends Clock {
  /** Returns how far this machine's clock is ahead, in ms. */
  skewMs(): number
  /** Queries the time of the database. */
  measure(): Promise<void>
  close(): void
}

const everyMs = 5_000
/** Maximum round trip in ms of a precise answer. */
const maxTripMs = 1_000
/** Age in ms of the last answer after which any answer is used. */
const maxAgeMs = 60_000
/**
 * Maximum drift in ms between the machine's two clocks; beyond it, the clock was set, or the machine slept.
 */
const maxDriftMs = 1_000

/** Reads the machine's clocks: time since 1970, since the process start, and since boot. */
const readClocks = () => ({ wallMs: Date.now(), runMs: performance.now(), upMs: uptime() * 1_000 })

/**
 * Creates a clock that follows the database, so that all nodes have the same time. It queries the time every
 * five seconds, and continues by a monotonic clock.
 */
export async function createDatabaseClock(db: Kysely<Database>): Promise<DatabaseClock> {
  async function ask() {
    const beganMs = performance.now()
    const { rows } = await sql<{
      ms: number
    }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db)
    const tripMs = performance.now() - beganMs
    return { tripMs, known: { ...readClocks(), databaseMs: Number(rows[0]!.ms) + tripMs / 2 } }
  }

  let { known } = await ask()
  let asking = false

  async function measure(): Promise<void> {
    const { tripMs, known: latest } = await ask()
    if (tripMs <= maxTripMs || latest.runMs - known.runMs > maxAgeMs) known = latest
  }

  function measureSoon(): void {
    if (asking) return
    asking = true
    // While the database does not answer, nothing can be leased.
    const ended = () => {
      asking = false
    }
    measure().then(ended, ended)
  }

  const timer = setInterval(measureSoon, everyMs)
  timer.unref()

  function now(): number {
    const ranMs = performance.now() - known.runMs
    if (Math.abs(Date.now() - known.wallMs - ranMs) <= maxDriftMs) return Math.floor(known.databaseMs + ranMs)
    measureSoon()
    // This clock continues while the machine sleeps.
    return Math.floor(known.databaseMs + uptime() * 1_000 - known.upMs)
  }

  return {
    ...systemClock,
    now,
    skewMs: () => Date.now() - now(),
    measure,
    close: () => clearInterval(timer),
  }
}
