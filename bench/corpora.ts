// What the mail modules make of mail that other people's programs wrote: `npm run corpora` writes bench/corpora.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { htmlToText } from '../src/mail/html-to-text'
import { type ParsedMail, parseMail } from '../src/mail/parse'
import { extractReplyText } from '../src/mail/reply-text'
import { corpusFiles, corpusText, hasCorpora } from '../test/mail/corpora'

type Row = [what: string, of: number, reached: number, note?: string]
interface Entry {
  // biome-ignore lint/suspicious/noExplicitAny: another parser's output
  [key: string]: any
}

const outcome = async (raw: Uint8Array) => parseMail(raw).catch(() => null)

async function parsing(): Promise<Row[]> {
  const rows: Row[] = []
  for (const folder of ['mime/rfc', 'mime/legacy', 'mime/malformed', 'mime/mime4j']) {
    const mails = await Promise.all(corpusFiles(folder).map(({ raw }) => outcome(raw)))
    const whole = mails.filter((mail) => mail && mail.flaws.length === 0).length
    rows.push([`${folder}: read without loss`, mails.length, whole])
  }
  return rows
}

const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim()
const listOf = (value: Entry | undefined): string[] => {
  const groups: Entry[] = value?.Address?.Group ?? [{ addresses: value?.Address?.List ?? [] }]
  return groups.flatMap((group) =>
    group.addresses.map((one: Entry) => String(one.address ?? '').toLowerCase()),
  )
}

/** Whether what we read is what the other parser read, field by field, where it has the field. */
function agreement(expected: Entry, mail: ParsedMail): boolean[] {
  const headers: Entry[] = expected.parts[0]?.headers ?? []
  const value = (name: string) =>
    headers.findLast((header) => header.name === name)?.value as Entry | undefined
  const addresses = (list: { address: string }[]) => list.map((one) => one.address.toLowerCase()).join()
  const found: boolean[] = []
  const from = listOf(value('from')).filter((one) => one.includes('@'))
  if (from.length > 0) found.push(from[0] === mail.from?.address.toLowerCase())
  for (const name of ['to', 'cc'] as const) {
    const list = listOf(value(name)).filter((one) => one.includes('@'))
    if (list.length > 0) found.push(list.join() === addresses(mail[name]))
  }
  const subject = value('subject')?.Text
  // Where the other parser lost characters, there is nothing to agree with.
  if (subject && !subject.includes('\ufffd')) found.push(squeezed(subject) === squeezed(mail.subject))
  const id = value('message_id')?.Text
  if (id) found.push(mail.messageId === `<${id}>`)
  const [first, ...more] = expected.text_body as number[]
  const text = first === undefined ? undefined : expected.parts[first]?.body?.Text
  if (text !== undefined && more.length === 0) found.push(squeezed(text) === squeezed(mail.text))
  return found
}

async function agreements(): Promise<Row[]> {
  const rows: Row[] = []
  for (const folder of ['mime/rfc', 'mime/legacy', 'mime/malformed']) {
    const found: boolean[] = []
    for (const { name, raw } of corpusFiles(folder, '.eml')) {
      const expected = corpusText(`${folder}/${name.replace(/\.eml$/, '.json')}`)
      if (expected) found.push(...agreement(JSON.parse(expected), await parseMail(raw)))
    }
    rows.push([`${folder}: fields as expected`, found.length, found.filter(Boolean).length])
  }
  return rows
}

/** The harmonic mean of precision and recall of characters, by their longest common subsequence. */
function similarity(one: string, other: string): number {
  if (one === other) return 1
  let line = new Array<number>(other.length + 1).fill(0)
  for (const letter of one) {
    const next = [0]
    for (let i = 0; i < other.length; i++)
      next.push(letter === other[i] ? line[i]! + 1 : Math.max(line[i + 1]!, next[i]!))
    line = next
  }
  return (2 * line[other.length]!) / Math.max(1, one.length + other.length)
}

