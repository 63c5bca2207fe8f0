import { describe, expect, it } from 'vitest'
import { parseMailDate } from '../../src/mail/headers/mail-date'
import { textShown } from '../../src/mail/html/shown-text'
import { parseMail } from '../../src/mail/parse'
import { bytesOf } from '../support/timing'

/** Names that every object inherits: a table must not have a value for them. */
const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', 'isPrototypeOf']

const read = async (html: string) => {
  const { text, flaws } = await parseMail(bytesOf(`Content-Type: text/html\r\n\r\n${html}`))
  return { text: text.trim(), flaws }
}

describe('a name that every object inherits', () => {
  it.each(names.filter((name) => name !== '__proto__'))(
    '%s is no element with a colour of its own',
    async (name) => {
      expect(await read(`<${name} style="margin:1px">shown</${name}>`)).toEqual({ text: 'shown', flaws: [] })
    },
  )

  it.each(names)('%s is no media feature, pseudo-class, filter, unit or keyword', async (name) => {
    const hidden = '<p>seen</p><p class="x">hidden</p>'
    for (const sheet of [
      `.x{display:none}@media (${name}){.x{display:inline}}`,
      `.x{display:none}.x,:${name}{display:inline}`,
      `.x{filter:opacity(0);filter:${name}(1)}`,
      `.x{display:none;${name}:inline}`,
    ])
      expect((await read(`<style>${sheet}</style>${hidden}`)).text, sheet).toBe('seen')
    for (const style of [`width:1${name}`, `font-size:${name}`, `-webkit-text-stroke:${name}`])
      expect((await read(`<p style="${style}">shown</p>`)).text, style).toBe('shown')
  })

  it.each(names)('%s is no charset, file type or time zone', async (name) => {
    const mail = await parseMail(bytesOf(`Content-Type: text/plain; charset=${name}\r\n\r\nGrüße`))
    expect(mail.text).toContain('Gr')
    const date = parseMailDate(`Mon, 2 Mar 2026 10:00:00 ${name}`)
    expect(date === null || !Number.isNaN(Date.parse(String(date)))).toBe(true)
  })

  it('is no text that is left out beside', () => {
    expect(() => textShown('x', '<constructor>y</constructor>', 1_000)).not.toThrow()
  })
})
