import type { SearchWarning } from '../../protocol/routes'
import { addressLeaf, isOperator, readOperator } from './operators'
import { type Clause, type Leaf, minPrefix, type WordsLeaf, wordsLeaf } from './query-parts'
import { isHalfPair, soughtTokens } from './terms'

export interface Query {
  /** What makes a message the better the more of it there is, and of which none is demanded. */
  readonly ranked: readonly WordsLeaf[]
  /** What a message must have, all of it. */
  readonly demanded: readonly Clause[]
  /** The words, for who looks at their meaning. */
  readonly text: string
  /** True where mail that is marked as spam was asked for. */
  readonly includesSpam: boolean
  readonly warnings: readonly SearchWarning[]
}

interface Piece {
  readonly column: number
  readonly sign: '' | '+' | '-'
  readonly operator: string | null
  /** What is looked for, without quotes. */
  readonly value: string
  readonly isQuoted: boolean
  readonly hasStar: boolean
  /** As it was written. */
  readonly text: string
}

const quotes = '"“”„«»'
const piecePattern = new RegExp(
  `([+-]?)(?:([a-z][a-z_\\d]{1,19}):)?(?:[${quotes}]([^${quotes}]*)[${quotes}]?(\\*?)|([^\\s${quotes}]*))`,
  'iuy',
)
const space = /\s*/uy

/** Takes a text apart at its spaces, but for those in quotes. */
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
    for (const _ of text.slice(counted, at)) column++
    counted = at
    yield {
      column,
      sign: sign as Piece['sign'],
      operator: operator?.toLowerCase() ?? null,
      value: quoted ?? plain,
      isQuoted: quoted !== undefined,
      hasStar: quoted === undefined ? plain.endsWith('*') : star === '*',
      text: text.slice(at, end),
    }
    at = end
  }
}

/** The most pieces that are read: a query has 2,000 characters. */
const maxDemanded = 64
/** Among more words than these, quotes are those of a text that was pasted, or quotes somebody. */
const maxWordsBesidePhrases = 12

const isWord = ({ operator, sign, isQuoted }: Piece) => operator === null && sign === '' && !isQuoted

class QueryReader {
  readonly ranked: WordsLeaf[] = []
  readonly demanded: Clause[] = []
  readonly texts: string[] = []
  readonly warnings: SearchWarning[] = []
  includesSpam = false
  #isProse = false
  readonly #nowMs: number

  constructor(nowMs: number) {
    this.#nowMs = nowMs
  }

  read(text: string): void {
    const pieces = joined([...piecesOf(text)])
    this.#isProse = pieces.filter(isWord).length > maxWordsBesidePhrases
    for (let at = 0; at < pieces.length; ) {
      const group = [pieces[at]!]
      while (isOr(pieces[at + 1]) && pieces[at + 2]) {
        group.push(pieces[at + 2]!)
        at += 2
      }
      at++
      if (group.length === 1) this.#readOne(group[0]!)
      else this.#readGroup(group)
    }
  }

  #readGroup(group: readonly Piece[]): void {
    const clause = group.flatMap((piece) => {
      const leaf = this.#operatorOf(piece) ?? this.#leafOf(piece)
      return leaf ? [{ leaf, isDenied: piece.sign === '-' }] : []
    })
    for (const [i, piece] of group.entries())
      if (clause[i]?.leaf.kind === 'words' && piece.sign !== '-' && piece.operator === null)
        this.texts.push(piece.value)
    this.#demand(clause, group[0]!)
  }

  #readOne(piece: Piece): void {
    const isDenied = piece.sign === '-'
    const asked = this.#operatorOf(piece)
    const leaf = asked ?? this.#leafOf(piece)
    if (!leaf) return
    const isBare = asked === null && piece.sign === '' && (!piece.isQuoted || this.#isProse)
    if (isBare && piece.isQuoted)
      this.warnings.push({
        column: piece.column,
        message: `${piece.text} counts, but is not demanded among so many words: write +${piece.text} where it must be there.`,
      })
    if (asked === null && !isDenied) this.texts.push(piece.operator ? piece.text : piece.value)
    if (!isBare || leaf.kind !== 'words') this.#demand([{ leaf, isDenied }], piece)
    else this.#rank(leaf)
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

  /** Each word counts by itself; those of one piece, such as an address or a number with dots, as a phrase too. */
  #rank(leaf: WordsLeaf): void {
    const { words, isPrefix } = leaf
    for (const word of words.slice(0, -1)) this.ranked.push(wordsLeaf([word], false))
    this.ranked.push({ ...leaf, words: [words.at(-1)!], isPrefix })
    if (words.length > 1) this.ranked.push(leaf)
  }

  #leafOf(piece: Piece): WordsLeaf | null {
    const words = soughtTokens(piece.operator && !piece.isQuoted ? piece.text : piece.value)
    if (words.length === 0) return null
    if (piece.hasStar && Array.from(words.at(-1)!).length < minPrefix && !isHalfPair(words.at(-1)!))
      this.warnings.push({
        column: piece.column,
        message: `${piece.text} is the beginning of too many words: it counts as a word by itself.`,
      })
    return wordsLeaf(words, piece.hasStar)
  }

  /** What an operator asks for; null where there is none, or nothing that it could mean. */
  #operatorOf(piece: Piece): Leaf | null {
    const { operator, value, column } = piece
    if (operator === null || (value === '' && !isOperator(operator)) || value.startsWith('//')) return null
    const read = readOperator(operator, value, this.#nowMs, piece.hasStar)
    if (typeof read !== 'string') {
      if (piece.sign !== '-' && read.includesSpam) this.includesSpam = true
      return read.leaf
    }
    this.warnings.push({ column, message: `${piece.text} counts as words: ${read}` })
    return null
  }
}

const isOr = (piece: Piece | undefined) => piece?.text === 'OR'

/** Joins an operator with what follows it behind a space. */
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
 * Reads what somebody looks for. Nothing is an error: what cannot be read as an operator is words, and is warned of.
 *
 * @param nowMs The present time, from which `newer_than` counts.
 */
export function readQuery(text: string, nowMs: number): Query {
  const reader = new QueryReader(nowMs)
  reader.read(text)
  const { ranked, demanded, includesSpam, warnings } = reader
  return { ranked, demanded, includesSpam, warnings, text: reader.texts.join(' ') }
}

/** Reads what is looked for in one place: all of it must stand there. */
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
