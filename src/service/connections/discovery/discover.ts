import type { Resolver } from '../../ports'
import { readAutoconfig } from './autoconfig'
import {
  type FoundServers,
  isKnownServer,
  isWithin,
  type MailServer,
  providerOf,
  providerOfExchanger,
} from './providers'

/** Connections that autodiscovery makes. */
export interface DiscoveryPorts {
  resolver: Pick<Resolver, 'mx' | 'srv'>
  /** Fetches a file by HTTPS from the public internet; null if there is none. */
  fetchFile(url: string, signal: AbortSignal): Promise<Uint8Array | null>
  /** Checks whether a server greets after the TLS handshake, or before STARTTLS. */
  greets(server: MailServer, signal: AbortSignal): Promise<boolean>
}

/** Servers of a mailbox, or why none was found. */
export type Discovery = FoundServers | { problem: string }

interface Address {
  local: string
  domain: string
}

/** RFC 6186 section 3.2 and RFC 8314 section 5.1, best first. */
const imapServices = [
  ['_imaps._tcp', 'implicit'],
  ['_imap._tcp', 'starttls'],
] as const
const smtpServices = [
  ['_submissions._tcp', 'implicit'],
  ['_submission._tcp', 'starttls'],
] as const

async function firstService(
  { resolver }: DiscoveryPorts,
  services: typeof imapServices | typeof smtpServices,
  domain: string,
): Promise<MailServer | null> {
  for (const [service, tls] of services) {
    const records = (await resolver.srv?.(`${service}.${domain}`).catch(() => [])) ?? []
    // The target `.` says that there is no such service (RFC 2782).
    const [best] = records
      .filter(({ name }) => name !== '' && name !== '.')
      .sort((one, other) => one.priority - other.priority || other.weight - one.weight)
    if (best) return { host: best.name.toLowerCase().replace(/\.$/, ''), port: best.port, tls }
  }
  return null
}

/**
 * Finds servers by SRV records. The DNS is not authenticated, so another domain than that of the address gets
 * no password (RFC 6186 section 6).
 */
async function byService(ports: DiscoveryPorts, { domain }: Address): Promise<Discovery | null> {
  const [imap, smtp] = await Promise.all([
    firstService(ports, imapServices, domain),
    firstService(ports, smtpServices, domain),
  ])
  if (!imap || !smtp) return null
  const other = [imap, smtp].find(({ host }) => !isWithin(host, domain) && !isKnownServer(host))
  if (!other) return { imap, smtp }
  return {
    problem: `The DNS of ${domain} names the server ${other.host}, which is in another domain. An attacker can forge the DNS, so the login was not sent there. If it is right, name the servers in imap and smtp.`,
  }
}

/** Finds the file that the domain publishes for Thunderbird. HTTPS proves that it is of the domain. */
async function byFile(
  { fetchFile }: DiscoveryPorts,
  { local, domain }: Address,
  signal: AbortSignal,
): Promise<FoundServers | null> {
  const address = encodeURIComponent(`${local}@${domain}`)
  const files = await Promise.all(
    [
      `https://autoconfig.${domain}/mail/config-v1.1.xml?emailaddress=${address}`,
      `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml`,
    ].map((url) => fetchFile(url, signal).catch(() => null)),
  )
  for (const file of files) {
    const found = file && (await readAutoconfig(file, local, domain).catch(() => null))
    if (found) return found
  }
  return null
}

/** Finds the provider that receives the email of a domain. Only servers of the table are named. */
async function byExchanger({ resolver }: DiscoveryPorts, { local, domain }: Address) {
  const exchangers = await resolver.mx(domain).catch(() => [])
  const [best] = exchangers.toSorted((one, other) => one.priority - other.priority)
  return best ? providerOfExchanger(local, best.exchange.toLowerCase().replace(/\.$/, '')) : null
}

async function firstGreeting(
  { greets }: DiscoveryPorts,
  candidates: readonly MailServer[],
  signal: AbortSignal,
): Promise<MailServer | null> {
  const answers = await Promise.all(candidates.map((one) => greets(one, signal).catch(() => false)))
  return candidates.find((_, at) => answers[at]) ?? null
}

/** Finds servers by the names that most servers have, in the domain itself. */
async function byName(
  ports: DiscoveryPorts,
  { domain }: Address,
  signal: AbortSignal,
): Promise<FoundServers | null> {
  const at = (prefixes: readonly string[], implicit: number, starttls: number): MailServer[] =>
    (
      [
        ['implicit', implicit],
        ['starttls', starttls],
      ] as const
    ).flatMap(([tls, port]) => prefixes.map((prefix) => ({ host: `${prefix}${domain}`, port, tls })))
  const [imap, smtp] = await Promise.all([
    firstGreeting(ports, at(['imap.', 'mail.', ''], 993, 143), signal),
    firstGreeting(ports, at(['smtp.', 'mail.', ''], 465, 587), signal),
  ])
  return imap && smtp ? { imap, smtp } : null
}

/**
 * Finds the IMAP and SMTP servers of an address: in the table of large providers, in the DNS (RFC 6186), in
 * the file for Thunderbird, by its MX hosts, and by usual names.
 */
export async function discover(
  ports: DiscoveryPorts,
  address: string,
  signal: AbortSignal,
): Promise<Discovery> {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const domain = address.slice(at + 1).toLowerCase()
  const parts = { local, domain }
  const known = providerOf(local, domain)
  if (known) return known
  const [service, file, exchanger] = await Promise.all([
    byService(ports, parts),
    byFile(ports, parts, signal),
    byExchanger(ports, parts),
  ])
  if (service && !('problem' in service)) return service
  const found = file ?? exchanger ?? (await byName(ports, parts, signal)) ?? service
  return (
    found ?? {
      problem: `No IMAP and SMTP server of ${domain} was found: not in its DNS (RFC 6186), not at autoconfig.${domain}, and neither imap.${domain} nor mail.${domain} answers with TLS. Ask your provider whether IMAP is on and which servers to use, and name them in imap and smtp (restante connect imaps://… --smtp smtps://…).`,
    }
  )
}
