import { expect, test } from 'vitest'
import { baseUrl, realtimeUrl } from '../../src/client'
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

test('Retry-After is read as seconds or as a date', () => {
  const now = Date.parse('2026-01-31T12:00:00Z')
  expect(retryAfterMs('3', now)).toBe(3_000)
  expect(retryAfterMs('Sat, 31 Jan 2026 12:00:05 GMT', now)).toBe(5_000)
  expect(retryAfterMs('Sat, 31 Jan 2026 11:00:00 GMT', now)).toBe(0)
  for (const value of [null, '', 'soon', '-5']) expect(retryAfterMs(value, now)).toBeUndefined()
})
