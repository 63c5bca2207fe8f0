import { splitAddress } from '../headers/address'
import { parseAddressList } from '../headers/address-list'
import { decodeHeader, headerValue, headerValues, type MailHeader } from '../headers/header-reader'
import type { MailHead } from '../headers/mail-head'
import { extractMessageIds } from '../headers/message-id'
import { isReply } from '../headers/subject'
import { singleLine, truncated } from '../text/safe-text'
import {
  aboutSender,
  failureSubject,
  failureText,
  givenUp,
  mailboxFull,
  noSuchAddress,
  noSuchDomain,
  refusedSender,
  stillTrying,
  unreached,
} from './machine-phrases'
import type { ReportParts } from './report-parts'
import {
  failedRecipients,
  findNamedRecipients,
  lineOf,
  maxRecipients,
  type NamedRecipient,
  reasonAt,
} from './report-recipients'

/** One recipient of a report (RFC 3464 §2.3). */
export interface BounceRecipient {
  /** The original address, if the report names it. */
  address: string
  /** `delayed`: delivery is still being attempted. `delivered` occurs beside recipients that failed. */
  action: 'failed' | 'delayed' | 'delivered'
  /** `hard`: the address will not work later either. `soft`: it may, as with a full mailbox. */
  kind: 'hard' | 'soft'
  /** Status code of RFC 3463, such as `5.1.1`; null for none. */
  status: string | null
  /** Reason in the words of the report; at most 500 characters. */
  diagnostic: string | null
}

/** The message that a report is about, from its returned header. */
export interface ReturnedMail {
  /** With angle brackets. */
  messageId: string | null
  from: string | null
  to: string[]
  subject: string
}

/** A report that another message was not delivered. */
export interface Bounce {
  /** At most 200; empty if the report names none. */
  recipients: BounceRecipient[]
  returned: ReturnedMail | null
}

const maxDiagnostic = 500
const maxReasonLines = 60
const machines =
  /^(?:mailer[._-]?daemon|mail[._-]?daemon|post[_-]?master|mdaemon|mail\.delivery\.(?:system|subsystem)|mail-?admin\w*|imss|mailsystem)(?:$|[\\@+])/i
const machineNames =
  /mail(?: |er)(?:delivery|deliver|delivering|daemon|administrator|system)|delivery (?:sub)?system|postmaster/i
const clients =
  /outlook|thunderbird|mozilla|apple mail|iphone|ipad|mutt|zimbra|roundcube|webmail|lotus|eudora|the bat|pine|claws|kmail|evolution|k-9|fairemail|horde|squirrelmail|superhuman|sylpheed/i
