import { startOfDisclaimer } from './disclaimer'
import { isFenced } from './fence'
import { startOfListFooter } from './list-footer'
import { normalized } from './normalized'
import { isRule } from './quote-lines'
import {
  announces,
  devices,
  excuses,
  get,
  platforms,
  sentBy,
  sentFrom,
  sentFromEnd,
  vendorHosts,
} from './quote-phrases'
import { withoutEnd } from './safe-text'

const maxSignatureLines = 15
const [MIN_SENT_FROM_LENGTH, MAX_SENT_FROM_LENGTH] = [5, 140]
/** Signs and direction marks around a program's line about itself. */
const decoration = /^[-–—*_[(<\s\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/
const maxWords = 9
const nameAfterDash = /^(?:[-–—]|[–—]\s)\p{Lu}[\p{L}.'’-]{0,30}(?: \p{Lu}[\p{L}.'’-]{0,30}){0,3}$/u

const maxCardLines = 8
const maxCardLine = 70
const namePattern = /^[*_]{0,2}\p{Lu}[\p{L}.'’-]{1,30}(?: \p{Lu}[\p{L}.'’-]{0,30}){1,3}[*_]{0,2},?$/u
const reached = /[^\s@]@[^\s@]{1,100}\.\p{L}|https?:|\bwww\.|(?:\+|\b0|\()\d[\d\s()/.-]{6,20}/u

/** A colon at the end: it refers to the text below. */
const endsOpen = /[:：][\s*_]{0,4}$/

const ruled = /^\s{0,3}[-_=*─—–]/
/** A link, or a linked picture, alone on its line. */
const link = /^(?:\[[^\][]{0,60}\]\s?)?[<([]?https?:\S{1,400}$/
const maxLinks = 2

/** Direction marks and other invisible characters. */
const marks = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Name of a carrier or device: a few words, each with a capital or a digit. */
const brand = /^(?=.{2,30}$)[\p{Lu}\d][\p{L}\d&+.'’-]*(?: [\p{Lu}\d][\p{L}\d&+.'’-]*){0,3}$/u

/** "Sent from my Verizon, Samsung Galaxy smartphone", "Sent from my U.S. Cellular®, Samsung Galaxy S21" */
const carrier =
  /^(sent from my [\p{L}\d.&®™ -]{2,30}), (?=(?:[\p{L}\d ]{2,40}(?:phone|tablet|device)|(?:samsung|galaxy|motorola|moto|nokia|(?:google )?pixel|lg|htc|sony|huawei|xiaomi|oneplus|kyocera|blackberry) [\p{L}\d +]{1,30})$)/u
/** "Sent via the Samsung Galaxy S22 5G, an AT&T 5G smartphone" */
const deviceOf =
  /^([^,]{8,60}), (?=(?:an?|un|une|uno|una|um|uma|ein|een|en|et) [\p{L}\d&+.' -]{0,40}(?:phone|tablet|device|gerät|fon|puhelin|téléphone|appareil|teléfono|telefone|telefono|toestel|telefon)(?: (?:[45]g|lte|android))?$)/u

/**
 * Finds the start of the signature at the end of a reply. Recognises:
 *
 * - `-- ` (RFC 3676 §4.3)
 * - a rule with the footer of a mailing list
 * - "Sent from my iPhone" in many languages
 * - `-Name`
 * - legal notes below all these
 *
 * @param lines lines without quoted text
 * @param author the sender of the message; if undefined, any name after a dash counts
 * @returns the index of its first line; `lines.length` if there is none
 */
export function startOfSignature(lines: readonly string[], author?: Author | null): number {
  const disclaimer = startOfDisclaimer(lines)
  let end = disclaimer < lines.length ? withoutRules(lines, disclaimer) : withoutEmpty(lines, disclaimer)
  const footer = startOfListFooter(lines, end)
  if (footer !== null && hasWords(lines, footer)) end = withoutRules(lines, footer)
  const delimiter = delimiterBefore(lines, end)
  if (delimiter !== null) end = withoutEmpty(lines, delimiter)
  for (let count = closingLines(lines, end, author); count > 0; count = closingLines(lines, end, author))
    end = withoutRules(lines, end - count)
  return end === withoutEmpty(lines, lines.length) ? lines.length : end
}

const hasWords = (lines: readonly string[], end: number) => lines.slice(0, end).some((line) => line.trim())

function delimiterBefore(lines: readonly string[], end: number): number | null {
  let written = 0
  for (let at = end - 1; at >= 0 && written <= maxSignatureLines; at--) {
    const line = lines[at] ?? ''
    if (ruled.test(line) && beginsSignature(lines, at, end) && !isFenced(lines, at)) return at
    if (line !== '' && line.trim()) written++
  }
  return null
}

// If the line above a rule refers to an address or a person, these are the content of the message.
function beginsSignature(lines: readonly string[], at: number, end: number): boolean {
  const line = lines[at]!
  if (line === '-- ') return true
  if (dividesSections(lines, at, end)) return false
  if (isDelimiter(line)) return !endsOpen.test(lastWritten(lines, at)) && !isToFillIn(lines, at, end)
  if (!isRule(line) || !isCard(lines, at + 1, end)) return false
  const above = lastWritten(lines, at)
  return !endsOpen.test(above) && !announces.test(above.toLowerCase())
}

/**
 * Returns whether a rule is one of several alike: they separate sections, unless only a card is below the
 * last.
 */
function dividesSections(lines: readonly string[], at: number, end: number): boolean {
  const rule = lines[at]!.trim()
  const isAlike = (line: string | undefined) => line?.trim() === rule
  if (lines.slice(at + 1, end).some(isAlike)) return true
  return lines.slice(0, at).some(isAlike) && !isCard(lines, at + 1, end)
}

const maxFormLines = 12
/** "Date of birth: ____", or a rule with words before or after it. */
const toFillIn = /[^\s_-].{0,200}_{3}|_{3}.{0,200}[^\s_-]/
const label = /^[^\s_].{0,38}[^\s_.!?]$/
const blankLine = /^\s*_{5,}\s*$/
const belowBlank = /^\s*[(（[]/

/**
 * Returns whether a rule of underscores is a blank to fill in: its label is below, or more such blanks are
 * above.
 */
function isToFillIn(lines: readonly string[], at: number, end: number): boolean {
  if (!lines[at]!.includes('___')) return false
  if (belowBlank.test(lines[at + 1] ?? '')) return true
  const above = lines.slice(Math.max(0, at - maxFormLines), at).map((line) => line.slice(0, 300))
  if (above.some((line) => toFillIn.test(line))) return true
  // The signer's name is above each of several blanks.
  const below = lines.slice(at + 1, Math.min(end, at + maxFormLines))
  return label.test(lines[at - 1] ?? '') && [...above, ...below].some((line) => blankLine.test(line))
}

/** Returns the end of the last written line above a line. */
const lastWritten = (lines: readonly string[], at: number): string =>
  (lines[withoutEmpty(lines, at) - 1] ?? '').trimEnd().slice(-MAX_SENT_FROM_LENGTH)

/** Returns whether lines form a card: few and short, with a name first and contact details. */
function isCard(lines: readonly string[], start: number, end: number): boolean {
  const card = lines.slice(start, end).filter((line) => line.trim())
  if (card.length < 2 || card.length > maxCardLines || card.some((line) => line.length > maxCardLine))
    return false
  return namePattern.test(card[0]!.trim()) && card.some((line) => reached.test(line))
}

function isDelimiter(line: string): boolean {
  return /^(?:--|—|–)\s{0,5}$/.test(line) || (/^\s{0,3}_{10,}/.test(line) && isRule(line))
}

/** Returns the number of lines right before `end` with which a program or a name closes the message. */
function closingLines(lines: readonly string[], end: number, author: Author | null | undefined): number {
  const [last, above] = [(lines[end - 1] ?? '').trim(), (lines[end - 2] ?? '').trim()]
  if (nameAfterDash.test(last) && !above) return isSigned(lines, end - 1, author) ? 1 : 0
  if (isSentFrom(last) && !goesOnSentence(last, above)) return 1 + scannerLinks(lines, end - 1)
  // The second line of programs: a link, or the carrier or device.
  if (link.test(last)) return isSentFrom(`${above} ${last}`) ? 2 + scannerLinks(lines, end - 2) : 0
  return brand.test(last) && devices.test(above.toLowerCase()) && isSentFrom(above) ? 2 : 0
}

/** Author of a message. */
interface Author {
  name: string | null
  address: string
}

/** The end of a sentence, or words that close a message. */
const endsMessage =
  /[.!?…。！？][\s"'”’»)*_]{0,4}$|(?<!\p{L})(?:thanks|thank you|cheers|best|regards|danke|dank|gr(?:uß|üße)|[lv]g|merci|cordialement|gracias|saludos|grazie|saluti|obrigad[oa]|abraços?|bedankt|groet(?:en|jes)?|tack|hälsningar|takk|tak|hilsen|kiitos|dzięki|pozdrawiam|díky|спасибо)[\s,]{0,2}$/iu

/** Returns whether a name after a dash is the author's, not an item of a list or answer. */
function isSigned(lines: readonly string[], at: number, author: Author | null | undefined): boolean {
  const isSpaced = /^[–—]\s/.test(lines[at]!.trim())
  if (author === undefined) return !isSpaced
  const above = lastWritten(lines, at)
  const item = isSpaced ? /^\s{0,3}[-–—]\s?\S/ : /^\s{0,3}[-–—]\S/
  if (endsOpen.test(above) || item.test(above) || (isSpaced && !endsMessage.test(above))) return false
  const known = wordsOf(`${author?.name ?? ''} ${author?.address.replace(/@.*/s, '') ?? ''}`)
  const initials = known.map((word) => word[0]).join('')
  return wordsOf(lines[at]!).some(
    (word) =>
      known.some(
        (one) => (word.length > 2 && one.startsWith(word)) || (one.length > 2 && word.startsWith(one)),
      ) ||
      (word.length > 1 && initials.includes(word)),
  )
}

/** Returns words in lower case, without diacritics. */
const wordsOf = (text: string): string[] =>
  normalized(text, 'NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []

/**
 * Returns whether a line continues a sentence of the line above: it starts with a small letter, and that line
 * is open.
 */
const goesOnSentence = (line: string, above: string): boolean =>
  /^\p{Ll}/u.test(line) && /[\p{L}\p{N},]$/u.test(above) && !devices.test(line.toLowerCase())

/** Vendors of virus scanners. */
const scanners = /(?:^|\.)(?:avast|avg|norton|eset|kaspersky|bitdefender|mcafee)\.com$/

/**
 * Returns the number of lines right before a line that link to such vendors, separate from the person's text.
 */
function scannerLinks(lines: readonly string[], end: number): number {
  let count = 0
  while (count < maxLinks && isScannerLink((lines[end - count - 1] ?? '').trim())) count++
  const isApart = !lines[end - count - 1]?.trim() && !endsOpen.test(lastWritten(lines, end - count))
  return isApart ? count : 0
}

const isScannerLink = (line: string): boolean =>
  link.test(line) && hostsOf(line).some((host) => scanners.test(host))

/** Returns cheaply whether a line may be a program's about itself: most lines are not. */
function maySpeakOfItself(line: string): boolean {
  const text = line.toLowerCase()
  return devices.test(text) || ofProgram.test(text) || beginsWithOneOf(sentFrom, text.replace(decoration, ''))
}

// A sentence may start with the same words: "Sent from my desk, is much easier than my phone."
function isSentFrom(line: string): boolean {
  if (line.length < MIN_SENT_FROM_LENGTH || line.length > MAX_SENT_FROM_LENGTH) return false
  if (!maySpeakOfItself(line)) return false
  const bare = line
    .replace(/\[([^\][]{1,60})\]\([^()\s]{1,200}\)/g, '$1')
    .replace(/[<(]\s?https?:[^\s>)]*\s?[>)]|https?:\S+/g, '')
    .replace(marks, '')
    .replace(/^[-–—*_[(<\s]+/, '')
  const text = withoutEnd(bare, /[\])>*_\s]/).toLowerCase()
  if (text.endsWith('yahoo mail: search, organize, conquer') || ofProgram.test(text)) return true
  const said = withoutEnd(
    text.replace(excuses, '').replace(carrier, '$1 ').replace(deviceOf, '$1 '),
    /[\s.,]/,
  )
  // A program's line with a link may continue in any way, if the link leads to that program.
  if (/https?:/.test(line) && devices.test(text) && beginsWithOneOf(sentFrom, text))
    return !goesOn.test(said) || leadsToProgram(line, text)
  if (/[,;!?]|[:：]$/.test(said) || devices.test(/^(.*?)[:：]\s/.exec(said)?.[1] ?? '')) return false
  const namesDevice = devices.test(said)
  if (said.split(/\s+/).length > maxWords + (namesDevice ? 4 : 0)) return false
  if (sentFromEnd.some((end) => said.endsWith(end))) return said.length < 90 && namesDevice
  if (beginsWithOneOf(sentFrom, said)) return !text.endsWith('.') || said.length < 90
  if (namesDevice && beginsWithOneOf(sentBy, said)) return true
  return (
    namesDevice && get.some((word) => said.startsWith(word) || said.endsWith(word)) && platforms.test(said)
  )
}

/** Lines of other programs: virus scanners and old web mailers; for text in lower case. */
const ofProgram =
  /^\W*(?:virus-free|virus free|virenfrei|sans virus|libre de virus|livre de vírus|privo di virus|virusvrij|virusfri|viruksista vapaa|wolny od wirusów|neobsahuje viry|без вирусов|virüs\p{L}*)\.? ?(?:www\.\S+|$)|(?:e-?mail|message|nachricht|mensaje|mensagem|messaggio|bericht|wiadomość|письмо|сообщение)(?!\p{L})(?=.{0,120}(?:check|scan|prüf|analy|analiz|vérif|verif|contr[oô]l|contrôl|skan|sprawd|провер|free|frei|gecontr)).{0,40}(?:virus|viren|вирус).{0,60}(?:avast|avg|norton|eset|kaspersky|sophos|bitdefender|mcafee|symantec)|(?:message|mail|e-mail) (?:was )?sent using (?:imp|squirrelmail|roundcube|horde|openwebmail|twig)\b/u

/** A clause after a sign, or a colon at the end. */
const goesOn = /[,;!?]|[:：](?:\s|$)/

/** Returns whether a link of a line leads to a vendor of programs, or to a program that the line names. */
function leadsToProgram(line: string, text: string): boolean {
  const named = text.split(/[^\p{L}\d]+/u).filter((word) => word.length > 3 && devices.test(word))
  return hostsOf(line).some(
    (host) => vendorHosts.test(host) || named.some((name) => host.split('.').at(-2)?.includes(name)),
  )
}

const hostsOf = (line: string): string[] =>
  Array.from(line.matchAll(/https?:\/\/([^\s/:?#<>()]{1,100})/gi), ([, host]) => host!.toLowerCase())

/** Returns whether a text starts with one of some phrases; the first letter excludes most of them. */
const beginsWithOneOf = (phrases: readonly string[], text: string): boolean => {
  const first = text.charCodeAt(0)
  return phrases.some((phrase) => phrase.charCodeAt(0) === first && text.startsWith(phrase))
}

function withoutRules(lines: readonly string[], end: number): number {
  let at = withoutEmpty(lines, end)
  while (at > 0 && isRule(lines[at - 1]!)) at = withoutEmpty(lines, at - 1)
  return at
}

function withoutEmpty(lines: readonly string[], end: number): number {
  let at = end
  while (at > 0 && !lines[at - 1]?.trim()) at--
  return at
}
