import { normalized } from '../../../mail/text/normalized'

/** Pieces of words, each with the logarithm of its probability. */
export interface Vocabulary {
  readonly pieces: readonly string[]
  readonly logProbabilities: Float32Array
  /** Pieces before this one are marks. */
  readonly firstPiece: number
}

/** Id of text that no piece covers. */
const unknownPiece = 0
/** Stands for the space before a word. */
const wordStart = '▁'
const maxKnownWords = 2_000
/** Characters of a word that count: longer ones are no words. */
const maxWordCharacters = 200

/** Divides text into pieces of words, as SentencePiece's unigram model does (Kudo, 2018). */
export class WordPieces {
  readonly #pieces = new Map<string, { id: number; logProbability: number }>()
  readonly #known = new Map<string, readonly number[]>()
  readonly #maxLength: number

  constructor({ pieces, logProbabilities, firstPiece }: Vocabulary) {
    for (let id = firstPiece; id < pieces.length; id++)
      this.#pieces.set(pieces[id]!, { id, logProbability: logProbabilities[id]! })
    this.#maxLength = pieces.reduce((max, { length }) => Math.max(max, length), 0)
  }

  /** Returns the ids of a text's pieces, at most `limit`; at least one. */
  idsOf(text: string, limit: number): number[] {
    const ids: number[] = []
    for (const word of normalized(text, 'NFKC').split(/\s+/)) {
      if (word === '') continue
      for (const id of this.#idsOfWord(word.slice(0, maxWordCharacters)))
        if (id !== unknownPiece || ids.at(-1) !== unknownPiece) ids.push(id)
      if (ids.length >= limit) break
    }
    return ids.length === 0 ? [unknownPiece] : ids.slice(0, limit)
  }

  #idsOfWord(word: string): readonly number[] {
    const known = this.#known.get(word)
    if (known) return known
    const ids = this.#mostProbable(`${wordStart}${word}`)
    if (this.#known.size === maxKnownWords) this.#known.clear()
    this.#known.set(word, ids)
    return ids
  }

  /** Finds the most probable division of a word (Viterbi). */
  #mostProbable(word: string): number[] {
    const best: { score: number; from: number; id: number }[] = [{ score: 0, from: 0, id: unknownPiece }]
    for (let from = 0; from < word.length; from++) {
      const { score } = best[from] ?? { score: Number.NEGATIVE_INFINITY }
      if (score === Number.NEGATIVE_INFINITY) continue
      let isCovered = false
      for (let to = from + 1; to <= Math.min(word.length, from + this.#maxLength); to++) {
        const piece = this.#pieces.get(word.slice(from, to))
        if (!piece) continue
        isCovered = true
        const total = score + piece.logProbability
        if (total >= (best[to]?.score ?? Number.NEGATIVE_INFINITY))
          best[to] = { score: total, from, id: piece.id }
      }
      if (!isCovered) best[from + 1] ??= { score, from, id: unknownPiece }
    }
    const ids: number[] = []
    for (let to = word.length; to > 0; to = best[to]!.from) ids.push(best[to]!.id)
    return ids.reverse()
  }
}
