import { type Change, changeAccount } from './change'
import { type Core, timeOf } from './context'
import { dropDeliveries } from './drop-deliveries'
import { eraseExpiredAccount } from './erase-account'

/** Rows that one transaction removes at most, and accounts that are looked at at once. */
const mostRows = 500
const mostAccounts = 100

/** Shortens the log of an account by what is older than this, or by a part of it. */
async function shortenLog(change: Change, before: string): Promise<void> {
  const { tx, account } = change
  const { tenant_id } = account
  const rows = await tx
    .selectFrom('events')
    .select(['seq', 'created_at'])
    .where('tenant_id', '=', tenant_id)
    .where('seq', '>', account.log_start)
    .orderBy('seq')
    .limit(mostRows)
    .execute()
  // Clocks of nodes differ: what is kept begins with the first event that is young enough.
  const young = rows.findIndex(({ created_at }) => created_at >= before)
  const last = (young < 0 ? rows : rows.slice(0, young)).at(-1)
  if (!last) return
  await tx.deleteFrom('events').where('tenant_id', '=', tenant_id).where('seq', '<=', last.seq).execute()
  await dropDeliveries(change, (where) => where('event_seq', '<=', last.seq))
  await tx.updateTable('accounts').set({ log_start: last.seq }).where('tenant_id', '=', tenant_id).execute()
}

/** Forgets events that are older than the service keeps them: a cursor before them gets `cursor_expired`. */
export async function shortenLogs(core: Core): Promise<void> {
  const before = timeOf(core.clock.now() - core.settings.keepEventsMs)
  for (;;) {
    const rows = await core.store.db
      .selectFrom('accounts')
      .innerJoin('events', 'events.tenant_id', 'accounts.tenant_id')
      .select('accounts.tenant_id')
      .where((where) => where('events.seq', '=', where('accounts.log_start', '+', 1)))
      .where('events.created_at', '<', before)
      .limit(mostAccounts)
      .execute()
    if (rows.length === 0) return
    for (const { tenant_id } of rows)
      await changeAccount(core, tenant_id, (change) => shortenLog(change, before))
  }
}

/** Begins to erase the accounts whose time to be claimed was over so long ago. */
export async function eraseExpiredAccounts(core: Core): Promise<void> {
  const before = timeOf(core.clock.now() - core.settings.keepExpiredMs)
  for (;;) {
    const rows = await core.store.db
      .selectFrom('accounts')
      .select('tenant_id')
      .where('unclaimed_expires_at', '<=', before)
      .where('onboarding_state', '=', 'unclaimed')
      .where('erased_at', 'is', null)
      .limit(mostAccounts)
      .execute()
    for (const { tenant_id } of rows) await eraseExpiredAccount(core, tenant_id)
    if (rows.length < mostAccounts) return
  }
}
