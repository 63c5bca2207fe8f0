import { createHash, createSign, type KeyObject } from 'node:crypto'

/** Tags that differ from an ordinary signature's; null for one that is left out. */
export type SignatureTags = Record<string, string | null>

const relaxed = (name: string, value: string) =>
  `${name.toLowerCase()}:${value
    .replace(/\r\n(?=[ \t])/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`

/**
 * Signs a mail with tags of the test's choice (DKIM, relaxed header, simple body), which no sound library would.
 *
 * @param encoding `latin1` for a text in which one character is one byte
 */
export function signMail(
  text: string,
  domain: string,
  key: KeyObject,
  changed: SignatureTags = {},
  encoding: 'utf8' | 'latin1' = 'utf8',
): string {
  const at = text.indexOf('\r\n\r\n') + 4
  const fields = text.slice(0, at - 4).split(/\r\n(?![ \t])/)
  const [body, length] = [text.slice(at), changed.l]
  const signed = length ? body.slice(0, Number(length)) : body
  const tags = new Map<string, string | null>(
    Object.entries({
      ...{ v: '1', a: 'rsa-sha256', c: 'relaxed/simple', d: domain, s: 's1', h: 'from:to:subject' },
      bh: createHash('sha256').update(signed, encoding).digest('base64'),
      ...changed,
    }),
  )
  const list = [...tags].flatMap(([tag, value]) => (value === null ? [] : [`${tag}=${value}`]))
  const unsigned = `${[...list, 'b='].join('; ')}`
  const left = [...fields]
  const lines = (tags.get('h') ?? '').split(':').flatMap((name) => {
    const found = left.findLastIndex((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    if (found < 0) return []
    const [field] = left.splice(found, 1)
    return [relaxed(name, field!.slice(field!.indexOf(':') + 1))]
  })
  const input = [...lines, relaxed('DKIM-Signature', unsigned)].join('\r\n')
  return `DKIM-Signature: ${unsigned}${createSign('sha256').update(input, encoding).sign(key, 'base64')}\r\n${text}`
}
