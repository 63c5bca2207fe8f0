import { asciiDomain } from '../../../mail/headers/address'
import {
  type PassedResults,
  readAuthenticationResults,
  readPassedResults,
} from '../../../mail/headers/authentication-results'
import type { MailHeader } from '../../../mail/headers/header-reader'
import type { Authentication } from '../../../protocol/records/message'
import { loadSuffixes } from '../../base/load-later'
import { type SoundSignature, writtenSignatures } from './dkim'

/** Verdict of another server, with its evidence. */
interface BelievedVerdict {
  authentication: Authentication
  judgedDomain: string
  signatures: readonly SoundSignature[]
  spfAligned: boolean
}

const unproven: PassedResults = { signers: [], spfDomain: null }

/**
 * Reads the verdict of a mailbox's server on a sender, with its evidence: the fields of signatures that
 * passed, and whether the SPF domain is aligned. Null without a result under this name.
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
  // Only DMARC knows whether the domain accepts another one of its organization.
  const isAligned = (name: string) =>
    name === domain || (authentication.from_verified && organizationOf(name) === organizationOf(domain))
  const aligned = new Set(signers.map(asciiDomain).filter(isAligned))
  return {
    ...found,
    signatures: writtenSignatures(fields, (name) => aligned.has(name)),
    spfAligned: spfDomain !== null && isAligned(asciiDomain(spfDomain)),
  }
}
