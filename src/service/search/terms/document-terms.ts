import { isForeign } from './language'
import { stemOf } from './stem'
import { tokensOf } from './tokens'

/** Indexed fields of a message beside its body. */
const shortFields = ['subject', 'sender', 'recipients', 'files'] as const
export type Field = (typeof shortFields)[number] | 'body'

/**
 * Weights of a word by field, relative to the body: a first guess, which does well on collections whose
 * documents have a title and an author.
 */
const weights: Readonly<Record<Field, number>> = { subject: 3, sender: 2, recipients: 1, files: 2, body: 1 }

/** Weight of a word once in the body; quoted there, it has half. */
const inBody = 2
/** Weight of a word that only a file has, however often: a long file must not outrank a message about it. */
const inFile = 1

/** Prefixes of terms for one field, with a character that starts no word. */
const marks: Readonly<Partial<Record<Field, string>>> = {
  subject: '/s/',
  sender: '/f/',
  recipients: '/t/',
  files: '/n/',
}

/** Returns the term of a word in one field, or in any. */
export const termIn = (field: Field | null, word: string): string =>
  field === null ? word : `${marks[field] ?? ''}${word}`

/**
 * Returns the term of an address, or of a domain (`@example.com`) with its subdomains, among senders or
 * recipients.
 */
export const addressTerm = (field: 'sender' | 'recipients', address: string): string =>
  `${field === 'sender' ? '/F/' : '/T/'}${address.toLowerCase().slice(0, 320)}`

/** Returns the term of an unstemmed word, which is stored beside its stem for prefix searches. */
export const surfaceTerm = (word: string): string => `/~/${word}`

export const attachmentTerm = '/has/attachment'
export const directionTerm = (direction: string): string => `/is/${direction}`

/** Indexed texts of a message. */
export interface IndexedTexts extends Readonly<Record<Field, string>> {
  readonly senders: readonly string[]
  readonly addressees: readonly string[]
  readonly direction: string
  readonly hasAttachment: boolean
  /** Texts of the files, as far as they are searched. */
  readonly attached?: readonly string[]
  /** The newly written part of the body, unless that is all of it. */
  readonly reply?: string | null
}

/** Weight and positions of a term in a message. */
interface TermCount {
  weight: number
  readonly positions: number[]
}

export interface DocumentTerms {
  readonly terms: ReadonlyMap<string, TermCount>
  /** Number of words. */
  readonly length: number
}

/** Positions between fields, so that no phrase spans two. */
const gap = 8
const maxWeight = 255
/** Maximum number of domains of one address, from the full one upwards. */
const maxDomains = 6
const maxAddresses = 200

/** Returns the terms of an address, its domain and parent domains, except the top-level domain. */
function termsOfAddress(field: 'sender' | 'recipients', address: string): string[] {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.')
  const length = Math.min(maxDomains, Math.max(1, labels.length - 1))
  const domains = Array.from({ length }, (_, i) => labels.slice(i).join('.'))
  return [address, ...domains.map((domain) => `@${domain}`)].map((one) => addressTerm(field, one))
}

const tokensInStep = 500

class Collector {
  readonly terms = new Map<string, TermCount>()
  position = 0
  length = 0

  add(term: string, weight: number, position?: number): void {
    const known = this.terms.get(term)
    if (known) known.weight = Math.min(maxWeight, known.weight + weight)
    else this.terms.set(term, { weight, positions: [] })
    if (position !== undefined) (known ?? this.terms.get(term)!).positions.push(position)
  }

  *addField(
    field: Field,
    tokens: readonly string[],
    isStemmed: boolean,
    share = 1,
  ): Generator<undefined, void> {
    this.length += share * tokens.length
    const weight = inBody * weights[field] * share
    for (const [place, token] of tokens.entries()) {
      if (place % tokensInStep === 0) yield
      const word = isStemmed ? stemOf(token) : token
      this.position++
      if (word !== token) this.add(surfaceTerm(token), weight)
      this.add(word, weight, this.position)
      if (field === 'body') continue
      this.add(termIn(field, word), inBody, this.position)
      if (word !== token) this.add(termIn(field, token), inBody, this.position)
    }
  }

  /** Adds the text of a file, which does not count to the length of the message. */
  *addFile(tokens: readonly string[], isStemmed: boolean): Generator<undefined, void> {
    for (const [place, token] of tokens.entries()) {
      if (place % tokensInStep === 0) yield
      const word = isStemmed ? stemOf(token) : token
      this.position++
      if (word !== token) this.#addOnce(surfaceTerm(token))
      this.#addOnce(word, this.position)
    }
  }

  #addOnce(term: string, position?: number): void {
    this.add(term, this.terms.has(term) ? 0 : inFile, position)
  }
}

/** Consecutive lines of a body, which are new or not. */
interface Passage {
  readonly text: string
  readonly isNew: boolean
}

/** Divides a body into its newly written lines and the others, which are quoted or a signature. */
function passagesOf({ body, reply }: IndexedTexts): Passage[] {
  if (reply == null) return [{ text: body, isNew: true }]
  const newLines = new Set(reply.split('\n').map((line) => line.trim()))
  const passages: { lines: string[]; isNew: boolean }[] = []
  for (const line of body.split('\n')) {
    const last = passages.at(-1)
    const isNew = line.trim() === '' ? (last?.isNew ?? true) : newLines.has(line.trim())
    if (last?.isNew === isNew) last.lines.push(line)
    else passages.push({ lines: [line], isNew })
  }
  return passages.map(({ lines, isNew }) => ({ text: lines.join('\n'), isNew }))
}

/** Returns the terms of all fields of a message; a long one is processed in steps. */
export function* documentTerms(texts: IndexedTexts): Generator<undefined, DocumentTerms> {
  const collector = new Collector()
  const body = passagesOf(texts).map(({ text, isNew }) => ({ tokens: tokensOf(text), isNew }))
  const isStemmed = !isForeign([...tokensOf(texts.subject), ...body.flatMap(({ tokens }) => tokens)])
  for (const field of shortFields) {
    collector.position += gap
    yield* collector.addField(field, tokensOf(texts[field]), isStemmed)
  }
  collector.position += gap
  for (const { tokens, isNew } of body) yield* collector.addField('body', tokens, isStemmed, isNew ? 1 : 0.5)
  for (const text of texts.attached ?? []) {
    collector.position += gap
    yield* collector.addFile(tokensOf(text), isStemmed)
  }
  for (const address of texts.senders)
    for (const term of termsOfAddress('sender', address)) collector.add(term, inBody)
  for (const address of texts.addressees.slice(0, maxAddresses))
    for (const term of termsOfAddress('recipients', address)) collector.add(term, inBody)
  if (texts.hasAttachment) collector.add(attachmentTerm, inBody)
  collector.add(directionTerm(texts.direction), inBody)
  return { terms: collector.terms, length: Math.round(collector.length) }
}
