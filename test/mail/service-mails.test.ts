import { expect, it } from 'vitest'
import { findCodes } from '../../src/mail/codes'
import { parseMail } from '../../src/mail/parse'
import { serviceMailBytes, serviceMails } from './service-mails'

const codesOf = async (mail: (typeof serviceMails)[number]) => {
  const { subject, text } = await parseMail(serviceMailBytes(mail))
  return findCodes(subject, text).map(({ code }) => code)
}

it('finds the codes of well-known services, and no other numbers', async () => {
  const [withCode, languages] = [serviceMails.filter(({ code }) => code), new Set<string>()]
  for (const mail of serviceMails) {
    languages.add(mail.language)
    const found = await codesOf(mail)
    expect(found, `${mail.service}: ${mail.subject}`).toEqual(mail.code === null ? [] : [mail.code])
  }
  expect(withCode.length).toBeGreaterThanOrEqual(70)
  expect(serviceMails.length - withCode.length).toBeGreaterThanOrEqual(30)
  expect(languages.size).toBeGreaterThanOrEqual(15)
})
