import { asciiDomain, splitAddress } from '../../mail/headers'
import { dayMs } from '../base'
import type { ChangeContext, CheckContext } from '../log'

/** The row that counts all recipients of a day. */
const everywhere = ''
/** The time for which counts are kept: longer than any rate looks back. */
const keptMs = 40 * dayMs

type Count = 'sent' | 'rated' | 'bounced' | 'complained'

/** Counts addresses by their domain. */
export function countByDomain(addresses: readonly string[]): Map<string, number> {
  const domains = new Map<string, number>()
  for (const address of addresses) {
    const domain = asciiDomain(splitAddress(address)?.domain ?? '')
    domains.set(domain, (domains.get(domain) ?? 0) + 1)
  }
  return domains
}

/** Counts the recipients that the account has sent to today, in all and by domain. */
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

/** Counts recipients that mail was sent to; what is older than any limit looks back goes. */
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

/** Reads how much was sent in so many days, today included, and how much of it bounced or was complained about. */
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

/** Begins the rates anew; the limits of the day stay. */
export async function forgetRates(change: ChangeContext): Promise<void> {
  await change.tx
    .updateTable('send_counts')
    .set({ rated: 0, bounced: 0, complained: 0 })
    .where('tenant_id', '=', change.account.tenant_id)
    .execute()
}

/** The most that may be sent in a day: a ramp of the first days, and a limit that always holds. */
export interface Allowance {
  /** The most for each 24 hours since sending began. */
  ramp: readonly number[]
  /** Null where there is no limit. */
  perDay: number | null
  /** The time at which sending began, in ms since 1970. */
  sinceMs: number
}

/** The day of UTC that a time lies in, as counts are kept by it. */
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The end of the day of UTC that a time lies in. */
const endOfDay = (ms: number): number => (Math.floor(ms / dayMs) + 1) * dayMs

const step = ({ sinceMs }: Allowance, atMs: number): number =>
  Math.max(0, Math.floor((atMs - sinceMs) / dayMs))

/** The most that may be sent in the day; `warming` where the ramp of the first days sets it. */
export function allowedAt(allowance: Allowance, atMs: number): { max: number; warming: boolean } {
  const always = allowance.perDay ?? Number.POSITIVE_INFINITY
  const now = allowance.ramp[step(allowance, atMs)] ?? Number.POSITIVE_INFINITY
  return { max: Math.min(always, now), warming: now < always }
}

/**
 * The time at which so much more may be sent: the end of the day, which begins anew at nothing, or a rise of the
 * ramp. Null where that much is never allowed in a day.
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
