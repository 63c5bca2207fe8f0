import { asciiDomain, splitAddress } from '../../mail/headers/address'
import { dayMs } from '../base/time'
import type { ChangeContext, CheckContext } from '../log/registry'

/** Value of `domain` in the row for all recipients of a day. */
const everywhere = ''
/** Time in ms for which counts are kept: longer than any rate looks back. */
const keptMs = 40 * dayMs

type Count = 'sent' | 'rated' | 'bounced' | 'complained'

/** Counts addresses by domain. */
export function countByDomain(addresses: readonly string[]): Map<string, number> {
  const domains = new Map<string, number>()
  for (const address of addresses) {
    const domain = asciiDomain(splitAddress(address)?.domain ?? '')
    domains.set(domain, (domains.get(domain) ?? 0) + 1)
  }
  return domains
}

/** Returns the number of recipients that the account has sent to today, in total and by domain. */
export async function sentToday(change: CheckContext, domains: Iterable<string>) {
  const rows = await change.tx
    .selectFrom('send_counts')
    .select(['domain', 'sent'])
    .where('tenant_id', '=', change.account.tenant_id)
    .where('day', '=', dayOf(Date.parse(change.now)))
    .where('domain', 'in', [everywhere, ...domains])
    .execute()
  const sent = new Map(rows.map((row) => [row.domain, Number(row.sent)]))
  return { all: sent.get(everywhere) ?? 0, of: (domain: string) => sent.get(domain) ?? 0 }
}

async function add(change: ChangeContext, domain: string, by: Partial<Record<Count, number>>): Promise<void> {
  const counts = Object.keys(by) as Count[]
  await change.tx
    .insertInto('send_counts')
    .values({ tenant_id: change.account.tenant_id, day: dayOf(Date.parse(change.now)), domain, ...by })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'day', 'domain'])
        .doUpdateSet((row) =>
          Object.fromEntries(
            counts.map((count) => [count, row(`send_counts.${count}`, '+', row.ref(`excluded.${count}`))]),
          ),
        ),
    )
    .execute()
}

/** Counts recipients of sent messages, and deletes counts older than {@link keptMs}. */
export async function countSent(change: ChangeContext, domains: ReadonlyMap<string, number>): Promise<void> {
  const all = [...domains.values()].reduce((sum, count) => sum + count, 0)
  await add(change, everywhere, { sent: all, rated: all })
  for (const [domain, sent] of domains) await add(change, domain, { sent })
  await change.tx
    .deleteFrom('send_counts')
    .where('tenant_id', '=', change.account.tenant_id)
    .where('day', '<', dayOf(Date.parse(change.now) - keptMs))
    .execute()
}

export const countFailures = (
  change: ChangeContext,
  failures: { bounced: number; complained: number },
): Promise<void> => add(change, everywhere, failures)

/** Returns the messages sent in this many days, today included, with their bounces and complaints. */
export async function readRates(change: ChangeContext, days: number) {
  const since = dayOf(Date.parse(change.now) - (days - 1) * dayMs)
  const row = await change.tx
    .selectFrom('send_counts')
    .select(({ fn }) => [
      fn.sum<number>('rated').as('sent'),
      fn.sum<number>('bounced').as('bounced'),
      fn.sum<number>('complained').as('complained'),
    ])
    .where('tenant_id', '=', change.account.tenant_id)
    .where('domain', '=', everywhere)
    .where('day', '>=', since)
    .executeTakeFirstOrThrow()
  return { sent: Number(row.sent), bounced: Number(row.bounced), complained: Number(row.complained) }
}

/** Resets the rates; the daily counts stay. */
export async function forgetRates(change: ChangeContext): Promise<void> {
  await change.tx
    .updateTable('send_counts')
    .set({ rated: 0, bounced: 0, complained: 0 })
    .where('tenant_id', '=', change.account.tenant_id)
    .execute()
}

/** Daily sending limit: a ramp for the first days, and a constant limit. */
export interface Allowance {
  /** Maximum for each 24 hours since sending began. */
  ramp: readonly number[]
  /** Null for no limit. */
  perDay: number | null
  /** Time at which sending began, in ms since 1970. */
  sinceMs: number
}

/** Returns the UTC day of a time, the key of the counts. */
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Returns the end of the UTC day of a time. */
const endOfDay = (ms: number): number => (Math.floor(ms / dayMs) + 1) * dayMs

const step = ({ sinceMs }: Allowance, atMs: number): number =>
  Math.max(0, Math.floor((atMs - sinceMs) / dayMs))

/** Returns the limit at a time; `warming` is true if the ramp sets it. */
export function allowedAt(allowance: Allowance, atMs: number): { max: number; warming: boolean } {
  const always = allowance.perDay ?? Number.POSITIVE_INFINITY
  const now = allowance.ramp[step(allowance, atMs)] ?? Number.POSITIVE_INFINITY
  return { max: Math.min(always, now), warming: now < always }
}

/**
 * Returns the time at which this many more may be sent: the end of the day, when the count restarts, or a
 * step of the ramp. Null if no day ever allows this many.
 */
export function whenAllowed(
  allowance: Allowance,
  nowMs: number,
  { sent, wanted }: { sent: number; wanted: number },
): number | null {
  const tomorrow = endOfDay(nowMs)
  const rises = allowance.ramp
    .map((_, index) => allowance.sinceMs + (index + 1) * dayMs)
    .filter((at) => at > nowMs)
  const moments = [tomorrow, ...rises].sort((a, b) => a - b)
  const fits = (at: number) => (at < tomorrow ? sent : 0) + wanted <= allowedAt(allowance, at).max
  return moments.find(fits) ?? null
}
