import { minuteMs, now, timeOf } from '../base/time'
import { type Credentials, freshToken, type OauthLogin } from './login'
import type { ConnectionPorts } from './ports'
import { type ConnectionRow, openLogin, openToken, sealLogin, sealToken } from './records'
import { MailSourceError } from './source/mail-source'

/** Time in ms that one node has for a refresh: longer than the request may take. */
const leaseMs = minuteMs
/** Time in ms between two looks at a token that another node refreshes. */
const lookMs = 250

type RowKey = Pick<ConnectionRow, 'tenant_id' | 'id'>

async function currentRow({ store }: ConnectionPorts, { tenant_id, id }: RowKey): Promise<ConnectionRow> {
  const row = await store.db
    .selectFrom('connections')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new MailSourceError('lost', 'The mailbox was disconnected meanwhile.')
  return row
}

/**
 * Updates the token of a connection if it is still as in `row`: nobody signed in again, and nobody took the
 * lease. Returns false if it is not.
 */
async function update(
  { store }: ConnectionPorts,
  row: Pick<ConnectionRow, 'tenant_id' | 'id' | 'secret' | 'token_lease_until'>,
  changes: Partial<ConnectionRow>,
): Promise<boolean> {
  const lease = row.token_lease_until
  const { numUpdatedRows } = await store.write((tx) => {
    const query = tx
      .updateTable('connections')
      .set(changes)
      .where('tenant_id', '=', row.tenant_id)
      .where('id', '=', row.id)
      .where('secret', '=', row.secret)
    return (
      lease === null
        ? query.where('token_lease_until', 'is', null)
        : query.where('token_lease_until', '=', lease)
    ).executeTakeFirst()
  })
  return Number(numUpdatedRows) > 0
}

async function pause({ clock }: ConnectionPorts, signal: AbortSignal): Promise<void> {
  let cancel = () => {}
  let stop = () => {}
  await new Promise<void>((resolve) => {
    stop = resolve
    cancel = clock.background(lookMs, resolve)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) resolve()
  })
  cancel()
  signal.removeEventListener('abort', stop)
}

/** Refreshes the token of a connection whose lease this node has. @throws MailSourceError */
async function refresh(
  ports: ConnectionPorts,
  leased: ConnectionRow,
  login: OauthLogin,
  signal: AbortSignal,
): Promise<string> {
  try {
    const fresh = await freshToken(ports, login, signal)
    await update(ports, leased, {
      // A secret that did not change stays as it is: others compare it.
      secret: fresh.login === login ? leased.secret : sealLogin(ports, leased, fresh.login),
      token: sealToken(ports, leased, fresh.token),
      token_lease_until: null,
    })
    return fresh.accessToken
  } catch (error) {
    await update(ports, leased, { token_lease_until: null })
    throw error
  }
}

/** Returns an access token: the stored one, or a new one that one node at a time requests. */
async function accessToken(ports: ConnectionPorts, key: RowKey, signal: AbortSignal): Promise<string> {
  while (!signal.aborted) {
    const row = await currentRow(ports, key)
    const login = requireLogin(ports, row)
    if (login.type !== 'oauth') break
    const nowMs = ports.clock.now()
    const token = openToken(ports, row)
    if (token && token.replaceAt > nowMs) return token.value
    if (row.token_lease_until === null || row.token_lease_until <= now(ports)) {
      const token_lease_until = timeOf(nowMs + leaseMs)
      if (await update(ports, row, { token_lease_until }))
        return refresh(ports, { ...row, token_lease_until }, login, signal)
    }
    await pause(ports, signal)
  }
  throw new MailSourceError('lost', 'The connection was changed meanwhile.')
}

/** @throws MailSourceError `login_refused` */
function requireLogin(ports: ConnectionPorts, row: ConnectionRow) {
  const login = openLogin(ports, row)
  if (login) return login
  throw new MailSourceError(
    'login_refused',
    'The stored login cannot be decrypted. The administrator must add its old secret to RESTANTE_SECRET, or you connect the mailbox again.',
  )
}

/** Returns the credentials of a stored connection. @throws MailSourceError */
export async function credentialsOfRow(
  ports: ConnectionPorts,
  row: ConnectionRow,
  user: string,
  signal: AbortSignal,
): Promise<Credentials> {
  const login = requireLogin(ports, row)
  if (login.type === 'password') return { user, pass: login.password }
  return { user, accessToken: await accessToken(ports, row, signal) }
}

/** Drops an access token that a server refused: the next attempt requests another. */
export async function dropToken(
  { store }: ConnectionPorts,
  { tenant_id, id }: RowKey,
  credentials: Credentials,
): Promise<void> {
  if (!('accessToken' in credentials)) return
  await store.write((tx) =>
    tx
      .updateTable('connections')
      .set({ token: null })
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', id)
      .execute(),
  )
}
