import type { Authentication } from '../../protocol/records/message'
import { senderDomain } from './address'
import { headerValues, type MailHeader } from './header-reader'

interface MethodResult {
  result: string
  /** Tested properties, such as `header.d`; null for one that occurs twice. */
  properties: Map<string, string | null>
}

/**
 * Returns the end of the comment that starts at an index (RFC 5322 section 3.2.2); comments nest. Past the
 * end of the text if it never ends.
 */
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

/** Removes comments and replaces quoted strings by `"0"`, `"1"` …: strangers chose their content. */
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

/** Parses one field (RFC 8601 section 2.2); null if it is another server's. */
function methodsOf(field: string, authservId: string): Map<string, MethodResult[]> | null {
  const { text, quoted, isWhole } = plainOf(field)
  const plainValue = (word: string) => {
    const index = /^"(\d+)"$/.exec(word)?.[1]
    return (index === undefined ? word : quoted[Number(index)]!).toLowerCase()
  }
  const [head = '', ...parts] = text.split(';')
  if (plainValue(head.trim().split(/\s+/)[0] ?? '') !== authservId.toLowerCase()) return null
  const methods = new Map<string, MethodResult[]>()
  // A field that ends within a string or comment has no results.
  if (!isWhole) return methods
  for (const part of parts) {
    const [first = '', ...others] = part.trim().replace(/\s+/g, ' ').replace(/ ?= ?/g, '=').split(' ')
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
    const found = methods.get(method) ?? []
    found.push({ result: result.toLowerCase(), properties })
    methods.set(method, found)
  }
  return methods
}

const bestOf = (found: readonly MethodResult[] = []): string =>
  found.some(({ result }) => result === 'pass') ? 'pass' : (found[0]?.result ?? 'none')

/**
 * Returns the signing domain. Google gives only the identity, whose domain is the same or a subdomain (RFC
 * 6376 section 3.5).
 */
function signerOf({ properties }: MethodResult): string | null {
  if (properties.has('header.d')) return properties.get('header.d')!
  return /^[^@]*@([a-z\d.-]+)$/.exec(properties.get('header.i') ?? '')?.[1] ?? null
}

/** A trusted verdict of another server. */
interface BelievedResults {
  authentication: Authentication
  /** From domain that DMARC was evaluated for. */
  judgedDomain: string
}

/**
 * Reads the verdict of the mailbox's own server on the sender (RFC 8601 section 5). Uses the topmost field
 * under its name, since the server removes forged ones. Null if there is none, or if it does not name the one
 * domain that DMARC was evaluated for (`header.from`): it could be about another From.
 */
export function readAuthenticationResults(
  fields: readonly MailHeader[],
  authservId: string,
): BelievedResults | null {
  const found = headerValues(fields, 'authentication-results')
    .map((field) => methodsOf(field, authservId))
    .find((methods) => methods !== null)
  const [dmarc, ...others] = found?.get('dmarc') ?? []
  const named = dmarc?.properties.get('header.from') ?? ''
  const judgedDomain = named.includes('@') ? null : senderDomain(`x@${named}`)
  if (!found || !dmarc || others.length > 0 || judgedDomain === null) return null
  const isSignedBy = (one: MethodResult) => one.result === 'pass' && signerOf(one) === judgedDomain
  const authentication = {
    spf: bestOf(found.get('spf')),
    dkim: bestOf(found.get('dkim')),
    dmarc: dmarc.result,
    arc: bestOf(found.get('arc')),
    dkim_aligned: (found.get('dkim') ?? []).some(isSignedBy),
    from_verified: dmarc.result === 'pass',
  }
  return { authentication, judgedDomain }
}

/** Domains that a server authenticated for a message, by DKIM and by SPF. */
export interface PassedResults {
  /** Domains of the signatures that passed. */
  signers: string[]
  /** Domain of the envelope sender if SPF passed for it; null if it did not, or if there are two results. */
  spfDomain: string | null
}

/** Reads the authenticated domains from the field that {@link readAuthenticationResults} reads. */
export function readPassedResults(fields: readonly MailHeader[], authservId: string): PassedResults | null {
  const found = headerValues([...fields], 'authentication-results')
    .map((field) => methodsOf(field, authservId))
    .find((methods) => methods !== null)
  if (!found) return null
  const passed = (method: string) => (found.get(method) ?? []).filter(({ result }) => result === 'pass')
  const spf = found.get('spf') ?? []
  const identity =
    spf.length === 1 && spf[0]!.result === 'pass'
      ? (spf[0]!.properties.get('smtp.mailfrom') ?? spf[0]!.properties.get('smtp.helo') ?? null)
      : null
  return {
    signers: passed('dkim').flatMap((one) => signerOf(one) ?? []),
    spfDomain: identity?.replace(/^.*@/, '') || null,
  }
}
