import { sql } from 'kysely'
import type { Store } from './store'

const usOf = (ms: number) => Math.round(ms * 1_000)

/**
 * Takes slices of rates that all nodes on a PostgreSQL share, each by one statement. A slice moves on the
 * time at which a key has its full rate again (the generic cell rate algorithm).
 *
 * @param kind Kind of rate: keys of two kinds are independent.
 * @param nowMs The clock; by default that of the database, which all nodes share.
 */
export const createRateSlices =
  ({ db }: Pick<Store, 'db'>, nowMs?: () => number) =>
  async (kind: string, key: string, wanted: number, rate: { limit: number; windowMs: number }) => {
    const eachUs = usOf(rate.windowMs / rate.limit)
    const windowUs = eachUs * rate.limit
    const first = Math.min(wanted, rate.limit)
    const nowUs = nowMs
      ? sql`${usOf(nowMs())}::bigint`
      : sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`
    // At most all of it was used, even if the clock was set back since.
    const usedUs = sql`least(greatest(rates.full_at_us - excluded.asked_at_us, 0), ${windowUs}::bigint)`
    const granted = sql`greatest(0, least(${wanted}::bigint, (${windowUs}::bigint - ${usedUs}) / ${eachUs}::bigint))`
    const { rows } = await sql<{ granted: number; used_us: number }>`
      insert into rates (kind, key, asked_at_us, full_at_us, granted)
      select ${kind}::text, ${key}::text, asked.us, asked.us + ${first * eachUs}::bigint, ${first}::bigint from (select ${nowUs} as us) asked
      on conflict (kind, key) do update set
        asked_at_us = excluded.asked_at_us,
        full_at_us = excluded.asked_at_us + ${usedUs} + ${granted} * ${eachUs}::bigint,
        granted = ${granted}
      returning granted, full_at_us - asked_at_us as used_us`.execute(db)
    const [row] = rows
    return { granted: Number(row!.granted), usedMs: Number(row!.used_us) / 1_000 }
  }

/** Maximum difference in ms between the clocks of nodes and database. */
const apartMs = 3_600_000

/** Deletes rates that are full again, which equals no row, and those of a clock that was set back since. */
export async function dropOldRates({ write }: Pick<Store, 'write'>, nowMs: number): Promise<void> {
  const [before, after] = [usOf(nowMs - apartMs), usOf(nowMs + apartMs)]
  await write((tx) =>
    tx
      .deleteFrom('rates')
      .where((row) => row.or([row('full_at_us', '<', before), row('asked_at_us', '>', after)]))
      .execute(),
  )
}
