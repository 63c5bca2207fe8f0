import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DotUnstuffer } from '../../../../src/service/inbound/smtp/dot-stuffing'
import { quickly } from '../../../support/timing'

/** Stuffs a mail as its sender does (RFC 5321 section 4.5.2). */
const stuff = (mail: string) => `${mail.replace(/(^|\r\n)\./g, '$1..')}.\r\n`

/** Unstuffs bytes that arrive cut in pieces. */
function unstuff(wire: string, cuts: number[]): { mail: string; rest: string | null } {
  const bytes = Buffer.from(wire, 'binary')
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  const dots = new DotUnstuffer()
  let mail = ''
  let rest: string | null = null
  let start = 0
  for (const end of [...ends, bytes.length]) {
    const piece = bytes.subarray(start, end)
    start = end
    if (rest !== null) rest += piece.toString('binary')
    else {
      const result = dots.push(piece)
      mail += result.content.toString('binary')
      rest = result.rest?.toString('binary') ?? null
    }
  }
  return { mail, rest }
}

const cuts = fc.array(fc.nat(200), { maxLength: 20 })
const soup = fc.array(fc.constantFrom('.', '\r', '\n', '\r\n', 'a', '..', '\r\n.', '\n.\n', '\r.\r'), {
  maxLength: 30,
})

describe('dot stuffing', () => {
  it('comes off as it was put on, however the bytes are cut', () => {
    fc.assert(
      fc.property(soup, cuts, (parts, cuts) => {
        const mail = `${parts.join('')}\r\n`
        expect(unstuff(`${stuff(mail)}QUIT\r\n`, cuts)).toEqual({ mail, rest: 'QUIT\r\n' })
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['a bare LF on both sides', 'a\n.\nb'],
    ['a bare LF before', 'a\n.\r\nb'],
    ['a bare CR on both sides', 'a\r.\rb'],
    ['a bare LF after', 'a\r\n.\nb'],
  ])('does not end a mail at %s', (_what, wire) => {
    expect(unstuff(wire, []).rest).toBeNull()
  })

  it('ends an empty mail', () => {
    expect(unstuff('.\r\n', [1, 2])).toEqual({ mail: '', rest: '' })
  })

  it('takes millions of dots in one pass', async () => {
    const wire = Buffer.from('..\r\n'.repeat(1_000_000))
    const content = await quickly(2_000, () => new DotUnstuffer().push(wire).content)
    expect(content).toHaveLength(3_000_000)
  })
})
