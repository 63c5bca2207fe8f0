import type { Resolver } from '../../ports'
import { readTags } from './tag-list'

/** DMARC Policy Record (RFC 9989 section 4.7). */
export interface DmarcRecord {
  /** Domain below whose `_dmarc` it was found. */
  domain: string
  /** `psd=`: whether the domain is a public suffix (`y`), an organizational domain (`n`), or either (`u`). */
  psd: 'y' | 'n' | 'u'
  /** False if the record does not make DMARC apply: it has an unknown policy, and no address for reports. */
  isUsable: boolean
  /** Required alignment. Strict: the names must be equal; else their organizational domains. */
  strictDkim: boolean
  strictSpf: boolean
}

const policies = /^(?:none|quarantine|reject)$/i
const policyTags = ['p', 'sp', 'np']
const reportAddress = /^\s*(?:mailto:[^\s@]{1,254}@|https?:\/\/)[^\s,]{1,2000}/i

// Unknown and malformed tags are left out (RFC 9989 section 4.7).
const laxTags = (text: string): Map<string, string> =>
  new Map(
    text
      .split(';')
      .flatMap((spec) => [...(readTags(spec) ?? [])])
      .map(([name, value]) => [name.toLowerCase(), value]),
  )

function readRecord(domain: string, text: string): DmarcRecord {
  const tags = laxTags(text)
  const lower = (tag: string) => tags.get(tag)?.toLowerCase() ?? ''
  const psd = lower('psd')
  // A missing `p` means `none`; an unknown policy counts only if there is an address for reports (section
  // 4.10.1).
  const hasValidPolicies = policyTags.every((tag) => !tags.has(tag) || policies.test(tags.get(tag)!))
  return {
    domain,
    psd: psd === 'y' || psd === 'n' ? psd : 'u',
    isUsable: hasValidPolicies || (tags.get('rua') ?? '').split(',').some((one) => reportAddress.test(one)),
    strictDkim: lower('adkim') === 's',
    strictSpf: lower('aspf') === 's',
  }
}

/** Queries DNS for the record of a domain; null if none or several. Rejects if DNS does not answer. */
async function askRecord(resolver: Resolver, domain: string): Promise<DmarcRecord | null> {
  try {
    const found = await resolver.txt(`_dmarc.${domain}`)
    const texts = found.map((strings) => strings.join('').trim())
    const records = texts.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text))
    return records.length === 1 ? readRecord(domain, records[0]!) : null
  } catch (error) {
    if (['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

/** Returns a function that queries DNS once for each record. */
export function recordsOf(resolver: Resolver): (domain: string) => Promise<DmarcRecord | null> {
  const asked = new Map<string, Promise<DmarcRecord | null>>()
  return (domain) => {
    const record = asked.get(domain) ?? askRecord(resolver, domain)
    asked.set(domain, record)
    return record
  }
}

const maxQueries = 8

/** Returns the domains that a DNS Tree Walk queries, in order, with parents of at most seven labels. */
function treeOf(domain: string): string[] {
  const labels = domain.split('.')
  const parents = labels.map((_, at) => labels.slice(at).join('.')).slice(1)
  return [domain, ...parents.slice(-(maxQueries - 1))]
}

/** Result of a DNS Tree Walk. */
export interface TreeWalk {
  /** Records that it found, from the longest name to the shortest. */
  records: DmarcRecord[]
  /** Organizational domain. */
  organization: string
}

/** Finds the organizational domain of a domain by a DNS Tree Walk (RFC 9989 sections 4.10 and 4.10.2). */
export async function walkTree(recordOf: ReturnType<typeof recordsOf>, domain: string): Promise<TreeWalk> {
  const records: DmarcRecord[] = []
  for (const name of treeOf(domain)) {
    const record = await recordOf(name)
    if (record) records.push(record)
    if (record && record.psd !== 'u') break
  }
  return { records, organization: organizationIn(records, domain) }
}

function organizationIn(records: readonly DmarcRecord[], domain: string): string {
  const last = records.at(-1)
  if (!last) return domain
  if (last.psd !== 'y' || last.domain === domain) return last.domain
  const labels = domain.split('.')
  return labels.slice(-(last.domain.split('.').length + 1)).join('.')
}
