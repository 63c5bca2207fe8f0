import { baseAddress, splitAddress } from '../../mail/address'
import { accountRow } from './account'
import { operatorNames, requireReceiving } from './addresses'
import type { Reached } from './admissions'
import { type Core, now } from './context'
import { type DomainHost, findHosts } from './domain-hosts'
import { type BounceAddress, readBounceAddress } from './envelope-sender'
import { findHome } from './home'
import { refuseBlockedSender } from './list-check'
import { refuse } from './refuse'

/** `Agent+news@Example.com` reaches `agent@example.com` (RFC 5233). */
const inboxAddressOf = (recipient: string): string => baseAddress(recipient).toLowerCase()

/** The account with this id, or with an inbox of this address. @throws ServiceError `account_not_found` */
export async function findAccountId(core: Pick<Core, 'store'>, account: string): Promise<string> {
  const { db } = core.store
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

const domainOf = (recipient: string): string => splitAddress(recipient)?.domain ?? ''

/** The inboxes behind recipients, by recipient; those that reach none are missing. */
export async function findReached(core: Core, recipients: readonly string[]): Promise<Map<string, Reached>> {
  const found = new Map<string, Reached>()
  const unknown: string[] = []
  for (const recipient of recipients) {
    const row = core.admissions.get(recipient)
    if (row) found.set(recipient, row)
    else unknown.push(recipient)
  }
  if (unknown.length > 0) await lookUp(core, unknown, found)
  return found
}

async function lookUp(core: Core, recipients: string[], found: Map<string, Reached>): Promise<void> {
  const addresses = [...new Set(recipients.map(inboxAddressOf))]
  const { db } = core.store
  const rows = await db.selectFrom('addresses').selectAll().where('address', 'in', addresses).execute()
  const byAddress = new Map(rows.map((row) => [row.address, row]))
  const elsewhere = recipients.map(domainOf).filter((domain) => domain !== core.settings.domain)
  const hosts = await findHosts(db, elsewhere)
  for (const recipient of recipients) {
    const row = byAddress.get(inboxAddressOf(recipient))
    const host = hosts.get(domainOf(recipient))
    // A domain may have gone from one account to another.
    if (row && (!host || host.tenant_id === row.tenant_id)) found.set(recipient, row)
    else if (!row) {
      const special = await findSpecial(core, recipient, host)
      if (special) found.set(recipient, special)
    }
  }
}

/** Addresses that no inbox has: those of the operator, and those that bounces come to. */
async function findSpecial(
  core: Core,
  recipient: string,
  host: DomainHost | undefined,
): Promise<Reached | null> {
  const local = inboxAddressOf(recipient).split('@')[0]!
  const isHere = host !== undefined || domainOf(recipient) === core.settings.domain
  if (isHere && operatorNames.has(local)) return operatorInbox(core)
  const bounce = readBounceAddress(core.secrets, recipient)
  return bounce && bounceInbox(core, bounce, domainOf(recipient))
}

/** The operator's inbox is the first of the home account; no list and no quota keeps mail from it. */
async function operatorInbox(core: Core): Promise<Reached | null> {
  const { tenantId } = await findHome(core)
  const row = await core.store.db
    .selectFrom('inboxes')
    .select(['tenant_id', 'id as inbox_id', 'address'])
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!row) core.logger.error({}, 'mail to the operator has no inbox: the home account has none left')
  return row ? { ...row, retired_at: null, forOperator: true } : null
}

/** The inbox whose mail bounced, where bounces of its domain come to this one. */
async function bounceInbox(
  core: Core,
  { inboxId, messageId }: BounceAddress,
  domain: string,
): Promise<Reached | null> {
  const row = await core.store.db
    .selectFrom('addresses')
    .selectAll()
    .where('inbox_id', '=', inboxId)
    .executeTakeFirst()
  const isIts = domain === core.settings.domain || (row && domain.endsWith(`.${domainOf(row.address)}`))
  return row && isIts ? { ...row, ...(messageId !== null && { aboutMessageId: messageId }) } : null
}

/**
 * Whether mail from this envelope sender to this address can be taken now.
 *
 * @returns whether that holds for any sender, for a moment
 * @throws ServiceError `mailbox_unavailable`, `address_retired`, `account_expired`, `account_suspended`, `quota_exceeded`, `sender_blocked`
 */
export async function admitRecipient(core: Core, recipient: string, mailFrom = ''): Promise<boolean> {
  if (core.admissions.has(recipient)) return true
  const row = (await findReached(core, [recipient])).get(recipient)
  if (!row) throw refuse('mailbox_unavailable', `No inbox here has the address ${recipient}.`)
  if (row.retired_at !== null) throw refuse('address_retired', `The inbox ${recipient} was deleted.`)
  if (row.forOperator) return false
  const account = await accountRow(core, row.tenant_id)
  requireReceiving(account, now(core))
  await refuseBlockedSender(core.store.db, account, mailFrom)
  // Where there are lists, it depends on the sender.
  if (account.receive_lists > 0) return false
  core.admissions.add(recipient, row)
  return true
}
