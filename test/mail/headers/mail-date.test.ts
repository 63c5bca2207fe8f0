import { describe, expect, it } from 'vitest'
import { parseMailDate } from '../../../src/mail/headers/mail-date'

describe('parseMailDate', () => {
  const cases: [string, string | null][] = [
    ['Mon, 2 Apr 2012 09:57:58 -0400 (EDT)', '2012-04-02T13:57:58.000Z'],
    ['2 Apr 12 09:57 EST', '2012-04-02T14:57:00.000Z'],
    ['Mon, 02 Apr 2012 09:57:58', '2012-04-02T09:57:58.000Z'],
    ['Tue, 31-Dec-99 23:59:59 GMT', '1999-12-31T23:59:59.000Z'],
    ['Mon Apr  2 09:57:58 2012', '2012-04-02T09:57:58.000Z'],
    ['2012-04-02T09:57:58+02:00', '2012-04-02T07:57:58.000Z'],
    ['Mon, 2 Xyz 2012 09:57:58 -0400', null],
    ['1 Jan 1900 00:00:00 +0000', null],
    ['yesterday', null],
    ['', null],
    ['1 '.repeat(100_000), null],
  ]
  for (const [text, time] of cases) {
    it(`reads "${text.slice(0, 40)}"`, () => expect(parseMailDate(text)).toBe(time))
  }
})
