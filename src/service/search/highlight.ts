import type { Highlights, TextPiece } from '../../protocol/records/message'
import type { WordsLeaf } from './query-parts'
import { fold } from './terms/fold'
import { stemOf } from './terms/stem'
import { isHalfPair, tokensOf } from './terms/tokens'

/** Checks whether a token matches the query. */
export type IsSought = (token: string) => boolean

/** Returns the test whether a token of a text matches the query. */
export function soughtIn(leaves: readonly WordsLeaf[]): IsSought {
  const words = new Set<string>()
  const prefixes: string[] = []
  for (const { words: own, isPrefix } of leaves)
    for (const [i, word] of own.entries()) {
      words.add(word).add(stemOf(word))
      if (isPrefix && i === own.length - 1) prefixes.push(word)
    }
  return (token) =>
    words.has(token) || words.has(stemOf(token)) || prefixes.some((prefix) => token.startsWith(prefix))
}

const ofWord = '\\p{L}\\p{N}\\p{M}'
const ownWords = new RegExp(`[${ofWord}]+`, 'gu')
/** Words, and the text between them. */
const runs = new RegExp(`[${ofWord}]+|[^${ofWord}]+`, 'gu')

const isHit = (run: string, isSought: IsSought) => {
  const tokens = tokensOf(run)
  const pairs = tokens.filter((token) => !isHalfPair(token))
  return (pairs.length > 0 ? pairs : tokens).some(isSought)
}

/** Splits a text into pieces that match the query or not. */
function piecesOf(text: string, isSought: IsSought): TextPiece[] {
  const pieces: TextPiece[] = []
  for (const [run] of text.matchAll(runs)) {
    const hit = isHit(run, isSought)
    const last = pieces.at(-1)
    if (last?.hit === hit) last.text += run
    else pieces.push({ text: run, hit })
  }
  return pieces
}

const snippetCharacters = 240
/** Maximum characters that are searched for a snippet. */
const maxText = 65_536
const lead = 40

/** Returns start and end of the part of a text with most of the query's words. */
function placeIn(text: string, isSought: IsSought): [number, number] {
  const hits: { at: number; token: string }[] = []
  for (const found of text.matchAll(ownWords))
    if (isHit(found[0], isSought)) hits.push({ at: found.index, token: stemOf(fold(found[0])) })
  let best = { at: hits[0]?.at ?? 0, different: 0 }
  for (const [i, { at }] of hits.entries()) {
    const near = hits.slice(i, i + 30).filter((hit) => hit.at < at + snippetCharacters - lead)
    const different = new Set(near.map(({ token }) => token)).size
    if (different > best.different) best = { at, different }
  }
  const from = Math.max(0, best.at - lead)
  const begin = from === 0 ? 0 : text.indexOf(' ', from) + 1 || from
  return [Math.min(begin, best.at), begin + snippetCharacters]
}

/** Returns the part of a text that matches the query best, on one line. */
export function snippetOf(text: string, isSought: IsSought): TextPiece[] {
  const plain = text.slice(0, maxText).replace(/\s+/g, ' ').trim()
  const [from, to] = placeIn(plain, isSought)
  const shown = plain.slice(from, to).toWellFormed()
  return piecesOf(`${from > 0 ? '…' : ''}${shown}${to < plain.length ? '…' : ''}`, isSought)
}

/** Highlights the words of a query in a message. */
export const highlightsOf = (
  subject: string,
  text: string,
  files: Highlights['files'],
  isSought: IsSought,
): Highlights => ({
  subject: piecesOf(subject, isSought),
  snippet: snippetOf(text, isSought),
  files,
})
