import { findCodes } from '../../src/mail/codes'
import { parseMail } from '../../src/mail/parse'
import { gone, passing, reportMail, type WrittenReport } from '../../test/mail/apart/bounces'
import { codelessMails, codeMails } from '../../test/mail/apart/code-mails'
import { codeTexts } from '../../test/mail/apart/codes'
import { listMails } from '../../test/mail/apart/lists'
import * as manners from '../../test/mail/apart/manners'
import { oddOnes } from '../../test/mail/apart/odd'
import * as programs from '../../test/mail/apart/programs'
import { pages, passedOn, replies } from '../../test/mail/apart/replies'
import { count, type Row } from './row'

const encoder = new TextEncoder()
const read = (mail: string) => parseMail(encoder.encode(mail))
const written = (text: string, type = 'text/plain', subject = 'Re: x') =>
  read(`Subject: ${subject}\nMIME-Version: 1.0\nContent-Type: ${type}; charset=utf-8\n\n${text}\n`)

async function rowOf<One>(
  name: string,
  all: readonly One[],
  isRight: (one: One) => Promise<boolean> | boolean,
): Promise<Row> {
  const right = await Promise.all(all.map(isRight))
  return [`own, written apart: ${name}`, all.length, count(right, Boolean)]
}

const tells = (kind: string) => async (report: WrittenReport) => {
  const { bounce } = await read(reportMail(report))
  const reported = bounce?.recipients ?? []
  return (
    reported.every((one) => one.kind === kind) &&
    reported.map(({ address }) => address).join() === report.to.join()
  )
}

type Replies = Record<'plainReplies' | 'htmlReplies', readonly programs.Reply[]>

/** Those of which nobody may think otherwise. */
const certain = ({ plainReplies, htmlReplies }: Replies) =>
  [...plainReplies, ...htmlReplies].filter(({ taste }) => !taste)

const isSplit = async ({ text, html, wanted, subject }: programs.Reply) =>
  (await written(text ?? html ?? '', html ? 'text/html' : 'text/plain', subject)).replyText === wanted

/** Mail that was written before the words were looked at which read it. */
export async function apartRows(): Promise<Row[]> {
  const codesOf = (text: string, subject = '') =>
    findCodes(subject, text)
      .map(({ code }) => code)
      .join()
  return [
    await rowOf('reports told as soft, of whom they name', passing, tells('soft')),
    await rowOf('reports told as hard, of whom they name', gone, tells('hard')),
    ...(await Promise.all(
      Object.entries(replies).map(([name, mails]) =>
        rowOf(name, mails, async ({ text, wanted }) => (await written(text)).replyText === wanted),
      ),
    )),
    await rowOf('signatures and quotes in HTML', pages, async ({ text, wanted }) => {
      return (await written(text, 'text/html')).replyText === wanted
    }),
    await rowOf('replies of programs of many countries', certain(programs), isSplit),
    await rowOf('replies of other manners', certain(manners), isSplit),
    await rowOf('forwarded mail', passedOn, async ({ subject, text, holds }) => {
      return (await written(text, 'text/plain', subject)).replyText.includes(holds)
    }),
    await rowOf('codes and other numbers', codeTexts, ([text, code]) => codesOf(text) === (code ?? '')),
    await rowOf('mails with codes', codeMails, ([subject, text, code]) => codesOf(text, subject) === code),
    await rowOf('mails of shops, banks and travel without', codelessMails, ([subject, text]) => {
      return codesOf(text, subject) === ''
    }),
    await rowOf('people and programs of lists', listMails, async ([writer, mail]) => {
      return ((await read(mail)).autoSubmitted === 'no') === (writer === 'person')
    }),
    await rowOf('mail against the rules', oddOnes, async ({ raw, wanted }) => {
      const mail = await read(raw)
      const files = mail.attachments.map(({ filename }) => filename)
      const found: Record<string, unknown> = {
        ...{ ...mail, text: mail.text.trim(), from: mail.from?.address ?? null, files },
      }
      return Object.entries(wanted).every(
        ([key, value]) => JSON.stringify(found[key]) === JSON.stringify(value),
      )
    }),
  ]
}
