import { describe, expect, it } from 'vitest'
import { targetOf } from '../../src/mail/link-target'
import { findLinks } from '../../src/mail/links'
import { quickly } from '../support/timing'

const inner = 'https://shop.example/verify?t=1&n=2'
const escaped = encodeURIComponent(inner)
const base64 = Buffer.from(inner).toString('base64')
const base64url = Buffer.from(inner).toString('base64url')
const json = Buffer.from(JSON.stringify({ id: 7, p: JSON.stringify({ url: inner }) })).toString('base64url')

describe('the address inside a tracked link', () => {
  it.each([
    ['a parameter', `https://click.track.example/c?id=3&url=${escaped}`],
    ['a parameter that is encoded twice', `https://click.track.example/c?u=${encodeURIComponent(escaped)}`],
    ['a parameter of base64', `https://click.track.example/c?u=${encodeURIComponent(base64)}&x=1`],
    ['a parameter of base64url', `https://track.example/ck/a?u=a1${base64url}`],
    ['a piece of the path', `https://x.r.eu-west-1.awstrack.me/L0/${escaped}/1/0102abc/x=1`],
    ['a piece of the path in base64', `https://x.mjt.lu/lnk/AAAA/7/a-b_c/${base64url}`],
    ['the rest of the path', `https://redirect.example/to/${inner}`],
    ['JSON in base64', `https://mandrillapp.com/track/click/30/shop.example?p=${json}`],
    ['JSON in base64 with a signature', `https://track.example/e/c/${json}.c2lnbmF0dXJl`],
    ['Microsoft 365', `https://eur01.safelinks.protection.outlook.com/?url=${escaped}&data=05%7C01`],
    ['Google', `https://www.google.com/url?q=${escaped}&source=gmail`],
    [
      'Proofpoint 2',
      'https://urldefense.proofpoint.com/v2/url?u=https-3A__shop.example_verify-3Ft-3D1-26n-3D2&d=Dw',
    ],
    ['Proofpoint 3', `https://urldefense.com/v3/__${inner}__;!!Ab!Cd$`],
    [
      'Proofpoint 3 with signs apart',
      `https://urldefense.com/v3/__https:/shop.example/verify*t=1*n=2__;${Buffer.from('?&').toString('base64url')}!!Ab!Cd$`,
    ],
    ['Postmark', `https://click.pstmrk.it/3s/${encodeURIComponent(inner.slice(8))}/abc/def`],
    [
      'a scanner around a tracker',
      `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(`https://x.mjt.lu/lnk/A/${base64url}`)}`,
    ],
    ['a page to go to afterwards, elsewhere', `https://auth.example/confirm?next=${escaped}`],
  ])('is found in %s', (_, url) => {
    expect(targetOf(url)).toBe(inner)
  })

  it.each([
    'https://shop.example/verify?t=1',
    'https://shop.example/verify?next=https%3A%2F%2Fwww.shop.example%2Fhome',
    'https://track.example/c?u=javascript%3Aalert(1)',
    'https://track.example/c?u=aHR0cHM6',
    'https://track.example/ls/click?upn=u001.Abc-2BDef',
    `https://track.example/c?u=https%3A%2F%2F${'a'.repeat(2000)}.example`,
    'https://track.example/c?u=http%3A%2F%2F%5B',
  ])('is not in %s', (url) => {
    expect(targetOf(url)).toBeNull()
  })

  it('is that of a page, whatever else the page names', () => {
    const page = 'https://shop.example/confirm?url=https%3A%2F%2Fother.example%2F'
    expect(targetOf(`https://www.google.com/url?q=${encodeURIComponent(page)}`)).toBe(page)
  })

  it('leaves domain and warnings those of the host that is asked', () => {
    const html = `<a href="https://click.track.example/c?url=${escaped}">Confirm at https://shop-example.com</a>`
    expect(findLinks('', html, 'shop.example')).toMatchObject([
      { target: inner, domain: 'track.example', from_sender: false, warnings: ['shows-other-domain'] },
    ])
    expect(findLinks('Confirm: https://shop.example/c', null, 'shop.example')).toMatchObject([
      { target: null, from_sender: true },
    ])
  })

  it('is found in linear time', async () => {
    for (const part of ['/https:/', 'https%3A%2F%2F', '?u=', '&u=aHR0c', '/aHR0cHM6Ly', '__', 'eyJ.', '%'])
      await quickly(200, () => targetOf(`https://urldefense.com/v3/${part.repeat(100_000 / part.length)}`))
  })
})
