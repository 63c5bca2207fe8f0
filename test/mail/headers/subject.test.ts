import { describe, expect, it } from 'vitest'
import { baseSubject, forwardSubject, isForward, replySubject } from '../../../src/mail/headers/subject'

describe('subjects', () => {
  it('of answers have one Re:', () => {
    for (const subject of [
      'Hi',
      'Re: Hi',
      'RE: re: Hi',
      'AW: Hi',
      'SV: Hi',
      'Re[2]: Hi',
      'RE : Hi',
      '回复：Hi',
      'Antw: Hi',
      'ΑΠ: Hi',
      'תשובה: Hi',
      'رد: Hi',
      '회신: Hi',
    ]) {
      expect(replySubject(subject)).toBe('Re: Hi')
    }
    expect(replySubject('Fwd: Hi')).toBe('Re: Fwd: Hi')
    expect(replySubject('')).toBe('Re:')
  })

  it('of forwarded mail have one Fwd:', () => {
    expect(forwardSubject('FW: Hi')).toBe('Fwd: Hi')
    expect(forwardSubject('Re: Hi')).toBe('Fwd: Re: Hi')
  })

  it('are found without their prefixes', () => {
    expect(baseSubject('Re: AW: Fwd: WG: TR: Hi')).toBe('Hi')
    expect(baseSubject('Reservation: two')).toBe('Reservation: two')
    expect([isForward('WG: x'), isForward('Re: Fwd: x')]).toEqual([true, false])
  })

  it('stay on one line', () => {
    expect(replySubject('a\r\nBcc: x\0')).toBe('Re: a Bcc: x')
  })
})
