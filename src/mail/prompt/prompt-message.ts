import { ignoredFields, provenView } from '../../protocol/proven-view'
import type { Message, MessageSummary } from '../../protocol/records/message'
import { isOddAddress, sameAddress } from '../headers/address'
import { isForward } from '../headers/subject'
import { type ShownText, shownText } from '../html/shown-text'
import { type HeldTexts, splitQuote } from '../text/held-quotes'
import { visibleText } from '../text/visible-text'
import { invitationText } from './invitation-text'
import { field, withoutLookAlikes } from './look-alikes'

/** A message for a model, with the short name that the model uses for it. */
interface PromptSource {
  handle: string
  record: MessageSummary
  body: Pick<Message, 'body_text' | 'body_html'>
  /** Files whose text is shown after that of the message. */
  files?: readonly PromptFile[]
}

/** Text of a file, or of its first page. */
export interface PromptFile {
  id: string
  filename: string | null
  text: string
  /** Number of pages that are not shown, after the first. */
  pagesLeft: number
}

/** A prepared message: our own words, and a stranger's text without hidden content. */
export interface PromptMessage {
  handle: string
  /** Time of arrival and proof of the sender, without any word of a stranger. */
  title: string
  /**
   * Sender, recipients, subject and attachments, as lines; `briefFields` is the short form for small prompts.
   */
  fields: string
  briefFields: string
  text: string
  /** Descriptions of what was removed. */
  notes: readonly string[]
}

