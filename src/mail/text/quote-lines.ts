import { dashes, MarkedLines, mark } from './marked-lines'
import { forwardedMessage, labels, onWords, originalMessage, quoting, wrote } from './quote-phrases'
import { withoutEnds } from './safe-text'

const maxAttributionLines = 5
const maxLineLength = 500
const maxBlockLines = 12

const escaped = (words: readonly string[]) =>
  [...words]
    .sort((one, other) => other.length - one.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|')

// Every pattern below sees a bounded line only, never a whole text.
const verbLast = new RegExp(
  `(?:^|[^\\p{L}])(?:${escaped(wrote)}|[^\\s]{0,40}(?:のメール|写道|寫道|작성))\\s?[:：]?$`,
  'u',
)
const verbAndName = new RegExp(`(?:^|[^\\p{L}])(?:${escaped(wrote)})[^\\p{L}].{0,200}[:：]$`, 'u')
/** A line that ends with such a verb and one short word. */
const verbAndWord = new RegExp(`[^\\p{L}](?:${escaped(wrote)})[\\s,]+\\p{L}{1,4}$`, 'u')
/** An introduction on the same line as the quotation, as Yahoo on Android writes it. */
const runTogether = new RegExp(`^(.{10,300}?>\\s?(?:${escaped(wrote)})\\s?[:：])\\s{2,}\\S`, 'u')
const quotes = new RegExp(`^(?:${escaped(quoting)})\\s.{0,200}[:：]$`, 'u')
/** The same with a date instead of the colon. */
const quotesDated = new RegExp(`^(?:${escaped(quoting)})\\s.{1,120}\\([^()]{6,60}\\)$`, 'u')
const starts = new RegExp(
  `^(?:(?:${escaped(onWords)})[\\s,]|\\d|[\\p{L}]{2,12}[.,]{1,2}\\s|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} \\d)`,
  'u',
)
// In the digits of any script.
const hasTime = /(?<!\p{Nd})\p{Nd}{1,2}(?:[:.h٫]|\s?h\s?)\p{Nd}{2}(?!\p{Nd})/u
const hasDay =
  /\p{Nd}{1,4}[-/.]\s?\p{Nd}{1,2}[-/.]\s?\p{Nd}{1,4}|(?<!\d)(?:19|20|25)\d\d(?!\d)|(?<!\p{Nd})[٠-٩۰-۹०-९๐-๙]{4}(?!\p{Nd})|\d년|\d월|\d年|\d月/u
const hasAddressPattern = /[^\s@<]@[^\s@>]/
const hasMailbox = /[<([][^\s@<>]{1,100}@[^\s@<>]{1,100}[>)\]]/
// The first line of an introduction has the date or the address.
const mayBeginPattern = /[\d@٠-٩۰-۹०-९๐-๙]/
/** "[Ann Lee]" or "[Ann Lee <ann@example.com>]:" */
const bracketedName =
  /^\[\p{Lu}[\p{L}.'’-]{0,30}(?: \p{Lu}[\p{L}.'’-]{0,30}){1,3}(?: ?<[^\s@<>]{1,100}@[^\s@<>]{1,100}>)?\] ?:?$/u
