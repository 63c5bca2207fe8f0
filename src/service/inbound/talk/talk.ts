import { createPrivateKey } from 'node:crypto'
import {
  asciiDomain,
  isAddress,
  makeMessageId,
  parseAddress,
  referencesForReply,
  replySubject,
  splitAddress,
} from '../../../mail/headers'
import type { TalkAnswer, TalkBody } from '../../../protocol/records'
import { accountRow, requireManaging, type Scope } from '../../accounts'
import { boundedMap, loadLater, now, randomDigitsOf, refuse } from '../../base'
import { makeKeyPair, signMail } from '../../domains'
import { inboxRow } from '../../inboxes'
import { type MessageRow, messageRow } from '../../messages'
import { createRelayTransport } from '../../outbound/delivery'
import type { Resolver } from '../../ports'
import type { InboundPorts } from '../ports'
import type { SmtpDoor } from '../smtp'
import { type StandIn, standInAddress, standInResolver } from './stand-in'

const loadCompose = loadLater(() => import('../../../mail/compose'))
const loadSenderCheck = loadLater(() => import('../smtp/sender-check'))

/** Sends messages to inboxes as outside people would, at a service that captures its own. */
export interface Talk {
  /**
   * Sends a message, which arrives by the SMTP port like any other.
   *
   * @throws ServiceError `not_found`, `invalid_request`, `mail_refused`
   */
  write(scope: Scope, mail: TalkBody): Promise<TalkAnswer>
  /** Wraps the SMTP receiver with the sender check for these messages, whose senders are in no DNS. */
  before(door: SmtpDoor): SmtpDoor
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

/** Creates {@link Talk}. */
export function createTalk({ ports, smtp }: TalkOptions): Talk {
  const domains = boundedMap<Promise<StandIn>>(100)
  /** Resolvers for the senders of messages in transit, by the EHLO name of their server. */
  const known = new Map<string, Resolver>()

  async function makeDomain(domain: string): Promise<StandIn> {
    const { publicKey, privateKey } = await makeKeyPair(ports)
    return {
      domain,
      selector: `talk-${randomDigitsOf(8)}`,
      privateKey: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }),
      record: `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`,
    }
  }

  function domainOf(name: string): Promise<StandIn> {
    const made = domains.get(name) ?? makeDomain(name)
    domains.set(name, made)
    made.catch(() => domains.delete(name))
    return made
  }

  async function compose(to: string, mail: TalkBody, answered: MessageRow | null) {
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
      date: new Date(ports.clock.now()),
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
  async function send(name: string, from: string, to: string, raw: Uint8Array): Promise<string> {
    const at = smtp()
    if (at === 'off')
      throw refuse('mail_refused', 'The service has no open SMTP port to receive the message.')
    const url = `smtp://${at.replace('0.0.0.0', '127.0.0.1').replace('[::]', '[::1]')}?tls=off`
    const transport = createRelayTransport({ url, hostname: name, clock: ports.clock })
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

  return {
    async write(scope, mail) {
      requireManaging(await accountRow(ports, scope.tenantId), now(ports))
      const { address: to } = await inboxRow(ports, scope, mail.inbox_id)
      const answered = await answeredRow(ports, scope, mail)
      const { from, domain, rfc822_message_id, raw } = await compose(to, mail, answered)
      const standIn = mail.proven ? await domainOf(domain) : null
      const signed = standIn ? await signMail(raw, standIn, ports.clock.now()) : raw
      const name = `${randomDigitsOf(24)}.invalid`
      known.set(name, standInResolver(standIn))
      try {
        return { id: await send(name, from, to, signed), rfc822_message_id }
      } finally {
        known.delete(name)
      }
    },
    before: (door) => ({
      admit: (recipient, envelope) => door.admit(recipient, envelope),
      async accept(envelope, raw) {
        const resolver = known.get(envelope.heloName)
        if (!resolver) return door.accept(envelope, raw)
        const { createSenderCheck } = await loadSenderCheck()
        const { mailFrom, heloName } = envelope
        const sender = { mailFrom, heloName, remoteAddress: standInAddress }
        const verdict = await createSenderCheck({ resolver, verifier: ports.parser })(sender, raw)
        return door.accept({ ...envelope, ...verdict }, raw)
      },
    }),
  }
}
