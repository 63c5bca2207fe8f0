import { isIP } from 'node:net'
import type { MailLogin } from '../../protocol/connections/connection'
import { loadHttpClient } from '../net/http-client'
import { isPublic } from '../net/networks'
import type { MailServer } from './discovery/providers'
import type { ConnectionPorts } from './ports'
import { type ConnectionRow, openLogin, sealLogin } from './records'
import { MailSourceError } from './source/mail-source'
import { nextStep } from './source/refusals'

/** Login that is sent to a server. */
export type Credentials = { user: string; pass: string } | { user: string; accessToken: string }

type OauthLogin = Extract<MailLogin, { type: 'oauth' }>

const tokenMs = 20_000
const maxAnswerBytes = 64 * 1024

/** @throws MailSourceError */
function checkTokenUrl({ settings }: ConnectionPorts, text: string): URL {
  const url = new URL(text)
  const problem = (why: string) => new MailSourceError('unreachable', `The token_url ${why}.`)
  if (url.username || url.password) throw problem('must have no user name or password')
  if (settings.connectionsAllowPrivate) return url
  if (url.protocol !== 'https:') throw problem('must begin with https://')
  if (/^[\d.]+$|:/.test(url.hostname.replace(/^\[|\]$/g, '')))
    throw problem('must name a host, not an address')
  return url
}

async function askForToken(ports: ConnectionPorts, login: OauthLogin, signal: AbortSignal): Promise<string> {
  const url = checkTokenUrl(ports, login.token_url)
  const { createGuardedAgent, fetch } = await loadHttpClient()
  const dispatcher = createGuardedAgent({
    resolver: ports.resolver,
    allowPrivate: ports.settings.connectionsAllowPrivate,
  })
  const { client_id, client_secret, refresh_token, scope } = login
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id, refresh_token })
  if (client_secret !== undefined) body.set('client_secret', client_secret)
  if (scope !== undefined) body.set('scope', scope)
  try {
    const late = AbortSignal.timeout(tokenMs)
    const response = await fetch(url, {
      method: 'POST',
      body,
      dispatcher,
      redirect: 'error',
      signal: AbortSignal.any([signal, late]),
    })
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes > maxAnswerBytes) break
    }
    return Buffer.concat(chunks).toString()
  } catch (error) {
    throw new MailSourceError('unreachable', `${url.host} gave no access token: it cannot be reached.`, {
      cause: error,
    })
  } finally {
    void dispatcher.destroy()
  }
}

interface TokenAnswer {
  access_token?: unknown
  refresh_token?: unknown
  error?: unknown
  error_description?: unknown
}

function readAnswer(text: string, host: string): TokenAnswer {
  try {
    return JSON.parse(text) as TokenAnswer
  } catch (error) {
    throw new MailSourceError(
      'unreachable',
      `${host} gave no access token, but something that is not JSON.`,
      {
        cause: error,
      },
    )
  }
}

const words = (value: unknown) =>
  String(value ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, 200)

/**
 * Exchanges a refresh token (RFC 6749 section 6). Some servers also return a new refresh token, which
 * replaces the old one.
 */
async function freshToken(
  ports: ConnectionPorts,
  login: OauthLogin,
  signal: AbortSignal,
): Promise<{ accessToken: string; login: OauthLogin }> {
  const { host } = new URL(login.token_url)
  const answer = readAnswer(await askForToken(ports, login, signal), host)
  if (typeof answer.access_token === 'string') {
    const { refresh_token } = answer
    return {
      accessToken: answer.access_token,
      login: typeof refresh_token === 'string' ? { ...login, refresh_token } : login,
    }
  }
  const reply = `${words(answer.error)}: ${words(answer.error_description)}`
  const step = nextStep(reply) ?? 'connect the mailbox again with a new refresh token'
  throw new MailSourceError('login_refused', `${host} gave no access token (${reply}): ${step}.`)
}

/**
 * Returns the credentials for one connection, each time with a new access token.
 *
 * @param save Stores a changed login.
 * @throws MailSourceError
 */
export async function credentialsOf(
  ports: ConnectionPorts,
  user: string,
  login: MailLogin,
  signal: AbortSignal,
  save: (login: MailLogin) => Promise<void> = async () => {},
): Promise<Credentials> {
  if (login.type === 'password') return { user, pass: login.password }
  const fresh = await freshToken(ports, login, signal)
  if (fresh.login !== login) await save(fresh.login)
  return { user, accessToken: fresh.accessToken }
}

/** Returns the credentials of a stored connection. */
export async function credentialsOfRow(
  ports: ConnectionPorts,
  row: ConnectionRow,
  user: string,
  signal: AbortSignal,
): Promise<Credentials> {
  const login = openLogin(ports, row)
  if (!login)
    throw new MailSourceError(
      'login_refused',
      'The stored login cannot be decrypted. The administrator must add its old secret to RESTANTE_SECRET, or you connect the mailbox again.',
    )
  return credentialsOf(ports, user, login, signal, async (changed) => {
    await ports.store.write((tx) =>
      tx
        .updateTable('connections')
        .set({ secret: sealLogin(ports, row, changed) })
        .where('tenant_id', '=', row.tenant_id)
        .where('id', '=', row.id)
        .where('secret', '=', row.secret)
        .execute(),
    )
  })
}

/**
 * Allowed ports below 1024: other services listen there, and a connection must not look like one of theirs.
 */
const mailPorts = new Set([25, 143, 465, 587, 993])

type ReachPorts = Pick<ConnectionPorts, 'resolver' | 'settings'>

/**
 * Resolves the address of a server that a stranger chose. The checked address is the one connected to, so
 * that a later change of the DNS has no effect.
 *
 * @throws MailSourceError `unreachable`
 */
export async function reachable({ resolver, settings }: ReachPorts, server: MailServer): Promise<string> {
  const { host, port, tls } = server
  if (settings.connectionsAllowPrivate)
    return isIP(host) || host === 'localhost' ? host : firstOf(resolver, host)
  if (tls === 'off')
    throw new MailSourceError(
      'unreachable',
      `${host} must be spoken to with TLS: leave tls out, or say starttls.`,
    )
  if (!mailPorts.has(port) && port < 1_024)
    throw new MailSourceError(
      'unreachable',
      `Port ${port} is not a port of a mail server. Use 993, 143, 465 or 587.`,
    )
  return firstOf(resolver, host, isPublic)
}

/**
 * Checks whether any certificate is accepted: only on a private network, if the administrator allows those.
 */
export const takesAnyCertificate = ({ settings }: Pick<ReachPorts, 'settings'>, address: string): boolean =>
  settings.connectionsAllowPrivate && (address === 'localhost' || (isIP(address) > 0 && !isPublic(address)))

async function firstOf(
  resolver: ConnectionPorts['resolver'],
  host: string,
  isAllowed: (address: string) => boolean = () => true,
): Promise<string> {
  const found = await resolver.addresses(host).catch((error: Error) => {
    throw new MailSourceError('unreachable', `${host} was not found in the DNS: check the name.`, {
      cause: error,
    })
  })
  const address = found.find(isAllowed)
  if (address) return address
  throw new MailSourceError(
    'unreachable',
    `${host} has no address on the public internet. The administrator of the service can allow private addresses with RESTANTE_CONNECTIONS_ALLOW_PRIVATE.`,
  )
}