const bidi = /[*_\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g
const originalLine = `^[${dashes}\\s]{2,60}\\s?(?:${escaped(originalMessage)})`
const original = new RegExp(originalLine, 'iu')
/** In the centred form of BlackBerry. */
const centredOriginal = new RegExp(`^\\s{2,60}(?:${escaped(originalMessage)})\\s*$`, 'iu')
/** With the labels of its header block on the same line. */
const runOnOriginal = new RegExp(`${originalLine}\\s?[${dashes}]{2,60}\\s?\\p{L}{2,20}\\s?[:：]`, 'iu')
/** "---- Ann Lee wrote ----", as phones write it. */
const betweenDashes = new RegExp(
  `^-{2,40}\\s?[^\\s\\d@-][^\\d@]{0,80}\\s(?:${escaped(wrote)})\\s?[:：]?\\s?-{2,40}$`,
  'iu',
)
/** A rule with words in it. */
const caption = new RegExp(
  `^\\s{0,3}[${dashes}]{3,60}[\\s[(]{0,3}[^\\s${dashes}].{0,60}[\\s\\])]{0,3}[${dashes}]{3,60}\\s*$`,
)
const bareOriginal = /^-{4,60}\s?original\s?-{4,60}$/i
const hasDashes = new RegExp(`[${dashes}]{2}`)
const forwarded = new RegExp(
  `^(?:[${dashes}\\s]{2,60}\\s?(?:${escaped(forwardedMessage)})|(?:${escaped(forwardedMessage)})\\s?[:：]$)`,
  'iu',
)
const rule = /^[\s>]*[-_=*─—–][-_=*─—–\s]*$/
const labelledPattern = /^[\s*]{0,4}([\p{L}\p{M}][\p{L}\p{M}\s-]{0,24}?)\*{0,2}\s?[:：]\*{0,2}[\s\u200f]/u

type Kind = keyof typeof labels
const labelKinds = new Map<string, Kind>(
  (Object.keys(labels) as Kind[]).flatMap((kind) =>
    labels[kind].map((label): [string, Kind] => [label, kind]),
  ),
)

/**
 * Returns whether a line is quoted with `>`. An mbox-escaped `>From ` at a line start is not, nor are
 * GroupWise's introductions.
 */
export function isQuoted(lines: MarkedLines, at: number): boolean {
  if (!lines.has(at, mark.angle)) return false
  const line = lines.text(at)
  return (
    /^ {0,3}>/.test(line) &&
    !line.startsWith('>From ') &&
    !isBetweenMarks(line) &&
    !(endsTurned.test(line) && isReplyMarker(lines, at))
  )
}

/** Ends with a reversed quote sign. */
const endsTurned = /<\s*$/

const isBetweenMarks = (line: string) =>
  line.startsWith('>>> ') &&
  (/^>>> [^>].{3,200} >>>\s*$/.test(line) || /^>>> On .{3,100}, in message\s*$/.test(line)) &&
  hasDate(line)

/** Returns whether a line is a label of a header block with its value. */
export function isLabelled(lines: MarkedLines, at: number): boolean {
  return labelOf(lines, at) !== undefined
}

/** Returns whether a line is only a rule of dashes or underscores. */
export function isRule(line: string): boolean {
  return line.length < maxLineLength && /[-_=*─—–]{3}/.test(line) && rule.test(line)
}

/** Returns the same for a line among others. */
export function isRuleAt(lines: MarkedLines, at: number): boolean {
  return lines.has(at, mark.dash | mark.angle) && isRule(lines.text(at))
}

/** Recognises "-----Original Message-----" and its translations: everything below is quoted. */
export function isOriginalMessage(lines: MarkedLines, at: number): boolean {
  const line = lines.text(at)
  if (lines.has(at, mark.angle) && isBetweenMarks(line)) return true
  if (!lines.has(at, mark.dash | mark.indented)) return false
  if (line.length >= 120) return runOnOriginal.test(line.slice(0, 120))
  if (centredOriginal.test(line)) return isLabelled(lines, lines.nextWritten(at + 1))
  if (!hasDashes.test(line)) return false
  return original.test(line) || bareOriginal.test(line.trim()) || betweenDashes.test(line.trim())
}

/** Returns whether a line is a rule with words in it, as some programs draw above a header block. */
export function isCaption(lines: MarkedLines, at: number): boolean {
  return lines.has(at, mark.dash) && lines.text(at).length < 160 && caption.test(lines.text(at))
}

/**
 * Returns whether a line starts quoted labels under such words, and the quoted message continues without
 * marks.
 */
export function isQuotedHead(lines: MarkedLines, start: number): boolean {
  if (!lines.has(start, mark.angle) || isQuoted(lines, start - 1)) return false
  const first = lines.text(start).slice(0, 160).replace(marks, '')
  if (!hasDashes.test(first) || !(original.test(first) || caption.test(first))) return false
  let at = start + 1
  while (isQuoted(lines, at) && isLabelled(lines, at)) at++
  return at - start > 3 && !isQuoted(lines, at) && !isQuoted(lines, lines.nextWritten(at))
}

const marks = /^ {0,3}(?:> ?){1,3}/

/**
 * Recognises "---------- Forwarded message" and its translations: the text below was forwarded to be read.
 */
export function isForwardedMessage(lines: MarkedLines, at: number): boolean {
  if (!lines.has(at, mark.dash | mark.end)) return false
  const line = lines.text(at)
  return line.length < 120 && forwarded.test(line.replace(/^ {0,3}> ?/, '').trim())
}

/**
 * Returns the number of lines, from `start`, of an introduction such as "On Monday, Ann wrote:", even if
 * wrapped over up to five lines; 0 for none.
 */
export function attributionLength(lines: MarkedLines, start: number): number {
  const mayBeInPieces = OPENS_PIECES.test(lines.text(secondOf(lines, start)))
  if (!mayBeInPieces && !mayEndWithin(lines, start)) return 0
  if (!mayBeginPattern.test(lines.text(start))) return 0
  const known = lines.introductions.get(start)
  if (known !== undefined) return known
  const length = (mayBeInPieces && lengthInPieces(lines, start)) || readAttribution(lines, start)
  lines.introductions.set(start, length)
  return length
}

const maxPieces = 10
const [OPENS_PIECES, PIECE] = [/^\s{0,3}</, /^[^\s@]{0,100}@?[^\s@]{0,100}$/]
/** An address in brackets, and a verb where none came before it. */
const inPieces = new RegExp(
  `^< ?(?:mailto:)?[^\\s<>@]{1,64}@[^\\s<>@]{1,200} ?> ?((?:${escaped(wrote)})\\s?)?[:：]$`,
  'iu',
)
const hasVerb = new RegExp(`(?:^|[^\\p{L}])(?:${escaped(wrote)})(?!\\p{L})`, 'iu')

/** Returns the line after a line and at most one empty line. */
const secondOf = (lines: MarkedLines, start: number): number => start + (lines.isBlank(start + 1) ? 2 : 1)

/**
 * Returns the number of lines of an introduction whose address is in pieces on lines of their own: "On Monday, Ann",
 * "<", "mailto:ann@a.example", "> wrote:", with empty lines between; 0 for none.
 */
function lengthInPieces(lines: MarkedLines, start: number): number {
  const second = secondOf(lines, start)
  const first = cleaned(lines.text(start)) ?? ''
  if (!isBegun(first.toLowerCase())) return 0
  let joined = ''
  for (let at = second; at < start + maxPieces; at++) {
    if (lines.isBlank(at)) continue
    const piece = lines.text(at).trim()
    const whole = lines.has(at, mark.end) ? inPieces.exec(`${joined} ${piece}`.trim()) : null
    if (whole && (whole[1] !== undefined || hasVerb.test(first))) return at + 1 - start
    if (!PIECE.test(piece)) return 0
    joined = `${joined} ${piece}`.trim()
  }
  return 0
}

const endsSentence = /[.!?…。！？]$/
/** "> wrote:", the last piece of an introduction that was wrapped at the brackets of an address. */
const endsPieces = new RegExp(`^>\\s?(?:${escaped(wrote)})\\s?[:：]\\s*$`, 'iu')

function readAttribution(lines: MarkedLines, start: number): number {
  let joined = ''
  for (let count = 1; count <= maxAttributionLines; count++) {
    if (
      count > 1 &&
      isQuoted(lines, start + count - 1) &&
      !(joined.includes('<') && endsPieces.test(lines.text(start + count - 1)))
    )
      return 0
    const line = cleaned(lines.texts[start + count - 1])
    if (!line && count > 1 && isBegun(joined.toLowerCase())) continue
    if (!line) return 0
    joined = count === 1 ? line : `${joined} ${line}`
    if (joined.length > maxLineLength) return 0
    if (endsAttribution(line) && isAttribution(joined))
      return count === 1 || isOne(lines, start, count) ? count : 0
    // Nothing of an introduction follows its colon.
    if (/[:：]$/.test(line)) return 0
    if (count === 1 && !mayBegin(lines, start, joined)) return 0
  }
  return 0
}

// It may continue after an empty line in two cases: it starts like one and has a date, or it has the author
// and a word that must precede the date.
const isBegun = (text: string): boolean =>
  (hasDate(text) && starts.test(text) && !endsSentence.test(text)) ||
  (hasMailbox.test(text) && verbAndWord.test(text))

// A person's own line above an introduction is not part of it, whatever its first words.
function isOne(lines: MarkedLines, start: number, count: number): boolean {
  const end = start + count
  const first = cleaned(lines.text(start))!.toLowerCase()
  if (!starts.test(first) || endsSentence.test(first)) return !hasAttribution(lines, start + 1, end)
  for (let at = start + 2; at < end; at++)
    if (lines.isBlank(at - 1) && hasAttribution(lines, at, end)) return false
  return true
}

function hasAttribution(lines: MarkedLines, start: number, end: number): boolean {
  const joined = lines.texts.slice(start, end).map(cleaned).join(' ')
  return isAttribution(joined) && hasDay.test(joined)
}

function mayBegin(lines: MarkedLines, start: number, line: string): boolean {
  if (starts.test(line.toLowerCase())) return true
  return lines.isBlank(start - 1) && (hasDate(line) || hasAddressPattern.test(line))
}

/** Returns whether a line right above quoted lines, in any language, can only be their introduction. */
function introducesQuote(lines: MarkedLines, at: number): boolean {
  const text = cleaned(lines.text(at)) ?? ''
  if (bracketedName.test(text)) return true
  const isAttributed = hasDate(text) || hasAddressPattern.test(text)
  if (!/[:：]$/.test(text))
    return isSenderAndDate(text) || (isAttributed && quotesDated.test(text.toLowerCase()))
  return isAttributed || verbLast.test(text.toLowerCase()) || quotes.test(text.toLowerCase())
}

/** A name, or a name with its address. */
const nameAlone =
  /^["“]?\p{Lu}[\p{L}.'’-]{0,30}(?:,? [\p{Lu}(][\p{L}.'’()-]{0,30}){0,3}["”]?(?:,| ?<[^\s<>@]{1,64}@[^\s<>@]{1,200}>)?$/u
const addressAlone = /^[<([][^\s<>@]{1,64}@[^\s<>@]{1,200}[>)\]]$/
/** "a écrit :" or "schrieb am 2.11.2026:", below the name of the author. */
const verbFirst = new RegExp(`^(?:${escaped(wrote)})(?:[\\s,].{0,80})?\\s?[:：]$`, 'u')

/** Returns the number of lines of an introduction whose first line is only the author; 0 for none. */
function lengthBelowName(lines: MarkedLines, start: number): number {
  if (!lines.isBlank(start - 1) || !nameAlone.test(lines.text(start).slice(0, 120).trim())) return 0
  let second = secondOf(lines, start)
  if (addressAlone.test(lines.text(second).slice(0, maxLineLength).trim())) second = secondOf(lines, second)
  return verbFirst.test((cleaned(lines.text(second)) ?? '').toLowerCase()) ? second + 1 - start : 0
}

/** Words of a program before the author and the date. */
const beginsQuoting = new RegExp(`^(?:${escaped(quoting)})\\s`, 'u')

const isSenderAndDate = (text: string): boolean =>
  text.length <= 200 && (hasDay.test(text) || hasTime.test(text)) && hasAddressPattern.test(text)

const maxIntroduction = 3

/**
 * Returns the number of lines right above quoted ones, in any language, that can only be their introduction.
 * It may be wrapped within the author.
 */
export function introductionLength(lines: MarkedLines, start: number): number {
  if (introducesQuote(lines, start)) return 1
  const named = lengthBelowName(lines, start)
  if (named > 0) return named
  const first = cleaned(lines.text(start)) ?? ''
  if (!first || !lines.isBlank(start - 1) || endsSentence.test(first)) return 0
  if (!hasDay.test(first) && !beginsQuoting.test(first.toLowerCase())) return 0
  let joined = first
  for (let count = 2; count <= maxIntroduction; count++) {
    const line = cleaned(lines.text(start + count - 1))
    if (!line || isQuoted(lines, start + count - 1)) return 0
    joined += ` ${line}`
    if (/[:：]$/.test(line))
      return joined.length <= maxLineLength && hasBrokenMailbox.test(joined) && hasDay.test(joined)
        ? count
        : 0
  }
  return 0
}

/** Small words within names. */
const particles = 'von|van|der|den|de|del|della|di|da|do|dos|du|le|la|el|al|bin|ibn|ben|zu|zur|ten|ter|e|y|i'
const nameLast = new RegExp(
  `[^\\p{Ll}\\s][^\\s]*[\\s,]+(?:${escaped(wrote)})\\s?[:：]?$|(?:のメール|写道|寫道|작성\\p{L}{0,4})\\s?[:：]?$`,
  'u',
)
/**
 * Only a name or a date follows the verb, without words of a sentence. A word has no comma, so that words and
 * separators have a single reading: with two, each word would double the time.
 */
const nameBehind = new RegExp(
  `(?:^|[^\\p{L}])(?:${escaped(wrote)})(?:[\\s,]+(?:[^\\p{Ll}\\s,][^\\s,]*|${particles}|${escaped(onWords)}|um|at|uhr|of|a las|às|à|h|klo|г\\.?|в)(?=[\\s,:：]))*[\\s,]+[^\\p{Ll}\\s,][^\\s,]*\\s?[:：]$`,
  'u',
)
/** "Monday, November 2, 2026, 10:00:00 AM, you wrote:", as The Bat! writes. */
const youWrote = new RegExp(
  `(?:^|[^\\p{L}])(?:you|вы|ви|sie|vous|usted|lei)\\s(?:${escaped(wrote)})(?!\\p{L})`,
  'u',
)
const endsBracketed = /\([^()]{8,60}\)\s?[:：]$/
/** Sources that people report: "the council wrote:", "schrieb der Rat:". */
const ofTelling = new RegExp(
  `(?:^|[^\\p{L}])(?:the|my|our|his|her|their|der|die|das|mein\\p{L}{0,2}|unser\\p{L}{0,2}|le|la|les|mon|ma|el|los|il) \\p{L}{2,30} (?:${escaped(wrote)})\\s?[:：]?$|(?:^|[^\\p{L}])(?:${escaped(wrote)}) (?:i|the|ich|er|sie|wir|der|die|das|mein\\p{L}{0,2}) ?\\p{L}{0,30}\\s?[:：]?$`,
  'u',
)

/** A time of day that is no part of a date, in the digits of any script. */
const hasClock =
  /(?<!\p{Nd}|\p{Nd}[./-])\p{Nd}{1,2}(?:[:.٫]|\s?(?:h|時|时|시|点)\s?)\p{Nd}{2}(?!\p{Nd}|[./-]\s?\p{Nd})/u
const maxGreeting = 60
const greeting =
  /^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|guten|liebe\p{L}?|sehr geehrte\p{L}?|moin|bonjour|bonsoir|salut|ch[eè]re?s?|hola|buen[oa]s|estimad\p{L}{1,2}|querid\p{L}{1,2}|ciao|gentil\p{L}|buon\p{L}{0,5}|olá|oi|bom|boa|prezad\p{L}{1,2}|beste|geachte|dag|hej|hei|kära|cześć|witam|dzień|dobrý|привет|здравствуйте|merhaba|sayın)(?!\p{L})[^.,;!?:：]{0,50}!?$|^[^.!?:：]{1,60}[,،，、]$/iu

