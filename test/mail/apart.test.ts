import { describe, expect, it } from 'vitest'
import { findCodes } from '../../src/mail/codes'
import { parseMail } from '../../src/mail/parse'
import { extractReplyText } from '../../src/mail/text/reply-text'
import { bytesOf } from '../support/timing'
import { gone, passing, reportMail } from './apart/bounces'
import { codelessMails, codeMails } from './apart/code-mails'
import { codeTexts } from './apart/codes'
import { listMails } from './apart/lists'
import * as manners from './apart/manners'
import { oddOnes, referring } from './apart/odd'
import * as programs from './apart/programs'
import { pages, passedOn, replies } from './apart/replies'
import { ends, markedTails, plainTails } from './apart/tails'

const read = (mail: string) => parseMail(bytesOf(mail))
const written = (text: string, subject = 'Re: x', type = 'text/plain') =>
  read(
    `From: Ann <ann@a.example>\nTo: bob@b.example\nSubject: ${subject}\nMIME-Version: 1.0\nContent-Type: ${type}; charset=utf-8\n\n${text}\n`,
  )

describe('mail that was written apart from what reads it', () => {
  it.each([
    ['soft', passing],
    ['hard', gone],
  ] as const)('tells who did not get it, %s', async (kind, reports) => {
    for (const report of reports) {
      const { bounce } = await read(reportMail(report))
      const reported = bounce?.recipients.map((one) => [one.address, one.kind])
      expect(reported, report.name).toEqual(report.to.map((address) => [address, kind]))
    }
  })

  it.each(Object.entries(replies))('has what a person wrote: %s', async (_, mails) => {
    for (const { text, wanted } of mails) expect((await written(text)).replyText).toBe(wanted)
  })

  it('has what a person wrote above what programs write below', () => {
    const own = 'Thanks, that suits me.\nUntil Friday!'
    const asked = 'Hello all,\n\nwhen do you arrive?\n\nJo'
    const tails = [
      ...markedTails.map((tail) => `${tail}\n${asked.replace(/^/gm, '> ')}`),
      ...plainTails.map((tail) => `${tail}\n\n${asked}`),
      ...ends,
    ]
    for (const tail of tails) expect(extractReplyText(`${own}\n\n${tail}`), tail).toBe(own)
  })

  it('has what a person wrote in HTML', async () => {
    for (const { text, wanted } of pages)
      expect((await written(text, 'Re: x', 'text/html')).replyText).toBe(wanted)
  })

  it.each([
    ['plain', programs.plainReplies, 'text/plain'],
    ['in HTML', programs.htmlReplies, 'text/html'],
    ['plain, of other manners', manners.plainReplies, 'text/plain'],
    ['in HTML, of other manners', manners.htmlReplies, 'text/html'],
  ] as const)('has what a person wrote with programs of many countries, %s', async (_, mails, type) => {
    for (const { program, subject, text, html, wanted, taste } of mails)
      if (!taste)
        expect([program, (await written(text ?? html ?? '', subject, type)).replyText]).toEqual([
          program,
          wanted,
        ])
  })

  it('has what a person wrote below what servers put on top, alone and above a quote', () => {
    expect(extractReplyText('[EXTERNAL]\n\n👍')).toBe('👍')
    const [own, quote] = ['We accept.\n\nPer', 'On 3 Mar 2025, at 10:00, Jo <jo@a.example> wrote:\n> Accept?']
    for (const banner of programs.banners)
      for (const mail of [`${banner}\n\n${own}`, `${banner}\n${own}`, `${banner}\n\n${own}\n\n${quote}`])
        expect(extractReplyText(mail), mail).toBe(own)
  })

  it('keeps words of persons that look like those of programs', () => {
    for (const text of programs.wordsOfPersons) expect(extractReplyText(text)).toBe(text)
  })

  it('has what was passed on', async () => {
    for (const { subject, text, holds } of passedOn)
      expect((await written(text, subject)).replyText, subject).toContain(holds)
  })

  it('has codes, and numbers that are none', () => {
    for (const [text, code] of codeTexts)
      expect([text, ...findCodes('', text).map((one) => one.code)]).toEqual(code ? [text, code] : [text])
  })

  it('has codes of mails in many languages, and none in those of shops, banks and travel', () => {
    const codesOf = (subject: string, text: string) => findCodes(subject, text).map((one) => one.code)
    for (const [subject, text, code] of codeMails)
      expect([text, codesOf(subject, text)]).toEqual([text, [code]])
    for (const [subject, text] of codelessMails) expect([text, codesOf(subject, text)]).toEqual([text, []])
  })

  it('came through lists from people and from programs', async () => {
    for (const [writer, mail] of listMails)
      expect([(await read(mail)).autoSubmitted === 'no', mail]).toEqual([writer === 'person', mail])
  })

  it('is read as it was meant', async () => {
    for (const { raw, wanted } of oddOnes) {
      const mail = await read(raw)
      const files = mail.attachments.map(({ filename }) => filename)
      const found = { ...mail, text: mail.text.trim(), from: mail.from?.address ?? null, files }
      expect(found, raw).toMatchObject(wanted)
    }
  })

  it('refers to mail, or to nothing', async () => {
    for (const [field, wanted] of referring) {
      const mail = await read(
        `From: Ines <ines@roca.example>\nTo: Marta <marta@muster.example>\nCc: jonas@berg.example\nMessage-ID: <own.1@muster.example>\n${field}\n\nHi\n`,
      )
      const ids = [mail.inReplyTo, ...mail.references].filter(Boolean)
      expect([field, ids.includes(wanted), ids.length === 0]).toEqual([
        field,
        wanted !== null,
        wanted === null,
      ])
    }
  })
})
