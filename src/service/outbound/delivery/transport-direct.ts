import { UsageError } from '../../../protocol/errors/error'
import type { Resolver } from '../../ports'
import { classifyError, type RecipientOutcome, type SmtpError } from './outcome'
import { groupByDomain } from './route'
import { openSession, SessionPool, type SessionPoolOptions } from './session-pool'
import type { OutgoingMail, Settle, Transport, TransportTimeouts } from './transport'
import type { Attempt, SmtpSession } from './transport-session'
import { findTargets, type Target } from './transport-targets'

/** Options of {@link createDirectTransport}. */
export interface DirectTransportOptions extends TransportTimeouts, SessionPoolOptions {
  resolver: Resolver
  /** Our name in EHLO, which must not be among the mail exchangers. */
  hostname: string
  /** 25. */
  port?: number
  /**
   * Allows addresses that are not on the public internet. Off, since anybody could otherwise point the MX of
   * a domain at hosts near this service and make it connect to them.
   */
  allowPrivate?: boolean
  /** Addresses that are tried in one attempt; 5. */
  maxTargets?: number
  /** Finds the policy of a domain for its senders (RFC 8461); null if it has none. */
  policyOf?: (domain: string) => Promise<DomainPolicy | null>
  /** Authorities beside those that Node trusts, as PEM. */
  ca?: string
}

/** Policy of a domain. */
export interface DomainPolicy {
  /** `enforce` refuses violations, `testing` only reports them. */
  mode: 'enforce' | 'testing'
  /** Checks whether a message exchanger may receive its messages. */
  names(exchanger: string): boolean
  /** Called for each connection, with the reason why its certificate is not trusted. */
  seen(exchanger: string, distrust: string | null): void
}

class DirectTransport implements Transport {
  readonly #options: DirectTransportOptions
  readonly #port
  readonly #allowPrivate
  readonly #maxTargets
  readonly #hostname
  readonly #pool

  constructor(options: DirectTransportOptions) {
    this.#options = options
    const { port = 25, allowPrivate = false, maxTargets = 5, hostname } = options
    this.#port = port
    this.#allowPrivate = allowPrivate
    this.#maxTargets = maxTargets
    this.#hostname = hostname
    this.#pool = new SessionPool(options)
  }

  readonly siteOf: Transport['siteOf'] = (domain) => domain

  readonly send: Transport['send'] = async (mail, signal, settle = async () => {}) => {
    signal?.throwIfAborted()
    const groups = [...groupByDomain(mail.recipients)]
    const sent = await Promise.all(
      groups.map(([domain, recipients]) => this.#sendTo(domain, { ...mail, recipients }, signal, settle)),
    )
    const byRecipient = new Map(sent.flat().map((outcome) => [outcome.recipient, outcome]))
    return mail.recipients.map((recipient) => byRecipient.get(recipient) as RecipientOutcome)
  }

  readonly close: Transport['close'] = async () => this.#pool.close()

  /**
   * Opens a session with TLS. If the handshake fails, it uses clear text, unless the domain's policy forbids
   * it.
   */
  async #open({ name, address }: Target, strict: boolean, signal?: AbortSignal): Promise<SmtpSession> {
    const session = {
      ...this.#options,
      host: address,
      name: name.startsWith('[') ? undefined : name,
      port: this.#port,
      hostname: this.#hostname,
      verifyCertificate: strict,
    }
    if (strict) return openSession({ ...session, tls: 'required' }, signal)
    try {
      return await openSession({ ...session, tls: 'opportunistic' }, signal)
    } catch (error) {
      if ((error as SmtpError).code !== 'ETLS' || signal?.aborted) throw error
      return openSession({ ...session, tls: 'off' }, signal)
    }
  }

  async #attempt(
    mail: OutgoingMail,
    target: Target,
    policy: DomainPolicy | null,
    signal?: AbortSignal,
  ): Promise<Attempt> {
    const strict = policy?.mode === 'enforce'
    const openTarget = async () => {
      const session = await this.#open(target, strict, signal)
      policy?.seen(target.name, session.distrust)
      return session
    }
    try {
      return await this.#pool.send(`${strict} ${target.name} ${target.address}`, openTarget, mail, signal)
    } catch (error) {
      if (signal?.aborted || error instanceof UsageError) throw error
      const verdict = classifyError(error as SmtpError, `${target.name}[${target.address}]:${this.#port}`)
      return {
        outcomes: mail.recipients.map((recipient) => ({ recipient, ...verdict, stage: 'connect' })),
        uncertain: false,
        lost: true,
      }
    }
  }

  async #findWay(domain: string) {
    const policy =
      domain === '' || domain.startsWith('[') ? null : ((await this.#options.policyOf?.(domain)) ?? null)
    const accepts = policy?.mode === 'enforce' ? policy.names : undefined
    return {
      policy,
      targets: await findTargets(domain, {
        ...this.#options,
        allowPrivate: this.#allowPrivate,
        maxTargets: this.#maxTargets,
        accepts,
      }),
    }
  }

  async #sendTo(
    domain: string,
    mail: OutgoingMail,
    signal: AbortSignal | undefined,
    settle: Settle,
  ): Promise<RecipientOutcome[]> {
    const { policy, targets } = await this.#findWay(domain)
    if (!Array.isArray(targets)) return mail.recipients.map((recipient) => ({ recipient, ...targets }))
    const outcomes = new Map<string, RecipientOutcome>()
    let recipients = mail.recipients
    for (const [at, target] of targets.entries()) {
      const result = await this.#attempt({ ...mail, recipients }, target, policy, signal)
      for (const outcome of result.outcomes) outcomes.set(outcome.recipient, outcome)
      recipients = recipients.filter((recipient) => outcomes.get(recipient)?.outcome === 'deferred')
      // If a host may have the message, another must not get it right away.
      if (recipients.length === 0 || result.uncertain || at === targets.length - 1) break
      const taken = result.outcomes.filter(({ outcome }) => outcome === 'sent')
      if (taken.length > 0) await settle(taken)
    }
    return [...outcomes.values()]
  }
}

/**
 * Creates the transport to the mail exchangers of each domain (RFC 5321 section 5), with opportunistic TLS
 * (RFC 7435).
 */
export const createDirectTransport = (options: DirectTransportOptions): Transport =>
  new DirectTransport(options)