/** Returns whether a line is a greeting. */
export function isGreeting(lines: MarkedLines, at: number): boolean {
  const line = lines.text(at).trim()
  return line.length <= maxGreeting && greeting.test(line)
}

/**
 * Returns whether an introduction without quote marks below is a program's, not a person's report of a letter
 * or minutes. It has an address, or all of these:
 *
 * - a time of day
 * - an empty line or a rule above, and more than a greeting before that
 * - the author right beside the verb
 */
export function isOfProgram(
  lines: MarkedLines,
  start: number,
  length: number,
  isBelowGreeting: boolean,
): boolean {
  const text = textOf(lines, start, length)
  if (hasAddressPattern.test(text)) return true
  if (!lines.isBlank(start - 1) && !isRuleAt(lines, start - 1)) return false
  const said = text.toLowerCase()
  if (isBelowGreeting || !hasClock.test(said)) return false
  if (youWrote.test(said) || endsBracketed.test(said)) return hasDay.test(said)
  return (nameLast.test(text) || nameBehind.test(text)) && !ofTelling.test(said)
}

/** Returns whether an introduction addresses "you", with day and time, as The Bat! writes. */
export function saysYouWrote(lines: MarkedLines, start: number, length: number): boolean {
  const said = textOf(lines, start, length).toLowerCase()
  return youWrote.test(said) && hasDay.test(said) && hasTime.test(said)
}

