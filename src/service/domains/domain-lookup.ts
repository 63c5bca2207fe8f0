import { loadSuffixes } from '../base/load-later'
import type { Resolver } from '../ports'
import type { Finding, WantedRecord } from './domain-records'

const maxFound = 10
const maxLength = 500

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''
const bare = (host: string): string => host.toLowerCase().replace(/\.$/, '')
// This shows records that a stranger published: bounded, and without characters that break a line.
const shown = (texts: readonly string[]): string[] =>
  texts.slice(0, maxFound).map((text) => text.slice(0, maxLength).replace(/\p{C}/gu, '\u{fffd}'))

/** Queries the DNS; null if it did not answer, which proves nothing. */
type Lookup<T> = (name: string) => Promise<T[] | null>

async function answerOf<T>(asked: Promise<T[]>): Promise<T[] | null> {
  try {
    return await asked
  } catch (error) {
    return ['ENOTFOUND', 'ENODATA'].includes(codeOf(error)) ? [] : null
  }
}

/** Domain to look up, and the resolver. */
interface LookupContext {
  resolver: Resolver
  hostname: string
  /** The host that receives email. */
  serviceDomain: string
}

const ok = (found: readonly string[]): Finding => ({ status: 'ok', found: shown(found), hint: null })
const missing = (hint: string): Finding => ({ status: 'missing', found: [], hint })
const wrong = (found: readonly string[], hint: string): Finding => ({
  status: 'wrong',
  found: shown(found),
  hint,
})

/** Explains a missing record: many DNS providers append the domain to the entered name. */
async function missingTxt(
  txt: Lookup<string>,
  { name, value }: WantedRecord,
  { hostname }: LookupContext,
): Promise<Finding> {
  const doubled = `${name}.${hostname}`
  if ((await txt(doubled))?.includes(value)) {
    const short = name.slice(0, -hostname.length - 1)
    return missing(
      `It was found at ${doubled}: the DNS provider adds the domain, so enter ${short} as the name.`,
    )
  }
  return missing(
    `There is no TXT record at ${name}: publish this one. A new record can take an hour to be seen.`,
  )
}

const withoutSpace = (text: string) => text.replace(/\s/g, '')
const publicKeyOf = (text: string) => /(?:^|;)p=([^;]*)/.exec(withoutSpace(text))?.[1]

function judgeDkim(found: string[], value: string): Finding | null {
  const keys = found.map(publicKeyOf).filter((key) => key !== undefined)
  if (keys.length === 0) return null
  const wanted = publicKeyOf(value)!
  if (keys.length > 1) return wrong(found, 'There are several keys at this name: leave only this one.')
  if (keys[0] === wanted) return ok(found)
  return wanted.startsWith(keys[0]!) && keys[0] !== ''
    ? wrong(
        found,
        'The key is cut off: publish the whole value, in parts of at most 255 characters in quotes.',
      )
    : wrong(found, 'The key is another one: put this value in its place.')
}

function judgeSpf(found: string[], { value }: WantedRecord, serviceDomain: string): Finding | null {
  const policies = found.filter((text) => /^v=spf1(\s|$)/i.test(text))
  if (policies.length === 0) return null
  if (policies.length > 1)
    return wrong(
      policies,
      `There are ${policies.length} SPF records, which counts as none: join them in one.`,
    )
  const includes = policies[0]!.toLowerCase().split(/\s+/).includes(`include:${serviceDomain}`)
  return includes ? ok(policies) : wrong(policies, `It does not let this service send: make it ${value}`)
}

function judgeTxt(found: string[], wanted: WantedRecord, serviceDomain: string): Finding | null {
  switch (wanted.purpose) {
    case 'dkim':
    case 'dkim_next':
      return judgeDkim(found, wanted.value)
    case 'return_path':
      return judgeSpf(found, wanted, serviceDomain)
    case 'dmarc': {
      const policies = found.filter((text) => /^v=DMARC1\s*(;|$)/i.test(text))
      return policies.length > 0 ? ok(policies) : null
    }
    default: {
      if (found.some((text) => text.trim() === wanted.value)) return ok([wanted.value])
      const others = found.filter((text) => text.includes('restante-verification='))
      return others.length > 0
        ? wrong(
            others,
            'This is the record of another account, or of an earlier try: add this one beside it.',
          )
        : null
    }
  }
}

/**
 * Looks up the policy of the registered domain, which applies if this domain has none (RFC 9989 section
 * 4.10.1). Domains between the two, which a receiver's Tree Walk queries too, are skipped.
 */
async function inheritedDmarc(txt: Lookup<string>, wanted: WantedRecord, { hostname }: LookupContext) {
  const { getDomain } = await loadSuffixes()
  const parent = getDomain(hostname, { allowPrivateDomains: true })
  if (parent === null || parent === hostname) return null
  const found = await txt(`_dmarc.${parent}`)
  return found && judgeTxt(found, wanted, '')
}

async function lookForTxt(wanted: WantedRecord, context: LookupContext): Promise<Finding | null> {
  const txt: Lookup<string> = async (name) => {
    const records = await answerOf(context.resolver.txt(name))
    return records?.map((parts) => parts.join('')) ?? null
  }
  const found = await txt(wanted.name)
  if (!found) return null
  const finding =
    judgeTxt(found, wanted, context.serviceDomain) ??
    (wanted.purpose === 'dmarc' ? await inheritedDmarc(txt, wanted, context) : null)
  if (finding) return finding
  return wanted.purpose === 'dmarc'
    ? missing(
        'There is no DMARC policy. Mail is sent without one, but large receivers trust mail with one more.',
      )
    : missingTxt(txt, wanted, context)
}

async function lookForMx(
  wanted: WantedRecord,
  { resolver, serviceDomain }: LookupContext,
): Promise<Finding | null> {
  const records = await answerOf(resolver.mx(wanted.name))
  if (!records) return null
  const sorted = records.toSorted((a, b) => a.priority - b.priority)
  const best = sorted.filter(({ priority }) => priority === sorted[0]?.priority)
  const found = sorted.map(({ priority, exchange }) => `${priority} ${bare(exchange)}`)
  if (best.some(({ exchange }) => bare(exchange) === serviceDomain)) return ok(found)
  const receiving = wanted.purpose === 'receiving'
  if (found.length === 0)
    return missing(
      `There is no MX record at ${wanted.name}: without it ${receiving ? 'mail to this domain does not come here' : 'bounces go to the domain of the service'}.`,
    )
  return wrong(
    found,
    receiving
      ? 'Mail to this domain goes elsewhere. Leave it where you only send from here; else put this record in place of those.'
      : 'Bounces go elsewhere: put this record in place of those.',
  )
}

/** Looks up one record. Null if the DNS gave no answer: then the earlier finding still counts. */
export const lookFor = (wanted: WantedRecord, context: LookupContext): Promise<Finding | null> =>
  wanted.type === 'MX' ? lookForMx(wanted, context) : lookForTxt(wanted, context)
