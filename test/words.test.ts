import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  commentsOf,
  descriptionsOf,
  filesBelow,
  type Paragraph,
  paragraphsOf,
  sentencesOf,
  wordsIn,
} from './support/plain-words'

/** CONTRIBUTING.md has what to write instead. */
const banned =
  /\b(?:lulls?|take[sn]? in|taking in|took in|hand(?:s|ed|ing)? out|anew|whoever|(?:is|are|was|were) had|st(?:and|ands|anding|ood) still|put(?:s|ting)? away|the house)\b|(?<!failures |failed )\bin a row\b|\b(?:a|an|one|each|every|another|this|that) mail(?=[.,;:)]|$| (?:is|are|was|has|that|which|to|of|from|and|or|in|for|with|by|at|on|as)\b)/gi

const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...filesBelow('docs', /(?<!api)\.md$/),
]
const sources = [...filesBelow('src', /\.tsx?$/), ...filesBelow('adapters', /\.ts$/)]

const placed = ({ file, line }: Paragraph, text: string) => `${file}:${line}: ${text}`

describe.each([
  ['docs', pages.flatMap((file) => paragraphsOf(file, readFileSync(file, 'utf8')))],
  ['doc comments', sources.flatMap(commentsOf)],
  ['descriptions of the API', filesBelow('src/protocol', /\.ts$/).flatMap(descriptionsOf)],
])('the words of %s', (_what, paragraphs) => {
  it('stand in sentences of at most 28 words, 95 times of 100', () => {
    const sentences = paragraphs.flatMap((one) => sentencesOf(one).map((text) => placed(one, text)))
    const long = sentences.filter((text) => wordsIn(text) > 28)
    expect(sentences.length).toBeGreaterThan(500)
    expect(long.length / sentences.length, long.join('\n')).toBeLessThanOrEqual(0.05)
  })

  it('stand in paragraphs of at most 90 words', () => {
    expect(paragraphs.filter(({ text }) => wordsIn(text) > 90).map((one) => placed(one, one.text))).toEqual(
      [],
    )
  })

  it('are those of the field', () => {
    const found = paragraphs.flatMap((one) =>
      [...one.text.matchAll(banned)].map(([word]) => placed(one, word)),
    )
    expect(found).toEqual([])
  })
})
