import addressparser from 'nodemailer/lib/addressparser'
import { senderDomain } from '../../../mail/headers/address'
import { oneSender, parseAddressList } from '../../../mail/headers/address-list'
import { headerValues, type MailHeader, readHeaders } from '../../../mail/headers/header-reader'
import { headerBlockOf, withPlainHeader } from '../../../mail/headers/line-reader'
import type { Authentication } from '../../../protocol/records/message'
import type { Resolver } from '../../ports'
import type { SoundSignature } from '../authentication/dkim'
import { checkDmarc } from '../authentication/dmarc'
import {
  judgeSignatures,
  prepareSignatures,
  type SignatureVerdict,
  type SignatureVerifier,
} from '../authentication/signatures'
import { checkSpf } from '../authentication/spf'

/** Verdict on the sender of a message, and its evidence. */
export interface SenderVerdict {
  /** Null if the sender was not checked, or if the message stays on this machine, which DNS does not know. */
  authentication: Authentication | null
  /** Domain of From that DMARC was evaluated for, in the form of `senderDomain`; null if there is none. */
  judgedDomain: string | null
  /** Sound signatures that are aligned with the domain of From. */
  signatures: readonly SoundSignature[]
  /** True if SPF passed for a domain that is aligned with the domain of From. */
  spfAligned: boolean
}

/** Checks the sender of a message; never rejects. */
export type SenderCheck = (envelope: SenderEnvelope, raw: Uint8Array) => Promise<SenderVerdict>

/** SPF verdict of a trusted server that saw the client. */
export interface ClaimedSpf {
  /** Result as in RFC 7208 section 2.6. */
  result: string
  /** Domain that it is about. */
  domain: string
}

/** Data of the sender outside of the message, and its address. */
interface SenderEnvelope {
  mailFrom: string
  /** Null if unknown: then SPF proves nothing, unless there is a trusted verdict. */
  remoteAddress: string | null
  heloName: string
  spf?: ClaimedSpf | undefined
}

interface SenderCheckOptions {
  resolver: Resolver
  /** Verifies signatures in a thread: hashing a message takes up to a second. */
  verifier: SignatureVerifier
  /** Time for DNS queries before the signatures are verified, and again after that; default 5,000. */
  timeoutMs?: number
}

const maxHeaderBytes = 256 * 1024

const maxFromLength = 4_096
const maxFields = 900
const maxQueries = 60
const local = /(?:^|\.)localhost$/
const loopback = /^(?:127\.|::1$)/

const unknownOrigin: ClaimedSpf = { result: 'none', domain: '' }

/** Verdict on a message whose sender was not checked. */
export const unjudged: SenderVerdict = {
  authentication: null,
  judgedDomain: null,
  signatures: [],
  spfAligned: false,
}

const all = (result: string): SenderVerdict => ({
  ...unjudged,
  authentication: {
    spf: result,
    dkim: result,
    dmarc: result,
    arc: result,
    dkim_aligned: false,
    from_verified: false,
  },
})

/** Header of a message, as far as it concerns the sender. */
interface SenderHeader {
  fields: MailHeader[]
  /** Domain of its one sender; null if DNS cannot know it, or if there are several senders. */
  domain: string | null
  /** True if From has addresses, all of this machine. */
  isLocal: boolean
  /** True if programs disagree about its lines, or if it costs too much to check. */
  isUnfit: boolean
}

const fieldLine = /^(?:[!-9;-~]+[ \t]*:|[ \t])[^\r\0]*$/

/** Returns whether header lines conform to RFC 5322 section 2.2; programs read others differently. */
function hasPlainLines(plain: Uint8Array): boolean {
  const header = plain.subarray(0, headerBlockOf(plain).end)
  const text = Buffer.from(header.buffer, header.byteOffset, header.byteLength).toString('latin1')
  return text
    .replace(/\r\n$/, '')
    .split('\r\n')
    .every((line) => fieldLine.test(line))
}

/** Returns whether a message begins with blanks: some programs find no header in it. */
const beginsBlank = (raw: Uint8Array): boolean => raw[0] === undefined || raw[0] <= 32

