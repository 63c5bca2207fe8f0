// npx jiti evals/hiding.ts [write]   what Chromium shows a person, and our reading a model, of some three thousand pages.
// With `write`, the verdicts are kept for the suite, which has no browser: test/mail/html/fixtures/seen-in-chromium.tsv
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readHtml } from '../src/mail/html/html-to-text'
import { mayHide } from '../src/mail/html/may-hide'
import { allCases } from './hiding/cases'
import { openSight } from './hiding/eye'

const hiddenWord = 'word'
const table = fileURLToPath(new URL('../test/mail/html/fixtures/seen-in-chromium.tsv', import.meta.url))

const pages = allCases()
await using sight = await openSight()
const seen = await sight.see(pages)

/**
 * `seen` and `hidden` by both; `told` only to the model, which is a bug; `withheld` from it, though a person sees it. What is told
 * with the mark that it may be hidden is `doubted` where a person sees it, and `marked` where nobody does.
 */
function verdictOf(html: string, isSeen: boolean): string {
  const page = html.replaceAll('HIDE', hiddenWord)
  const { text, hidden, isDoubted } = readHtml(page)
  const isTold = text.includes(hiddenWord)
  if (!isTold && !mayHide(page) && hidden.length > 0) return 'passed unread'
  if (isTold && isDoubted) return isSeen ? 'doubted' : 'marked'
  return isTold ? (isSeen ? 'seen' : 'told') : isSeen ? 'withheld' : 'hidden'
}

const verdicts = pages.map((html, at) => [verdictOf(html, seen[at]!), html] as const)
const counts = new Map<string, number>()
for (const [verdict] of verdicts) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
for (const [verdict, html] of verdicts)
  if (verdict !== 'seen' && verdict !== 'hidden') console.log(`${verdict}\t${html}`)
console.log(
  `${pages.length} pages: ${[...counts].map(([verdict, count]) => `${verdict} ${count}`).join(', ')}`,
)
if (process.argv[2] === 'write')
  writeFileSync(table, verdicts.map(([verdict, html]) => `${verdict}\t${html}\n`).join(''))
