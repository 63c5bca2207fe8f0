import { asciiDomain, splitAddress } from '../../mail/address'
import type { Change } from './change'
import { dayOf } from './send-allowance'

/** The row that counts all recipients of a day. */
const everywhere = ''
/** Longer than any rate looks back. */
const keptMs = 40 * 86_400_000

type Count = 'sent' | 'rated' | 'bounced' | 'complained'

/** How many of these addresses are in each domain. */
export function countByDomain(addresses: readonly string[]): Map<string, number> {
  const domains = new Map<string, number>()
  for (const address of addresses) {
    const domain = asciiDomain(splitAddress(address)?.domain ?? '')
    domains.set(domain, (domains.get(domain) ?? 0) + 1)
  }
  return domains
}

/** How many recipients the account has sent to today, in all and by domain. */
export async function sentToday(change: Change, domains: Iterable<string>) {
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

async function add(change: Change, domain: string, by: Partial<Record<Count, number>>): Promise<void> {
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
export async function countSent(change: Change, domains: ReadonlyMap<string, number>): Promise<void> {
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
  change: Change,
  failures: { bounced: number; complained: number },
): Promise<void> => add(change, everywhere, failures)

/** How much was sent in so many days, today included, and what came of it. */
export async function readRates(change: Change, days: number) {
  const since = dayOf(Date.parse(change.now) - (days - 1) * 86_400_000)
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

/** Rates begin anew; the limits of the day stay. */
export async function forgetRates(change: Change): Promise<void> {
  await change.tx
    .updateTable('send_counts')
    .set({ rated: 0, bounced: 0, complained: 0 })
    .where('tenant_id', '=', change.account.tenant_id)
    .execute()
}
