import type { MailAddress } from '../headers/address'
import { parseAddressList } from '../headers/address-list'
import type { MailHead } from '../headers/mail-head'
import { baseSubject, isForward } from '../headers/subject'
import { acknowledgement, autoReplySubject, comment } from './auto-reply-phrases'
import { isRelay, knownProgram, type Program, type ViaKind } from './programs'

/** A program that submitted a message with a person's words. */
export interface Via {
  /** Its name; null if only the structure of the message reveals it. */
  program: string | null
  kind: ViaKind
  /**
   * The person who wrote the words, according to the message; not proven. Empty address: only the name is
   * known.
   */
  author: MailAddress | null
  /** True if the header declares that a program submitted it, so that replies to it are limited. */
  isMarked: boolean
}

/** Content below the header. */
export interface Body {
  /** Visible text; empty if only the header was read. */
  text: string
  /** Finds the From line of a forwarded message in a text; missing if only the header was read. */
  forwardedFrom?: (text: string) => string | null
}

const maxFieldLength = 1000
const maxTextLength = 4000
const maxNoticeLength = 600

/** Local parts of addresses that only programs write from. */
const submitter =
  /(?:^|[+._-])(?:no|do[._-]?not|dont)[._-]?reply(?:$|[+._\d-])|^(?:notifications?|notify|wordpress|automated|system|forms?)$/i
/** Local parts of addresses of a program or an office, which name no person. */
const nobody =
  /(?:^|[+._-])(?:no|do[._-]?not|dont)[._-]?reply(?:$|[+._\d-])|^(?:mailer-daemon|postmaster|bounces?|notifications?|notify|wordpress|automated|system|support|info|mail)$/i
/** Local parts of addresses of an office: in Reply-To of a shop's own notice, or of a firm that fills in a form. */
const office =
  /^(?:help|hello|contact|kontakt|sales|service|billing|orders?|office|team|shop|store|customer|kundenservice|accounts?)(?:$|[-._+])/i
/** Words of forms. */
const form =
  /\b(?:contact form|form submission|new (?:submission|response|customer message)|message body|formular|formulaire|formulario|formulário|modulo di contatto)|(?:^|\n)(?:message|nachricht|mensaje|messaggio|mensagem|bericht)\s?:/i
