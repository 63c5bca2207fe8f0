import { splitAddress } from '../../mail/address'
import type { Core } from './context'
import { dkimKeys, signerOf } from './dkim-keys'
import type { DkimSigner } from './dkim-sign'
import type { DomainRow } from './domain-records'
import { domainByName } from './domains'
import { envelopeSenderOf } from './envelope-sender'
import { hostSigner } from './host-dkim'
import type { InboxRow } from './records'
import { refuse } from './refuse'

/** Under which names a mail leaves. */
export interface Sender {
  /** The envelope sender. */
  mailFrom: string
  /** Null where nobody could check a signature. */
  signer: DkimSigner | null
}

async function domainSigner(core: Core, row: DomainRow): Promise<DkimSigner | null> {
  const [key] = await dkimKeys(core.store.db, { tenant_id: row.tenant_id, domain_id: row.id })
  return key ? signerOf(core, key, row.hostname) : null
}

/**
 * What an inbox sends as. The key of its own domain signs; where that cannot be opened, or there is none, that of
 * the service.
 *
 * @throws ServiceError `domain_not_verified`
 */
export async function senderOf(core: Core, inbox: InboxRow): Promise<Sender> {
  const { domain } = core.settings
  const hostname = splitAddress(inbox.address)!.domain
  if (hostname === domain)
    return { mailFrom: envelopeSenderOf(inbox, domain), signer: await hostSigner(core) }
  const row = await domainByName(core.store.db, inbox.tenant_id, hostname)
  if (row?.status !== 'verified')
    throw refuse(
      'domain_not_verified',
      `${hostname} cannot be sent from: its DNS records are no longer found. ${row ? `GET /domains/${row.id} says what to publish, POST /domains/${row.id}/verify looks again.` : 'POST /domains adds it.'}`,
      { domain_id: row?.id ?? null },
    )
  return {
    mailFrom: envelopeSenderOf(inbox, row.return_path === 1 ? row.mail_from_domain : domain),
    signer: (await domainSigner(core, row)) ?? (await hostSigner(core)),
  }
}
