import type { Selectable, Transaction } from 'kysely'
import { baseAddress } from '../../mail/address'
import type { AddressTable, Database } from '../store/schema'
import { accountRow, isExpired, unclaimedLimits } from './account'
import { type Core, now } from './context'
import { refuseBlockedSender } from './list-check'
import { refuse } from './refuse'

type AddressRow = Selectable<AddressTable>

/** Names that people expect to reach the operator, or that would let an agent pose as the service. */
const reserved = new Set(
  'abuse admin administrator billing bounce bounces contact daemon dmarc do-not-reply donotreply ftp help hostmaster info legal mail mailer-daemon mailerdaemon marketing news no-reply nobody noc noreply office operator postmaster press privacy root sales security spam ssl ssladmin status support sysadmin system usenet uucp webmaster www'.split(
    ' ',
  ),
)

export const isReserved = (localPart: string): boolean => reserved.has(localPart)

/** `Agent+news@Example.com` reaches `agent@example.com` (RFC 5233). */
const inboxAddressOf = (recipient: string): string => baseAddress(recipient).toLowerCase()

/** The inboxes behind recipients, by recipient; those that reach none are missing. */
export async function findAddresses(
  core: Core,
  recipients: readonly string[],
): Promise<Map<string, AddressRow>> {
  const found = new Map<string, AddressRow>()
  const unknown: string[] = []
  for (const recipient of recipients) {
    const row = core.admissions.get(recipient)
    if (row) found.set(recipient, row)
    else unknown.push(recipient)
  }
  if (unknown.length > 0) await lookUp(core, unknown, found)
  return found
}

async function lookUp(core: Core, recipients: string[], found: Map<string, AddressRow>): Promise<void> {
  const addresses = [...new Set(recipients.map(inboxAddressOf))]
  const rows = await core.store.db
    .selectFrom('addresses')
    .selectAll()
    .where('address', 'in', addresses)
    .execute()
  const byAddress = new Map(rows.map((row) => [row.address, row]))
  for (const recipient of recipients) {
    const row = byAddress.get(inboxAddressOf(recipient))
    if (row) found.set(recipient, row)
  }
}

/**
 * Whether mail from this envelope sender to this address can be taken now.
 *
 * @throws ServiceError `mailbox_unavailable`, `address_retired`, `account_expired`, `account_suspended`, `quota_exceeded`, `sender_blocked`
 */
export async function admitRecipient(core: Core, recipient: string, mailFrom = ''): Promise<void> {
  if (core.admissions.has(recipient)) return
  const row = (await findAddresses(core, [recipient])).get(recipient)
  if (!row) throw refuse('mailbox_unavailable', `No inbox here has the address ${recipient}.`)
  if (row.retired_at !== null) throw refuse('address_retired', `The inbox ${recipient} was deleted.`)
  const account = await accountRow(core, row.tenant_id)
  requireReceiving(account, now(core))
  await refuseBlockedSender(core.store.db, account, mailFrom)
  // Where there are lists, it depends on the sender.
  if (account.receive_lists === 0) core.admissions.set(recipient, row)
}

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
    throw refuse('quota_exceeded', 'This inbox takes no more mail until its account is claimed.')
  }
}

/** Gives an address to an inbox for good. @throws ServiceError `inbox_unavailable` */
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
      `The name ${address.split('@')[0]} is taken: choose another, or leave local_part out to be given one.`,
    )
  }
}