const enhanced = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.]*\d)/
const replyPattern = /(?<![\d.:[@-])([45])\d\d(?=[\s:;,)'"-]|$)(?!\.\d)/

/**
 * Reads a bounce: a delivery status notification (RFC 3464), or the report of a program that does not know
 * it.
 *
 * @param head header of the report itself
 * @returns null for other messages: a person's words about a bounce, or a notice of delivery
 */
export function readBounce(head: MailHead, parts: ReportParts): Bounce | null {
  if (parts.isEnclosed && !isFromMachine(head)) return null
  const recipients = parts.status.length > 0 ? recipientsOfStatus(parts) : []
  if (recipients.length > 0)
    return recipients.some(({ action }) => action !== 'delivered') ? bounceOf(recipients, parts) : null
  if (!isFailureReport(head, parts)) return null
  return bounceOf(recipientsInWords(head, parts), parts)
}

/** Returns from the header alone whether a message may be a report: others need no parsing. */
export function mayBeReport(head: MailHead): boolean {
  const type = head.value('content-type').toLowerCase()
  return type.startsWith('multipart/report') || evidenceOf(head).points > 0
}

/** Describes a returned message by its header. */
export function describeReturned(fields: readonly MailHeader[]): ReturnedMail {
  const value = (name: string) => headerValue(fields, name) ?? ''
  const addresses = (name: string) =>
    parseAddressList(headerValues(fields, name)[0] ?? '').map(({ address }) => address)
  return {
    messageId: extractMessageIds(value('message-id'))[0] ?? null,
    from: addresses('from')[0] ?? null,
    to: [...addresses('to'), ...addresses('cc')].slice(0, maxRecipients),
    subject: truncated(singleLine(decodeHeader(value('subject'))), maxDiagnostic),
  }
}

const bounceOf = (recipients: BounceRecipient[], { returned }: ReportParts): Bounce => ({
  recipients,
  returned: returned ? describeReturned(returned) : null,
})

function recipientsOfStatus({ status, lines }: ReportParts): BounceRecipient[] {
  const words = lines.join(' ')
  const isOne = status.filter((group) => headerValue(group, 'final-recipient') !== undefined).length === 1
  const named = isOne ? [] : status.map((group) => lineOfGroup(group, lines))
  const found = new Map<string, BounceRecipient>()
  for (const group of status) {
    const recipient = recipientOfGroup(group, words, isOne ? lines : linesOf(group, lines, named))
    const key = recipient?.address.toLowerCase() ?? ''
    if (recipient && !found.has(key)) found.set(key, recipient)
    if (found.size === maxRecipients) break
  }
  return [...found.values()]
}

/** Returns the line of a report that starts with the address of a group; -1 for none. */
function lineOfGroup(group: readonly MailHeader[], lines: readonly string[]): number {
  const address = addressOf(headerValue(group, 'final-recipient') ?? '')?.toLowerCase()
  if (!address) return -1
  return lines.findIndex(
    (line) =>
      /^[\s<>*•"'([-]{0,12}/.exec(line.toLowerCase())![0].length === line.toLowerCase().indexOf(address),
  )
}

/** Returns the lines of a report about one of several recipients. */
function linesOf(group: readonly MailHeader[], lines: readonly string[], named: readonly number[]): string[] {
  const line = lineOfGroup(group, lines)
  return line < 0
    ? []
    : [
        reasonAt(
          lines,
          named.map((at) => ({ address: '', line: at })),
          line,
        ),
      ]
}

function recipientOfGroup(
  group: readonly MailHeader[],
  words: string,
  lines: readonly string[],
): BounceRecipient | null {
  const value = (name: string) => decodeHeader(headerValue(group, name) ?? '')
  const original = addressOf(value('original-recipient'))
  const final = addressOf(value('final-recipient')) ?? addressOf(value('x-actual-recipient'))
  const address = original ?? final
  if (!address) return null
  const diagnostic = value('diagnostic-code').replace(/^[\w-]{1,20};\s*/, '')
  const status = statusOf(value('status'), diagnostic)
  const declared = value('action').toLowerCase()
  const action = actionOf(declared, status, words)
  const said = [value('status').slice(0, 200), diagnostic].join(' ')
  return recipientOf({ address, action, status, diagnostic: diagnostic || null }, said, lines)
}

function actionOf(declared: string, status: string | null, words: string): BounceRecipient['action'] {
  if (/^(?:delivered|relayed|expanded)/.test(declared)) return 'delivered'
  if (declared.startsWith('delayed')) return 'delayed'
  if (declared.startsWith('failed') || !status) return 'failed'
  if (status.startsWith('2')) return 'delivered'
  return status.startsWith('4') && isStillTried(words) ? 'delayed' : 'failed'
}

/** Reads `rfc822; a@b`, with an address that may be in brackets or in `xtext` (RFC 3461 §4). */
function addressOf(value: string): string | null {
  const address = value
    .slice(0, 1000)
    .replace(/^[\w-]{1,20}\s*;\s*/, '')
    .trim()
  const plain = address
    .replace(/^</, '')
    .split('>', 1)[0]!
    .replace(/\+([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  const [mailbox] = parseAddressList(plain)
  return mailbox && splitAddress(mailbox.address) ? mailbox.address : null
}

function recipientsInWords(head: MailHead, parts: ReportParts): BounceRecipient[] {
  const named = namedRecipients(head, parts)
  const words = parts.lines.join(' ')
  const action = isStillTried(`${head.value('subject')} ${words}`) ? 'delayed' : 'failed'
  return named.map(({ address, line }) => {
    const reason = line < 0 ? words : reasonAt(parts.lines, named, line)
    const known = enhanced.test(reason) || replyPattern.test(reason) || mailboxFull.test(reason)
    const diagnostic = known || named.length > 1 ? reason : words
    const status = statusOf('', diagnostic)
    const around =
      named.length === 1
        ? parts.lines
        : parts.lines.filter((one) => one.toLowerCase().includes(address.toLowerCase()))
    return recipientOf({ address, action, status, diagnostic: reason || null }, reason, around)
  })
}

/** Line of a report with the sender of the returned message. */
const senderLine =
  /^[\s>]{0,20}(?:(?:original )?sender(?:['’]s)?(?: e-?mail)?(?: address)?|absender(?:adresse)?|(?:adresse de l['’])?expéditeur|(?:dirección (?:de correo )?del )?remitente|(?:endereço do )?remetente|(?:indirizzo del )?mittente|afzender(?:adres)?|avsändar(?:e|adress)|afsender(?:adresse)?|avsender(?:adresse)?|(?:adres )?nadawcy?|(?:adresa )?odesílatele?|(?:адрес )?отправител[ья]|发件人(?:地址)?|寄件者|差出人|送信者|보낸 ?사람)\s?[:：]\s{0,40}(\S{1,320})?\s*$/iu

function namedRecipients(head: MailHead, { lines, returned }: ReportParts): NamedRecipient[] {
  const declared = failedRecipients(head.values('x-failed-recipients'))
  if (declared.length > 0) return declared.map((address) => ({ address, line: lineOf(lines, address) }))
  const fields = [...head.fields, ...(returned ?? [])]
    .filter(({ name }) => /^(?:from|to|return-path|sender|reply-to)$/i.test(name))
    .map(({ value }) => value)
  const senders = lines.flatMap((line, at) => {
    const found = senderLine.exec(line.slice(0, 500))
    return found ? [found[1] ?? lines[at + 1] ?? ''] : []
  })
  const others = new Set(
    [...fields, ...senders].flatMap((value) =>
      parseAddressList(value).map(({ address }) => address.toLowerCase()),
    ),
  )
  const to = returned ? describeReturned(returned).to : []
  const sentTo = new Set(to.map((one) => one.toLowerCase()))
  const named = findNamedRecipients(lines, others, sentTo)
  if (named.length > 0) return named
  // Some reports go to the address that failed.
  for (const { address } of parseAddressList(head.value('to'))) others.delete(address.toLowerCase())
  const own = to.length === 1 ? [] : findNamedRecipients(lines, others, sentTo)
  if (own.length > 0) return own
  return to.length === 1 ? [{ address: to[0]!, line: -1 }] : []
}

/**
 * @param said words of the server
 * @param around lines of the report, if they are about this recipient alone
 */
function recipientOf(
  found: Omit<BounceRecipient, 'kind'>,
  said: string,
  around: readonly string[],
): BounceRecipient {
  const isHard = found.action === 'failed' && takesNoMail(found.status, said, around)
  const diagnostic = found.diagnostic ? truncated(singleLine(found.diagnostic), maxDiagnostic) : null
  return { ...found, diagnostic, kind: isHard ? 'hard' : 'soft' }
}

/**
 * Returns whether a specific status reports a missing or closed mailbox or domain (RFC 3463 §3.2 and §3.3).
 */
const isAboutAddress = (status: string): boolean => /^5\.(?:1\.(?:1|2|3|6|10)|2\.1|4\.310)$/.test(status)

/** Lines of a report that only identify its message. */
const ofTheMail = /^[\s>]{0,20}(?:subject|from|to|date|sent|(?:original )?sender|message-id)\s?:/i
/** Addresses, hosts and links, which say nothing about the failure. */
const namePhrases =
  /https?:\/\/\S{1,300}|[^\s<>"'()[\]@:;,]{1,200}@[^\s<>"'()[\]@]{1,200}|\b[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){0,8}\.[a-z]{2,24}\b/g
/** Words of a text that may be such a name. */
const nameLike = /[^\s<>"'()[\]]{3,}/g
/** Reply of large providers for an address that a directory does not know. */
const notInDirectory = /recipient address rejected: access denied|AS\(2018\d+\)/i
/** The name server did not answer; the words for an unknown name may be the same. */
const again = /not found,? try again|servfail|try again later/
/** Oldest SMTP reply for an unknown address (RFC 5321 §4.2.3). */
const unavailable =
  /(?:mailbox|recipient|address|user) (?:<{1,2}>{1,2} )?(?:is )?(?:unavailable|not available)/i
/** Notes of scanners below a message: they mention viruses, but say nothing about the address. */
const ofScanner =
  /(?:scanned|checked|examined|analy[sz]ed|verified|analizado|vérifié|geprüft|controllato|verificado) (?:with|by|for|con|par|mit|da|por) |virus[- ](?:free|signature)|_{5} .{1,80} _{5}/i
/** The account is closed, in the words of servers. */
const closed =
  /(?<!your )(?:account|mailbox|user)(?: <>)? (?:is|was|has been) (?:\w{1,20} )?(?:disabled|discontinued|deactivated|closed)|(?:user|account|mailbox)(?: <>)? does ?n[o’']t have an? /
/** Nobody who refuses the message itself says this: there is no such mailbox, at any stage of delivery. */
const noMailbox =
  /(?:user|mailbox|recipient|account) (?:<> )?(?:not found(?! on| in (?:the |our |an? )?(?:allow|white|safe))|unknown|does ?n[o’']t exist)|(?:no such|unknown) (?:user|mailbox|recipient)|(?:address|mailbox|user|account|recipient) (?:<> )?(?:(?:is )?not configured to receive|(?:does ?n[o’']t|no longer) (?:receive|accept)s? (?:any )?(?:e-?)?mails?(?! from))/
/** A host refused for its own name (RFC 5321 section 4.1.4). */
const nameRejected =
  /my name (?:\(\S{1,200}\) )?was rejected|(?:invalid|bad|rejected) (?:helo|ehlo)|(?:helo|ehlo) (?:\S{1,60} )?(?:rejected|refused)/i
/** Reply of the server behind a gateway, which wraps it in a template. */
const innerReply = /unknown address error\s{1,3}([45]\d\d[ -]['"].{0,500})/i
/** The content had been sent: a later refusal is seldom about the address. */
const afterData = /(?:end of data|data command|after i sent|\(data\)|final data)/i

/**
 * Returns whether an address permanently accepts no messages, by the status and the words of a server.
 * Statuses are often wrong, so the words count. False in doubt: for a full mailbox, a refusal of this message
 * or its sender, and trouble on the way or at the receiver.
 *
 * @param around lines of the report, used if the server's words say nothing
 */
export function takesNoMail(status: string | null, said: string, around: readonly string[] = []): boolean {
  const inner = innerReply.exec(said)?.[1]
  if (inner) return takesNoMail(enhanced.exec(inner)?.[0] ?? null, inner)
  if (nameRejected.test(said) || around.some((line) => nameRejected.test(line))) return false
  const verdict = verdictOf(status, said)
  if (verdict !== null) return verdict
  const isKnown = status !== null && isAboutAddress(status) && !refusedSender.test(said.toLowerCase())
  // A specific status needs no more words than those beside it.
  const hasReply = enhanced.test(said) || replyPattern.test(said)
  const isTelling =
    status !== null && !status.endsWith('.0.0') && hasReply && /\p{L}{4}/u.test(withoutNames(said))
  return isTelling ? isKnown : (firstVerdict(status, around) ?? isKnown)
}

const wordsOf = (text: string): string => withoutNames(text.slice(0, 8192)).replace(/\s+/g, ' ').toLowerCase()

/** Returns whether a server's reply is about the sending host or the sender's address, not the recipient. */
export const isAboutSender = (reply: string): boolean => aboutSender.test(wordsOf(reply))

/** Returns whether a server's reply refuses this sender or this message, as a policy or a block list does. */
export const refusesSender = (reply: string): boolean => refusedSender.test(wordsOf(reply))

/** Judges a report by its lines, first by those with the reply of a server. */
function firstVerdict(status: string | null, lines: readonly string[]): boolean | null {
  const isReply = (line: string) => enhanced.test(line) || replyPattern.test(line)
  const some = lines.slice(0, maxReasonLines).filter((line) => !ofTheMail.test(line) && !ofScanner.test(line))
  const replies = some.filter(isReply)
  for (const line of [...replies, ...some.filter((line) => !replies.includes(line))]) {
    if (!line.trim()) continue
    const verdict = verdictOf(status, line)
    if (verdict !== null) return verdict
  }
  return some.length > 0 ? verdictOf(status, some.join(' ')) : null
}

/** True if the address is gone, false if it may exist, null if the words do not say. */
function verdictOf(status: string | null, words: string): boolean | null {
  const text = wordsOf(words)
  if (mailboxFull.test(text)) return false
  const isAboutSender = aboutSender.test(text.replace('exchanger or ip address', ''))
  if (noSuchDomain.test(text) && !isAboutSender && !again.test(text)) return true
  if (isAboutSender) return false
  const isTemporary = status?.startsWith('4') === true
  if (noMailbox.test(text) && !isTemporary && !temporary.test(text)) return true
  if (unreached.test(text)) return false
  if (isTemporary) return null
  const isKnownSo = status !== null && isAboutAddress(status)
  if (closed.test(text)) return true
  if (afterData.test(text) && !isKnownSo) return false
  if (noSuchAddress.test(text)) return true
  if (notInDirectory.test(text)) return isKnownSo || status === '5.4.1'
  if (refusedSender.test(text)) return false
  return unavailable.test(text) && !temporary.test(text) ? true : null
}

/** Words for a delivery that may succeed later, or for a fault of a program at the receiver. */
const temporary =
  /temporar|try again|later|(?:^|\D)4\d\d(?:[ -]|$)|greylist|(?:can[’']?t|cannot|could not|unable to) (?:open|create|write|lock)/

/** Tests only words with a sign of a name: the search for addresses starts at each letter, which is slow. */
function withoutNames(words: string): string {
  if (words.includes('://')) return words.replace(namePhrases, '<>')
  return words.replace(nameLike, (word) =>
    word.includes('.') || word.includes('@') ? word.replace(namePhrases, '<>') : word,
  )
}

/** Returns the status of RFC 3463: from the server's words if the declared one is unspecific. */
function statusOf(declared: string, diagnostic: string): string | null {
  const own = enhanced.exec(declared)?.[0] ?? null
  const said = enhanced.exec(diagnostic)?.[0] ?? null
  if (own && !own.endsWith('.0.0')) return own
  if (said && !said.startsWith('2')) return said
  const reply = replyPattern.exec(diagnostic)?.[1]
  return own ?? (reply ? `${reply}.0.0` : null)
}

const isStillTried = (words: string) => stillTrying.test(words) && !givenUp.test(words)

/** Returns from the header whether a program wrote a message about another one. */
export const isFromMachine = (head: MailHead): boolean => evidenceOf(head).isMachine

interface Evidence {
  points: number
  isMachine: boolean
  /** True if only an empty return path suggests a mail server: shops use one as well. */
  isAnybody: boolean
  /** True for a reply from the address of a machine: it is a report only if it quotes a server. */
  isMaybe: boolean
}

/** Rates the sender and the subject of a report, which a letter about a bounce does not have. */
function evidenceOf(head: MailHead): Evidence {
  const from = head.value('from')
  const { sender, subject } = head
  const returnPath = head.value('return-path').trim()
  const isNullSender = /^<\s*>/.test(returnPath)
  // A postmaster may be a person.
  const isLetter = !isNullSender && isReply(subject) && head.has('in-reply-to')
  const bare = /<([^<>@\s]{1,100})>/.exec(from)?.[1] ?? ''
  const isNamedSo =
    machines.test(bare) ||
    machines.test(returnPath.replace(/^</, '')) ||
    machines.test((sender?.address ?? from).replace(/[<"]/g, '')) ||
    /<\s*>\s*$/.test(from) ||
    machineNames.test(sender ? (sender.name ?? '') : from)
  const isOfMail = (isNamedSo && !isLetter) || head.has('x-failed-recipients')
  const isMachine = isNullSender || isOfMail
  const isNamed = failureSubject.test(subject) && !/^(?:re|aw|fwd?|wg|tr|rv|sv)\s?:|\?$/i.test(subject)
  const isMaybe = isNamedSo && isLetter
  const points = (isMachine || isMaybe ? 2 : 0) + (isNamed ? 2 : 0)
  return { points, isMachine, isAnybody: isMachine && !isOfMail, isMaybe }
}

function isFailureReport(head: MailHead, parts: ReportParts): boolean {
  const { points, isAnybody, isMaybe, ...evidence } = evidenceOf(head)
  const isMachine =
    evidence.isMachine || (isMaybe && parts.lines.slice(0, 15).some((line) => ownReply.test(line)))
  if (points === 0 || (!isMachine && isFromClient(head))) return false
  if (isMachine && head.has('x-failed-recipients')) return true
  const words = parts.lines.join(' ').replace(/\s+/g, ' ').slice(0, 16_384)
  // A mailbox that rejects by a rule reports it in a receipt (RFC 5429 §2.1.2).
  if (isDisposition(head) && !/\bwas automatically rejected\b/i.test(words)) return false
  const said = failureText.test(words) ? 2 : 0
  const code = enhanced.test(words) || replyPattern.test(words) ? 1 : 0
  const names = findNamedRecipients(parts.lines.slice(0, 100), new Set()).length > 0 ? 1 : 0
  const returned = parts.returned ? 1 : 0
  // Parcels can fail delivery as well: a report about mail shows the message, or the reply of a server.
  if (isAnybody && !parts.returned && !parts.lines.some(isReplyOfServer) && !hasPrintedHeader(parts))
    return false
  const sum = points + said + code + names + returned
  // A person who writes about a delivery has a name, and everything but the message itself.
  return isMachine ? sum >= 4 : sum >= 5 && (parts.returned !== null || !hasName(head))
}

/** A line that is the reply of a server and nothing else, but for the address that it is about. */
const ownReply = /^\W{0,6}(?:[^\s@]{1,64}@[^\s@]{1,200}\s)?[45]\d\d[ -]/

/** An SMTP reply in its usual place, where no order number would be. */
const placedReply =
  /(?:^|[:>("'#;,-]|\b(?:said|error|reply|code|smtp|server))\s{0,4}[45]\d\d(?=[\s:;,)'"-]|$)/i
const isReplyOfServer = (line: string): boolean =>
  enhanced.test(line) ||
  (placedReply.test(line.trim()) && /@|\b(?:user|mailbox|recipient|address|account|smtp)\b/i.test(line))

const printedField = /^[\s>|]{0,12}(from|to|subject|date|message-id|received)\s{0,3}:\s/i

/** Returns whether a report prints the header of the returned message in its text. */
const hasPrintedHeader = ({ lines }: ReportParts): boolean =>
  new Set(lines.flatMap((line) => printedField.exec(line)?.[1]?.toLowerCase() ?? [])).size >= 3

const hasName = (head: MailHead) => head.sender?.name != null

/** Returns whether a mail program for people wrote a message, or it is a reply. */
export const isFromClient = (head: MailHead) =>
  head.has('in-reply-to') || clients.test(`${head.value('user-agent')} ${head.value('x-mailer')}`)

const isDisposition = (head: MailHead) =>
  /report-type\s{0,5}=\s{0,5}"?disposition/i.test(head.value('content-type'))
