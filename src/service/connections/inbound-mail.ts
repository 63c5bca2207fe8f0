import { baseAddress, sameAddress, splitAddress } from '../../mail/headers/address'
import { oneSender, parseAddress, parseAddressList } from '../../mail/headers/address-list'
import { headerValue, headerValues, type RawHeaders, readHeaders } from '../../mail/headers/header-reader'
import { fieldProof, provenView } from '../../protocol/proven-view'
import type { Authentication } from '../../protocol/records/message'
import type { InboxRow } from '../accounts/account-inboxes'
import { loadSuffixes } from '../base/load-later'
import { senderProofOf } from '../base/sender-proof'
import { readBelievedVerdict } from '../inbound/authentication/believed-results'
import { isSpam, ownSenders } from '../inbound/ingest'
import { createSenderCheck, type SenderVerdict, unjudged } from '../inbound/smtp/sender-check'
import { completeVerdict } from '../inbound/verdict'
import type { NewMessage } from '../messages/add-message'
import { storeOriginal } from '../messages/originals'
import { contentKey } from './keys'
import type { ConnectionPorts } from './ports'
import { type ConnectionRow, settingsOf } from './records'

/** A message that was read from a mailbox. */
export interface ReadMail {
  raw: Uint8Array
  /** Its size at the server, in bytes. */
  size: number
  /** Flaw of a message that was only read in part: it is too large, or the server sends no more. */
  flaw: 'too_large' | 'incomplete' | null
  /** True if it is flagged as answered. */
  isAnswered: boolean
  /** True if it is flagged as read. */
  isSeen: boolean
  /** Time of arrival in the mailbox (INTERNALDATE). */
  arrivedAt: Date | null
}

const maxHeaderBytes = 256 * 1024

/**
 * Creates the sender check: it uses the verdict of the mailbox's server if that is trusted, or else
 * signatures alone.
 */
export function createJudge(ports: ConnectionPorts) {
  return async (row: ConnectionRow, { raw, flaw }: ReadMail, mailFrom: string): Promise<SenderVerdict> => {
    const { authserv_id } = settingsOf(row)
    if (authserv_id !== undefined) {
      const { fields, hasSureSignatures } = readHeaders(raw, maxHeaderBytes)
      // With several senders, the server's verdict is ambiguous.
      const found = oneSender(fields) && (await readBelievedVerdict(fields, authserv_id))
      // The signature that the server verified may be missing here, or cover other fields than those read
      // here.
      if (found) return hasSureSignatures ? found : { ...found, signatures: [] }
    }
    // No signature is valid for a part of a message.
    if (flaw !== null || !ports.settings.checksSenders) return unjudged
    const check = createSenderCheck({ resolver: ports.resolver, verifier: ports.parser })
    return check({ mailFrom, remoteAddress: null, heloName: '' }, raw)
  }
}

/** Returns the envelope sender, which the last server wrote into the header (RFC 5321 section 4.4). */
function mailFromOf(raw: Uint8Array): string {
  const { fields } = readHeaders(raw, maxHeaderBytes)
  const path = headerValue(fields, 'return-path')?.trim()
  if (path === '<>') return ''
  const from = path?.replace(/^<|>$/g, '') || headerValue(fields, 'from') || ''
  return parseAddress(from)?.address ?? ''
}

const domainOf = (address: string) => splitAddress(address)?.domain ?? ''

/** Domains of the same owner with other names. */
const sameOwner: Record<string, string> = {
  'googlemail.com': 'google.com',
  'gmail.com': 'google.com',
  'office365.com': 'outlook.com',
  'microsoft.com': 'outlook.com',
}

/** Addresses from which mail servers send reports; no provider gives them to a user. */
const reporter = /^(?:mailer-daemon|postmaster|microsoftexchange[\da-f]{32})@/i

/**
 * Checks whether a message provably comes from the mailbox's own server, whose reports about accepted
 * messages are trusted. Another user of the same domain is not the server: the report must come from an address of servers,
 * and not from a return path of its own (RFC 5321 section 4.5.5).
 */
