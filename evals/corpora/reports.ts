import { parseMail } from '../../src/mail/parse'
import { corpusFiles, corpusText } from '../../test/mail/corpora'
import {
  automaticMails,
  noticeMails,
  type ProgramMail,
  personsMails,
  programMailBytes,
} from '../../test/mail/program-mails'
import { personsOnLists, programsOfLists } from '../../test/mail/reports/list-mails'
import { count, type Row } from './row'

interface Expected {
  recipients: string[]
  temporary: boolean
}

const sorted = (list: readonly string[]) =>
  list
    .map((one) => one.toLowerCase())
    .sort()
    .join()

async function fluflRows(): Promise<Row[]> {
  const expected: Record<string, Expected> = JSON.parse(corpusText('bounces/flufl/expected.json') ?? '{}')
  const found = await Promise.all(
    corpusFiles('bounces/flufl', '.txt').flatMap(({ name, raw }) => {
      const wanted = expected[name]
      return wanted ? [parseMail(raw).then(({ bounce }) => ({ wanted, bounce }))] : []
    }),
  )
  const hasAll = ({ wanted, bounce }: (typeof found)[number]) =>
    sorted((bounce?.recipients ?? []).map((one) => one.address)) === sorted(wanted.recipients)
  const isClassed = ({ wanted, bounce }: (typeof found)[number]) =>
    bounce && wanted.temporary === bounce.recipients.some((one) => one.action === 'delayed')
  return [
    ['bounces/flufl: recognised', found.length, count(found, ({ bounce }) => bounce)],
    ['bounces/flufl: all recipients, and no other', found.length, count(found, hasAll)],
    ['bounces/flufl: failed or delayed, rightly', found.length, count(found, isClassed)],
  ]
}

async function sisimaiRows(): Promise<Row[]> {
  const all = await Promise.all(
    corpusFiles('bounces/sisimai', '.eml').map(async ({ name, raw }) => ({
      name,
      mail: await parseMail(raw),
    })),
  )
  const ofKind = (prefix: string) => all.filter(({ name }) => name.startsWith(prefix))
  const bounces = all.filter(({ name }) => !/^(?:arf|rfc3834)/.test(name)).map(({ mail }) => mail.bounce)
  const withMail = bounces.filter((bounce) => bounce?.returned)
  return [
    ['bounces/sisimai: recognised', bounces.length, count(bounces, (bounce) => bounce)],
    [
      'bounces/sisimai: with a failed recipient',
      bounces.length,
      count(bounces, (bounce) => bounce?.recipients.some((one) => one.action !== 'delivered')),
    ],
    [
      'bounces/sisimai: of those that bring the header of the mail back, with its Message-ID',
      withMail.length,
      count(withMail, (bounce) => bounce?.returned?.messageId),
    ],
    ['bounces/sisimai: complaints', ofKind('arf').length, count(ofKind('arf'), ({ mail }) => mail.complaint)],
    [
      'bounces/sisimai: auto-replies',
      ofKind('rfc3834').length,
      count(ofKind('rfc3834'), ({ mail }) => mail.autoReason === 'auto-reply'),
    ],
  ]
}

async function personRows(): Promise<Row[]> {
  const rows: Row[] = []
  for (const [folder, extension] of [
    ['reply-text/talon/standard_replies', '.eml'],
    ['mime/legacy', '.eml'],
  ] as const) {
    const mails = await Promise.all(corpusFiles(folder, extension).map(({ raw }) => parseMail(raw)))
    rows.push([`${folder}: persons taken for persons`, mails.length, count(mails, isPerson)])
  }
  return rows
}

const isPerson = ({ autoSubmitted, bounce, complaint }: Awaited<ReturnType<typeof parseMail>>) =>
  autoSubmitted === 'no' && !bounce && !complaint

async function listRows(): Promise<Row[]> {
  const encoder = new TextEncoder()
  const read = (headers: readonly string[][]) =>
    Promise.all(headers.map((lines) => parseMail(encoder.encode(`${lines.join('\r\n')}\r\n\r\nHello\r\n`))))
  const [persons, programs] = [await read(personsOnLists), await read(programsOfLists)]
  return [
    ['own: persons who write to lists', persons.length, count(persons, isPerson)],
    ['own: programs of lists', programs.length, count(programs, (mail) => !isPerson(mail))],
  ]
}

async function programRows(): Promise<Row[]> {
  const read = (mails: readonly ProgramMail[]) =>
    Promise.all(
      mails.map((mail) => parseMail(programMailBytes(mail, 'agent@agents.example', '<1@agents.example>'))),
    )
  const [persons, automatic] = [await read(personsMails), await read([...automaticMails, ...noticeMails])]
  return [
    ['own: persons who write through programs', persons.length, count(persons, isPerson)],
    [
      'own: automatic replies, bounces, receipts, notices',
      automatic.length,
      count(automatic, (mail) => !isPerson(mail)),
    ],
  ]
}

/** Bounces, complaints, auto-replies, and persons who are none of these. */
export const reportRows = async (): Promise<Row[]> => [
  ...(await fluflRows()),
  ...(await sisimaiRows()),
  ...(await personRows()),
  ...(await listRows()),
  ...(await programRows()),
]
