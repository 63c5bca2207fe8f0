import { createPrivateKey, type KeyObject } from 'node:crypto'
import { asciiDomain, isAddress, splitAddress } from '../../mail/headers/address'
import { parseAddress } from '../../mail/headers/address-list'
import { makeMessageId, referencesForReply } from '../../mail/headers/message-id'
import { replySubject } from '../../mail/headers/subject'
import type { TalkBody } from '../../protocol/records/console'
import { accountRow, requireManaging } from '../accounts/account'
import type { Scope } from '../accounts/keys'
import { boundedMap } from '../base/bounded-map'
import { randomDigitsOf } from '../base/ids'
import { loadLater } from '../base/load-later'
import { refuse } from '../base/refuse'
import { now } from '../base/time'
import { makeKeyPair } from '../domains/dkim-keys'
import { signMail } from '../domains/dkim-sign'
import type { Talk } from '../http/handlers/ports'
import type { InboundPorts } from '../inbound/ports'
import type { SmtpHandler } from '../inbound/smtp/receiver'
import { createSenderCheck } from '../inbound/smtp/sender-check'
import { inboxRow } from '../inboxes/inboxes'
import { messageRow } from '../messages/messages'
import type { MessageRow } from '../messages/records'
import { createRelayTransport } from '../outbound/delivery/transport-relay'
import type { Resolver } from '../ports'

/** Address for documentation (RFC 5737), used as the server of a played sender. */
const standInAddress = '192.0.2.1'

/** Domain with a temporary key, so that its messages pass authentication like any others. */
interface StandIn {
  domain: string
  selector: string
  privateKey: KeyObject
  /** Value of its DKIM record. */
  record: string
}

