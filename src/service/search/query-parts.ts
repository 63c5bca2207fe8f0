import { isHalfPair } from './terms'

/** Something that a message has or is. */
export type Leaf =
  | {
      readonly kind: 'words'
      /** The place where they stand; anywhere without. */
      readonly field: 'subject' | 'sender' | 'recipients' | 'files' | null
      /** As they were written, but folded; they stand one after the other. */
      readonly words: readonly string[]
      /** The last word may go on. */
      readonly isPrefix: boolean
    }
  | { readonly kind: 'address'; readonly field: 'sender' | 'recipients'; readonly address: string }
  | { readonly kind: 'direction'; readonly direction: 'inbound' | 'outbound' }
  | { readonly kind: 'attachment' }
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'since' | 'until'; readonly time: string }
  | { readonly kind: 'message-id'; readonly id: string }

/** A condition that the index of words can tell. */
export type IndexLeaf = Extract<Leaf, { kind: 'words' | 'address' | 'direction' | 'attachment' }>

export const isIndexed = (leaf: Leaf): leaf is IndexLeaf =>
  leaf.kind === 'words' || leaf.kind === 'address' || leaf.kind === 'direction' || leaf.kind === 'attachment'

export type WordsLeaf = Extract<Leaf, { kind: 'words' }>

/** A condition: one of the alternatives, each of which may be denied. */
export type Clause = readonly { readonly leaf: Leaf; readonly isDenied: boolean }[]

/** Shorter beginnings are those of too many words. */
export const minPrefix = 2

/** Words that stand one after the other. */
export const wordsLeaf = (
  words: readonly string[],
  isPrefix: boolean,
  field: WordsLeaf['field'] = null,
): WordsLeaf => {
  const last = words.at(-1)!
  const goesOn = isHalfPair(last) || (isPrefix && Array.from(last).length >= minPrefix)
  return { kind: 'words', field, words, isPrefix: goesOn }
}