/** Names of programs that answer in a conversation. */
const bot = /\b(?:bot|chatbot|virtual (?:assistant|agent)|autoresponder)\b/i
/** "Ann via Shop", "Ann (Jira)", "'Ann' via Shop": a person's name with that of the program. */
const withProgram =
  /^['"“]?([^'"“”()<>[\]]{2,80}?)['"”]? ?(?:\bvia |[-–] via |\(|\[|@ |\bfrom \p{Lu}|\bbei \p{Lu}).{0,100}$/u

const localOf = (address: string): string => address.slice(0, Math.max(0, address.lastIndexOf('@')))
const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** Returns the first mailbox of a field. */
const mailboxOf = (head: MailHead, name: string): MailAddress | null =>
  parseAddressList(head.value(name).slice(0, maxFieldLength))[0] ?? null

const isSameAddress = (one: MailAddress | null, other: MailAddress | null): boolean =>
  one !== null && one.address.toLowerCase() === other?.address.toLowerCase()

const isRulesAgent = (head: MailHead): boolean =>
  /^\s*mailbox rules agent/i.test(head.value('x-ms-exchange-generated-message-source'))

/**
 * Returns whether a rule of an Exchange mailbox replied with a template. Exchange marks forwards, redirects
 * and replies of its rules alike; a reply has the mailbox itself in From, and no sign of a forward.
 */
export const isTemplateReply = (head: MailHead, body: Body): boolean =>
  isRulesAgent(head) && (declaresReply(head) || ruleForward(head, body) === null)

/** Returns the author of a message that a mailbox rule forwarded; null for other messages. */
function ruleForward(head: MailHead, body: Body): { author: MailAddress | null } | null {
  const sender = head.sender
  if (head.has('resent-from') && !isSameAddress(mailboxOf(head, 'resent-from'), sender))
    return { author: sender }
  if (!isRulesAgent(head)) return null
  if (isForward(head.subject, body.text)) return { author: authorOfForward(body) }
  const owner = mailboxOf(head, 'x-ms-exchange-inbox-rules-loop')
  return owner !== null && !isSameAddress(owner, sender) ? { author: sender } : null
}

/**
 * Returns the author in the first line "From: Ann <ann@…>" of a forward, in the languages of mail programs.
 */
function authorOfForward({ text, forwardedFrom }: Body): MailAddress | null {
  const line = forwardedFrom?.(text.slice(0, maxTextLength))
  if (!line) return null
  const [author] = parseAddressList(line.replace(/\[mailto:([^\]\s]{1,320})\]/i, '<$1>'))
  return author ?? { address: '', name: line }
}

/** Returns the person that a program names beside itself: in Reply-To, or in the display name of From. */
function namedAuthor(head: MailHead, text: string): MailAddress | null {
  const [sender, replyTo] = [head.sender, mailboxOf(head, 'reply-to')]
  const isPerson =
    replyTo !== null &&
    !isSameAddress(replyTo, sender) &&
    !nobody.test(localOf(replyTo.address)) &&
    !localOf(replyTo.address).includes('+') &&
    (isRelay(head) || domainOf(replyTo.address) !== domainOf(sender?.address ?? '')) &&
    (!office.test(localOf(replyTo.address)) || form.test(`${head.subject}\n${text.slice(0, maxTextLength)}`))
  const name = withProgram.exec(sender?.name ?? '')?.[1]?.trim() ?? null
  if (isPerson) return { address: replyTo.address, name: replyTo.name ?? name }
  return name === null ? null : { address: '', name }
}

/** Returns the author that a field of a known program names, or the display name of From. */
function actorOf({ name: program }: Program, head: MailHead): MailAddress | null {
  const who = mailboxOf(head, 'x-bugzilla-who')
  if (who) return who
  // "Ann - Shop Marketplace", "Shop - Ann"
  const names = (head.sender?.name ?? '').split(/\s[-–—|]\s/).map((name) => name.trim())
  const name = names.find((one) => one !== '' && !one.toLowerCase().includes(program.toLowerCase()))
  return name === undefined ? null : { address: '', name }
}

/** Returns whether a header declares that a program submitted the message. */
const isMarked = (head: MailHead): boolean =>
  !/^\s*(?:no\b|$)/i.test(head.value('auto-submitted')) ||
  head.has('x-auto-response-suppress') ||
  /^\s*(?:bulk|junk|list)\b/i.test(head.value('precedence')) ||
  submitter.test(localOf(head.sender?.address ?? ''))

/** Returns whether a message went to many. */
const isBulk = (head: MailHead): boolean =>
  head.has('list-unsubscribe') || /^\s*(?:bulk|junk|list)\b/i.test(head.value('precedence'))

/** Returns whether a program only confirms a receipt or an end, or asks for a rating. */
const isAcknowledgement = (head: MailHead, text: string): boolean =>
  acknowledgement.test(`${head.subject}. ${text.slice(0, maxNoticeLength).replace(/\s+/g, ' ')}`)

/** GitHub's names of reasons for messages about the actions of programs. */
const programReasons = /^\s*(?:ci_activity|push|security_alert|state_change|manual|subscribed_ci)\s*$/i

/** Returns whether a known program relays a person's words instead of its own. */
function speaksForPerson(
  { kind, isReporter }: Program,
  head: MailHead,
  text: string,
  author: MailAddress | null,
): boolean {
  if (text.trim() === '' || isAcknowledgement(head, text) || isOfBot(head)) return false
  if (isRelay(head)) return true
  if (kind === 'ticket' && !isReporter) return !head.has('list-unsubscribe')
  if (head.has('x-github-sender')) return !programReasons.test(head.value('x-github-reason'))
  if (kind === 'tracker' && head.has('x-redmine-sender')) return true
  const words = `${head.subject}\n${text.slice(0, maxNoticeLength)}`
  return (author !== null && !isReporter) || (kind !== 'marketplace' && comment.test(words))
}

/** Returns whether a program of the help desk answers in place of an agent. */
const isOfBot = (head: MailHead): boolean =>
  bot.test(head.sender?.name ?? '') ||
  /^\s*(?:workflow|operator|bot)\b/i.test(head.value('x-intercom-source'))

/** Returns whether a message declares itself an automatic reply, even after the prefix of a forward. */
const declaresReply = (head: MailHead): boolean =>
  /^\s*auto-replied/i.test(head.value('auto-submitted')) ||
  /^\s*auto[_-]?reply/i.test(head.value('precedence')) ||
  autoReplySubject.test(baseSubject(head.subject))

/**
 * Finds the program that submitted a message with a person's words. Auto-Submitted (RFC 3834 section 5)
 * identifies the submitter, not the author, so the structure decides. It counts if a mailbox rule forwards a
 * message, or if a known program relays it with the name of a person.
 *
 * @returns null if a person submitted it, or if its words are a program's own
 */
export function readVia(head: MailHead, body: Body): Via | null {
  const via = forwardedVia(head, body) ?? relayedVia(head, body.text)
  return via && !declaresReply(head) ? via : null
}

/** Returns the mailbox rule that forwarded a message. */
function forwardedVia(head: MailHead, body: Body): Via | null {
  const forward = ruleForward(head, body)
  const program = isRulesAgent(head) ? 'Microsoft Exchange' : null
  return forward && { program, kind: 'forward', author: forward.author, isMarked: isMarked(head) }
}

/** Returns the program that relays a person's words. */
function relayedVia(head: MailHead, text: string): Via | null {
  // Reports and automatic replies have the null sender (RFC 3834 section 3.3).
  if (/^<\s*>/.test(head.value('return-path'))) return null
  const known = knownProgram(head)
  if (!known && !isMarked(head)) return null
  const author = namedAuthor(head, text)
  if (known && speaksForPerson(known, head, text, author)) {
    const { name: program, kind } = known
    const isByName = kind !== 'ticket' || isRelay(head)
    return {
      program,
      kind,
      author: author ?? (isByName ? actorOf(known, head) : null),
      isMarked: isMarked(head),
    }
  }
  if (known || !author?.address || isBulk(head) || isAcknowledgement(head, text)) return null
  return { program: null, kind: 'form', author, isMarked: true }
}
