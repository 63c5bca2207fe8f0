import type { SearchWarning } from '../../protocol/routes/params'
import type { OpenMail, ScoredWord } from './keyword'
import type { Lookup } from './lookup'
import type { Query } from './query'
import type { WordsLeaf } from './query-parts'
import { correctionOf } from './spelling'
import { isCommon, isCommonEnglish, isForeign } from './terms/language'
import { relatedStems } from './terms/related-stems'
import { stemOf } from './terms/stem'
import { soughtTokens } from './terms/tokens'

/** Worth of a related stem of weight 1, as a share of the worth of the word itself. */
const relatedShare = 0.7
const correctionShare = 0.9
/** Maximum number of related stems of a query: of many words each has fewer. */
const maxRelated = 64
const maxRelatedOfWord = 12
const maxCorrections = 3
/** Number of words up to which unknown ones are named: longer queries are often pasted text. */
const maxWordsWarned = 12

const stemLeaf = (stem: string): WordsLeaf => ({
  kind: 'words',
  field: null,
  words: [stem],
  isPrefix: false,
  isStem: true,
})

/** Adds the related stems to the words of a query; text in other languages has none. */
export function withRelated(words: readonly ScoredWord[], { text, columns }: Query): ScoredWord[] {
  if (isForeign(soughtTokens(text))) return [...words]
  const canExpand = ({ leaf }: ScoredWord) => leaf.words.length === 1 && columns.has(leaf.words[0]!)
  const expandable = words.filter(canExpand)
  const each = Math.min(maxRelatedOfWord, Math.ceil(maxRelated / Math.max(1, expandable.length)))
  const own = new Set(words.flatMap(({ leaf }) => leaf.words.map(stemOf)))
  return words.map((word) => {
    const [token] = word.leaf.words
    if (!canExpand(word) || isCommonEnglish(token!)) return word
    const others = relatedStems(stemOf(token!))
      .filter(({ stem }) => !own.has(stem))
      .slice(0, each)
      .map(({ stem, weight }) => ({ leaf: stemLeaf(stem), share: relatedShare * weight }))
    return { ...word, others }
  })
}

/**
 * Adds what misspelt words probably mean: words that no message in scope has, nor any related stem. The
 * warnings name them, except common words of a language, which say nothing about a subject.
 */
export async function withCorrections(
  words: readonly ScoredWord[],
  lookup: Lookup,
  mail: OpenMail,
  { columns }: Query,
  warnings: SearchWarning[],
): Promise<ScoredWord[]> {
  const isFound = (leaf: WordsLeaf) => lookup.isInScope(mail.segments, leaf)
  const corrected: ScoredWord[] = []
  let attempts = 0
  for (const word of words) {
    const [token] = word.leaf.words
    const column = columns.get(token!)
    const isAsked = word.leaf.words.length === 1 && column !== undefined && !isCommon(token!)
    if (!isAsked || isFound(word.leaf)) {
      corrected.push(word)
      continue
    }
    const others = word.others ?? []
    const isRelated = others.some(({ leaf }) => isFound(leaf))
    const isTried = !isRelated && attempts < maxCorrections
    if (isTried) attempts++
    const correction = isTried ? await correctionOf(lookup, mail, token!) : null
    if (correction || words.length <= maxWordsWarned)
      warnings.push({ column, message: `No message has “${token}”${endOf(isRelated, correction?.word)}` })
    const added = correction ? [{ leaf: stemLeaf(correction.stem), share: correctionShare }] : []
    corrected.push({ ...word, others: [...others, ...added] })
  }
  return corrected
}

const endOf = (isRelated: boolean, corrected: string | undefined) =>
  corrected ? `: “${corrected}” counts instead.` : isRelated ? ': related words count instead.' : '.'
