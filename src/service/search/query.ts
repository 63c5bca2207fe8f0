import type { IncludeAway } from '../../protocol/records/label-names'
import type { SearchWarning } from '../../protocol/routes/params'
import { addressLeaf, isOperator, readOperator } from './operators'
import { type Clause, type Leaf, minPrefix, type WordsLeaf, wordsLeaf } from './query-parts'
import { isHalfPair, soughtTokens } from './terms/tokens'

export interface Query {
  /** Optional words: a message scores higher the more of them it has. */
  readonly ranked: readonly WordsLeaf[]
  /** Conditions that a message must all meet. */
  readonly demanded: readonly Clause[]
  /** Columns of the words that may be expanded: bare ones, each a piece by itself. */
  readonly columns: ReadonlyMap<string, number>
  /** The words, for the embedder. */
  readonly text: string
  /** Whether spam or trash is included. */
  readonly include: IncludeAway | undefined
  readonly warnings: readonly SearchWarning[]
}

interface Piece {
  readonly column: number
  readonly sign: '' | '+' | '-'
  readonly operator: string | null
  /** Its words, without quotes. */
  readonly value: string
  readonly isQuoted: boolean
  /** True for quotes inside other text, such as code: they require nothing. */
  readonly isWithin: boolean
  readonly hasStar: boolean
  /** Original text. */
  readonly text: string
}

const quotes = '"“”„«»'
const piecePattern = new RegExp(
  `([+-]?)(?:([a-z][a-z_\\d]{1,19}):)?(?:[${quotes}]([^${quotes}]*)[${quotes}](\\*?)|([^\\s${quotes}]*))`,
  'iuy',
)
/** Characters between pieces, including unclosed quotes. */
const space = new RegExp(`(?:\\s|[${quotes}](?![^${quotes}]*[${quotes}]))*`, 'uy')
/** Characters that may surround quotes of a phrase. */
const opens = /(?:^|[\s([])$/u
const closes = /^(?:$|[\s)\].,;!?])/u

/** Splits a text at spaces, except those in quotes. */
function* piecesOf(text: string): Generator<Piece> {
  let column = 1
  let counted = 0
  for (let at = 0; ; ) {
    space.lastIndex = at
    space.exec(text)
    at = space.lastIndex
    if (at >= text.length) return
    piecePattern.lastIndex = at
    const found = piecePattern.exec(text)
    const end = Math.max(piecePattern.lastIndex, at + 1)
    const [, sign = '', operator, quoted, star, plain = ''] = found ?? []
    const isFree = opens.test(text.slice(Math.max(0, at - 1), at)) && closes.test(text.slice(end, end + 1))
    for (const _ of text.slice(counted, at)) column++
    counted = at
    yield {
      column,
      sign: sign as Piece['sign'],
      operator: operator?.toLowerCase() ?? null,
      value: quoted ?? plain,
      isQuoted: quoted !== undefined,
      isWithin: quoted !== undefined && !isFree,
      hasStar: quoted === undefined ? plain.endsWith('*') : star === '*',
      text: text.slice(at, end),
    }
    at = end
  }
}

/** Maximum number of required conditions. */
const maxDemanded = 64
/** Number of words from which quotes count as part of pasted text or a quotation. */
const maxWordsBesidePhrases = 12

const isWord = ({ operator, sign, isQuoted }: Piece) => operator === null && sign === '' && !isQuoted

