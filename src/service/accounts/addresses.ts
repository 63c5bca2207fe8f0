import type { Transaction } from 'kysely'
import { refuse } from '../base/refuse'
import type { Database } from '../store/tables/schema'
import { type accountRow, isExpired, unclaimedLimits } from './account'

/** Local part of the inbox that the service has from the start. */
export const homeName = 'agent'

/**
 * Reserved local parts. People expect the operator there (RFC 2142), an agent could pose as the service with
 * them, or the service uses them itself.
 */
const reserved = new Set([
  homeName,
  ...'abuse admin administrator billing bounce bounces contact daemon dmarc do-not-reply donotreply ftp help hostmaster info legal mail mailer-daemon mailerdaemon marketing news no-reply nobody noc noreply office operator postmaster press privacy root sales security spam ssl ssladmin status support sysadmin system usenet uucp webmaster www'.split(
    ' ',
  ),
])

/** Returns true if a local part is reserved. On its own domain an account may use most of them. */
export const isReserved = (localPart: string, ownDomain = false): boolean =>
  ownDomain ? operatorNames.has(localPart) : reserved.has(localPart)

/** Local parts that reach the operator of the service on every domain (RFC 2142, RFC 5321 section 4.5.1). */
export const operatorNames: ReadonlySet<string> = new Set(['postmaster', 'abuse'])

/** @throws ServiceError `account_expired`, `account_suspended`, `quota_exceeded` */
export function requireReceiving(
  account: Awaited<ReturnType<typeof accountRow>>,
  time: string,
  bytes = 0,
): void {
  if (account.suspended_at !== null) throw refuse('account_suspended', 'This account is suspended.')
  if (isExpired(account, time)) throw refuse('account_expired', 'This inbox has expired.')
  if (account.onboarding_state !== 'unclaimed') return
  const { received_messages, received_bytes } = unclaimedLimits
  if (account.received_messages >= received_messages || account.received_bytes + bytes > received_bytes) {
    throw refuse('quota_exceeded', 'This inbox receives no more email until its account is claimed.')
  }
}

/** Assigns an address to an inbox permanently. @throws ServiceError `inbox_unavailable` */
export async function takeAddress(
  tx: Transaction<Database>,
  address: string,
  owner: { tenant_id: string; inbox_id: string },
): Promise<void> {
  const taken = await tx
    .insertInto('addresses')
    .values({ address, ...owner, retired_at: null })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .executeTakeFirst()
  if (Number(taken.numInsertedOrUpdatedRows) === 0) {
    throw refuse(
      'inbox_unavailable',
      `The name ${address.split('@')[0]} is taken. Choose another, or leave out local_part to get a generated one.`,
    )
  }
}