async function isOfOwnServer(
  row: ConnectionRow,
  from: string | undefined,
  { fields }: RawHeaders,
  authentication: Authentication | null,
): Promise<boolean> {
  const path = headerValue(fields, 'return-path')?.trim()
  if (!from || !reporter.test(from) || (path !== undefined && path !== '<>')) return false
  if (!(authentication?.from_verified || authentication?.dkim_aligned)) return false
  const { getDomain } = await loadSuffixes()
  const ownerOf = (domain: string) => {
    const organization = getDomain(domain) ?? domain
    return sameOwner[organization] ?? organization
  }
  const { smtp } = settingsOf(row)
  return [smtp.host, domainOf(row.address)].some((one) => ownerOf(one) === ownerOf(domainOf(from)))
}

const withFlaw = <T extends { flaws: string[] }>(mail: T, flaw: ReadMail['flaw']): T =>
  flaw === null ? mail : { ...mail, flaws: [...mail.flaws, flaw] }

/** Builds the message of an email that the mailbox received. */
export async function incomingMessage(
  ports: ConnectionPorts,
  judge: ReturnType<typeof createJudge>,
  row: ConnectionRow,
  inbox: InboxRow,
  read: ReadMail,
): Promise<NewMessage> {
  const { raw, size, flaw } = read
  const mailFrom = mailFromOf(raw)
  const envelope = { mailFrom, recipients: [inbox.address], remoteAddress: '' }
  const [parsed, original, judged, spam] = await Promise.all([
    ports.parser.parse(raw, mailFrom),
    storeOriginal(ports, raw),
    judge(row, read, mailFrom),
    isSpam(ports, envelope, raw),
  ])
  const mail = withFlaw(parsed, flaw)
  const { recipients } = envelope
  const { judgedDomain, signatures, spfAligned } = judged
  const arrivedAtMs = read.arrivedAt?.getTime() ?? ports.clock.now()
  const evidence = { source: 'imap' as const, recipients, arrivedAtMs, judgedDomain, signatures, spfAligned }
  const message = { mail, mailFrom }
  const verdict = (await completeVerdict(ports, judged.authentication, evidence, message))(recipients)
  const { authentication = null } = verdict
  const proof = senderProofOf(authentication, ports.settings.checksSenders)
  const own = await ownSenders(ports, mail, envelope, proof.from, authentication)
  const { replyTo } = provenView(mail, fieldProof({ authentication }))
  const answered = replyTo.length > 0 ? replyTo : mail.from ? [mail.from] : []
  const isItself = answered.some((one) => sameAddress(baseAddress(one.address), inbox.address))
  return {
    inboxId: inbox.id,
    direction: 'inbound',
    mailFrom,
    ...verdict,
    proof,
    mail,
    size,
    original,
    contentHash: (await contentKey(raw, size, flaw !== null)).slice(2),
    spam,
    fromOwn: own.isForged || own.forgedDomainOf === row.tenant_id || isItself,
    answered: read.isAnswered,
    seen: read.isSeen,
    ofOwnServer:
      (mail.bounce ?? mail.complaint) !== null &&
      (await isOfOwnServer(row, mail.from?.address, readHeaders(raw, maxHeaderBytes), authentication)),
  }
}

/** Builds the message of an email that a person sent from the mailbox. */
export async function outgoingMessage(
  ports: ConnectionPorts,
  inbox: InboxRow,
  { raw, size, flaw }: ReadMail,
): Promise<NewMessage> {
  const mail = await ports.parser.parse(raw)
  const { fields } = readHeaders(raw, maxHeaderBytes)
  const bcc = headerValues(fields, 'bcc').flatMap(parseAddressList)
  return {
    inboxId: inbox.id,
    direction: 'outbound',
    mailFrom: inbox.address,
    mail: withFlaw(mail, flaw),
    size,
    original: await storeOriginal(ports, raw),
    contentHash: (await contentKey(raw, size, flaw !== null)).slice(2),
    bcc: bcc.map(({ address }) => address),
    sentElsewhere: true,
  }
}