/** A piece that `-` negates: a word of letters, or an address, unlike options, numbers and paths. */
const aDenial = /^(?:\p{L}[\p{L}\p{M}'’.]+|[^\s@/]+@[^\s@/]+|\P{ASCII})\*?[.,;!?)]*$/u
/** A piece that `+` requires: it has a letter and does not start like a number or a line of a patch. */
const aDemand = /^(?:(?![\d+-])(?=.*\p{L}).{2,}|\P{ASCII})$/su

/** Checks whether a sign is part of the text, as in options, numbers and telephone numbers. */
function isPlainSign({ sign, operator, isQuoted, value }: Piece, isProse: boolean): boolean {
  if (sign === '') return false
  if (operator !== null) return !isOperator(operator)
  if (isQuoted) return false
  return sign === '-' ? isProse || !aDenial.test(value) : !aDemand.test(value)
}

class QueryReader {
  readonly ranked: WordsLeaf[] = []
  readonly demanded: Clause[] = []
  readonly columns = new Map<string, number>()
  readonly texts: string[] = []
  readonly warnings: SearchWarning[] = []
  include: IncludeAway | undefined
  #isProse = false
  readonly #nowMs: number

  constructor(nowMs: number) {
    this.#nowMs = nowMs
  }

  read(text: string): void {
    const found = [...piecesOf(text)]
    this.#isProse = found.filter(isWord).length > maxWordsBesidePhrases
    const pieces = (this.#isProse ? found : joined(found)).map((piece) => this.#withoutPlainSign(piece))
    for (let at = 0; at < pieces.length; ) {
      const group = [pieces[at]!]
      while (isOr(pieces[at + 1]) && pieces[at + 2] && !this.#isPlainOr(pieces, at)) {
        group.push(pieces[at + 2]!)
        at += 2
      }
      at++
      if (group.length === 1) this.#readOne(group[0]!)
      else this.#readGroup(group)
    }
  }

  /** Drops a sign that is part of the text, with a warning if a word follows it. */
  #withoutPlainSign(piece: Piece): Piece {
    if (!isPlainSign(piece, this.#isProse)) return piece
    const { sign, text, column } = piece
    const words = text.slice(sign.length).replace(/^[+-]+/, '')
    const meaning = sign === '-' ? 'must not be there' : 'must be there'
    if (piece.operator === null && soughtTokens(words).length > 0)
      this.warnings.push({
        column,
        message: `${text} counts as words: write ${sign}"${words}" where that ${meaning}.`,
      })
    return { ...piece, sign: '' }
  }

  /** In long text, an OR between two words is a word: alternatives need quotes or operators. */
  #isPlainOr(pieces: readonly Piece[], at: number): boolean {
    return this.#isProse && isWord(pieces[at]!) && isWord(pieces[at + 2]!)
  }

  #readGroup(group: readonly Piece[]): void {
    const clause = group.flatMap((piece) => {
      const leaf = this.#operatorOf(piece) ?? this.#leafOf(piece)
      if (!leaf) return []
      const isDenied = piece.sign === '-'
      if (leaf.kind === 'words' && !isDenied && piece.operator === null) this.texts.push(piece.value)
      return [{ leaf, isDenied }]
    })
    this.#demand(clause, group[0]!)
  }

  #readOne(piece: Piece): void {
    const asked = this.#operatorOf(piece)
    const leaf = asked ?? this.#leafOf(piece)
    if (!leaf) return
    const isOfText = asked === null && piece.operator !== null
    const isDenied = piece.sign === '-' && !isOfText
    const isCounted = !piece.isQuoted || piece.isWithin || this.#isProse
    const isBare = asked === null && (isOfText || (piece.sign === '' && isCounted))
    if (isBare && piece.isQuoted && piece.operator === null)
      this.warnings.push({
        column: piece.column,
        message: `${piece.text} counts, but is not required ${piece.isWithin ? 'within other text' : 'among so many words'}: write +${piece.text} where it must be there.`,
      })
    if (asked === null && !isDenied) this.texts.push(piece.operator ? piece.text : piece.value)
    if (!isBare || leaf.kind !== 'words') this.#demand([{ leaf, isDenied }], piece)
    else this.#rank(leaf, piece)
  }

  #demand(clause: Clause, { column }: Piece): void {
    if (clause.length === 0) return
    if (this.demanded.length < maxDemanded) this.demanded.push(clause)
    else if (
      this.demanded.length === maxDemanded &&
      !this.warnings.some((one) => one.message.startsWith('More than'))
    )
      this.warnings.push({
        column,
        message: `More than ${maxDemanded} conditions: those from here on do not count.`,
      })
  }

  /**
   * Ranks each word by itself, and the words of one piece, such as an address or a number with dots, also as
   * a phrase.
   */
  #rank(leaf: WordsLeaf, { column, operator, isQuoted }: Piece): void {
    const { words, isPrefix } = leaf
    const isBare = words.length === 1 && !isPrefix && !isQuoted && operator === null
    if (isBare && !this.columns.has(words[0]!)) this.columns.set(words[0]!, column)
    for (const word of words.slice(0, -1)) this.ranked.push(wordsLeaf([word], false))
    this.ranked.push({ ...leaf, words: [words.at(-1)!], isPrefix })
    if (words.length > 1) this.ranked.push(leaf)
  }

  #leafOf(piece: Piece): WordsLeaf | null {
    const words = soughtTokens(piece.operator ? piece.text : piece.value)
    if (words.length === 0) return null
    if (piece.hasStar && Array.from(words.at(-1)!).length < minPrefix && !isHalfPair(words.at(-1)!))
      this.warnings.push({
        column: piece.column,
        message: `${piece.text} is the beginning of too many words: it counts as a word by itself.`,
      })
    return wordsLeaf(words, piece.hasStar)
  }

  /** Reads an operator; null if there is none, or it is invalid. */
  #operatorOf(piece: Piece): Leaf | null {
    const { operator, value, column } = piece
    if (operator === null || (value === '' && !isOperator(operator)) || value.startsWith('//')) return null
    const read = readOperator(operator, value, this.#nowMs, piece.hasStar)
    if (typeof read !== 'string') {
      if (piece.sign !== '-') this.include ??= read.include
      return read.leaf
    }
    this.warnings.push({ column, message: `${piece.text} counts as words: ${read}` })
    return null
  }
}

const isOr = (piece: Piece | undefined) => piece?.text === 'OR'

/** Joins an operator with its value after a space. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = []
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at]!
    const next = pieces[at + 1]
    const isOpen =
      piece.operator !== null && isOperator(piece.operator) && piece.value === '' && !piece.isQuoted
    if (isOpen && next && next.operator === null && next.sign === '' && !isOr(next)) {
      all.push({
        ...next,
        column: piece.column,
        sign: piece.sign,
        operator: piece.operator,
        text: `${piece.text} ${next.text}`,
      })
      at++
    } else all.push(piece)
  }
  return all
}

/**
 * Reads a query. Nothing is an error: an invalid operator counts as words, with a warning.
 *
 * @param nowMs Current time, from which `newer_than` counts.
 */
export function readQuery(text: string, nowMs: number): Query {
  const reader = new QueryReader(nowMs)
  reader.read(text)
  const { ranked, demanded, columns, include, warnings } = reader
  const inOrder = warnings.toSorted((one, other) => one.column - other.column)
  return { ranked, demanded, columns, include, warnings: inOrder, text: reader.texts.join(' ') }
}

/** Reads the query for one field, where all of it must match. */
export function readPart(field: 'subject' | 'sender' | 'recipients', text: string): Clause[] | null {
  const leaf = field === 'subject' ? null : addressLeaf(field, text)
  if (leaf) return [[{ leaf, isDenied: false }]]
  const clauses: Clause[] = []
  for (const piece of piecesOf(text)) {
    const words = soughtTokens(piece.isQuoted ? piece.value : piece.text)
    if (words.length > 0) clauses.push([{ leaf: wordsLeaf(words, piece.hasStar, field), isDenied: false }])
  }
  return clauses.length === 0 ? null : clauses.slice(0, maxDemanded)
}
