import type { Kysely } from 'kysely'
import type { Resolver } from '../../service/ports'
import type { Settings } from '../../service/settings'
import type { Database } from '../../service/store/tables/schema'
import type { Finding } from './fitness'

/** MX hosts of a domain whose messages a provider receives, as documented by the providers. */
const mxOfProvider: Record<string, { name: RegExp; record: string }> = {
  cloudflare: { name: /\.mx\.cloudflare\.net$/, record: 'those that Email Routing names' },
  ses: {
    name: /^inbound-smtp\.[a-z\d-]+\.amazonaws\.com$/,
    record: 'inbound-smtp.<region>.amazonaws.com',
  },
  mailgun: { name: /\.mailgun\.org$/, record: 'mxa.mailgun.org and mxb.mailgun.org' },
  postmark: { name: /^inbound\.postmarkapp\.com$/, record: 'inbound.postmarkapp.com' },
  sendgrid: { name: /^mx\.sendgrid\.net$/, record: 'mx.sendgrid.net' },
  resend: { name: /\.amazonaws\.com$/, record: 'the one that its dashboard names' },
}

/** Database rows about the sources of inbound messages. */
export interface InboundRoads {
  /** Providers with a key that is not revoked. */
  providers: string[]
  /** Whether there are other sources: a key without a provider, or connected mailboxes. */
  hasOthers: boolean
}

export async function readInboundRoads(db: Kysely<Database>): Promise<InboundRoads> {
  const [keys, connections] = await Promise.all([
    db
      .selectFrom('api_keys')
      .select('provider')
      .where('scopes', '=', 'inbound')
      .where('revoked_at', 'is', null)
      .execute(),
    db.selectFrom('connections').select('id').limit(1).execute(),
  ])
  const providers = [...new Set(keys.flatMap(({ provider }) => provider ?? []))].sort()
  return { providers, hasOthers: connections.length > 0 || keys.some(({ provider }) => provider === null) }
}

/** Checks the MX of a domain that receives only through providers; null if it is right, or unknown. */
export async function judgeInboundMx(
  resolver: Resolver,
  domain: string,
  { providers, hasOthers }: InboundRoads,
): Promise<Finding | null> {
  const known = providers.filter((provider) => provider in mxOfProvider)
  if (hasOthers || known.length === 0) return null
  const remedy = `Point the MX of ${domain} to ${known.map((one) => `${mxOfProvider[one]!.record} (${one})`).join(', or to ')}.`
  const found = await resolver.mx(domain).catch((error: { code?: unknown }) => {
    return ['ENOTFOUND', 'ENODATA'].includes(String(error.code)) ? [] : null
  })
  if (found === null) return null
  const names = found.map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''))
  if (names.some((name) => known.some((one) => mxOfProvider[one]!.name.test(name)))) return null
  const problem =
    names.length === 0
      ? `${domain} has no MX record: mail to it does not reach ${known.join(' or ')}.`
      : `Mail to ${domain} goes to ${names.join(', ')}, not to ${known.join(' or ')}, unless that forwards it.`
  return { check: 'inbound_mx', problem, remedy }
}

/** Finds problems of connected mailboxes. */
export async function judgeConnections(db: Kysely<Database>): Promise<Finding[]> {
  const rows = await db
    .selectFrom('connections')
    .select(['id', 'address', 'state', 'error', 'failing_since'])
    .where('error', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id, address, state, error, failing_since }) =>
    state === 'live'
      ? {
          check: 'mail_skipped',
          problem: `Not all mail of ${address} came in: ${error}`,
          remedy: `Look at it there, then: restante connect retry ${id}.`,
        }
      : {
          check: 'connection_failing',
          problem: `No mail of ${address} comes in since ${failing_since ?? 'it was connected'}: ${error}`,
          remedy: `Put that right; restante connect again gives another login, restante connect retry ${id} ends the wait.`,
        },
  )
}

/** Finds problems of inbound keys: none while SMTP is off, or refused messages of their providers. */
export async function judgeInboundKeys(
  db: Kysely<Database>,
  { smtp }: Pick<Settings, 'smtp'>,
): Promise<Finding[]> {
  const keys = await db
    .selectFrom('api_keys')
    .select(['id', 'provider', 'last_used_at', 'refused_at', 'refused_reason'])
    .where('scopes', '=', 'inbound')
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute()
  const findings: Finding[] = []
  if (smtp === 'off' && keys.length === 0 && !(await readInboundRoads(db)).hasOthers)
    findings.push({
      check: 'no_inbound_key',
      problem: 'SMTP is off, no key brings mail in over HTTP, and no mailbox is connected.',
      remedy:
        'Make a key with restante admin inbound-key, or restante connect a mailbox: docs/real-mail.md has the roads.',
    })
  for (const { id, provider, last_used_at, refused_at, refused_reason } of keys)
    if (refused_at !== null && refused_at > (last_used_at ?? ''))
      findings.push({
        check: 'provider_refused',
        problem: `Mail of ${provider} under the key ${id} was refused at ${refused_at}: ${refused_reason}.`,
        remedy:
          'Fix the named problem, or create a new key with restante admin inbound-key. The provider retries.',
      })
  return findings
}
