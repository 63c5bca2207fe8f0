import { domainToASCII } from 'node:url'

// biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII
const beyondAscii = /[^\x00-\x7f]/

/** Whether the part before the @ is not ASCII; the domain always has an ASCII form (RFC 6531 section 3.2). */
export const needsSmtpUtf8 = (address: string): boolean =>
  beyondAscii.test(address.slice(0, Math.max(0, address.lastIndexOf('@'))))

/**
 * The address as the service compares it: smtp-server turns `xn--` domains into Unicode, this turns them back.
 * The lone `postmaster` of RFC 5321 section 4.1.1.3 belongs to `hostname`.
 */
export function envelopeAddress(address: string, hostname?: string): string {
  const at = address.lastIndexOf('@')
  if (at < 0) return address && hostname ? `${address}@${hostname}` : address
  if (!beyondAscii.test(address)) return address
  const domain = address.slice(at + 1)
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`
}
