import type { ARCData } from 'mailauth'
import {
  asciiDomain,
  headerValues,
  type MailHeader,
  parseAddressList,
  readHeaders,
  splitAddress,
} from '../../../mail/headers'
import type { Authentication } from '../../../protocol/records'
import { loadLater } from '../../base'
import type { Resolver } from '../../ports'
import {
  type CheckedSignature,
  checkDmarc,
  checkSpf,
  isChainWellFormed,
  vouchingDomains,
} from '../authentication'

/** Judges who sent a mail; never rejects. Null for mail within this machine, which DNS knows nothing of. */
export type SenderCheck = (envelope: SenderEnvelope, raw: Uint8Array) => Promise<Authentication | null>

/** The verdict of SPF that somebody gives who saw the client and is believed. */
export interface ClaimedSpf {
  /** As RFC 7208 section 2.6 has it. */
  result: string
  /** The domain that it is about. */
  domain: string
}

/** The words of the sender outside of the mail, and its address. */
interface SenderEnvelope {
  mailFrom: string
  /** Null where nobody knows it: then SPF proves nothing, unless somebody is believed. */
  remoteAddress: string | null
  heloName: string
  spf?: ClaimedSpf | undefined
}

interface SenderCheckOptions {
  resolver: Resolver
  /** Then it is `temperror`; 5 s. */
  timeoutMs?: number
}

const maxHeaderBytes = 256 * 1024
const loadMailauth = loadLater(() => import('#mailauth'))

// What mailauth reads in more than linear time, or pays for by the piece.
const maxFromLength = 4_096
const maxSignatures = 10
const maxSeals = 150
const maxFields = 900
const maxQueries = 60
const local = /(?:^|\.)localhost$/
const loopback = /^(?:127\.|::1$)/

const unknownOrigin: ClaimedSpf = { result: 'none', domain: '' }

const all = (result: string): Authentication => ({
  spf: result,
  dkim: result,
  dmarc: result,
  arc: result,
  dkim_aligned: false,
  from_verified: false,
})

/** The header of a mail, as far as it tells the sender. */
interface SenderHeader {
  fields: MailHeader[]
  /** The domains of the addresses in From. */
  domains: string[]
  /** True where every reader finds the same fields, and the body at the same place. */
  isPlain: boolean
  /** True where it costs too much to judge. */
  isBurden: boolean
}

const fieldLine = /^(?:[!-9;-~]+[ \t]*:|[ \t])[^\r\0]*$/

/** Header lines as they must be (RFC 5322 section 2.2), beyond which each reader goes on in its own way. */
function isPlainHeader(header: Uint8Array): boolean {
  const text = Buffer.from(header.buffer, header.byteOffset, header.byteLength).toString('latin1')
  const lines = text.replace(/(?:\r?\n){1,2}$/, '').split(/\r?\n/)
  return !/^\s/.test(text) && lines.every((line) => fieldLine.test(line))
}

function senderHeaderOf(raw: Uint8Array): SenderHeader {
  const { fields, isComplete, bodyStart } = readHeaders(raw, maxHeaderBytes)
  const from = headerValues(fields, 'from')
  const seals = fields.filter(({ name }) => /^arc-/i.test(name)).length
  const isBurden =
    !isComplete ||
    fields.length > maxFields ||
    from.join('').length > maxFromLength ||
    headerValues(fields, 'dkim-signature').length > maxSignatures ||
    seals > maxSeals
  const addresses = isBurden ? [] : from.flatMap(parseAddressList)
  const domains = addresses.map(({ address }) => splitAddress(address)?.domain ?? '')
  return { fields, domains, isPlain: !isBurden && isPlainHeader(raw.subarray(0, bodyStart)), isBurden }
}