const textOf = (lines: MarkedLines, start: number, length: number): string =>
  lines.texts
    .slice(start, start + length)
    .map(cleaned)
    .join(' ')

const hasBrokenMailbox = /<\s?[^\s@<>]{1,100}@[^\s@<>]{1,100}>/

/** Lines of help desks and trackers that mark the end of a reply; for text in lower case. */
const replyMarker = new RegExp(
  [
    '(?:type|write|enter|put|add|post)? ?(?:your )?(?:reply|respon[ds]e?|answer|respond|comment|write) (?:text )?(?:must be |should be |only )?(?:above|on top of) (?:this|the) (?:line|text|message)|do not (?:edit|write|type|reply|modify|remove) (?:anything |text )?below this line',
    'antwort(?:en)?[^.]{0,40}(?:oberhalb|über) (?:dieser|diese) (?:linie|zeile)|(?:oberhalb|über) dieser (?:linie|zeile)[^.]{0,30}antwort',
    'r[ée]pon(?:dre|dez|se)[^.]{0,40}au[- ]dessus de cette ligne|respond[ae]n?[^.]{0,40}(?:encima|arriba) de esta l[íi]nea|respuesta[^.]{0,40}(?:encima|arriba) de esta l[íi]nea|(?:respond[ae]|resposta)[^.]{0,40}acima d(?:esta|a) linha',
    'rispond[ie][^.]{0,40}sopra (?:a )?questa (?:riga|linea)|risposta[^.]{0,40}sopra (?:a )?questa (?:riga|linea)|antwoord[^.]{0,40}boven deze (?:lijn|regel)|svar[a]?[^.]{0,40}(?:ovanför|över|over|ovenfor) (?:den här|denne|denna)? ?(?:raden|linjen|linje|linjan)|vasta[^.]{0,40}tämän (?:rivin|viivan) yläpuolelle',
    'odpowied[zź][^.]{0,40}(?:powyżej|nad) t(?:ej|ą) lini[ią]|odpov[^.]{0,40}nad (?:tento řádek|tuto čáru|tento riadok)|ответ[^.]{0,40}выше этой (?:линии|строки)|відповід[^.]{0,40}вище (?:цієї|цього) (?:лінії|рядка)|bu (?:çizginin|satırın) (?:üstüne|üzerine|yukarısına)[^.]{0,30}ya[nz]',
    'この(?:行|線)より上に|请(?:在|于)此(?:行|线)(?:上方|之上|以上)|請在此(?:行|線)(?:上方|之上|以上)|이 (?:줄|선) ?위에|פעל לשורה זו|מעל (?:ל?שורה|קו) (?:זו|זה)|فوق هذا (?:السطر|الخط)',
  ].join('|'),
  'u',
)

