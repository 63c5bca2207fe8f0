import { headerValues, type MailHeader, splitAddress } from '../../mail/headers'
import type { Authentication } from '../../protocol/records'

const comment = /\((?:[^()\\]|\\.)*\)/g
const result = /^\s*([a-z][a-z\d-]*)(?:\/\d+)?\s*=\s*([a-z]+)/i

interface MethodResult {
  result: string
  text: string
}

/** Reads a field of the header (RFC 8601 section 2.2); null where it is another server's. */
function methodsOf(field: string, authservId: string): Map<string, MethodResult[]> | null {
  const [head = '', ...parts] = field.replace(comment, ' ').split(';')
  if (head.trim().split(/\s+/)[0]?.toLowerCase() !== authservId.toLowerCase()) return null
  const methods = new Map<string, MethodResult[]>()
  for (const part of parts) {
    const [, name, value] = result.exec(part) ?? []
    if (!name || !value) continue
    const method = name.toLowerCase()
    const found = methods.get(method) ?? []
    found.push({ result: value.toLowerCase(), text: part.toLowerCase() })
    methods.set(method, found)
  }
  return methods
}

const bestOf = (found: readonly MethodResult[] = []): string =>
  found.some(({ result }) => result === 'pass') ? 'pass' : (found[0]?.result ?? 'none')

/**
 * Reads what the server of a mailbox itself found out of a sender (RFC 8601 section 5): the topmost field under its
 * name, since it takes away those that a stranger wrote under it. Null where there is none.
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
  const isSignedBy = ({ result, text }: MethodResult) => {
    const signer = /header\.(?:d|i)\s*=\s*"?(?:[^\s"@;]*@)?([a-z\d.-]+)/.exec(text)?.[1]
    return result === 'pass' && signer !== undefined && signer === domain
  }
  const dmarc = bestOf(found.get('dmarc'))
  return {
    spf: bestOf(found.get('spf')),
    dkim: bestOf(found.get('dkim')),
    dmarc,
    arc: bestOf(found.get('arc')),
    dkim_aligned: (found.get('dkim') ?? []).some(isSignedBy),
    from_verified: dmarc === 'pass',
  }
}
