import { createPrivateKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Kysely, Selectable } from 'kysely'
import type { DkimKeyTable } from '../store/domain-tables'
import type { Database } from '../store/schema'
import { type Core, now } from './context'
import type { DkimSigner } from './dkim-sign'
import { randomDigitsOf } from './ids'

export type DkimKeyRow = Selectable<DkimKeyTable>

/** Whose keys: those of the service's own domain belong to nobody's account. */
type KeyOwner = Pick<DkimKeyRow, 'tenant_id' | 'domain_id'>

const generate = promisify(generateKeyPair)
const purpose = 'dkim key'

const contextOf = ({ tenant_id, domain_id, selector }: DkimKeyRow) => `${tenant_id}/${domain_id}/${selector}`

/** A new key: RSA of 2048 bits, which every receiver takes (RFC 8301 section 3.2). Takes part of a second. */
export async function makeDkimKey(
  core: Core,
  owner: KeyOwner,
  state: DkimKeyRow['state'],
): Promise<DkimKeyRow> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
  const row: DkimKeyRow = {
    ...owner,
    selector: `restante-${randomDigitsOf(8)}`,
    state,
    public_key: publicKey.toString('base64'),
    private_key: '',
    created_at: now(core),
  }
  return { ...row, private_key: core.secrets.seal(purpose, contextOf(row), privateKey) }
}

/** What is published of a key (RFC 6376 section 3.6.1). */
export const dkimKeyValue = ({ public_key }: DkimKeyRow): string => `v=DKIM1; k=rsa; p=${public_key}`
export const dkimKeyName = ({ selector }: DkimKeyRow, hostname: string): string =>
  `${selector}._domainkey.${hostname}`

/** The keys of a domain, the one that signs first. */
export const dkimKeys = (db: Kysely<Database>, { tenant_id, domain_id }: KeyOwner): Promise<DkimKeyRow[]> =>
  db
    .selectFrom('dkim_keys')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('domain_id', '=', domain_id)
    .orderBy('state')
    .execute()

/** What signs with a key; null where the server's secret that it was encrypted with is no longer set. */
export function signerOf(core: Core, row: DkimKeyRow, domain: string): DkimSigner | null {
  const der = core.secrets.open(purpose, contextOf(row), row.private_key)
  if (der) {
    const privateKey = createPrivateKey({ key: der, type: 'pkcs8', format: 'der' })
    return { domain, selector: row.selector, privateKey }
  }
  const facts = { domain, selector: row.selector }
  core.logger.error(
    facts,
    'a DKIM key cannot be opened: add the secret that it was made under to RESTANTE_SECRET',
  )
  return null
}

/** Encrypts a key anew where the server has a newer secret, so that the old one can be removed one day. */
export async function refreshDkimKey(core: Core, row: DkimKeyRow): Promise<void> {
  const der = core.secrets.isFresh(row.private_key)
    ? null
    : core.secrets.open(purpose, contextOf(row), row.private_key)
  if (!der) return
  const private_key = core.secrets.seal(purpose, contextOf(row), der)
  await core.store.write((tx) =>
    tx
      .updateTable('dkim_keys')
      .set({ private_key })
      .where('tenant_id', '=', row.tenant_id)
      .where('domain_id', '=', row.domain_id)
      .where('selector', '=', row.selector)
      .execute(),
  )
}
