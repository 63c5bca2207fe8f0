import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentDisposition, readByteRange } from '../../../../src/service/http/answers/download'
import { startService, type TestService } from '../../../support/service'

const content = randomBytes(200_000)
let service: TestService
let id: string
beforeAll(async () => {
  service = await startService()
  await service.mail({ attachments: [{ filename: 'Grüße "x".bin', content }] })
  id = (await service.call('GET', '/messages')).body.messages[0].attachments[0].id
})
afterAll(() => service[Symbol.asyncDispose]())

async function get(headers: Record<string, string> = {}) {
  const response = await fetch(`${service.url}/attachments/${id}/content`, {
    headers: { authorization: `Bearer ${service.home.apiKey}`, ...headers },
  })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('a download', () => {
  it('is the file itself, and nothing that a browser would run', async () => {
    const { response, bytes } = await get()
    expect(response.status).toBe(200)
    expect(bytes.equals(content)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-length': '200000',
      'content-disposition': `attachment; filename="Gr__e _x_.bin"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%22x%22.bin`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'accept-ranges': 'bytes',
    })
  })

  it('goes on where it was cut', async () => {
    const { response, bytes } = await get({ range: 'bytes=100000-' })
    expect([response.status, response.headers.get('content-range')]).toEqual([
      206,
      'bytes 100000-199999/200000',
    ])
    expect(bytes.equals(content.subarray(100_000))).toBe(true)
    const etag = response.headers.get('etag')!
    expect((await get({ range: 'bytes=0-9', 'if-range': etag })).bytes).toHaveLength(10)
    expect((await get({ range: 'bytes=0-9', 'if-range': '"other"' })).response.status).toBe(200)
  })

  it('says how long the file is where a range begins beyond it', async () => {
    const { response, bytes } = await get({ range: 'bytes=200000-' })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */200000'])
    expect(JSON.parse(bytes.toString())).toMatchObject({ error: 'range_not_satisfiable' })
  })
})

describe('of a download,', () => {
  it.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-30', { first: 0, last: 9 }],
    ['bytes=5-99', { first: 5, last: 9 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=5-2', 'all'],
    ['bytes=0-1,4-5', 'all'],
    ['lines=0-1', 'all'],
    ['bytes=-', 'all'],
    [undefined, 'all'],
  ])('the range %s is read as %j', (header, range) => expect(readByteRange(header, 10)).toEqual(range))

  it('ranges lie within the file, whatever is asked', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^bytes=\d{0,3}-\d{0,3}$/), fc.nat(200), (header, size) => {
        const range = readByteRange(header, size)
        if (typeof range === 'string') return
        expect(range.first >= 0 && range.first <= range.last && range.last < size).toBe(true)
      }),
    )
  })

  it('names are safe in a header, whatever a stranger called the file', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const value = contentDisposition(name)
        expect(new Headers({ 'content-disposition': value }).get('content-disposition')).toBe(value)
        expect(decodeURIComponent(value.split("UTF-8''")[1]!)).toBe(name.replace(/\p{Surrogate}/gu, '\uFFFD'))
      }),
    )
  })
})
