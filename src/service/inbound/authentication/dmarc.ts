import { loadSuffixes } from '../../base'
import type { Resolver } from '../../ports'
import { readTags } from './tag-list'

/** The verdict of DMARC on a mail (RFC 7489 section 11.2). */
type DmarcResult = 'pass' | 'fail' | 'none' | 'temperror' | 'permerror'

/** The facts that DMARC is judged by. */
interface DmarcGround {
  resolver: Resolver
  /** The domain of the one address in From, in its ASCII form. */
  domain: string
  /** The domain for which SPF passed; null where it did not. */
  spfDomain: string | null
  /** The domains whose DKIM signatures stand for the mail. */
  dkimDomains: readonly string[]
}

/**
 * The alignment that a domain wants. Strict: the name must be the domain itself; else one of the same organization
 * does (RFC 7489 section 3.1).
 */
interface Alignment {
  strictDkim: boolean
  strictSpf: boolean
}

const policies = /^(?:none|quarantine|reject)$/i

/** The records of one name, of which other texts are left out. */
async function recordsOf(resolver: Resolver, domain: string): Promise<Map<string, string>[]> {
  try {
    const found = await resolver.txt(`_dmarc.${domain}`)
    const texts = found.map((strings) => strings.join('').trim())
    return texts.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text)).map(laxTags)
  } catch (error) {
    if (['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

// Unknown and malformed tags are left out (RFC 7489 section 6.3).
const laxTags = (text: string): Map<string, string> =>
  new Map(
    text
      .split(';')
      .flatMap((spec) => [...(readTags(spec) ?? [])])
      .map(([name, value]) => [name.toLowerCase(), value]),
  )

/** Reads the alignment that a domain wants; null where it has no policy (RFC 7489 section 6.6.3). */
async function alignmentOf(resolver: Resolver, domain: string, organization: string) {
  let records = await recordsOf(resolver, domain)
  if (records.length === 0 && organization !== domain) records = await recordsOf(resolver, organization)
  const [record, ...others] = records
  if (!record || others.length > 0) return null
  if (!policies.test(record.get('p') ?? '') && !record.has('rua')) return null
  const isStrict = (tag: string) => record.get(tag)?.toLowerCase() === 's'
  return { strictDkim: isStrict('adkim'), strictSpf: isStrict('aspf') } satisfies Alignment
}

/** Checks DMARC (RFC 7489); `dkimAligned` says whether a signature of the domain stands for the mail, policy or none. */
export async function checkDmarc({
  resolver,
  domain,
  spfDomain,
  dkimDomains,
}: DmarcGround): Promise<{ result: DmarcResult; dkimAligned: boolean }> {
  const { getDomain } = await loadSuffixes()
  const organizationOf = (name: string) => getDomain(name, { allowPrivateDomains: true }) ?? name
  const organization = organizationOf(domain)
  const isAligned = (name: string, isStrict: boolean) =>
    isStrict ? name === domain : organizationOf(name) === organization
  try {
    const alignment = await alignmentOf(resolver, domain, organization)
    const dkimAligned = dkimDomains.some((name) => isAligned(name, alignment?.strictDkim ?? false))
    if (!alignment) return { result: 'none', dkimAligned }
    const spfAligned = spfDomain !== null && isAligned(spfDomain, alignment.strictSpf)
    return { result: dkimAligned || spfAligned ? 'pass' : 'fail', dkimAligned }
  } catch {
    // Whether it asks for strict alignment is not known.
    return { result: 'temperror', dkimAligned: dkimDomains.includes(domain) }
  }
}
