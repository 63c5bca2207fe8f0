import { once } from '../../base'
import type { Resolver } from '../../ports'
import { recordsOf, type TreeWalk, walkTree } from './dmarc-record'
import { loadOrganizations } from './organization'

/** The verdict of DMARC on a message (RFC 9989). */
type DmarcResult = 'pass' | 'fail' | 'none' | 'temperror' | 'permerror'

/** The facts that DMARC is judged by. */
interface DmarcGround {
  resolver: Resolver
  /** The domain of the one address in From, in its ASCII form. */
  domain: string
  /** The domain for which SPF passed; null if it did not. */
  spfDomain: string | null
  /** The domains whose DKIM signatures prove the message. */
  dkimDomains: readonly string[]
}

/** The verdict of DMARC, and the identifiers that are aligned with the domain of From, policy or none. */
interface DmarcVerdict {
  result: DmarcResult
  /** The domains out of `dkimDomains` that are aligned. */
  aligned: string[]
  spfAligned: boolean
}

/**
 * The record that applies to a domain without one: of its organizational domain, else of its public suffix. Its policy
 * (`p`, `sp`, `np`) changes no verdict: what fails is marked, whatever the domain wants.
 */
const inheritedPolicy = ({ records, organization }: TreeWalk) =>
  records.find((record) => record.domain === organization) ?? records.at(-1) ?? null

/**
 * Checks DMARC (RFC 9989). Relaxed alignment needs the same organizational domain twice: by the DNS Tree Walk, and by
 * the Public Suffix List. Without a record, the list alone says what is aligned, and the result is `none`.
 */
export async function checkDmarc({
  resolver,
  domain,
  spfDomain,
  dkimDomains,
}: DmarcGround): Promise<DmarcVerdict> {
  const organizationOf = await loadOrganizations()
  const recordOf = recordsOf(resolver)

  const walked = once(() => walkTree(recordOf, domain))

  async function isAligned(name: string, isStrict: boolean): Promise<boolean> {
    if (name === domain) return true
    if (isStrict || organizationOf(name) !== organizationOf(domain)) return false
    const { records, organization } = await walked()
    return records.length === 0 || (await walkTree(recordOf, name)).organization === organization
  }

  try {
    const policy = (await recordOf(domain)) ?? inheritedPolicy(await walked())
    const aligned: string[] = []
    for (const name of dkimDomains) if (await isAligned(name, policy?.strictDkim ?? false)) aligned.push(name)
    const spfAligned = spfDomain !== null && (await isAligned(spfDomain, policy?.strictSpf ?? false))
    if (!policy?.isUsable) return { result: 'none', aligned, spfAligned }
    return { result: aligned.length > 0 || spfAligned ? 'pass' : 'fail', aligned, spfAligned }
  } catch {
    // The alignment that the domain wants is unknown.
    const aligned = dkimDomains.filter((name) => name === domain)
    return { result: 'temperror', aligned, spfAligned: spfDomain === domain }
  }
}
