import { isIP } from 'node:net'
import type { MailLogin } from '../../protocol/connections/connection'
import { minuteMs } from '../base/time'
import { loadHttpClient } from '../net/http-client'
import { isPublic } from '../net/networks'
import type { MailServer } from './discovery/providers'
import type { ConnectionPorts } from './ports'
import type { AccessToken } from './records'
import { MailSourceError } from './source/mail-source'
import { nextStep } from './source/refusals'

/** Login that is sent to a server. */
export type Credentials = { user: string; pass: string } | { user: string; accessToken: string }

export type OauthLogin = Extract<MailLogin, { type: 'oauth' }>

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
  expires_in?: unknown
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
      { cause: error },
    )
  }
}

const words = (value: unknown) =>
  String(value ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, 200)

/** Errors that another attempt does not resolve: a person has to sign in again (RFC 6749 section 5.2). */
const endings = new Set([
  ...['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope'],
  // Of OpenID Connect Core 1.0 section 3.1.2.6, which Entra also uses here.
  ...['interaction_required', 'consent_required', 'login_required'],
])

/** An access token, and the login with which the next one is requested. */
export interface FreshToken {
  accessToken: string
  /** Null if the server did not say when it ends. */
  token: AccessToken | null
  login: OauthLogin
}

/** Time in ms before its end at which an access token is replaced; half its life if that is shorter. */
const marginMs = 5 * minuteMs
const usualLifetimeS = 600

/**
 * Exchanges a refresh token (RFC 6749 section 6). Some servers also return a new refresh token, which
 * replaces the old one.
 *
 * @throws MailSourceError `needs_sign_in` if the refresh token is not valid any more
 */
export async function freshToken(
  ports: ConnectionPorts,
  login: OauthLogin,
  signal: AbortSignal,
): Promise<FreshToken> {
  const { host } = new URL(login.token_url)
  const askedAt = ports.clock.now()
  const answer = readAnswer(await askForToken(ports, login, signal), host)
  const { access_token, refresh_token, expires_in } = answer
  if (typeof access_token === 'string') {
    // Without a lifetime, it may end soon: a server that refuses it before makes the service ask again.
    const lifetimeMs = (Number(expires_in) > 0 ? Number(expires_in) : usualLifetimeS) * 1_000
    return {
      accessToken: access_token,
      token: { value: access_token, replaceAt: askedAt + Math.max(lifetimeMs / 2, lifetimeMs - marginMs) },
      login: typeof refresh_token === 'string' ? { ...login, refresh_token } : login,
    }
  }
  const reply = `${words(answer.error)}: ${words(answer.error_description)}`
  const isOver = endings.has(String(answer.error))
  const step = nextStep(reply) ?? (isOver ? 'sign in again' : 'the service tries again')
  throw new MailSourceError(
    isOver ? 'needs_sign_in' : 'unreachable',
    `${host} gave no access token (${reply}): ${step}.`,
  )
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
