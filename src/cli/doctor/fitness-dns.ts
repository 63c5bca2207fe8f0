import { isPublic } from '../../service/net/networks'
import type { Resolver } from '../../service/ports'
import type { Finding } from './fitness'

/** Context of the DNS checks. */
interface DnsContext {
  resolver: Resolver
  domain: string
  /** True if messages are sent directly to the servers of recipients, which check the sending address. */
  isDirect: boolean
  /** Null if there is no key yet. */
  dkim: { name: string; value: string } | null
}

/** Queries the records of a name: empty if it has none, null if the DNS did not answer. */
async function look<T>(asked: Promise<T[]>): Promise<T[] | null> {
  try {
    return await asked
  } catch (error) {
    return ['ENOTFOUND', 'ENODATA'].includes(String((error as { code?: unknown }).code)) ? [] : null
  }
}

const textsOf = async (resolver: Resolver, name: string) =>
  (await look(resolver.txt(name)))?.map((parts) => parts.join('')) ?? null
const bare = (name: string) => name.toLowerCase().replace(/\.$/, '')
const keyOf = (text: string) => /(?:^|;)p=([^;]*)/.exec(text.replace(/\s/g, ''))?.[1]

async function lookForMx({ resolver, domain }: DnsContext): Promise<Finding | null> {
  const found = await look(resolver.mx(domain))
  if (!found || found.length > 0) return null
  return {
    check: 'mx',
    problem: `${domain} has no MX record: mail to it, and bounces, find no way here.`,
    remedy: `Publish ${domain} MX 10 with the name of this host.`,
  }
}

async function lookForSpf({ resolver, domain, isDirect }: DnsContext): Promise<Finding | null> {
  const policies = (await textsOf(resolver, domain))?.filter((text) => /^v=spf1(\s|$)/i.test(text))
  if (!policies || policies.length === 1) return null
  return {
    check: 'spf',
    problem:
      policies.length === 0
        ? `${domain} has no SPF record: others take its mail for forged.`
        : `${domain} has ${policies.length} SPF records, which counts as none.`,
    remedy: isDirect
      ? `Publish one: ${domain} TXT "v=spf1 a mx -all", where the name or its MX is the address that mail comes from.`
      : `Publish one that names the smarthost, as its operator says: ${domain} TXT "v=spf1 include:… -all".`,
  }
}

async function lookForDkim({ resolver, dkim }: DnsContext): Promise<Finding | null> {
  if (!dkim) return null
  const found = await textsOf(resolver, dkim.name)
  if (!found || found.some((text) => keyOf(text) === keyOf(dkim.value))) return null
  return {
    check: 'dkim',
    problem:
      found.length === 0
        ? `${dkim.name} is not published: signatures of this service prove nothing.`
        : `${dkim.name} has another key than the one that signs.`,
    remedy: `Publish ${dkim.name} TXT "${dkim.value}"`,
  }
}

/** Checks that address and name resolve to each other; otherwise large receivers refuse the messages. */
async function lookForPtr({ resolver, domain, isDirect }: DnsContext): Promise<Finding[]> {
  if (!isDirect) return []
  const addresses = await look(resolver.addresses(domain))
  if (!addresses) return []
  if (addresses.length === 0)
    return [
      {
        check: 'address',
        problem: `${domain} has no A or AAAA record, and the service calls itself that.`,
        remedy: `Publish ${domain} A with the address that mail comes from.`,
      },
    ]
  const findings: Finding[] = []
  for (const address of addresses.filter(isPublic)) {
    const names = await look(resolver.ptr(address))
    if (!names || names.map(bare).includes(domain)) continue
    findings.push({
      check: 'ptr',
      problem: `The reverse DNS of ${address} is ${names.join(', ') || 'not set'}, not ${domain}: large receivers refuse its mail.`,
      remedy: `Ask the provider of the address to set its reverse DNS (PTR) to ${domain}.`,
    })
  }
  return findings
}

/** Compares the DNS with the required records; a query without an answer gives no finding. */
export async function judgeDns(context: DnsContext): Promise<Finding[]> {
  const found = await Promise.all(
    [lookForMx, lookForSpf, lookForDkim, lookForPtr].map((look) => look(context)),
  )
  return found.flatMap((one) => one ?? [])
}
