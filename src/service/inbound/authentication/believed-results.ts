import {
  asciiDomain,
  type MailHeader,
  type PassedResults,
  readAuthenticationResults,
  readPassedResults,
} from '../../../mail/headers'
import type { Authentication } from '../../../protocol/records'
import { loadSuffixes } from '../../base'
import { type SoundSignature, writtenSignatures } from './dkim'

/** The verdict of another server, with its evidence. */
interface BelievedVerdict {
  authentication: Authentication
  judgedDomain: string
  signatures: readonly SoundSignature[]
  spfAligned: boolean
}

const unproven: PassedResults = { signers: [], spfDomain: null }

/**
 * Reads what the server of a mailbox found out of a sender, with its evidence: the fields of those signatures that it says
 * passed, and whether the domain for which SPF passed is aligned. Null without a result under this name.
 */
export async function readBelievedVerdict(
  fields: readonly MailHeader[],
  authservId: string,
): Promise<BelievedVerdict | null> {
  const found = readAuthenticationResults(fields, authservId)
  if (!found) return null
  const { authentication, judgedDomain: domain } = found
  const { signers, spfDomain } = readPassedResults(fields, authservId) ?? unproven
  if (!(authentication.from_verified || authentication.dkim_aligned))
    return { ...found, signatures: [], spfAligned: false }
  const { getDomain } = await loadSuffixes()
  const organizationOf = (name: string) => getDomain(name, { allowPrivateDomains: true }) ?? name
  // Only DMARC says whether the domain lets another of its organization stand for it.
  const isAligned = (name: string) =>
    name === domain || (authentication.from_verified && organizationOf(name) === organizationOf(domain))
  const aligned = new Set(signers.map(asciiDomain).filter(isAligned))
  return {
    ...found,
    signatures: writtenSignatures(fields, (name) => aligned.has(name)),
    spfAligned: spfDomain !== null && isAligned(asciiDomain(spfDomain)),
  }
}
