import {
  baseAddress,
  headerValue,
  headerValues,
  parseAddress,
  parseAddressList,
  readHeaders,
  sameAddress,
  splitAddress,
} from '../../mail/headers'
import type { Authentication } from '../../protocol/records'
import type { InboxRow } from '../accounts'
import { loadLater, loadSuffixes, senderProofOf } from '../base'
import { isSpam, ownSenders } from '../inbound'
import { type NewMessage, storeOriginal } from '../messages'
import { readAuthenticationResults } from './authentication-results'
import { contentKey } from './keys'
import type { ConnectionPorts } from './ports'
import { type ConnectionRow, settingsOf } from './records'

/** A mail that was read from a mailbox. */
export interface ReadMail {
  raw: Uint8Array
  /** Its size there. */
  size: number
  /** Only the beginning of it was read, since it is too large. */
  isCut: boolean
  /** It has the flag of a mail that somebody answered. */
  isAnswered: boolean
}

const maxHeaderBytes = 256 * 1024
const loadCheck = loadLater(() => import('../inbound/smtp/sender-check'))

/** Judges senders: what the server of the mailbox found out where that is believed, else signatures alone. */
export function createJudge(ports: ConnectionPorts) {
  return async (
    row: ConnectionRow,
    { raw, isCut }: ReadMail,
    mailFrom: string,
  ): Promise<Authentication | null> => {
    const { authserv_id } = settingsOf(row)
    if (authserv_id !== undefined) {
      const { fields } = readHeaders(raw, maxHeaderBytes)
      const from = parseAddress(headerValue(fields, 'from') ?? '')?.address ?? null
      const found = readAuthenticationResults(fields, authserv_id, from)
      if (found) return found
    }
    // Of a part of a mail no signature holds.
    if (isCut || !ports.settings.checksSenders) return null
    const { createSenderCheck } = await loadCheck()
    return createSenderCheck({ resolver: ports.resolver })(
      { mailFrom, remoteAddress: null, heloName: '' },
      raw,
    )
  }
}

/** The envelope sender, which the last server has written into the header (RFC 5321 section 4.4). */
function mailFromOf(raw: Uint8Array): string {
  const { fields } = readHeaders(raw, maxHeaderBytes)
  const path = headerValue(fields, 'return-path')?.trim()
  if (path === '<>') return ''
  const from = path?.replace(/^<|>$/g, '') || headerValue(fields, 'from') || ''
  return parseAddress(from)?.address ?? ''
}

const domainOf = (address: string) => splitAddress(address)?.domain ?? ''

/** Domains of the same owner that have other names. */
const sameOwner: Record<string, string> = {
  'googlemail.com': 'google.com',
  'gmail.com': 'google.com',
  'office365.com': 'outlook.com',
  'microsoft.com': 'outlook.com',
}

/**
 * Tells whether a mail is proven to come from the server that takes the mail of this mailbox: what that says of
 * mail which it took is believed.
 */
async function isOfOwnServer(
  row: ConnectionRow,
  from: string | undefined,
  authentication: Authentication | null,
): Promise<boolean> {
  if (!from || !(authentication?.from_verified || authentication?.dkim_aligned)) return false
  const { getDomain } = await loadSuffixes()
  const ownerOf = (domain: string) => {
    const organization = getDomain(domain) ?? domain
    return sameOwner[organization] ?? organization
  }
  const { smtp } = settingsOf(row)
  return [smtp.host, domainOf(row.address)].some((one) => ownerOf(one) === ownerOf(domainOf(from)))
}

/** Makes the message of a mail that was sent to the mailbox. */
export async function incomingMessage(
  ports: ConnectionPorts,
  judge: ReturnType<typeof createJudge>,
  row: ConnectionRow,
  inbox: InboxRow,
  read: ReadMail,
): Promise<NewMessage> {
  const { raw, size, isCut } = read
  const mailFrom = mailFromOf(raw)
  const envelope = { mailFrom, recipients: [inbox.address], remoteAddress: '' }
  const [parsed, original, authentication, spam] = await Promise.all([
    ports.parser.parse(raw, mailFrom),
    storeOriginal(ports, raw),
    judge(row, read, mailFrom),
    isSpam(ports, envelope, raw),
  ])
  const mail = isCut ? { ...parsed, flaws: [...parsed.flaws, 'too_large'] } : parsed
  const proof = senderProofOf(authentication, ports.settings.checksSenders)
  const own = await ownSenders(ports, mail, envelope, proof.from)
  const answered = mail.replyTo.length > 0 ? mail.replyTo : mail.from ? [mail.from] : []
  const isItself = answered.some((one) => sameAddress(baseAddress(one.address), inbox.address))
  return {
    inboxId: inbox.id,
    direction: 'inbound',
    mailFrom,
    authentication,
    proof,
    mail,
    size,
    original,
    contentHash: contentKey(raw, size, isCut).slice(2),
    spam,
    fromOwn: own.isForged || own.forgedDomainOf === row.tenant_id || isItself,
    answered: read.isAnswered,
    ofOwnServer:
      (mail.bounce ?? mail.complaint) !== null &&
      (await isOfOwnServer(row, mail.from?.address, authentication)),
  }
}

/** Makes the message of a mail that a person sent from the mailbox. */
export async function outgoingMessage(
  ports: ConnectionPorts,
  inbox: InboxRow,
  { raw, size, isCut }: ReadMail,
): Promise<NewMessage> {
  const mail = await ports.parser.parse(raw)
  const { fields } = readHeaders(raw, maxHeaderBytes)
  const bcc = headerValues(fields, 'bcc').flatMap(parseAddressList)
  return {
    inboxId: inbox.id,
    direction: 'outbound',
    mailFrom: inbox.address,
    mail: isCut ? { ...mail, flaws: [...mail.flaws, 'too_large'] } : mail,
    size,
    original: await storeOriginal(ports, raw),
    contentHash: contentKey(raw, size, isCut).slice(2),
    bcc: bcc.map(({ address }) => address),
    sentElsewhere: true,
  }
}
