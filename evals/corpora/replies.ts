import { htmlToText } from '../../src/mail/html/html-to-text'
import { parseMail } from '../../src/mail/parse'
import { extractReplyText, splitReply } from '../../src/mail/text/reply-text'
import { corpusFiles, corpusText } from '../../test/mail/corpora'
import { htmlReplies } from '../../test/mail/text/html-replies'
import { forwards, signedPages, type Written, written } from '../../test/mail/text/reply-classes'
import * as clients from '../../test/mail/text/reply-clients'
import {
  deviceLines,
  disclaimers,
  headerBlocks,
  introductions,
  persons,
} from '../../test/mail/text/reply-variants'
import { githubReplies } from './github-replies'
import type { Peer } from './peers'
import { count, type Row, squeezed } from './row'

/** A text and what the person wrote in it; `orSigned` counts as well, for programs that leave signatures. */
interface Case {
  name: string
  text: string
  wanted: string
  orSigned?: string
}

interface CaseSet {
  name: string
  cases: Case[]
}

const decoded = (raw: Uint8Array) => new TextDecoder().decode(raw)

async function talonMails(): Promise<Case[]> {
  const folder = 'reply-text/talon/standard_replies'
  return Promise.all(
    corpusFiles(folder, '.eml').map(async ({ name, raw }) => {
      const reported = corpusText(`${folder}/${name.replace(/\.eml$/, '')}_reply_text`)?.trim() ?? 'Hello'
      const { text } = await parseMail(raw)
      return { name, text, wanted: splitReply(reported).reply, orSigned: reported }
    }),
  )
}

const talonPages = (): Case[] =>
  corpusFiles('reply-text/talon/html_replies', '.html').map(({ name, raw }) => ({
    name,
    text: htmlToText(decoded(raw)),
    wanted: 'Hi. I am fine. Thanks, Alex',
  }))

const githubMails = (): Case[] =>
  corpusFiles('reply-text/github', '.txt').flatMap(({ name, raw }) => {
    const text = decoded(raw)
    const lines = text.split('\n')
    const wanted = githubReplies[name]?.flatMap(([first, last]) => lines.slice(first - 1, last)).join('\n')
    return wanted === undefined ? [] : [{ name, text, wanted }]
  })

const answer = 'Yes, at eight.'
const asked = 'Can you come?\nAnn'
const own = (list: readonly string[], write: (one: string) => string): Case[] =>
  list.map((one) => ({ name: one, text: write(one), wanted: answer }))

function ownSets(): CaseSet[] {
  const pages = Object.entries(htmlReplies).map(([name, html]) => ({
    name,
    text: htmlToText(html),
    wanted: 'Hi. I am fine. Thanks, Alex',
  }))
  return [
    {
      name: 'own: introductions in 40 languages, quoted',
      cases: own(introductions, (one) => `${answer}\n\n${one}\n\n> Can you come?\n> Ann\n`),
    },
    {
      name: 'own: the same, not quoted',
      cases: own(introductions, (one) => `${answer}\n\n${one}\n\n${asked}\n`),
    },
    {
      name: 'own: the answer below',
      cases: own(introductions, (one) => `${one}\n> Can you come?\n> Ann\n\n${answer}\n`),
    },
    { name: 'own: header blocks', cases: own(headerBlocks, (one) => `${answer}\n\n${one}\n\n${asked}\n`) },
    { name: 'own: lines of devices', cases: own(deviceLines, (one) => `${answer}\n\n${one}\n`) },
    { name: 'own: notes of lawyers', cases: own(disclaimers, (one) => `${answer}\n\n${one}\n`) },
    { name: 'own: HTML of mail programs', cases: pages },
    {
      name: 'own: programs of these years, below a signature',
      cases: clients.clientIntroductions.map((one) => ({
        name: one,
        text: `${clients.answer}\n\n-- \nBob Lee\nAcme\n\n${one}\n\n${clients.asked}\n`,
        wanted: clients.answer,
        orSigned: `${clients.answer}\n\n-- \nBob Lee\nAcme`,
      })),
    },
    {
      name: 'own: HTML of programs of these years',
      cases: Object.entries(clients.clientPages).map(([name, html]) => ({
        ...{ name, text: htmlToText(html), wanted: clients.answer },
      })),
    },
    ...Object.entries(written).map(([name, texts]) => ({ name: `own: ${name}`, cases: named(texts) })),
    {
      name: 'own: signatures that HTML names',
      cases: named(signedPages).map((one) => ({ ...one, text: htmlToText(one.text) })),
    },
    {
      name: 'own: words of persons that look like these',
      cases: persons.map((text) => ({ name: text, text, wanted: text })),
    },
  ]
}

const named = (texts: readonly Written[]): Case[] =>
  texts.map(({ text, wanted }) => ({ name: text, text, wanted }))

/** Mail that is passed on, whose reply text is all of it. */
export async function forwardRows(): Promise<Row[]> {
  const encoder = new TextEncoder()
  const whole = await Promise.all(
    forwards.map(async ({ subject, text }) => {
      const fields = `Subject: ${subject}\r\nContent-Type: text/plain; charset=utf-8`
      const { replyText } = await parseMail(encoder.encode(`${fields}\r\n\r\n${text}`))
      return squeezed(replyText) === squeezed(text)
    }),
  )
  return [['own: forwarded mail is read whole', whole.length, count(whole, Boolean)]]
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

const isExact = ({ wanted, orSigned }: Case, got: string): boolean =>
  [wanted, orSigned ?? wanted].some((text) => squeezed(text) === squeezed(got))

async function exactOf(cases: readonly Case[], peer: Peer): Promise<string> {
  let exact = 0
  for (const one of cases) if (isExact(one, (await peer.reply(one.text)) ?? '')) exact++
  return `${exact} of ${cases.length}`
}

const f1Of = (cases: readonly Case[]): string => {
  const sum = cases.reduce(
    (total, { text, wanted }) =>
      total + similarity(squeezed(wanted).slice(0, 2000), squeezed(extractReplyText(text)).slice(0, 2000)),
    0,
  )
  return (sum / Math.max(1, cases.length)).toFixed(3)
}

/** Of our own reply the signature is no part. */
const isOurs = ({ text, wanted }: Case) => squeezed(extractReplyText(text)) === squeezed(wanted)

/** Reply text by set, beside that of others, then by client. */
export async function repliesText(peers: readonly Peer[]): Promise<string> {
  const corpora: CaseSet[] = [
    { name: 'talon: mails', cases: await talonMails() },
    { name: 'talon: HTML', cases: talonPages() },
    { name: 'github', cases: githubMails() },
  ]
  const sets = [...corpora, ...ownSets()]
  const head = ['set', 'exact', 'F1 of characters', ...peers.map(({ name }) => `${name}, exact`)]
  const rows: string[][] = []
  for (const { name, cases } of sets) {
    const row = [name, `${cases.filter(isOurs).length} of ${cases.length}`, f1Of(cases)]
    for (const peer of peers) row.push(await exactOf(cases, peer))
    rows.push(row)
  }
  const single = corpora.flatMap(({ name: set, cases }) =>
    cases.map((one) => [`${set}: ${one.name}`, isOurs(one) ? 'exact' : 'no', f1Of([one])]),
  )
  const table = (lines: string[][]) => lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  return [
    table([head, head.map(() => '---'), ...rows]),
    'Signatures are no part of the reply text; of the others, who may leave them, both counts. HTML is given to them as our text of it.',
    table([['client', 'reply text', 'F1'], ['---', '---', '---'], ...single]),
  ].join('\n\n')
}