const none = async (name: string): Promise<never> => {
  throw Object.assign(new Error(`ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
}

/** Creates a DNS resolver that knows only this domain, or nothing; it never queries the network. */
function standInResolver(standIn: StandIn | null): Resolver {
  const records = new Map<string, string>()
  if (standIn) {
    const domain = asciiDomain(standIn.domain)
    records.set(`${standIn.selector}._domainkey.${domain}`, standIn.record)
    records.set(`_dmarc.${domain}`, 'v=DMARC1; p=reject')
    records.set(domain, `v=spf1 ip4:${standInAddress} -all`)
  }
  return {
    mx: none,
    addresses: none,
    ptr: none,
    txt: async (name) => {
      const record = records.get(name.toLowerCase())
      return record === undefined ? none(name) : [[record]]
    },
  }
}

const loadCompose = loadLater(() => import('../../mail/compose'))

/** Simulated people, whose messages arrive by the SMTP port. */
export interface SimulatedPeople extends Talk {
  /** Wraps the SMTP receiver with the sender check for these messages, whose senders are in no DNS. */
  before(handler: SmtpHandler): SmtpHandler
}

interface TalkOptions {
  ports: InboundPorts
  /** `host:port` of the SMTP receiver, or `off`. */
  smtp: () => string
}

/** Returns the agent's message to answer. @throws ServiceError `not_found`, `invalid_request` */
async function answeredRow(ports: InboundPorts, scope: Scope, mail: TalkBody): Promise<MessageRow | null> {
  if (mail.in_reply_to === undefined) return null
  const row = await messageRow(ports, scope, mail.in_reply_to)
  if (row.direction === 'outbound' && row.inbox_id === mail.inbox_id) return row
  throw refuse(
    'invalid_request',
    `${row.id} is not a message that this inbox sent, so there is nothing to reply to.`,
    [{ field: 'in_reply_to' }],
  )
}

class TalkOverSmtp implements SimulatedPeople {
  readonly #ports
  readonly #smtp
  readonly #domains
  /** Resolvers for the senders of messages in transit, by the EHLO name of their server. */
  readonly #known = new Map<string, Resolver>()

  constructor({ ports, smtp }: TalkOptions) {
    this.#ports = ports
    this.#smtp = smtp
    this.#domains = boundedMap<Promise<StandIn>>(100)
  }

  readonly write: SimulatedPeople['write'] = async (scope, mail) => {
    requireManaging(await accountRow(this.#ports, scope.tenantId), now(this.#ports))
    const { address: to } = await inboxRow(this.#ports, scope, mail.inbox_id)
    const answered = await answeredRow(this.#ports, scope, mail)
    const { from, domain, rfc822_message_id, raw } = await this.#compose(to, mail, answered)
    const standIn = mail.proven ? await this.#domainOf(domain) : null
    const signed = standIn ? await signMail(raw, standIn, this.#ports.clock.now()) : raw
    const name = `${randomDigitsOf(24)}.invalid`
    this.#known.set(name, standInResolver(standIn))
    try {
      return { id: await this.#send(name, from, to, signed), rfc822_message_id }
    } finally {
      this.#known.delete(name)
    }
  }

  readonly before: SimulatedPeople['before'] = (handler) => ({
    admit: (recipient, envelope) => handler.admit(recipient, envelope),
    accept: async (envelope, raw) => {
      const resolver = this.#known.get(envelope.heloName)
      if (!resolver) return handler.accept(envelope, raw)
      const { mailFrom, heloName } = envelope
      const sender = { mailFrom, heloName, remoteAddress: standInAddress }
      const verdict = await createSenderCheck({ resolver, verifier: this.#ports.parser })(sender, raw)
      return handler.accept({ ...envelope, ...verdict }, raw)
    },
  })

  async #makeDomain(domain: string): Promise<StandIn> {
    const { publicKey, privateKey } = await makeKeyPair(this.#ports)
    return {
      domain,
      selector: `talk-${randomDigitsOf(8)}`,
      privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }),
      record: `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`,
    }
  }

  #domainOf(name: string): Promise<StandIn> {
    const made = this.#domains.get(name) ?? this.#makeDomain(name)
    this.#domains.set(name, made)
    made.catch(() => this.#domains.delete(name))
    return made
  }

  async #compose(to: string, mail: TalkBody, answered: MessageRow | null) {
    const from = parseAddress(mail.from)
    const domain = asciiDomain(splitAddress(from?.address ?? '')?.domain ?? '')
    if (!from || !isAddress(from.address) || !/^[a-z\d.-]+$/.test(domain))
      throw refuse(
        'invalid_request',
        `${JSON.stringify(mail.from)} is not an address. Write ana@example.com, or Ana <ana@example.com>.`,
        [{ field: 'from' }],
      )
    const rfc822_message_id = makeMessageId(randomDigitsOf(16), domain)
    const { composeMail } = await loadCompose()
    const raw = await composeMail({
      from,
      to: [{ address: to, name: null }],
      subject: mail.subject ?? (answered ? replySubject(answered.subject) : ''),
      text: mail.text,
      messageId: rfc822_message_id,
      date: new Date(this.#ports.clock.now()),
      ...(answered && {
        inReplyTo: answered.rfc822_message_id,
        references: referencesForReply({
          rfc822MessageId: answered.rfc822_message_id,
          references: JSON.parse(answered.reference_ids),
        }),
      }),
    })
    return { from: from.address, domain, rfc822_message_id, raw }
  }

  /** Sends a message to the port like any server. @throws ServiceError `mail_refused` */
  async #send(name: string, from: string, to: string, raw: Uint8Array): Promise<string> {
    const at = this.#smtp()
    if (at === 'off')
      throw refuse('mail_refused', 'The service has no open SMTP port to receive the message.')
    const url = `smtp://${at.replace('0.0.0.0', '127.0.0.1').replace('[::]', '[::1]')}?tls=off`
    const transport = createRelayTransport({ url, hostname: name, clock: this.#ports.clock })
    try {
      const [outcome] = await transport.send({ mailFrom: from, recipients: [to], raw })
      const { detail } = outcome!
      const id = /Accepted as (\S+)/.exec(detail)?.[1]
      if (id !== undefined) return id
      throw refuse('mail_refused', `The message was refused: ${detail}`)
    } finally {
      await transport.close()
    }
  }
}

/** Creates {@link SimulatedPeople}. */
export const createTalk = (options: TalkOptions): SimulatedPeople => new TalkOverSmtp(options)
