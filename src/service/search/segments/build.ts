import type { DocumentTerms } from '../terms/document-terms'
import { type Block, BlockWriter } from './block'
import type { Steps } from './pauses'
import { EntryWriter } from './postings'

const termsInStep = 100

/** Builds the blocks of documents, numbered in the given order. */
export function* buildBlocks(documents: readonly DocumentTerms[]): Steps<Block[]> {
  const byTerm = new Map<string, number[]>()
  for (const [number, { terms }] of documents.entries()) {
    for (const term of terms.keys()) {
      const known = byTerm.get(term)
      if (known) known.push(number)
      else byTerm.set(term, [number])
    }
    yield
  }
  const writer = new BlockWriter()
  const entry = new EntryWriter()
  for (const [place, term] of [...byTerm.keys()].sort().entries()) {
    if (place % termsInStep === 0) yield
    for (const number of byTerm.get(term)!) {
      const { weight, positions } = documents[number]!.terms.get(term)!
      entry.add(number, weight, positions)
    }
    writer.add(entry.take(term))
  }
  return writer.takeAll()
}
