import type { Authentication } from '../../protocol/records'
import { splitAddress } from './address'
import { headerValues, type MailHeader } from './header-reader'

interface MethodResult {
  result: string
  /** What was looked at, such as `header.d`; null where it is said twice. */
  properties: Map<string, string | null>
}

/** The end of the comment that begins at an index (RFC 5322 section 3.2.2): comments nest. Past the end where it has none. */
function endOfComment(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at + 1
  }
  return text.length + 1
}

const quotedString = /"((?:[^"\\]|\\[\s\S])*)"/y

/** Takes away comments, and puts `"0"`, `"1"` … in place of quoted strings: strangers chose what is in them. */
function plainOf(field: string): { text: string; quoted: string[]; isWhole: boolean } {
  const quoted: string[] = []
  let text = ''
  for (let at = 0; at < field.length; ) {
    const character = field[at]!
    if (character === '(') {
      at = endOfComment(field, at)
      if (at > field.length) return { text, quoted, isWhole: false }
      text += ' '
    } else if (character === '"') {
      quotedString.lastIndex = at
      const [all, content = ''] = quotedString.exec(field) ?? []
      if (all === undefined) return { text, quoted, isWhole: false }
      text += `"${quoted.push(content.replace(/\\([\s\S])/g, '$1')) - 1}"`
      at += all.length
    } else {
      text += character
      at++
    }
  }
  return { text, quoted, isWhole: true }
}

/** Reads a field of the header (RFC 8601 section 2.2); null where it is another server's. */
function methodsOf(field: string, authservId: string): Map<string, MethodResult[]> | null {
  const { text, quoted, isWhole } = plainOf(field)
  const plainValue = (word: string) => {
    const index = /^"(\d+)"$/.exec(word)?.[1]
    return (index === undefined ? word : quoted[Number(index)]!).toLowerCase()
  }
  const [head = '', ...parts] = text.split(';')
  if (plainValue(head.trim().split(/\s+/)[0] ?? '') !== authservId.toLowerCase()) return null
  const methods = new Map<string, MethodResult[]>()
  // What ends within a string or a comment says nothing.
  if (!isWhole) return methods
  for (const part of parts) {
    const [first = '', ...others] = part
      .trim()
      .replace(/\s*=\s*/g, '=')
      .split(/\s+/)
    const [, name, result] = /^([a-z][a-z\d-]*)(?:\/\d+)?=([a-z][a-z\d-]*)$/i.exec(first) ?? []
    if (!name || !result) continue
    const properties: MethodResult['properties'] = new Map()
    for (const other of others) {
      const [, key, word] = /^([a-z\d.-]+)=(.*)$/i.exec(other) ?? []
      if (key === undefined || word === undefined) continue
      const property = key.toLowerCase()
      properties.set(property, properties.has(property) ? null : plainValue(word))
    }
    const method = name.toLowerCase()
    methods.set(method, [...(methods.get(method) ?? []), { result: result.toLowerCase(), properties }])
  }
  return methods
}

const bestOf = (found: readonly MethodResult[] = []): string =>
  found.some(({ result }) => result === 'pass') ? 'pass' : (found[0]?.result ?? 'none')

/** The domain that signed: Google names only the identity, whose domain is that or below it (RFC 6376 section 3.5). */
function signerOf({ properties }: MethodResult): string | null {
  if (properties.has('header.d')) return properties.get('header.d')!
  return /^[^@]*@([a-z\d.-]+)$/.exec(properties.get('header.i') ?? '')?.[1] ?? null
}

/**
 * Reads what the server of a mailbox itself found out of a sender (RFC 8601 section 5): the topmost field under its
 * name, since it takes away those that a stranger wrote under it. Null where there is none. There is one result of DMARC,
 * or none is believed.
 */
export function readAuthenticationResults(
  fields: readonly MailHeader[],
  authservId: string,
  from: string | null,
): Authentication | null {
  const found = headerValues([...fields], 'authentication-results')
    .map((field) => methodsOf(field, authservId))
    .find((methods) => methods !== null)
  if (!found) return null
  const domain = splitAddress(from ?? '')?.domain
  const isSignedBy = (one: MethodResult) =>
    one.result === 'pass' && domain !== undefined && signerOf(one) === domain
  const judged = found.get('dmarc') ?? []
  const dmarc = judged.length === 1 ? judged[0]!.result : 'none'
  return {
    spf: bestOf(found.get('spf')),
    dkim: bestOf(found.get('dkim')),
    dmarc,
    arc: bestOf(found.get('arc')),
    dkim_aligned: (found.get('dkim') ?? []).some(isSignedBy),
    from_verified: dmarc === 'pass',
  }
}
