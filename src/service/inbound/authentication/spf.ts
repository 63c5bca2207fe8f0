import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { asciiDomain } from '../../../mail/headers/address'
import type { Resolver } from '../../ports'
import { expandMacros, type MacroToken, type MacroValues } from './spf-macro'
import { type Mechanism, readSpfRecord, type SpfQualifier } from './spf-record'

/** Verdict of SPF on a sender (RFC 7208 section 2.6). */
type SpfResult = SpfQualifier | 'none' | 'temperror' | 'permerror'

/** Sender that SPF checks. */
interface SpfQuestion {
  /** Address of the client. */
  ip: string
  heloName: string
  /** Empty for the null sender, for which the HELO name is checked (RFC 7208 section 2.4). */
  mailFrom: string
}

// RFC 7208 section 4.6.4.
const maxLookups = 10
const maxVoidLookups = 2
const maxNames = 10

class SpfError extends Error {
  constructor(readonly result: 'temperror' | 'permerror') {
    super(result)
  }
}

const isVoid = (error: unknown) =>
  ['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '')
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i
/** Returns whether check_host may start with a name (RFC 7208 section 4.3). */
const isDomain = (name: string) => {
  const labels = name.split('.')
  return name.length <= 253 && labels.length > 1 && labels.every((one) => label.test(one))
}
/** Returns whether DNS can be queried for a name; macros produce more than host names may contain. */
const isName = (name: string) =>
  name.length <= 253 && name.split('.').every((one) => one.length > 0 && one.length <= 63)

function dotted(ip: string): string {
  if (isIPv4(ip)) return ip
  const bytes = ipaddr.parse(ip).toByteArray()
  return bytes.flatMap((byte) => [...byte.toString(16).padStart(2, '0')]).join('.')
}

/** One evaluation of `check_host`, with the counters that bound it. */
class SpfCheck {
  #lookups = 0
  #voids = 0
  #reverse: Promise<string[]> | undefined
  readonly #address: ipaddr.IPv4 | ipaddr.IPv6
  readonly #isIPv4: boolean

  constructor(
    readonly resolver: Resolver,
    readonly question: SpfQuestion,
    readonly sender: { local: string; domain: string },
  ) {
    this.#address = ipaddr.process(question.ip)
    this.#isIPv4 = this.#address.kind() === 'ipv4'
  }

  async run(domain: string): Promise<SpfResult> {
    if (!isDomain(domain)) return 'none'
    const text = await this.#recordOf(domain)
    if (text === null) return 'none'
    const record = readSpfRecord(text)
    if (!record) throw new SpfError('permerror')
    for (const mechanism of record.mechanisms)
      if (await this.#matches(mechanism, domain)) return mechanism.qualifier
    if (!record.redirect) return 'neutral'
    this.#countLookup()
    const result = await this.run(await this.#expand(record.redirect, domain))
    if (result === 'none') throw new SpfError('permerror')
    return result
  }

  async #recordOf(domain: string): Promise<string | null> {
    const found = await this.#ask(() => this.resolver.txt(domain), false)
    const records = found.map((strings) => strings.join('')).filter((text) => /^v=spf1(?: |$)/i.test(text))
    if (records.length > 1) throw new SpfError('permerror')
    return records[0] ?? null
  }

  /** Looks up records; too many void lookups are an error of the record (RFC 7208 §4.6.4). */
  async #ask<One>(lookUp: () => Promise<One[]>, countsVoid = true): Promise<One[]> {
    try {
      const found = await lookUp()
      if (found.length > 0) return found
    } catch (error) {
      if (!isVoid(error)) throw new SpfError('temperror')
    }
    if (countsVoid && ++this.#voids > maxVoidLookups) throw new SpfError('permerror')
    return []
  }

  #countLookup(): void {
    if (++this.#lookups > maxLookups) throw new SpfError('permerror')
  }

  async #matches(mechanism: Mechanism, domain: string): Promise<boolean> {
    if (mechanism.kind === 'all') return true
    if ('address' in mechanism) return this.#isIn(mechanism.address, mechanism.bits)
    this.#countLookup()
    const target = mechanism.domain ? await this.#expand(mechanism.domain, domain) : domain
    if (mechanism.kind === 'include') return this.#includes(target)
    if (!isName(target)) return false
    if (mechanism.kind === 'ptr') return (await this.#validated(target)) !== undefined
    if (!('bits4' in mechanism)) return this.#exists(target)
    const hosts = mechanism.kind === 'a' ? [target] : await this.#exchangers(target)
    for (const host of hosts) {
      const found = await this.#ask(() => this.resolver.addresses(host))
      const bits = this.#isIPv4 ? mechanism.bits4 : mechanism.bits6
      if (found.some((address) => this.#isIn(address, bits))) return true
    }
    return false
  }

  /** Returns whether a name has an IPv4 address, even for an IPv6 client (RFC 7208 section 5.7). */
  async #exists(name: string): Promise<boolean> {
    return (await this.#ask(() => this.resolver.addresses(name))).some((one) => isIPv4(one))
  }

  async #includes(target: string): Promise<boolean> {
    const result = await this.run(target)
    if (result === 'none') throw new SpfError('permerror')
    return result === 'pass'
  }

  async #exchangers(domain: string): Promise<string[]> {
    const found = await this.#ask(() => this.resolver.mx(domain))
    if (found.length > maxNames) throw new SpfError('permerror')
    const inOrder = found.toSorted((one, other) => one.priority - other.priority)
    return inOrder.map(({ exchange }) => exchange.replace(/\.$/, '')).filter(isName)
  }

  #isIn(address: string, bits: number): boolean {
    const range = ipaddr.parse(address)
    return range.kind() === this.#address.kind() && this.#address.match([range, bits] as never)
  }

  /** Returns the client's names whose addresses include it (RFC 7208 section 5.5); none on lookup errors. */
  #names(): Promise<string[]> {
    const look = async () => {
      const names = await this.resolver.ptr(this.#address.toString()).catch(() => [])
      const proven: string[] = []
      for (const one of names.slice(0, maxNames)) {
        const name = one.replace(/\.$/, '').toLowerCase()
        const addresses = await this.resolver.addresses(name).catch(() => [])
        const isSame = addresses.some((address) => this.#isIn(address, this.#isIPv4 ? 32 : 128))
        if (isSame) proven.push(name)
      }
      return proven
    }
    this.#reverse ??= look()
    return this.#reverse
  }

  async #validated(domain: string): Promise<string | undefined> {
    const wanted = domain.toLowerCase()
    const names = await this.#names()
    return names.find((name) => name === wanted) ?? names.find((name) => name.endsWith(`.${wanted}`))
  }

  #expand(tokens: readonly MacroToken[], domain: string): Promise<string> {
    const { local, domain: senderDomain } = this.sender
    const values: MacroValues = {
      s: `${local}@${senderDomain}`,
      l: local,
      o: senderDomain,
      d: domain,
      i: dotted(this.#address.toString()),
      h: this.question.heloName,
      v: this.#isIPv4 ? 'in-addr' : 'ip6',
      p: async () => (await this.#validated(domain)) ?? (await this.#names())[0] ?? 'unknown',
    }
    return expandMacros(tokens, values)
  }
}

/** Checks SPF (RFC 7208) for the envelope sender; `domain` is the one whose record was checked. */
export async function checkSpf(
  resolver: Resolver,
  question: SpfQuestion,
): Promise<{ result: SpfResult; domain: string }> {
  const at = question.mailFrom.lastIndexOf('@')
  const local = at > 0 ? question.mailFrom.slice(0, at) : 'postmaster'
  const named = question.mailFrom === '' ? question.heloName : question.mailFrom.slice(at + 1)
  const domain = asciiDomain(named)
  try {
    const check = new SpfCheck(resolver, question, { local, domain })
    return { result: await check.run(domain), domain }
  } catch (error) {
    return { result: error instanceof SpfError ? error.result : 'temperror', domain }
  }
}
