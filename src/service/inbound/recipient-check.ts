import { baseAddress, splitAddress } from '../../mail/headers/address'
import { accountRow } from '../accounts/account'
import { operatorNames, requireReceiving } from '../accounts/addresses'
import { openHome } from '../accounts/host-account'
import type { ReachedInbox } from '../accounts/known-recipients'
import { requireStorage, storageLimitOf } from '../accounts/storage'
import { refuse } from '../base/refuse'
import { now } from '../base/time'
import { type DomainHost, findHosts } from '../domains/domain-hosts'
import { refuseBlockedSender } from '../lists/list-check'
import { type BounceAddress, readBounceAddress } from '../outbound/delivery/envelope-sender'
import type { InboundPorts } from './ports'

/** Returns the inbox address: `Agent+news@Example.com` reaches `agent@example.com` (RFC 5233). */
const inboxAddressOf = (recipient: string): string => baseAddress(recipient).toLowerCase()

/** Finds the account with this id or an inbox of this address. @throws ServiceError `account_not_found` */
export async function findAccountId(ports: Pick<InboundPorts, 'store'>, account: string): Promise<string> {
  const { db } = ports.store
  const found = account.includes('@')
    ? db.selectFrom('addresses').select('tenant_id').where('address', '=', inboxAddressOf(account))
    : db.selectFrom('accounts').select('tenant_id').where('tenant_id', '=', account)
  const row = await found.executeTakeFirst()
  if (row) return row.tenant_id
  throw refuse(
    'account_not_found',
    `There is no account ${JSON.stringify(account.slice(0, 320))}: give its tenant_id, or an address of its inboxes.`,
  )
}

/** More bytes than arrive in the moment for which a check counts. */
const floodBytes = 256 * 1024 ** 2

const domainOf = (recipient: string): string => splitAddress(recipient)?.domain ?? ''

/** Finds the inboxes of recipients, by recipient. Recipients without an inbox are missing. */
export async function findReachedInboxes(
  ports: InboundPorts,
  recipients: readonly string[],
): Promise<Map<string, ReachedInbox>> {
  const found = new Map<string, ReachedInbox>()
  const unknown: string[] = []
  for (const recipient of recipients) {
    const row = ports.knownRecipients.get(recipient)
    if (row) found.set(recipient, row)
    else unknown.push(recipient)
  }
  if (unknown.length > 0) await lookUp(ports, unknown, found)
  return found
}

async function lookUp(
  ports: InboundPorts,
  recipients: string[],
  found: Map<string, ReachedInbox>,
): Promise<void> {
  const addresses = [...new Set(recipients.map(inboxAddressOf))]
  const { db } = ports.store
  const rows = await db.selectFrom('addresses').selectAll().where('address', 'in', addresses).execute()
  const byAddress = new Map(rows.map((row) => [row.address, row]))
  const elsewhere = recipients.map(domainOf).filter((domain) => domain !== ports.settings.domain)
  const hosts = await findHosts(db, elsewhere)
  for (const recipient of recipients) {
    const row = byAddress.get(inboxAddressOf(recipient))
    const host = hosts.get(domainOf(recipient))
    // A domain may have moved from one account to another.
    if (row && (!host || host.tenant_id === row.tenant_id)) found.set(recipient, row)
    else if (!row) {
      const special = await findSpecial(ports, recipient, host)
      if (special) found.set(recipient, special)
    }
  }
}

/** Finds the inbox behind a special address: one of the operator, or one for bounces. */
async function findSpecial(
  ports: InboundPorts,
  recipient: string,
  host: DomainHost | undefined,
): Promise<ReachedInbox | null> {
  const local = inboxAddressOf(recipient).split('@')[0]!
  const isHere = host !== undefined || domainOf(recipient) === ports.settings.domain
  if (isHere && operatorNames.has(local)) return operatorInbox(ports)
  const bounce = readBounceAddress(ports.secrets, recipient)
  return bounce && bounceInbox(ports, bounce, domainOf(recipient))
}

/** Finds the operator's inbox, the first of the home account. No list and no quota applies to it. */
async function operatorInbox(ports: InboundPorts): Promise<ReachedInbox | null> {
  const { tenantId } = await openHome(ports)
  const row = await ports.store.db
    .selectFrom('inboxes')
    .select(['tenant_id', 'id as inbox_id', 'address'])
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!row) ports.logger.error({}, 'mail to the operator has no inbox: the home account has none left')
  return row ? { ...row, retired_at: null, forOperator: true } : null
}

/** Finds the inbox whose message bounced, if bounces of its domain arrive at this address. */
async function bounceInbox(
  ports: InboundPorts,
  { inboxId, returnPath }: BounceAddress,
  domain: string,
): Promise<ReachedInbox | null> {
  const rows = await ports.store.db
    .selectFrom('addresses')
    .selectAll()
    .where('inbox_id', '=', inboxId)
    .execute()
  const isUnder = (own: string) => domain === own || domain.endsWith(`.${own}`)
  const row = rows.find(({ address }) => isUnder(domainOf(address))) ?? rows[0]
  const isIts = domain === ports.settings.domain || (row && isUnder(domainOf(row.address)))
  return row && isIts ? { ...row, ...(returnPath && { returnPath }) } : null
}

/** Returns whether the messages of a moment may fill an account, so that each must be checked. */
function isNearlyFull(
  { settings }: Pick<InboundPorts, 'settings'>,
  account: Awaited<ReturnType<typeof accountRow>>,
): boolean {
  if (account.onboarding_state === 'unclaimed') return true
  const limit = storageLimitOf({ settings }, account)
  return limit !== null && account.stored_bytes + floodBytes > limit
}

/**
 * Checks that messages from this envelope sender to this address can be accepted now.
 *
 * @param bytes The size that the sender declared; 0 if it did not.
 * @returns whether the result holds for any sender, for a moment
 * @throws ServiceError `mailbox_unavailable`, `address_retired`, `account_expired`, `account_suspended`,
 * `quota_exceeded`, `storage_limit_reached`, `sender_blocked`
 */
export async function checkRecipient(
  ports: InboundPorts,
  recipient: string,
  mailFrom = '',
  bytes = 0,
): Promise<boolean> {
  if (ports.knownRecipients.has(recipient)) return true
  const row = (await findReachedInboxes(ports, [recipient])).get(recipient)
  if (!row) throw refuse('mailbox_unavailable', `No inbox here has the address ${recipient}.`)
  if (row.retired_at !== null) throw refuse('address_retired', `The inbox ${recipient} was deleted.`)
  if (row.forOperator) return false
  const account = await accountRow(ports, row.tenant_id)
  requireReceiving(account, now(ports), Math.max(bytes, 1))
  requireStorage(ports, account, bytes)
  await ports.totalStorage.take(ports.store.db, 0)
  await refuseBlockedSender(ports.store.db, account, mailFrom)
  // With lists, the result depends on the sender.
  if (account.receive_lists > 0 || isNearlyFull(ports, account)) return false
  ports.knownRecipients.add(recipient, row)
  return true
}