const maxBody = 128 * 1024
const maxListed = 5
const maxFiles = 10
/** States in which a file has no text. */
const unreadable = new Set(['needs_ocr', 'too_large', 'timed_out', 'encrypted', 'unsupported', 'unreadable'])
const longLink = /(https?:\/\/[^\s<>"]{120})[^\s<>"]{40,}/g

const listed = (texts: readonly string[], max: number): string => {
  const rest = texts.length - max
  return texts.slice(0, max).join(', ') + (rest > 0 ? `, and ${rest} more` : '')
}

const addresses = (list: readonly string[]): string =>
  listed(
    list
      .slice(0, maxListed)
      .map((one) => field(one, 100))
      .concat(list.slice(maxListed)),
    maxListed,
  )

const sizeOf = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 * 1024
      ? `${Math.round(bytes / 1024)} KB`
      : `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** Describes how long the text of a file is, or why it has none. */
function textSizeOf({ text_status, page_count, text_tokens }: MessageSummary['attachments'][number]): string {
  if (text_tokens === undefined) return unreadable.has(text_status ?? '') ? `text: ${text_status}, ` : ''
  return `${count(page_count ?? 1, 'page')}, about ${count(text_tokens, 'token')}, `
}

/** Describes the proof of the sender in words. */
function proofOf({ direction, authentication, list }: MessageSummary): string {
  if (direction === 'outbound') return 'sent by this mailbox'
  if (list?.from_list)
    return 'SENDER NOT PROVEN: a list put itself into From, and whoever wrote to it may have written this'
  if (!authentication) return 'sender not checked: anybody can write any name into a mail'
  if (authentication.from_verified) return 'sender proven: the domain in From sent it'
  if (authentication.dkim_aligned) return 'sender signed for by the domain in From, which has no DMARC policy'
  return 'SENDER NOT PROVEN: somebody else may have written this in that name'
}

function titleOf(handle: string, record: MessageSummary, { isForeign, isDoubted }: ShownText): string {
  const when = record.received_at ?? record.created_at
  const marks = [handle, when, proofOf(record)]
  if (isOddAddress(record.from_addr))
    marks.push(
      'ODD SENDER ADDRESS: it is of the domain after its last @, whatever stands in the quotes before',
    )
  if (record.new_participant) marks.push('from somebody who had no part in this thread before')
  if (record.auto_submitted !== 'no') marks.push('written by a program')
  if (record.invitation?.pending)
    marks.push('ITS CHANGE OF AN EVENT IS NOT PROVEN, so that it alters nothing')
  if (record.label_ids.includes('spam')) marks.push('marked as spam')
  if (isForeign)
    marks.push('ITS TEXT SAYS WHAT ITS HTML DOES NOT: a person who opens the mail may not see it')
  if (isDoubted)
    marks.push('ITS STYLES MAY HIDE SOME OF ITS TEXT: a person who opens the mail may not see it')
  return marks.join('; ')
}

/** Returns an address with its domain, even if its local part is long. */
function addressField(address: string): string {
  const at = address.lastIndexOf('@')
  if (address.length <= 100 || at < 0) return field(address, 100)
  return `${field(address.slice(0, at), 30)}${field(address.slice(at), 70)}`
}

const goesElsewhere = ({ direction, from_addr, reply_to }: MessageSummary): boolean =>
  direction === 'inbound' && reply_to.some((address) => !sameAddress(address, from_addr))

/** Describes the list that a message came through, and the recipient of a reply. */
function listFields({ list, reply_to }: MessageSummary): string[] {
  if (!list) return []
  const name = field(list.post ?? list.id ?? list.name ?? 'without a name', 100)
  if (list.post === null) return [`List: ${name}, which takes no mail (a reply goes to the sender)`]
  const author = list.author_addr ? `, ${addressField(list.author_addr)}` : ''
  if (list.answers_go_to === 'list')
    return [`List: ${name} (a reply goes to the list, which names no author)`]
  const person = reply_to.length > 0 ? '' : author
  return [`List: ${name} (a reply goes to the person${person}, not to the list, unless you ask for the list)`]
}

/** Marks a field of a verified message that its sender may not have written. */
const unsigned = (ignored: readonly string[], name: string): string =>
  ignored.includes(name) ? ' (not signed: anyone may have added it)' : ''

function fieldsOf(record: MessageSummary): string {
  const { from_addr, from_name, to_addrs, cc_addrs, subject, attachments } = record
  const ignored = ignoredFields(record)
  const view = provenView(record)
  const from = addressField(from_addr)
  const lines = [`From: ${from_name ? `${JSON.stringify(field(from_name, 80))} <${from}>` : from}`]
  lines.push(`To${unsigned(ignored, 'to')}: ${addresses(to_addrs)}`)
  if (cc_addrs.length > 0) lines.push(`Cc${unsigned(ignored, 'cc')}: ${addresses(cc_addrs)}`)
  lines.push(...listFields(view))
  if (goesElsewhere(view)) lines.push(`Reply-To (a reply goes here): ${addresses(view.reply_to)}`)
  lines.push(`Subject${unsigned(ignored, 'subject')}: ${field(subject, 200)}`)
  const counted = attachments.filter(({ decorative }) => !decorative)
  const files = counted
    .slice(0, maxFiles)
    .map((file) =>
      [
        JSON.stringify(field(file.filename ?? 'unnamed', 80)),
        `(${field(file.content_type, 60)}, ${sizeOf(file.size)}, ${textSizeOf(file)}${file.id})`,
      ].join(' '),
    )
  const rest = counted.length - files.length
  if (files.length > 0) lines.push(`Attachments: ${files.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`)
  return lines.join('\n')
}

/** Removes needless white space; keeps one of several empty lines. */
const tidied = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line, at, all) => line || all[at - 1])
    .join('\n')
    .trim()

/** Adds the invitation in a message to its text. */
const withInvitation = (text: string, { invitation }: MessageSummary): string =>
  invitation ? `${text}\n\n${invitationText(invitation)}`.trim() : text

/** Adds the texts of files to that of their message. */
const withFiles = (text: string, files: readonly PromptFile[]): string =>
  [
    text,
    ...files.map(
      (file) =>
        `Text of ${JSON.stringify(field(file.filename ?? 'unnamed', 80))} (${file.id}):\n${file.text}`,
    ),
  ].join('\n\n')

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/**
 * Prepares a message: removes quotes that the thread holds and invisible content, and notes what was removed.
 *
 * @param held texts of the thread; null keeps all quotes
 */
export function preparePromptMessage(
  { handle, record, body, files = [] }: PromptSource,
  held: HeldTexts | null,
): PromptMessage {
  const notes: string[] = []
  const all = shownText(body.body_text, body.body_html)
  const whole = all.text.slice(0, maxBody)
  if (whole.length < all.text.length) notes.push(`all after its first ${count(maxBody, 'character')}`)
  const seen = visibleText(whole)
  const { own, signature, quote, quoted } = splitQuote(seen.text, isForward(record.subject, seen.text))
  if (signature !== '') notes.push(`its signature (${count(signature.length, 'character')})`)
  const isHeld = quote !== '' && held?.holds(quoted) === true
  if (isHeld) notes.push(`its quote of what this thread holds (${count(quote.length, 'character')})`)
  const shown = quote === '' || isHeld ? own : `${own}\n\nQuoted in it:\n${quote.replace(/^/gm, '> ')}`
  if (all.hidden > 0)
    notes.push(`text that its HTML hides from the reader (${count(all.hidden, 'character')})`)
  if (all.comments > 0) notes.push(`${count(all.comments, 'comment')} of its HTML`)
  if (seen.invisible > 0) notes.push(count(seen.invisible, 'invisible character'))
  if (seen.directional > 0)
    notes.push(`${count(seen.directional, 'mark')} that turn the order of letters round`)
  if (seen.controls > 0) notes.push(count(seen.controls, 'control character'))
  for (const { id, pagesLeft } of files)
    if (pagesLeft > 0)
      notes.push(`${count(pagesLeft, 'page')} of ${id} (read its pages 2-${pagesLeft + 1} to read on)`)
  const seenFiles = files.map((file) => ({ ...file, text: visibleText(file.text).text }))
  const tidy = tidied(withFiles(withInvitation(shown, record), seenFiles))
  const short = tidy.replace(longLink, '$1…')
  if (short.length < tidy.length) notes.push('the ends of long links')
  const { text, broken } = withoutLookAlikes(short)
  if (broken > 0)
    notes.push(
      `${count(broken, 'mark')} that looked like the end of this fence or of a turn, by a blank put in`,
    )
  return {
    handle,
    title: titleOf(handle, record, all),
    fields: fieldsOf(record),
    briefFields: `From: ${field(record.from_addr, 40)}`,
    text,
    notes,
  }
}
