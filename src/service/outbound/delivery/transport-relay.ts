import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { UsageError } from '../../../protocol/errors/error'
import { classifyError, type SmtpError } from './outcome'
import { openSession, SessionPool, type SessionPoolOptions } from './session-pool'
import type { Transport, TransportTimeouts } from './transport'
import type { SessionOptions } from './transport-session'

/** Options of {@link createRelayTransport}. */
export interface RelayTransportOptions extends TransportTimeouts, SessionPoolOptions {
  /**
   * URL of the smarthost: `smtp://user:password@host:587` or `smtps://user:password@host:465`.
   * `?tls=required` (the default with a password), `opportunistic` (the default without) or `off`;
   * `?verify=off` accepts any certificate.
   */
  url: string
  /** Our name in EHLO. */
  hostname: string
  /** PEM file of an authority that is trusted beside those that Node trusts. */
  caFile?: string | undefined
}

const tlsModes = ['required', 'opportunistic', 'off'] as const

/** Returns the refusal of a URL, without repeating it: it has a password. */
const wrongUrl = (reason: string): UsageError =>
  new UsageError(
    'invalid_relay_url',
    `The URL of the smarthost ${reason}; it looks like smtp://user:password@host:587.`,
  )

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname) throw wrongUrl('is not an smtp or smtps URL')
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'tls' && name !== 'verify')
  if (unknown) throw wrongUrl(`has a parameter other than tls and verify`)
  return url
}

function tlsOf(url: URL): SessionOptions['tls'] {
  if (url.protocol === 'smtps:') return 'implicit'
  const wanted = url.searchParams.get('tls') ?? (url.password ? 'required' : 'opportunistic')
  const mode = tlsModes.find((name) => name === wanted)
  if (!mode) throw wrongUrl(`has a tls parameter other than ${tlsModes.join(', ')}`)
  return mode
}

function readAuthority(file: string): string {
  try {
    const pem = readFileSync(file, 'utf8')
    new X509Certificate(pem)
    return pem
  } catch (error) {
    const problem = `deliveryCa (RESTANTE_DELIVERY_CA) names ${file}, which is not a readable PEM certificate: ${(error as Error).message}.`
    throw new UsageError('invalid_settings', problem, { cause: error })
  }
}

function sessionOptions({ url: text, ...rest }: RelayTransportOptions): SessionOptions {
  const url = parseUrl(text)
  const tls = tlsOf(url)
  const user = decodeURIComponent(url.username)
  return {
    hostname: rest.hostname,
    connectMs: rest.connectMs,
    greetingMs: rest.greetingMs,
    dataMs: rest.dataMs,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (tls === 'implicit' ? 465 : 587),
    tls,
    ca: rest.caFile === undefined ? undefined : [...rootCertificates, readAuthority(rest.caFile)],
    verifyCertificate: tls !== 'opportunistic' && url.searchParams.get('verify') !== 'off',
    credentials: user ? { user, pass: decodeURIComponent(url.password) } : undefined,
  }
}

/** Creates the transport through a smarthost, over pooled connections. */
export function createRelayTransport(options: RelayTransportOptions): Transport {
  const target = sessionOptions(options)
  const pool = new SessionPool({ maxIdle: 20, ...options })

  return {
    siteOf: () => `smarthost ${target.host}:${target.port}`,
    async send(mail, signal) {
      try {
        return (await pool.send('', () => openSession(target, signal), mail, signal)).outcomes
      } catch (error) {
        if (signal?.aborted || error instanceof UsageError) throw error
        const verdict = classifyError(error as SmtpError, `${target.host}:${target.port}`)
        return mail.recipients.map((recipient) => ({ recipient, ...verdict, stage: 'connect' }))
      }
    },
    close: async () => pool.close(),
  }
}

/**
 * Connects to the smarthost and logs in as a delivery does, without sending anything.
 *
 * @returns The failure; null if the smarthost accepted the login
 * @throws UsageError `invalid_relay_url`, `invalid_settings`
 */
export async function tryRelay(options: RelayTransportOptions): Promise<SmtpError | null> {
  const target = sessionOptions(options)
  try {
    const session = await openSession(target)
    session.quit()
    return null
  } catch (error) {
    return error as SmtpError
  }
}
