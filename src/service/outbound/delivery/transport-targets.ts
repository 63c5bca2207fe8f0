import { isIP } from 'node:net'
import { isPublic } from '../../net/networks'
import type { MailExchanger, Resolver } from '../../ports'
import { bounce, defer, type Verdict } from './outcome'

/** One address of one message exchanger. */
export interface Target {
  /** Name of the mail exchanger. */
  name: string
  address: string
}

/** Options of {@link findTargets}. */
interface TargetOptions {
  resolver: Resolver
  /** Our own name: mail exchangers at our priority or below would loop back to us (RFC 5321 section 5.1). */
  hostname: string
  allowPrivate: boolean
  /** Maximum number of addresses that are tried. */
  maxTargets: number
  /** Checks whether the domain's policy names this message exchanger; all are accepted by default. */
  accepts?: ((exchanger: string) => boolean) | undefined
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''
const noDomain = (domain: string): Verdict =>
  bounce(550, '5.1.2', `The domain ${domain} does not exist or takes no mail.`)
const dnsFailed = (name: string): Verdict => ({
  ...defer('4.4.3', `DNS gave no answer for ${name}.`),
  stage: 'route',
})
const bare = (host: string): string => host.toLowerCase().replace(/\.$/, '')

const literal = /^\[(?:ipv6:)?([^\]]+)\]$/i

/** Sorts by priority; those of equal priority are in random order, as RFC 5321 section 5.1 requires. */
const inOrder = (exchangers: MailExchanger[]): MailExchanger[] =>
  exchangers
    .map((exchanger) => ({ exchanger, tie: Math.random() }))
    .sort((a, b) => a.exchanger.priority - b.exchanger.priority || a.tie - b.tie)
    .map(({ exchanger }) => exchanger)

/** Finds the hosts that receive for a domain, best first, or the verdict if there are none. */
async function findHosts(domain: string, { resolver, hostname }: TargetOptions): Promise<string[] | Verdict> {
  let exchangers: MailExchanger[] = []
  try {
    exchangers = inOrder(await resolver.mx(domain))
  } catch (error) {
    if (codeOf(error) === 'ENOTFOUND') return noDomain(domain)
    if (codeOf(error) !== 'ENODATA') return dnsFailed(domain)
  }
  // Without MX records the domain is its own mail exchanger.
  if (exchangers.length === 0) exchangers = [{ exchange: domain, priority: 0 }]
  const hosts = exchangers.map(({ exchange }) => bare(exchange))
  if (hosts.every((host) => host === ''))
    return bounce(556, '5.1.10', `The domain ${domain} takes no mail (null MX).`)
  const ours = exchangers.find(({ exchange }) => bare(exchange) === bare(hostname))
  const better = ours
    ? hosts.filter((_, i) => (exchangers[i] as MailExchanger).priority < ours.priority)
    : hosts
  if (better.length) return better.filter(Boolean)
  return bounce(
    554,
    '5.4.6',
    `Mail for ${domain} would come back to this host, which does not know the domain.`,
  )
}

/** Finds the addresses of the hosts, best first, or the verdict if none may be used. */
async function findAddresses(
  hosts: string[],
  domain: string,
  options: TargetOptions,
): Promise<Target[] | Verdict> {
  const targets: Target[] = []
  let verdict =
    hosts[0] === domain
      ? noDomain(domain)
      : bounce(550, '5.4.4', `No mail server of ${domain} has an address.`)
  for (const name of hosts) {
    if (targets.length >= options.maxTargets) break
    try {
      const addresses = await options.resolver.addresses(name)
      const usable = options.allowPrivate ? addresses : addresses.filter(isPublic)
      targets.push(...usable.map((address) => ({ name, address })))
      if (usable.length === 0 && addresses.length && verdict.outcome === 'bounced')
        verdict = unreachable(domain)
    } catch (error) {
      if (!['ENOTFOUND', 'ENODATA'].includes(codeOf(error))) verdict = dnsFailed(name)
    }
  }
  return targets.length ? targets.slice(0, options.maxTargets) : verdict
}

/**
 * Returns the verdict on private addresses. Anybody can point the MX of a domain at our database: its answer
 * would be in a bounce that they can read.
 */
const unreachable = (domain: string): Verdict =>
  bounce(550, '5.4.4', `The mail servers of ${domain} have no address on the public internet.`)

/**
 * Returns the verdict if a policy names none of the exchangers: the policy is outdated, or the DNS is forged.
 * Either may soon be over (RFC 8461 section 5).
 */
const unnamed = (domain: string): Verdict => ({
  ...defer('4.7.5', `The MTA-STS policy of ${domain} names none of its mail exchangers.`),
  stage: 'route',
})

/** Finds the hosts for a domain (RFC 5321 section 5.1, RFC 7505), in the order to try, or the verdict. */
export async function findTargets(domain: string, options: TargetOptions): Promise<Target[] | Verdict> {
  const address = literal.exec(domain)?.[1]
  if (address !== undefined) {
    if (!isIP(address)) return bounce(553, '5.1.3', `${domain} is not an address literal.`)
    return options.allowPrivate || isPublic(address) ? [{ name: domain, address }] : unreachable(domain)
  }
  if (!domain) return bounce(553, '5.1.3', 'The address has no domain.')
  const hosts = await findHosts(domain, options)
  if (!Array.isArray(hosts)) return hosts
  const { accepts = () => true } = options
  const accepted = hosts.filter(accepts)
  return accepted.length > 0 ? findAddresses(accepted, domain, options) : unnamed(domain)
}