async function replies(): Promise<Row[]> {
  const rows: Row[] = []
  const add = (name: string, wanted: string, got: string) =>
    rows.push([`reply: ${name}`, 1, wanted === got ? 1 : 0, `F1 ${similarity(wanted, got).toFixed(2)}`])
  const folder = 'reply-text/talon/standard_replies'
  for (const { name, raw } of corpusFiles(folder, '.eml')) {
    const wanted = corpusText(`${folder}/${name.replace(/\.eml$/, '')}_reply_text`) ?? 'Hello'
    add(name, wanted.trim(), (await parseMail(raw)).replyText.trim())
  }
  for (const { name, raw } of corpusFiles('reply-text/talon/html_replies', '.html')) {
    const got = extractReplyText(htmlToText(new TextDecoder().decode(raw)))
    add(name, 'Hi. I am fine.', squeezed(got).replace(/ ?Thanks, ?Alex$/, ''))
  }
  return rows
}

async function reports(): Promise<Row[]> {
  const expected = JSON.parse(corpusText('bounces/flufl/expected.json') ?? '{}') as Entry
  const known = corpusFiles('bounces/flufl', '.txt').filter(({ name }) => expected[name])
  const flufl = await Promise.all(
    known.map(async ({ name, raw }) => ({
      wanted: expected[name] as Entry,
      bounce: (await parseMail(raw)).bounce,
    })),
  )
  const sorted = (list: string[]) =>
    list
      .map((one) => one.toLowerCase())
      .sort()
      .join()
  const sisimai = await Promise.all(
    corpusFiles('bounces/sisimai', '.eml').map(async ({ name, raw }) => ({
      name,
      mail: await parseMail(raw),
    })),
  )
  const bounces = sisimai.filter(({ name }) => !/^(arf|rfc3834)/.test(name)).map(({ mail }) => mail.bounce)
  const ofKind = (prefix: string) => sisimai.filter(({ name }) => name.startsWith(prefix))
  const people = await Promise.all(
    corpusFiles('reply-text/talon/standard_replies', '.eml').map(({ raw }) => parseMail(raw)),
  )
  const count = <T>(list: T[], is: (one: T) => unknown) => list.filter(is).length
  return [
    ['bounces/flufl: recognised', flufl.length, count(flufl, ({ bounce }) => bounce)],
    [
      'bounces/flufl: all recipients, and no other',
      flufl.length,
      count(
        flufl,
        ({ wanted, bounce }) =>
          sorted((bounce?.recipients ?? []).map((one) => one.address)) === sorted(wanted.recipients),
      ),
    ],
    [
      'bounces/flufl: failed or delayed, rightly',
      flufl.length,
      count(
        flufl,
        ({ wanted, bounce }) =>
          bounce && wanted.temporary === bounce.recipients.some((one) => one.action === 'delayed'),
      ),
    ],
    ['bounces/sisimai: recognised', bounces.length, count(bounces, (bounce) => bounce)],
    [
      'bounces/sisimai: with a failed recipient',
      bounces.length,
      count(bounces, (bounce) => bounce?.recipients.some((one) => one.action !== 'delivered')),
    ],
    ['bounces/sisimai: complaints', ofKind('arf').length, count(ofKind('arf'), ({ mail }) => mail.complaint)],
    [
      'bounces/sisimai: auto-replies',
      ofKind('rfc3834').length,
      count(ofKind('rfc3834'), ({ mail }) => mail.autoReason === 'auto-reply'),
    ],
    ['people taken for people', people.length, count(people, (mail) => mail.autoSubmitted === 'no')],
  ]
}

function tableOf(rows: Row[]): string {
  const lines = rows.map(([what, of, reached, note = '']) => {
    const share = of === 0 ? '' : `${((100 * reached) / of).toFixed(1)} %`
    return `| ${what} | ${reached} of ${of} | ${share} | ${note} |`
  })
  return ['| | | | |', '|---|---|---|---|', ...lines].join('\n')
}

if (!hasCorpora) process.exit(0)
const rows = [...(await parsing()), ...(await agreements()), ...(await replies()), ...(await reports())]
const text = `# What is made of other people's mail\n\nWritten by \`npm run corpora\`; do not edit.\n\n${tableOf(rows)}\n`
const file = fileURLToPath(new URL('./corpora.md', import.meta.url))
if (!process.argv.includes('--dry-run')) writeFileSync(file, text)
console.log(readFileSync(file, 'utf8') === text ? text : `${text}\n(not written)`)
