import { findCodes } from '../../src/mail/codes'
import { parseMail } from '../../src/mail/parse'
import { withCode, withoutCode } from '../../test/mail/code-mails'
import { corpusFiles } from '../../test/mail/corpora'
import { oddMails } from '../../test/mail/odd-mails'
import { type ServiceMail, serviceMailBytes, serviceMails } from '../../test/mail/service-mails'
import { count, type Row } from './row'

const encoder = new TextEncoder()

/** Mail against the rules, by class, read as it was meant. */
export async function oddRows(): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, mails] of Object.entries(oddMails)) {
    const right = await Promise.all(
      mails.map(
        async ({ raw, read, wanted }) =>
          JSON.stringify(read(await parseMail(encoder.encode(raw)))) === JSON.stringify(wanted),
      ),
    )
    rows.push([`own: ${name}`, right.length, count(right, Boolean)])
  }
  return rows
}

const ordinary = ['mime/rfc', 'mime/legacy', 'mime/mime4j', 'bounces/flufl', 'bounces/sisimai']

/** One-time codes, and other mail, in which there are none. */
export async function codeRows(): Promise<Row[]> {
  const codesOf = (text: string, subject = '') => findCodes(subject, text).map(({ code }) => code)
  const mails = await Promise.all(
    ordinary.flatMap((folder) => corpusFiles(folder)).map(({ raw }) => parseMail(raw)),
  )
  const isRead = async (mail: ServiceMail) => {
    const { subject, text } = await parseMail(serviceMailBytes(mail))
    return codesOf(text, subject).join() === (mail.code ?? '')
  }
  const serviceRow = async (name: string, some: readonly ServiceMail[]): Promise<Row> => [
    name,
    some.length,
    count(await Promise.all(some.map(isRead)), Boolean),
  ]
  const isFound = ([text, code, subject]: (typeof withCode)[number]) => codesOf(text, subject).join() === code
  return [
    ['own: one-time codes', withCode.length, count(withCode, isFound)],
    [
      'own: no code in other numbers',
      withoutCode.length,
      count(withoutCode, (text) => codesOf(text).length === 0),
    ],
    await serviceRow(
      'own: codes of services, in 29 languages',
      serviceMails.filter(({ code }) => code !== null),
    ),
    await serviceRow(
      'own: no code in other messages of services',
      serviceMails.filter(({ code }) => code === null),
    ),
    [
      'no code in ordinary mail',
      mails.length,
      count(mails, ({ text, subject }) => codesOf(text, subject).length === 0),
    ],
  ]
}
