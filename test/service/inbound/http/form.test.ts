import { afterEach, expect, it, vi } from 'vitest'
import { readForm } from '../../../../src/service/inbound/http/providers/form'

afterEach(() => vi.restoreAllMocks())

const urlEncoded = 'application/x-www-form-urlencoded'

it('decodes a field of a form when it is asked for, and nothing else', async () => {
  const body = Buffer.concat([Buffer.from('token=a%20b&body-mime='), Buffer.alloc(20_000_000, '%')])
  const allocated = vi.spyOn(Buffer, 'allocUnsafe')
  const form = await readForm(body, urlEncoded)
  expect(form.get('token', 100)?.toString()).toBe('a b')
  expect(form.get('body-mime', 100)).toBeUndefined()
  expect(Math.max(...allocated.mock.calls.map(([size]) => size))).toBeLessThan(100)
})

it.each([
  ['a=%41%4a+%zz%', 'AJ %zz%'],
  ['a=%C3%a9%%41', 'é%A'],
  ['%61=x', 'x'],
  ['b=1&a=', ''],
])('reads %s as it was written', async (body, value) => {
  expect((await readForm(Buffer.from(body), urlEncoded)).get('a')?.toString()).toBe(value)
})

it.each([
  ['at the start', '', ''],
  ['after a preamble', 'preamble', ''],
  ['with blanks after the delimiter', '', ' \t'],
])('reads parts of multipart/form-data: %s', async (_where, preamble, blanks) => {
  const part = (head: string, value: string) => `\r\n--b${blanks}\r\n${head}\r\n${value}`
  const disposition = (name: string) => `Content-Disposition: form-data; name="${name}"\r\n`
  const long = `${'\r\n--a'.repeat(500_000)}\r\n`
  const text = `${preamble}${part('', 'nameless')}${part(disposition('a'), 'x\r\n')}${part(disposition('b'), long)}${part(disposition('c'), '')}\r\n--b--`
  const body = Buffer.from(preamble ? text : text.slice(2))
  const form = await readForm(body, 'multipart/form-data; boundary=b')
  expect(['a', 'b', 'c', 'd'].map((name) => form.get(name)?.toString())).toEqual([
    'x\r\n',
    long,
    '',
    undefined,
  ])
})

it('finds a delimiter wherever it begins', async () => {
  for (let shift = 0; shift < 8; shift++) {
    const value = 'x'.repeat(1024 * 1024 - shift)
    const head = '--b\r\nContent-Disposition: form-data; name=a\r\n\r\n'
    const form = await readForm(Buffer.from(`${head}${value}\r\n--b--`), 'multipart/form-data; boundary=b')
    expect(form.get('a')).toHaveLength(value.length)
  }
})
