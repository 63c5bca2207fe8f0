import { describe, expect, it } from 'vitest'
import { readHeaders } from '../../../../src/mail/headers/header-reader'
import { readBelievedVerdict } from '../../../../src/service/inbound/authentication/believed-results'

const results = (methods: string) =>
  `Authentication-Results: mx.test; ${methods}; dmarc=pass header.from=bank.example\r\n`
const signature = (h: string, more = '', domain = 'bank.example') =>
  `DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=s1; h=${h}; bh=eHh4; b=eHh4${more}\r\n`
const from = 'From: Ann <ann@bank.example>\r\nCc: eve@eve.example\r\n\r\n'
const read = async (header: string) => {
  const found = await readBelievedVerdict(readHeaders(Buffer.from(header), 65_536).fields, 'mx.test')
  return { fields: found?.signatures.map((one) => one.fields), spfAligned: found?.spfAligned }
}
const signed = 'dkim=pass header.d=bank.example'

describe('the fields that the server of a mailbox proves', () => {
  it.each<[string, string, string[][], boolean]>([
    [
      'those of the signature that passed',
      `${results(signed)}${signature('from:subject')}`,
      [['from', 'subject']],
      false,
    ],
    ['all by SPF', results('spf=pass smtp.mailfrom=x@mail.bank.example'), [], true],
    ['none by the SPF of somebody else', results('spf=pass smtp.mailfrom=x@eve.example'), [], false],
    [
      'none by two results of SPF',
      results('spf=pass smtp.mailfrom=bank.example; spf=pass smtp.helo=eve.example'),
      [],
      false,
    ],
    [
      'what all signatures of the domain cover, as one may be forged',
      `${results(signed)}${signature('from:subject')}${signature('from:cc')}`,
      [['from'], ['from']],
      false,
    ],
    [
      'nothing by so many signatures that the one which passed may be any',
      `${results(signed)}${signature('from:cc').repeat(5)}${signature('from:subject')}`,
      [],
      false,
    ],
    [
      'nothing by a signature of part of the body',
      `${results(signed)}${signature('from:cc', '; l=5')}`,
      [],
      false,
    ],
    [
      'nothing by a signature of another domain',
      `${results(signed)}${signature('from:cc', '', 'eve.example')}`,
      [],
      false,
    ],
    [
      'nothing of a field that stands there twice',
      `${results(signed)}Cc: bo@bank.example\r\n${signature('from:cc')}`,
      [],
      false,
    ],
  ])('are %s', async (_, header, fields, spfAligned) => {
    expect(await read(`${header}${from}`)).toEqual({ fields, spfAligned })
  })
})