/** Letters that each of them has: most lines have none. */
const ofMarker =
  /above|below this|on top of|ober|cette|esta l|linha|questa|deze|svar|raden|linje|rivin|viivan|linii|odpov|bu |[^\0-\x7f]/
/** In the form of Zendesk, in any language. */
const helpDeskMarker = /^\s{0,3}##- .{5,140} -##\s*$/
const decoration = new Set('#-=*_+~[(<{|•—–─【>')

/**
 * Recognises "Please type your reply above this line" and its translations, between signs or on a line of its
 * own.
 */
export function isReplyMarker(lines: MarkedLines, at: number): boolean {
  const line = lines.text(at)
  if (line.length < 8 || line.length > 160) return false
  const isDecorated = decoration.has(line.trimStart()[0] ?? '')
  if (isDecorated && helpDeskMarker.test(line)) return true
  if (!isDecorated && (line.length > 100 || !(lines.isBlank(at - 1) || isRuleAt(lines, at - 1)))) return false
  const text = line.toLowerCase()
  if (!ofMarker.test(text)) return false
  const found = replyMarker.exec(text)
  return found !== null && (drawn.test(line) || saysLittleElse(text, found))
}

/** Signs at both ends; a single sign may mark an item. */
const drawn = /^\s*[#\-=*_+~[(<{|•—–─【>]{2}.{3,150}[#\-=*_+~\])<>}|•—–─】]{2}[\s.]*$/
const maxBesideMarker = 40
/** Words of a person about the text above a line. */
const ofPerson = /\b(?:i|i['’]\p{L}{1,2}|me|my|we|us|our|is|are|was|were|of|item|items|but)(?!\p{L})/u
const clause = /[,;:.!?]\s*\p{L}/u

function saysLittleElse(text: string, found: RegExpExecArray): boolean {
  const [before, after] = [text.slice(0, found.index), text.slice(found.index + found[0].length)]
  const beside = `${before} ${after}`.replace(/[^\p{L}\p{N}'’]+/gu, ' ').trim()
  return beside.length <= maxBesideMarker && !ofPerson.test(beside) && !clause.test(after)
}

/**
 * Returns whether a header block starts at `start`, as Outlook writes it above the message that it answers:
 * From, Sent, To, Subject in any language and order.
 */
export function isHeaderBlock(lines: MarkedLines, start: number): boolean {
  const first = labelOf(lines, start)
  if (!first || first === 'copy') return isUnknownBlock(lines, start)
  const kinds = new Set<Kind>([first])
  let others = 0
  let hasAddress = hasAddressPattern.test(lines.text(start).slice(0, maxLineLength))
  for (let at = start + 1; at < start + maxBlockLines && others < 3; at++) {
    const kind = labelOf(lines, at)
    if (kind) kinds.add(kind)
    else others++
    hasAddress ||= hasAddressPattern.test(lines.text(at).slice(0, maxLineLength))
    const isMail = kinds.has('subject') || hasAddress
    if (isMail && kinds.has('from') && kinds.size - Number(kinds.has('copy')) >= 3) return true
  }
  return false
}

/** Lines of a text that are searched for the header block of a forwarded message. */
const maxForwardLines = 60

/** Returns the From line of the first header block of a text; null without such a block. */
export function forwardedFrom(text: string): string | null {
  const lines = MarkedLines.of(text)
  for (let start = 0; start < Math.min(lines.length, maxForwardLines); start++) {
    if (!isHeaderBlock(lines, start)) continue
    for (let at = start; at < start + maxBlockLines; at++) {
      const line = lines.text(at).slice(0, maxLineLength)
      if (labelOf(lines, at) === 'from')
        return (
          line
            .slice(line.search(/[:：]/) + 1)
            .replaceAll('*', '')
            .trim() || null
        )
    }
  }
  return null
}

/**
 * "Ann Lee ---11/02/2026 10:01:02 AM---Can you come?", which Notes writes above the labels of the answered
 * message.
 */
const notesHead = /^\S.{0,80}? ?---\S[^-]{5,40}?---\S/

/** Returns whether a line has the sender, date and first words of the message below, as Notes writes them. */
export function isNotesHead(lines: MarkedLines, at: number): boolean {
  const line = lines.text(at).slice(0, maxLineLength)
  return line.includes('---') && notesHead.test(line) && hasDate(line)
}

const maxNotesLines = 14

/** Returns whether one of the next lines is only a label for recipients. */
function isBareLabelNear(lines: MarkedLines, start: number): boolean {
  for (let at = start + 1; at < start + 5; at++) {
    const line = lines.text(at)
    if (line.length > 0 && line.length < 24 && labelKinds.get(line.trim().toLowerCase()) === 'to') return true
  }
  return false
}

/**
 * Returns whether the block of older Notes starts: sender and date, then labels alone on their lines, without
 * colons.
 */
export function isNotesBlock(lines: MarkedLines, start: number): boolean {
  const below = lines.nextWritten(start + 1)
  // Most lines start no such block, and a date is costly to find.
  if (!/\d/.test(lines.text(below)) && !/\d/.test(lines.text(start))) return false
  if (!isBareLabelNear(lines, below)) return false
  const isDated = hasDate(lines.text(start).slice(0, 200)) || hasDate(lines.text(below).slice(0, 200))
  if (!isDated || lines.text(start).length > 120) return false
  const kinds = new Set<Kind>()
  for (let at = below; at < start + maxNotesLines; at++) {
    const label = lines.text(at).slice(0, 40).trim().toLowerCase()
    const kind = label === '' ? undefined : labelKinds.get(label)
    if (kind) kinds.add(kind)
  }
  return kinds.has('to') && kinds.has('subject') && kinds.has('copy')
}

/** Recognises a block in an unknown language: a rule, then labels, an address and a date. */
function isUnknownBlock(lines: MarkedLines, start: number): boolean {
  if (!isRuleAt(lines, start - 1)) return false
  const block = lines.texts.slice(start, start + 6)
  const labelled = block
    .filter((line) => labelledPattern.test(line.slice(0, 100)))
    .map((line) => line.slice(0, maxLineLength))
  return (
    labelled.length >= 3 && labelled.some((line) => hasAddressPattern.test(line)) && labelled.some(hasDate)
  )
}

/** Returns whether a line starts with an introduction and continues with the quotation. */
export function isRunTogether(lines: MarkedLines, at: number): boolean {
  if (!lines.has(at, mark.colon) || !lines.has(at, mark.angle)) return false
  const line = lines.text(at).slice(0, maxLineLength).trimStart()
  const introduction = runTogether.exec(line.toLowerCase())?.[1]
  return introduction !== undefined && starts.test(introduction) && isAttribution(introduction)
}

function mayEndWithin(lines: MarkedLines, start: number): boolean {
  for (let at = start; at < start + maxAttributionLines; at++) if (lines.has(at, mark.end)) return true
  return false
}

const hasDate = (text: string): boolean => hasDay.test(text) || hasTime.test(text)

function endsAttribution(line: string): boolean {
  return /[:：]$/.test(line) || verbLast.test(line.toLowerCase())
}

function isAttribution(joined: string): boolean {
  const text = joined.toLowerCase()
  const hasAddress = hasAddressPattern.test(text)
  if (verbLast.test(text)) return hasDay.test(text) || hasAddress || (hasTime.test(text) && starts.test(text))
  if (!/[:：]$/.test(text)) return false
  if (quotes.test(text)) return hasAddress
  if (hasDay.test(text) && hasTime.test(text) && hasMailbox.test(text)) return true
  if (verbAndName.test(text)) return hasAddress || hasDay.test(text)
  return hasAddress && hasDate(text) && starts.test(text)
}

// Mail programs that write Markdown put asterisks around bold labels; some put dashes around the whole.
function cleaned(line: string | undefined): string | undefined {
  if (line === undefined || line.length > maxLineLength) return undefined
  return withoutEnds(line.replace(bidi, ''), /[-\s]/)
}

function labelOf(lines: MarkedLines, at: number): Kind | undefined {
  if (!lines.has(at, mark.colon)) return undefined
  const line = lines.text(at)
  const colon = line.slice(0, 60).search(/[:：]/)
  if (colon < 1) return undefined
  return labelKinds.get(line.slice(0, colon).replace(bidi, '').replaceAll('>', '').trim().toLowerCase())
}
