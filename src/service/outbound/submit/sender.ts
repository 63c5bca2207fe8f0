import { splitAddress } from '../../../mail/headers/address'
import type { InboxRow } from '../../accounts/account-inboxes'
import { refuse } from '../../base/refuse'
import { dkimKeys, hostSigner, signerOf } from '../../domains/dkim-keys'
import type { DkimSigner } from '../../domains/dkim-sign'
import type { DomainRow } from '../../domains/domain-records'
import { domainByName } from '../../domains/domains'
import { envelopeSenderOf } from '../delivery/envelope-sender'
import type { OutboundPorts } from '../delivery/ports'

/** Sender and signer of a message. */
export interface Sender {
  /** Envelope sender. */
  mailFrom: string
  /** Null if nobody could check a signature. */
  signer: DkimSigner | null
}

async function domainSigner(ports: OutboundPorts, row: DomainRow): Promise<DkimSigner | null> {
  const [key] = await dkimKeys(ports.store.db, { tenant_id: row.tenant_id, domain_id: row.id })
  return key ? signerOf(ports, key, row.hostname) : null
}

/**
 * Returns the sender and signer of an inbox. A connected mailbox sends by its own server, which signs. The
 * key of the inbox's domain signs; if it is missing or cannot be opened, the service's key does.
 *
 * @throws ServiceError `domain_not_verified`
 */
export async function senderOf(ports: OutboundPorts, inbox: InboxRow): Promise<Sender> {
  if (inbox.connection_id !== null) return { mailFrom: inbox.address, signer: null }
  const { domain } = ports.settings
  const hostname = splitAddress(inbox.address)!.domain
  if (hostname === domain)
    return { mailFrom: envelopeSenderOf(inbox, domain), signer: await hostSigner(ports) }
  const row = await domainByName(ports.store.db, inbox.tenant_id, hostname)
  if (row?.status !== 'verified')
    throw refuse(
      'domain_not_verified',
      `The domain ${hostname} cannot send: its DNS records are no longer found. ${row ? `GET /domains/${row.id} says what to publish, POST /domains/${row.id}/verify looks again.` : 'POST /domains adds it.'}`,
      { domain_id: row?.id ?? null },
    )
  return {
    mailFrom: envelopeSenderOf(inbox, row.return_path === 1 ? row.mail_from_domain : domain),
    signer: (await domainSigner(ports, row)) ?? (await hostSigner(ports)),
  }
}