/** DNS that is not asked without end. */
function boundedResolver(resolver: Resolver): Resolver {
  let queries = 0
  const bounded =
    <Answer>(lookUp: (name: string) => Promise<Answer>) =>
    async (name: string): Promise<Answer> => {
      if (++queries > maxQueries) throw Object.assign(new Error('too many queries'), { code: 'ETIMEOUT' })
      return lookUp(name)
    }
  return {
    mx: bounded((domain) => resolver.mx(domain)),
    txt: bounded((domain) => resolver.txt(domain)),
    ptr: bounded((address) => resolver.ptr(address)),
    addresses: bounded((host) => resolver.addresses(host)),
  }
}

/** The sums of the signatures (RFC 6376 section 6.1.3), whose meaning is judged here. */
async function checkSignatures(resolver: Resolver, raw: Uint8Array) {
  // Only who is judged pays for the half second that it takes to load.
  const { arc, dkimVerify } = await loadMailauth()
  // Keys are all that it asks for.
  const ask = { resolver: (name: string) => resolver.txt(name) }
  const dkim = await dkimVerify(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), ask)
  // Its types leave out the lengths, and say that there is always a chain.
  const results = dkim.results as (CheckedSignature & { status: { result: string } })[]
  const chain = (await arc(dkim.arc as ARCData, ask)).status.result
  return { results, headerFrom: dkim.headerFrom ?? [], chain }
}

/**
 * Checks SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and ARC (RFC 8617). `from_verified` says that DMARC passed for the
 * one address in From: that its domain vouches for this mail.
 */
export function createSenderCheck({
  resolver: unbounded,
  timeoutMs = 5_000,
}: SenderCheckOptions): SenderCheck {
  async function judge(
    envelope: SenderEnvelope,
    raw: Uint8Array,
    { domains, fields, isPlain }: SenderHeader,
  ): Promise<Authentication> {
    const resolver = boundedResolver(unbounded)
    const { remoteAddress: ip, heloName, mailFrom } = envelope
    const [spf, { results, headerFrom, chain }] = await Promise.all([
      ip === null ? (envelope.spf ?? unknownOrigin) : checkSpf(resolver, { ip, heloName, mailFrom }),
      checkSignatures(resolver, raw),
    ])
    const passing = results.filter(({ status }) => status.result === 'pass')
    const isSigned = headerValues(fields, 'dkim-signature').length > 0
    const failure = (isSigned && results[0]?.status.result) || 'none'
    const vouching = isPlain ? vouchingDomains(fields, passing) : []
    const [domain, ...others] = domains
    const read = headerFrom.map((address) => splitAddress(address)?.domain)
    // Two readers of a strange From must not mean two different senders.
    const isOne = Boolean(domain) && others.length === 0 && read.length === 1 && read[0] === domain
    const dmarc = isOne
      ? await checkDmarc({
          resolver,
          domain: asciiDomain(domain!),
          spfDomain: spf.result === 'pass' ? spf.domain : null,
          dkimDomains: vouching,
        })
      : ({ result: 'permerror', dkimAligned: false } as const)
    return {
      spf: spf.result,
      dkim: vouching.length > 0 ? 'pass' : passing.length > 0 ? 'policy' : failure,
      dmarc: dmarc.result,
      arc: chain === 'pass' && !(isPlain && isChainWellFormed(fields)) ? 'fail' : chain,
      dkim_aligned: dmarc.dkimAligned,
      from_verified: dmarc.result === 'pass',
    }
  }

  return async (envelope, raw) => {
    const header = senderHeaderOf(raw)
    const { domains, isBurden } = header
    if (loopback.test(envelope.remoteAddress ?? '') && domains.every((domain) => local.test(domain)))
      return null
    if (isBurden) return all('permerror')
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Authentication>((resolve) => {
      timer = setTimeout(resolve, timeoutMs, all('temperror'))
    })
    try {
      return await Promise.race([judge(envelope, raw, header), late])
    } catch {
      return all('temperror')
    } finally {
      clearTimeout(timer)
    }
  }
}
