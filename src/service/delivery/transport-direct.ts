import type { Resolver } from '../ports'
import { classifyError, type RecipientOutcome, type SmtpError } from './outcome'
import { groupByDomain } from './route'
import type { OutgoingMail, Transport, TransportTimeouts } from './transport'
import { type Attempt, openSession, type SmtpSession } from './transport-session'
import { findTargets, type Target } from './transport-targets'

/** Options of {@link createDirectTransport}. */
export interface DirectTransportOptions extends TransportTimeouts {
  resolver: Resolver
  /** What we call ourselves in EHLO, and the name that must not be among the mail exchangers. */
  hostname: string
  /** 25. */
  port?: number
  /**
   * Whether mail may go to addresses that are not on the public internet. Off, since whoever owns a domain could
   * otherwise point its MX at the hosts around this service and have it speak to them.
   */
  allowPrivate?: boolean
  /** Addresses that are tried in one attempt; 5. */
  maxTargets?: number
}

/** The way out to the mail exchangers of each domain (RFC 5321 section 5), with opportunistic TLS (RFC 7435). */
export function createDirectTransport(options: DirectTransportOptions): Transport {
  const { port = 25, allowPrivate = false, maxTargets = 5, hostname } = options

  /** TLS is tried first; where the handshake fails, clear text beats no mail. */
  async function open({ name, address }: Target, signal?: AbortSignal): Promise<SmtpSession> {
    const session = {
      ...options,
      host: address,
      name: name.startsWith('[') ? undefined : name,
      port,
      hostname,
    }
    try {
      return await openSession({ ...session, tls: 'opportunistic', verifyCertificate: false }, signal)
    } catch (error) {
      if ((error as SmtpError).code !== 'ETLS' || signal?.aborted) throw error
      return openSession({ ...session, tls: 'off', verifyCertificate: false }, signal)
    }
  }

  async function attempt(mail: OutgoingMail, target: Target, signal?: AbortSignal): Promise<Attempt> {
    try {
      const session = await open(target, signal)
      const result = await session.send(mail, signal)
      session.quit()
      return result
    } catch (error) {
      if (signal?.aborted) throw error
      const verdict = classifyError(error as SmtpError, `${target.name}[${target.address}]:${port}`)
      return {
        outcomes: mail.recipients.map((recipient) => ({ recipient, ...verdict })),
        uncertain: false,
        lost: true,
      }
    }
  }

  async function sendTo(
    domain: string,
    mail: OutgoingMail,
    signal?: AbortSignal,
  ): Promise<RecipientOutcome[]> {
    const targets = await findTargets(domain, { ...options, allowPrivate, maxTargets })
    if (!Array.isArray(targets)) return mail.recipients.map((recipient) => ({ recipient, ...targets }))
    const outcomes = new Map<string, RecipientOutcome>()
    let recipients = mail.recipients
    for (const target of targets) {
      const result = await attempt({ ...mail, recipients }, target, signal)
      for (const outcome of result.outcomes) outcomes.set(outcome.recipient, outcome)
      recipients = recipients.filter((recipient) => outcomes.get(recipient)?.outcome === 'deferred')
      // Where a host may have the mail, another one must not get it in the same breath.
      if (recipients.length === 0 || result.uncertain) break
    }
    return [...outcomes.values()]
  }

  return {
    async send(mail, signal) {
      signal?.throwIfAborted()
      const groups = [...groupByDomain(mail.recipients)]
      const sent = await Promise.all(
        groups.map(([domain, recipients]) => sendTo(domain, { ...mail, recipients }, signal)),
      )
      const byRecipient = new Map(sent.flat().map((outcome) => [outcome.recipient, outcome]))
      return mail.recipients.map((recipient) => byRecipient.get(recipient) as RecipientOutcome)
    },
    close: async () => {},
  }
}
