import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { loadSuffixes } from '../base/load-later'
import { refuse } from '../base/refuse'

const label = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/

/** Returns why a name cannot be a domain of an account; null if it can. */
async function problemOf(name: string, serviceDomain: string): Promise<string | null> {
  if (isIP(name)) return 'is an IP address, not a domain'
  const labels = name.split('.')
  if (name.length > 253 || labels.length < 2 || !labels.every((one) => label.test(one)))
    return 'is not a domain such as example.com'
  if (name === serviceDomain || name.endsWith(`.${serviceDomain}`)) return 'belongs to this service'
  const { getPublicSuffix } = await loadSuffixes()
  if (getPublicSuffix(name, { allowPrivateDomains: true }) === name)
    return 'is a suffix under which anybody can have a domain, not a domain of your own'
  return null
}

/** Normalizes a domain for comparison and lookup: lower case, A-labels beyond ASCII (RFC 5890). */
export function asciiHostname(text: string): string {
  const name = text.trim().replace(/\.$/, '')
  // `domainToASCII` would silently drop URL parts behind the host.
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(name) ? domainToASCII(name) : ''
}

/**
 * Reads the name of a domain that an account may have.
 *
 * @throws ServiceError `invalid_request`, naming the field
 */
export async function readHostname(field: string, text: string, serviceDomain: string): Promise<string> {
  const name = asciiHostname(text)
  const problem = await problemOf(name, serviceDomain)
  if (problem === null) return name
  throw refuse('invalid_request', `${field}: ${JSON.stringify(text.slice(0, 100))} ${problem}.`, [
    { field, problem },
  ])
}
