import { UsageError } from '../../protocol/error'
import { classifyError, type RecipientOutcome, type SmtpError } from './outcome'
import type { OutgoingMail, Transport, TransportTimeouts } from './transport'
import { openSession, type SessionOptions, type SmtpSession } from './transport-session'

/** Options of {@link createRelayTransport}. */
export interface RelayTransportOptions extends TransportTimeouts {
  /**
   * The smarthost: `smtp://user:password@host:587` or `smtps://user:password@host:465`. `?tls=required` (the
   * default where there is a password), `opportunistic` (the default without) or `off`; `?verify=off` takes any
   * certificate.
   */
  url: string
  /** What we call ourselves in EHLO. */
  hostname: string
  /** Connections that are kept for the next mail; 5. */
  maxIdle?: number
  /** Mails on one connection; 100. */
  maxMails?: number
  /** How long a connection is kept without a mail; 20 s. */
  idleMs?: number
}

const tlsModes = ['required', 'opportunistic', 'off'] as const

/** Never says what it was given: there is a password in it. */
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
    verifyCertificate: tls !== 'opportunistic' && url.searchParams.get('verify') !== 'off',
    credentials: user ? { user, pass: decodeURIComponent(url.password) } : undefined,
  }
}

interface Idle {
  session: SmtpSession
  mails: number
  timer?: NodeJS.Timeout
}

/** The way out through a smarthost, over connections that are used again. */
export function createRelayTransport(options: RelayTransportOptions): Transport {
  const { maxIdle = 5, maxMails = 100, idleMs = 20_000 } = options
  const target = sessionOptions(options)
  const idle = new Set<Idle>()
  let closed = false

  function takeIdle(): Idle | undefined {
    for (const entry of idle) {
      idle.delete(entry)
      clearTimeout(entry.timer)
      if (entry.session.reusable) return entry
      entry.session.quit()
    }
    return undefined
  }

  function giveBack(entry: Idle): void {
    const { session, mails } = entry
    if (closed || !session.reusable || mails >= maxMails || idle.size >= maxIdle) return session.quit()
    entry.timer = setTimeout(() => {
      idle.delete(entry)
      session.quit()
    }, idleMs).unref()
    idle.add(entry)
  }

  /** Undefined when an idle connection turned out to be gone before it had taken anything. */
  async function sendOn(
    entry: Idle,
    mail: OutgoingMail,
    signal?: AbortSignal,
  ): Promise<RecipientOutcome[] | undefined> {
    const { outcomes, uncertain, lost } = await entry.session.send(mail, signal)
    const stale = lost && !uncertain && entry.mails > 0
    entry.mails += 1
    giveBack(entry)
    return stale ? undefined : outcomes
  }

  async function sendFresh(mail: OutgoingMail, signal?: AbortSignal): Promise<RecipientOutcome[]> {
    try {
      const session = await openSession(target, signal)
      return (await sendOn({ session, mails: 0 }, mail, signal)) ?? []
    } catch (error) {
      if (signal?.aborted) throw error
      const verdict = classifyError(error as SmtpError, `${target.host}:${target.port}`)
      return mail.recipients.map((recipient) => ({ recipient, ...verdict }))
    }
  }

  return {
    async send(mail, signal) {
      if (closed) throw new UsageError('transport_closed', 'This transport is closed; create another one.')
      for (let entry = takeIdle(); entry; entry = takeIdle()) {
        const outcomes = await sendOn(entry, mail, signal)
        if (outcomes) return outcomes
      }
      return sendFresh(mail, signal)
    },
    async close() {
      closed = true
      for (let entry = takeIdle(); entry; entry = takeIdle()) entry.session.quit()
    },
  }
}
