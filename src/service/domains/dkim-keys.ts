import { createPrivateKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Kysely, Selectable } from 'kysely'
import { randomDigitsOf } from '../base/ids'
import { now } from '../base/time'
import type { DkimKeyTable } from '../store/tables/domain-tables'
import type { Database } from '../store/tables/schema'
import type { DkimSigner } from './dkim-sign'
import type { DomainPorts, KeyPair } from './ports'

export type DkimKeyRow = Selectable<DkimKeyTable>

/** Owner of keys; those of the service's own domain belong to no account. */
type KeyOwner = Pick<DkimKeyRow, 'tenant_id' | 'domain_id'>

const generate = promisify(generateKeyPair)
const purpose = 'dkim key'

/** Generates RSA keys of 2048 bits, which every receiver accepts (RFC 8301 section 3.2). */
const generateKeys = (): Promise<KeyPair> =>
  generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })

/** Creates a pair of keys that sign messages. */
export const makeKeyPair = (ports: Pick<DomainPorts, 'makeKeyPair'>): Promise<KeyPair> =>
  (ports.makeKeyPair ?? generateKeys)()

const contextOf = ({ tenant_id, domain_id, selector }: DkimKeyRow) => `${tenant_id}/${domain_id}/${selector}`

/** Creates a key, which takes part of a second. */
export async function makeDkimKey(
  ports: DomainPorts,
  owner: KeyOwner,
  state: DkimKeyRow['state'],
): Promise<DkimKeyRow> {
  const { publicKey, privateKey } = await makeKeyPair(ports)
  const row: DkimKeyRow = {
    ...owner,
    selector: `restante-${randomDigitsOf(8)}`,
    state,
    public_key: publicKey.toString('base64'),
    private_key: '',
    created_at: now(ports),
  }
  return { ...row, private_key: ports.secrets.seal(purpose, contextOf(row), privateKey) }
}

/** Returns the record to publish for a key (RFC 6376 section 3.6.1). */
export const dkimKeyValue = ({ public_key }: DkimKeyRow): string => `v=DKIM1; k=rsa; p=${public_key}`
export const dkimKeyName = ({ selector }: DkimKeyRow, hostname: string): string =>
  `${selector}._domainkey.${hostname}`

/** Returns the keys of a domain, the signing one first. */
export const dkimKeys = (db: Kysely<Database>, { tenant_id, domain_id }: KeyOwner): Promise<DkimKeyRow[]> =>
  db
    .selectFrom('dkim_keys')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('domain_id', '=', domain_id)
    .orderBy('state')
    .execute()

/** Creates the signer of a key; null if the secret that encrypted the key is no longer set. */
export function signerOf(ports: DomainPorts, row: DkimKeyRow, domain: string): DkimSigner | null {
  const der = ports.secrets.open(purpose, contextOf(row), row.private_key)
  if (der) {
    const privateKey = createPrivateKey({ key: der, type: 'pkcs8', format: 'der' })
    return { domain, selector: row.selector, privateKey }
  }
  const facts = { domain, selector: row.selector }
  ports.logger.error(
    facts,
    'a DKIM key cannot be opened: add the secret that it was made under to RESTANTE_SECRET',
  )
  return null
}

/** Encrypts a key again if the server has a newer secret, so that the old one can be removed. */
export async function refreshDkimKey(ports: DomainPorts, row: DkimKeyRow): Promise<void> {
  const der = ports.secrets.isFresh(row.private_key)
    ? null
    : ports.secrets.open(purpose, contextOf(row), row.private_key)
  if (!der) return
  const private_key = ports.secrets.seal(purpose, contextOf(row), der)
  await ports.store.write((tx) =>
    tx
      .updateTable('dkim_keys')
      .set({ private_key })
      .where('tenant_id', '=', row.tenant_id)
      .where('domain_id', '=', row.domain_id)
      .where('selector', '=', row.selector)
      .execute(),
  )
}

const ownerOf = (ports: DomainPorts) => ({ tenant_id: 'host', domain_id: ports.settings.domain })

/**
 * Checks whether a name can be in the DNS: names below `.localhost` never are (RFC 6761 section 6.3), so a
 * signature would prove nothing.
 */
const isInDns = (hostname: string): boolean => !hostname.endsWith('.localhost')

/** Returns the key of the service's own domain, created on first use; the same on every node. */
async function hostKey(ports: DomainPorts): Promise<DkimKeyRow | null> {
  const owner = ownerOf(ports)
  if (!isInDns(owner.domain_id)) return null
  const [key] = await dkimKeys(ports.store.db, owner)
  if (key) return key
  const fresh = await makeDkimKey(ports, owner, 'current')
  await ports.store.write(async (tx) => {
    const host = { key: `dkim ${owner.domain_id}`, value: fresh.selector }
    const taken = await tx
      .insertInto('host')
      .values(host)
      .onConflict((conflict) => conflict.column('key').doNothing())
      .executeTakeFirst()
    if (Number(taken.numInsertedOrUpdatedRows) === 1) await tx.insertInto('dkim_keys').values(fresh).execute()
  })
  return (await dkimKeys(ports.store.db, owner))[0]!
}

/** Returns the signer of the service's own domain; null if no receiver could check a signature. */
export async function hostSigner(ports: DomainPorts): Promise<DkimSigner | null> {
  const key = await hostKey(ports)
  return key && signerOf(ports, key, ports.settings.domain)
}

/** Returns the record to publish for the service's own domain; null if it is not in the DNS. */
export async function hostDkimRecord(ports: DomainPorts): Promise<{ name: string; value: string } | null> {
  const key = await hostKey(ports)
  if (!key) return null
  await refreshDkimKey(ports, key)
  return { name: dkimKeyName(key, ports.settings.domain), value: dkimKeyValue(key) }
}
