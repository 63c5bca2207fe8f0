import { afterEach, expect, it, vi } from 'vitest'
import { readForm } from '../../../src/service/inbound/doors/providers/form'

afterEach(() => vi.restoreAllMocks())

const urlEncoded = 'application/x-www-form-urlencoded'

it('decodes a field of a form when it is asked for, and nothing else', () => {
  const body = Buffer.concat([Buffer.from('token=a%20b&body-mime='), Buffer.alloc(20_000_000, '%')])
  const allocated = vi.spyOn(Buffer, 'allocUnsafe')
  const form = readForm(body, urlEncoded)
  expect(form.get('token', 100)?.toString()).toBe('a b')
  expect(form.get('body-mime', 100)).toBeUndefined()
  expect(Math.max(...allocated.mock.calls.map(([size]) => size))).toBeLessThan(100)
})

it.each([
  ['a=%41%4a+%zz%', 'AJ %zz%'],
  ['a=%C3%a9%%41', 'é%A'],
  ['%61=x', 'x'],
  ['b=1&a=', ''],
])('reads %s as it was written', (body, value) => {
  expect(readForm(Buffer.from(body), urlEncoded).get('a')?.toString()).toBe(value)
})
