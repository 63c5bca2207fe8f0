import { expect, test } from 'vitest'
import { baseUrl, realtimeUrl } from '../../src/client/base-url'
import { retryAfterMs } from '../../src/client/parse-answer'

test.each([
  ['https://mail.example', 'https://mail.example/v1'],
  ['https://mail.example/', 'https://mail.example/v1'],
  ['https://mail.example/v1/', 'https://mail.example/v1'],
  ['http://localhost:8025/api/v1?x=1#y', 'http://localhost:8025/api/v1'],
])('the base address of %s is %s', (given, base) => {
  expect(baseUrl(given)).toBe(base)
})

test.each(['mail.example', '', 'ftp://mail.example', 'https://user:pass@mail.example'])(
  '%s is refused as a base address',
  (url) => {
    expect(() => baseUrl(url)).toThrow(expect.objectContaining({ code: 'invalid_url' }))
  },
)

test('the address of the socket is beside the base address', () => {
  expect(realtimeUrl('https://mail.example/v1')).toBe('wss://mail.example/v1/realtime')
  expect(realtimeUrl('http://mail.example/v1')).toBe('ws://mail.example/v1/realtime')
})

test('Retry-After is read as seconds, or as a date that counts from the date of the answer', () => {
  const read = (value: string | null, date?: string) =>
    retryAfterMs(new Headers({ ...(value !== null && { 'retry-after': value }), ...(date && { date }) }))
  const date = 'Sat, 31 Jan 2026 12:00:00 GMT'
  expect(read('3')).toBe(3_000)
  expect(read('Sat, 31 Jan 2026 12:00:05 GMT', date)).toBe(5_000)
  expect(read('Sat, 31 Jan 2026 11:00:00 GMT', date)).toBe(0)
  expect(read(new Date(Date.now() + 60_000).toUTCString())).toBeGreaterThan(50_000)
  for (const value of [null, '', 'soon', '-5']) expect(read(value)).toBeUndefined()
})
