import { uptime } from 'node:os'
import { type Kysely, sql } from 'kysely'
import { type Clock, systemClock } from '../../../protocol/time'
import type { Database } from '../tables'

/** The clock of a database, as this process knows it. */
export interface DatabaseClock extends Clock {
  /** How far the clock of this machine is ahead of it, in ms. */
  skewMs(): number
  /** Asks the database for its time. */
  measure(): Promise<void>
  close(): void
}

const everyMs = 5_000
/** An answer that took longer says little about the time. */
const maxTripMs = 1_000
/** After this time any answer is better than none. */
const maxAgeMs = 60_000
/** The clock of the machine was set, or the machine slept, if its two clocks differ by more. */
const maxDriftMs = 1_000

/** The clocks of the machine at one moment: since 1970, since the process began, and since the machine did. */
const readClocks = () => ({ wallMs: Date.now(), runMs: performance.now(), upMs: uptime() * 1_000 })

/**
 * Goes by the clock of the database, so that all nodes have the same time. It asks for the time every five seconds, and
 * counts on by a clock that nobody sets.
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
    // While the database does not answer, nothing is leased either.
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
    // This clock goes on while the machine sleeps.
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