function senderHeaderOf(raw: Uint8Array): SenderHeader {
  const { fields, isComplete, hasStrayControl } = readHeaders(raw, maxHeaderBytes)
  const from = headerValues(fields, 'from')
  const isUnfit =
    hasStrayControl || !isComplete || fields.length > maxFields || from.join('').length > maxFromLength
  if (isUnfit) return { fields, domain: null, isLocal: false, isUnfit }
  const domain = senderDomain(oneSender(fields)?.address ?? '')
  const domains = from.flatMap(parseAddressList).map(({ address }) => senderDomain(address))
  const isLocal = domains.length > 0 && domains.every((one) => local.test(one ?? ''))
  return { fields, domain, isLocal, isUnfit }
}

/** Limits the number of DNS queries. */
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

/** Returns whether another reader finds the same sender: a strange From must not mean two senders. */
function isReadAlike(fields: readonly MailHeader[], domain: string | null): boolean {
  const read = headerValues(fields, 'from').flatMap((value) => addressparser(value))
  const addresses = read.flatMap((one) => ('address' in one && one.address ? [one.address] : []))
  return addresses.length === 1 && senderDomain(addresses[0]!) === domain
}

/** Rejects after a timeout. */
async function inTime<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, timeoutMs, new Error('DNS did not answer in time'))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the verdict on the signatures of a message whose header programs read differently. */
const ambiguous = (fields: readonly MailHeader[]): SignatureVerdict => ({
  dkim: headerValues(fields, 'dkim-signature').length > 0 ? 'policy' : 'none',
  arc: headerValues(fields, 'arc-seal').length > 0 ? 'fail' : 'none',
  sound: [],
})

/**
 * Checks SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 9989) and ARC (RFC 8617). `from_verified` means that
 * DMARC passed for the one address in From: its domain vouches for this message.
 */
export function createSenderCheck({
  resolver: unbounded,
  verifier,
  timeoutMs = 5_000,
}: SenderCheckOptions): SenderCheck {
  async function judge(
    envelope: SenderEnvelope,
    raw: Uint8Array,
    { domain, fields }: SenderHeader,
  ): Promise<SenderVerdict> {
    const resolver = boundedResolver(unbounded)
    const plain = withPlainHeader(raw)
    const isPlain = !beginsBlank(raw) && hasPlainLines(plain)
    const { remoteAddress: ip, heloName, mailFrom } = envelope
    const asked = Promise.all([
      ip === null ? (envelope.spf ?? unknownOrigin) : checkSpf(resolver, { ip, heloName, mailFrom }),
      isPlain ? prepareSignatures(resolver, { fields, domain }) : null,
    ])
    const [spf, job] = await inTime(timeoutMs, asked)
    const { bodyStart } = headerBlockOf(plain)
    const signed = job ? judgeSignatures(verifier, { raw: plain, fields, bodyStart }, job) : ambiguous(fields)
    const { dkim, arc, sound } = await signed
    const spfDomain = spf.result === 'pass' ? spf.domain : null
    const dkimDomains = sound.map((one) => one.domain)
    const judgedDomain = isReadAlike(fields, domain) ? domain : null
    const dmarc =
      judgedDomain === null
        ? ({ result: 'permerror', aligned: [], spfAligned: false } as const)
        : await inTime(timeoutMs, checkDmarc({ resolver, domain: judgedDomain, spfDomain, dkimDomains }))
    const signatures = sound.filter((one) => dmarc.aligned.some((aligned) => aligned === one.domain))
    const authentication: Authentication = {
      ...{ spf: spf.result, dkim, dmarc: dmarc.result, arc },
      dkim_aligned: signatures.length > 0,
      from_verified: dmarc.result === 'pass',
    }
    return { authentication, judgedDomain, signatures, spfAligned: dmarc.spfAligned }
  }

  return async (envelope, raw) => {
    const header = senderHeaderOf(raw)
    if (header.isUnfit) return all('permerror')
    if (header.isLocal && loopback.test(envelope.remoteAddress ?? '')) return unjudged
    return judge(envelope, raw, header).catch(() => all('temperror'))
  }
}
