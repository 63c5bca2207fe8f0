import { isIPv4, isIPv6 } from 'node:net'
import { parseAddressList, splitAddress } from '../../mail/address'
import { headerValues, readHeaders } from '../../mail/header-reader'
import type { Authentication } from '../../protocol/message'
import type { Resolver } from '../ports'

/** Judges who sent a mail; never rejects. Null for mail within this machine, which DNS knows nothing of. */
export type SenderCheck = (envelope: SenderEnvelope, raw: Uint8Array) => Promise<Authentication | null>

/** What the sender said outside of the mail, and whence. */
export interface SenderEnvelope {
  mailFrom: string
  remoteAddress: string
  heloName: string
}

export interface SenderCheckOptions {
  resolver: Resolver
  /** The name of this server. */
  hostname: string
  /** Then it is `temperror`; 5 s. */
  timeoutMs?: number
}

const maxHeaderBytes = 256 * 1024
// What mailauth reads in more than linear time, or pays for by the piece.
const maxFromLength = 4_096
const maxSignatures = 10
const maxSeals = 150
const maxQueries = 60
const local = /(?:^|\.)localhost$/
const loopback = /^(?:127\.|::1$)/

const all = (result: string): Authentication => ({
  spf: result,
  dkim: result,
  dmarc: result,
  arc: result,
  from_verified: false,
})

/** The addresses that the mail says it is from, and whether it is a burden to judge it. */
function claimOf(raw: Uint8Array): { domains: string[]; isBurden: boolean } {
  const { fields, isComplete } = readHeaders(raw, maxHeaderBytes)
  const from = headerValues(fields, 'from')
  const seals = fields.filter(({ name }) => /^arc-/i.test(name)).length
  const isBurden =
    !isComplete ||
    from.join('').length > maxFromLength ||
    headerValues(fields, 'dkim-signature').length > maxSignatures ||
    seals > maxSeals
  const addresses = isBurden ? [] : from.flatMap(parseAddressList)
  return { domains: addresses.map(({ address }) => splitAddress(address)?.domain ?? ''), isBurden }
}

/** DNS as mailauth asks it: by type, and not without end. */
function dnsOf(resolver: Resolver) {
  let queries = 0
  const noData = () => Object.assign(new Error('no such record'), { code: 'ENODATA' })
  async function addresses(name: string, isFamily: (address: string) => boolean): Promise<string[]> {
    const found = (await resolver.addresses(name)).filter(isFamily)
    if (found.length === 0) throw noData()
    return found
  }
  return async (name: string, type: string): Promise<string[] | string[][]> => {
    if (++queries > maxQueries) throw Object.assign(new Error('too many queries'), { code: 'ETIMEOUT' })
    if (type === 'TXT') return resolver.txt(name)
    if (type === 'A') return addresses(name, isIPv4)
    if (type === 'AAAA') return addresses(name, isIPv6)
    if (type === 'MX') return (await resolver.mx(name)) as unknown as string[]
    throw noData()
  }
}

/**
 * Checks SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and ARC (RFC 8617). `from_verified` says that DMARC passed for the
 * one address in From: that its domain vouches for this mail.
 */
export function createSenderCheck({
  resolver,
  hostname,
  timeoutMs = 5_000,
}: SenderCheckOptions): SenderCheck {
  async function judge(
    envelope: SenderEnvelope,
    raw: Uint8Array,
    domains: string[],
  ): Promise<Authentication> {
    // Only who is judged pays for the half second that it takes to load.
    const { authenticate } = await import('mailauth')
    const { spf, dkim, dmarc, arc } = await authenticate(
      Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength),
      {
        resolver: dnsOf(resolver),
        ip: envelope.remoteAddress,
        helo: envelope.heloName,
        sender: envelope.mailFrom || `postmaster@${envelope.heloName}`,
        mta: hostname,
        disableBimi: true,
      },
    )
    const signatures = (dkim.results ?? []).map(({ status }) => status.result)
    const result = dmarc ? dmarc.status.result : 'permerror'
    const [domain, ...others] = domains
    const read = dkim.headerFrom?.map((address) => splitAddress(address)?.domain) ?? []
    return {
      spf: spf ? spf.status.result : 'none',
      dkim: signatures.find((one) => one === 'pass') ?? signatures[0] ?? 'none',
      dmarc: result,
      arc: arc ? arc.status.result : 'none',
      // Two readers of a strange From must not mean two different senders.
      from_verified: result === 'pass' && others.length === 0 && read.length === 1 && read[0] === domain,
    }
  }

  return async (envelope, raw) => {
    const { domains, isBurden } = claimOf(raw)
    if (loopback.test(envelope.remoteAddress) && domains.every((domain) => local.test(domain))) return null
    if (isBurden) return all('permerror')
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Authentication>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, all('temperror'))
    })
    try {
      return await Promise.race([judge(envelope, raw, domains), late])
    } catch {
      return all('temperror')
    } finally {
      clearTimeout(timer)
    }
  }
}
