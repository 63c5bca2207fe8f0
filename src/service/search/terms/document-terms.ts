import { isForeign } from './language'
import { stemOf } from './stem'
import { tokensOf } from './tokens'

/** Indexed fields of a message. */
export const fields = ['subject', 'sender', 'recipients', 'files', 'body'] as const
export type Field = (typeof fields)[number]

/**
 * Weights of a word by field, relative to the body: a first guess, which does well on collections whose
 * documents have a title and an author.
 */
const weights: Readonly<Record<Field, number>> = { subject: 3, sender: 2, recipients: 1, files: 2, body: 1 }

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
}

/** Weight and positions of a term in a message. */
export interface TermCount {
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
  const domains = labels.map((_, i) => labels.slice(i).join('.')).slice(0, Math.max(1, labels.length - 1))
  return [address, ...domains.slice(0, maxDomains).map((domain) => `@${domain}`)].map((one) =>
    addressTerm(field, one),
  )
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

  *addField(field: Field, tokens: readonly string[], isStemmed: boolean): Generator<undefined, void> {
    this.position += gap
    this.length += tokens.length
    for (const [place, token] of tokens.entries()) {
      if (place % tokensInStep === 0) yield
      const word = isStemmed ? stemOf(token) : token
      this.position++
      if (word !== token) this.add(surfaceTerm(token), weights[field])
      this.add(word, weights[field], this.position)
      if (field === 'body') continue
      this.add(termIn(field, word), 1, this.position)
      if (word !== token) this.add(termIn(field, token), 1, this.position)
    }
  }
}

/** Returns the terms of all fields of a message; a long one is processed in steps. */
export function* documentTerms(texts: IndexedTexts): Generator<undefined, DocumentTerms> {
  const collector = new Collector()
  const tokens = fields.map((field) => tokensOf(texts[field]))
  const isStemmed = !isForeign([...tokens[0]!, ...tokens[4]!])
  for (const [i, field] of fields.entries()) yield* collector.addField(field, tokens[i]!, isStemmed)
  for (const address of texts.senders)
    for (const term of termsOfAddress('sender', address)) collector.add(term, 1)
  for (const address of texts.addressees.slice(0, maxAddresses))
    for (const term of termsOfAddress('recipients', address)) collector.add(term, 1)
  if (texts.hasAttachment) collector.add(attachmentTerm, 1)
  collector.add(directionTerm(texts.direction), 1)
  return collector
}
