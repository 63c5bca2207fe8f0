import { splitAddress } from '../../../mail/headers'
import type { InboxRow } from '../../accounts'
import { refuse } from '../../base'
import { type DkimSigner, type DomainRow, dkimKeys, domainByName, hostSigner, signerOf } from '../../domains'
import { envelopeSenderOf, type OutboundPorts } from '../delivery'

/** The names under which a mail leaves. */
export interface Sender {
  /** The envelope sender. */
  mailFrom: string
  /** Null where nobody could check a signature. */
  signer: DkimSigner | null
}

async function domainSigner(ports: OutboundPorts, row: DomainRow): Promise<DkimSigner | null> {
  const [key] = await dkimKeys(ports.store.db, { tenant_id: row.tenant_id, domain_id: row.id })
  return key ? signerOf(ports, key, row.hostname) : null
}

/**
 * Finds what an inbox sends as. That of a connected mailbox leaves by the server of that, which signs. The key of its own domain signs; where that cannot be opened, or there is none, that
 * of the service.
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
      `${hostname} cannot be sent from: its DNS records are no longer found. ${row ? `GET /domains/${row.id} says what to publish, POST /domains/${row.id}/verify looks again.` : 'POST /domains adds it.'}`,
      { domain_id: row?.id ?? null },
    )
  return {
    mailFrom: envelopeSenderOf(inbox, row.return_path === 1 ? row.mail_from_domain : domain),
    signer: (await domainSigner(ports, row)) ?? (await hostSigner(ports)),
  }
}
