import { isHalfPair } from './terms/tokens'

/** A property of a message. */
export type Leaf =
  | {
      readonly kind: 'words'
      /** Field of the words; null for any. */
      readonly field: 'subject' | 'sender' | 'recipients' | 'files' | null
      /** Folded words of a phrase. */
      readonly words: readonly string[]
      /** True if the last word is a prefix. */
      readonly isPrefix: boolean
      /** True if its word is a stem, such as of a related word, which matches no other stem. */
      readonly isStem?: true
    }
  | { readonly kind: 'address'; readonly field: 'sender' | 'recipients'; readonly address: string }
  | { readonly kind: 'direction'; readonly direction: 'inbound' | 'outbound' }
  | { readonly kind: 'attachment' }
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'since' | 'until'; readonly time: string }
  | { readonly kind: 'message-id'; readonly id: string }

/** A condition that the word index can decide. */
export type IndexLeaf = Extract<Leaf, { kind: 'words' | 'address' | 'direction' | 'attachment' }>

export const isIndexed = (leaf: Leaf): leaf is IndexLeaf =>
  leaf.kind === 'words' || leaf.kind === 'address' || leaf.kind === 'direction' || leaf.kind === 'attachment'

export type WordsLeaf = Extract<Leaf, { kind: 'words' }>

/** A condition with alternatives, each of which may be negated. */
export type Clause = readonly { readonly leaf: Leaf; readonly isDenied: boolean }[]

/** Minimum length of a prefix: shorter ones match too many words. */
export const minPrefix = 2

/** Returns the condition for a phrase. */
export const wordsLeaf = (
  words: readonly string[],
  isPrefix: boolean,
  field: WordsLeaf['field'] = null,
): WordsLeaf => {
  const last = words.at(-1)!
  const goesOn = isHalfPair(last) || (isPrefix && Array.from(last).length >= minPrefix)
  return { kind: 'words', field, words, isPrefix: goesOn }
}
