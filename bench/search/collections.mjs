// The open collections of documents, questions and judgements, as the corpora have them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(
  process.env.RESTANTE_CORPORA ?? fileURLToPath(new URL('../../../shared/corpora/', import.meta.url)),
  'search',
)

/** Reads the records of a file in the format of SMART: `.I` begins one, `.T`, `.A`, `.W` its fields. */
function recordsOf(path) {
  const records = []
  let field
  for (const line of readFileSync(join(root, path), 'latin1').split(/\r?\n/)) {
    const begin = /^\.I\s+(\d+)/.exec(line)
    if (begin) records.push({ id: Number(begin[1]) })
    const name = /^\.([A-Z])\s*$/.exec(line)
    if (begin || name) field = name?.[1]
    else if (field && records.length > 0) {
      const record = records.at(-1)
      record[field] = `${record[field] ?? ''}${line}\n`
    }
  }
  return records
}

const documentsOf = (path) =>
  recordsOf(path).map(({ id, T = '', A = '', W = '' }) => ({
    id,
    title: T.replace(/\s+/g, ' ').trim(),
    author: A.replace(/\s+/g, ' ').trim(),
    text: W.trim(),
  }))

const questionsOf = (path) => recordsOf(path).map(({ id, T = '', W = '' }) => ({ id, text: `${T} ${W}` }))

/** The relevant documents of each question; `isRelevant` reads the rest of a line. */
function judgementsOf(path, isRelevant) {
  const judgements = new Map()
  for (const line of readFileSync(join(root, path), 'latin1').split('\n')) {
    const [question, document, ...rest] = line.trim().split(/\s+/).map(Number)
    if (!question || !isRelevant(rest)) continue
    if (!judgements.has(question)) judgements.set(question, new Set())
    judgements.get(question).add(document)
  }
  return judgements
}

/** Questions with an answer only, in words of one line. */
const collection = (name, documents, questions, judgements) => ({
  name,
  documents,
  questions: questions
    .filter(({ id }) => judgements.has(id))
    .map(({ id, text }) => ({ text: text.replace(/\s+/g, ' ').trim(), relevant: judgements.get(id) })),
})

/** The collections that are there. */
export const collections = () => [
  ...(existsSync(join(root, 'cranfield'))
    ? [
        collection(
          'Cranfield',
          documentsOf('cranfield/cran.all.1400'),
          // Judgements count the questions; their numbers in the file are others.
          questionsOf('cranfield/cran.qry').map(({ text }, i) => ({ id: i + 1, text })),
          judgementsOf('cranfield/cranqrel', ([grade]) => grade >= 1),
        ),
      ]
    : []),
  ...(existsSync(join(root, 'cisi'))
    ? [
        collection(
          'CISI',
          documentsOf('cisi/CISI.ALL'),
          questionsOf('cisi/CISI.QRY'),
          judgementsOf('cisi/CISI.REL', () => true),
        ),
      ]
    : []),
]
