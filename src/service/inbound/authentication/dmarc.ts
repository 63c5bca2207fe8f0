import { once } from '../../base/load-later'
import type { Resolver } from '../../ports'
import { recordsOf, type TreeWalk, walkTree } from './dmarc-record'
import { loadOrganizations } from './tag-list'

/** Verdict of DMARC on a message (RFC 9989). */
type DmarcResult = 'pass' | 'fail' | 'none' | 'temperror' | 'permerror'

/** Facts that DMARC is evaluated on. */
interface DmarcContext {
  resolver: Resolver
  /** Domain of the one address in From, in its ASCII form. */
  domain: string
  /** Domain for which SPF passed; null if it did not. */
  spfDomain: string | null
  /** Domains whose DKIM signatures prove the message. */
  dkimDomains: readonly string[]
}

/** Verdict of DMARC, and the identifiers aligned with the domain of From, with or without a policy. */
interface DmarcVerdict {
  result: DmarcResult
  /** Domains of `dkimDomains` that are aligned. */
  aligned: string[]
  spfAligned: boolean
}

/**
 * Returns the record that applies to a domain without one: that of its organizational domain, else of its
 * public suffix. The requested policy (`p`, `sp`, `np`) changes no verdict: a failure is marked in any case.
 */
const inheritedPolicy = ({ records, organization }: TreeWalk) =>
  records.find((record) => record.domain === organization) ?? records.at(-1) ?? null

/**
 * Checks DMARC (RFC 9989). Relaxed alignment needs the same organizational domain twice: by the DNS Tree
 * Walk, and by the Public Suffix List. Without a record, only the list decides the alignment, and the result
 * is `none`.
 */
export async function checkDmarc({
  resolver,
  domain,
  spfDomain,
  dkimDomains,
}: DmarcContext): Promise<DmarcVerdict> {
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
    // The alignment that the domain requires is unknown.
    const aligned = dkimDomains.filter((name) => name === domain)
    return { result: 'temperror', aligned, spfAligned: spfDomain === domain }
  }
}
