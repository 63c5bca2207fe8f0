// What the mail modules make of mail that other people's programs wrote: `npm run corpora` writes evals/corpora.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { messageFolders } from '../bench/corpora.mjs'
import { parseMail } from '../src/mail/parse'
import { corpusFiles, hasCorpora } from '../test/mail/corpora'
import { apartRows } from './corpora/apart'
import { bounceRows } from './corpora/bounces'
import { costsText, speedText } from './corpora/costs'
import { mime4jDifferences, mime4jRows } from './corpora/mime4j'
import { codeRows, oddRows } from './corpora/odd'
import { openPeers } from './corpora/peers'
import { forwardRows, repliesText } from './corpora/replies'
import { reportRows } from './corpora/reports'
import { count, type Row, type Section, tableOf } from './corpora/row'
import { differencesText, stalwartRows } from './corpora/stalwart'
import { threadRows } from './corpora/threads'

/** Flaws of the message that the parser mended: nothing of its content is lost. */
const guesses: ReadonlySet<string> = new Set([
  'boundary-guessed',
  'charset-guessed',
  'header-charset-guessed',
  'header-unended',
])

async function wholeRows(): Promise<Row[]> {
  const rows: Row[] = []
  for (const folder of messageFolders) {
    const mails = await Promise.all(corpusFiles(folder).map(({ raw }) => parseMail(raw).catch(() => null)))
    rows.push([
      `${folder}: read without loss`,
      mails.length,
      count(mails, (mail) => mail?.flaws.every((flaw) => guesses.has(flaw))),
    ])
  }
  return rows
}

async function repliesBesideOthers(): Promise<string> {
  const { peers, close } = openPeers()
  return repliesText(peers).finally(close)
}

async function sections(): Promise<Section[]> {
  const mime = tableOf([
    ...(await wholeRows()),
    ...(await stalwartRows()),
    ...mime4jRows(),
    ...(await oddRows()),
  ])
  return [
    {
      title: 'Parsing',
      text: `${mime}\n\nOtherwise on purpose:\n\n${differencesText()}\n${mime4jDifferences()}`,
    },
    {
      title: 'Bounces, complaints, auto-replies',
      text: tableOf([...(await reportRows()), ...(await bounceRows())]),
    },
    { title: 'Threads', text: tableOf(await threadRows()) },
    {
      title: 'Reply text',
      text: `${await repliesBesideOthers()}\n\n${tableOf(await forwardRows())}`,
    },
    { title: 'One-time codes', text: tableOf(await codeRows()) },
    { title: 'Written apart', text: tableOf(await apartRows()) },
    { title: 'Speed', text: await speedText() },
    { title: 'Time by size', text: `Of one core, to read a mail whole.\n\n${await costsText()}` },
  ]
}

if (!hasCorpora) process.exit(0)
const page = (await sections()).map(({ title, text }) => `## ${title}\n\n${text}\n`).join('\n')
const text = `# What is made of other people's mail\n\nWritten by \`npm run corpora\`; do not edit.\n\n${page}`
const file = fileURLToPath(new URL('./corpora.md', import.meta.url))
if (!process.argv.includes('--dry-run')) writeFileSync(file, text)
console.log(readFileSync(file, 'utf8') === text ? text : `${text}\n(not written)`)
