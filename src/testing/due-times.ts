import { sql } from 'kysely'
import type { Store } from '../service/store/store'
import type { VirtualClock } from './virtual-clock'

/** Columns of the service with the times at which its pollers find work. */
const places = [
  ['jobs', 'run_at'],
  ['jobs', 'lease_until'],
  ['webhook_dispatches', 'next_attempt_at'],
  ['consumer_leases', 'due_at'],
  ['consumer_leases', 'lease_until'],
  ['api_keys', 'expires_at'],
  ['operator_sessions', 'expires_at'],
  ['accounts', 'unclaimed_expires_at'],
] as const

/** Finds the next time at which a poller of the service has work, although nothing happens until then. */
export class DueTimes {
  readonly #store: Store
  readonly #clock: VirtualClock
  #known = { stirs: -1, nextMs: Number.POSITIVE_INFINITY }

  constructor(store: Store, clock: VirtualClock) {
    this.#store = store
    this.#clock = clock
  }

  /** Returns the time in milliseconds since 1970; infinity if there is none. */
  async nextMs(): Promise<number> {
    const { stirs } = this.#clock
    if (this.#known.stirs !== stirs) this.#known = { stirs, nextMs: await this.#read() }
    return this.#known.nextMs
  }

  async #read(): Promise<number> {
    const after = new Date(this.#clock.now()).toISOString()
    const ofPlace = ([table, column]: (typeof places)[number]) =>
      sql`select min(${sql.ref(column)}) as due from ${sql.table(table)} where ${sql.ref(column)} > ${after}`
    const all = sql.join(places.map(ofPlace), sql` union all `)
    const { rows } = await sql<{ due: string | null }>`select min(due) as due from (${all})`.execute(
      this.#store.db,
    )
    const due = rows[0]?.due
    return due ? Date.parse(due) : Number.POSITIVE_INFINITY
  }
}
