import * as z from 'zod'
import { UsageError } from '../protocol/errors/error'
import { meantName } from '../protocol/options'
import { type PlanInput, type PlanTable, readPlans } from './accounts/plan'
import type { SmtpReceiverOptions } from './inbound/smtp/receiver'
import { isTrustProxy } from './net/client-address'
import { areNetworks } from './net/networks'

const hostPort = z
  .string()
  .regex(
    /^(\[[\da-fA-F:.]+\]|[\w.-]+):\d{1,5}$/,
    'must be host:port, such as 127.0.0.1:4525 (port 0 for any)',
  )
  .transform((text) => {
    const colon = text.lastIndexOf(':')
    return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) }
  })
  .refine(({ port }) => port <= 65_535, 'must have a port of at most 65535')

const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .refine((url) => !/[?#]/.test(url), 'must be an http or https URL without ? and #')
  .transform((url) => url.replace(/\/+$/, ''))

const daysOrNone = z.coerce
  .number<number | string>('must be a number of days')
  .int('must be a whole number of days')
  .min(0, 'must be at least 0')
  .max(36_500, 'must be at most 36500')
const days = daysOrNone.min(1, 'must be at least 1')
const seconds = z.coerce
  .number<number | string>('must be a number of seconds')
  .min(0, 'must be at least 0')
  .max(600, 'must be at most 600')
type OwnPlans = Record<string, PlanInput>

const explain = (error: unknown): string =>
  error instanceof z.ZodError
    ? error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
    : (error as Error).message

const plans = z
  .union([z.string(), z.custom<OwnPlans>((value) => typeof value === 'object')])
  .optional()
  .transform((value, context): PlanTable => {
    try {
      return readPlans(typeof value === 'string' ? JSON.parse(value) : (value ?? {}))
    } catch (error) {
      const message = `must be plans by name, such as {"small":{"messagesPerDay":100}} (${explain(error)})`
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
  })

const domains = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (typeof value === 'string' ? value.split(',') : value))
  .transform((list) => list.map((one) => one.trim().toLowerCase()).filter(Boolean))
  .refine(
    (list) => list.every((one) => /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]{2,63}$/.test(one)),
    'must be domains, such as amazonses.com',
  )

const cors = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => (typeof value === 'string' ? value.split(',') : value))
  .transform((list) => list.map((one) => one.trim().toLowerCase().replace(/\/$/, '')).filter(Boolean))
  .refine(
    (list) => list.every((one) => /^[a-z][a-z\d+.-]*:\/\/[^/?#\s*]+$/.test(one)) || list.join() === '*',
    'must be origins, such as https://app.example.com, http://localhost:3000, or * for all',
  )

const role = z.enum(['smtp', 'http', 'work'], { error: 'must be some of smtp, http and work, with commas' })
const roles = z
  .union([z.string(), z.array(z.string())], 'must be some of smtp, http and work, with commas')
  .transform((value) => (typeof value === 'string' ? value.split(',') : value))
  .transform((list) => list.map((one) => one.trim().toLowerCase()).filter(Boolean))
  .pipe(z.array(role).min(1, 'must be some of smtp, http and work, with commas'))
  .transform((list) => new Set(list))

const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], {
  error: 'must be true or false',
})

const networks = z.string().refine(areNetworks, 'must be addresses or networks, such as 10.0.0.0/8, ::1')
const count = z.coerce
  .number<number | string>('must be a whole number')
  .int('must be a whole number')
  .min(1, 'must be at least 1')

/**
 * All settings of the service. The name is the option of `createService`. Its environment variable is in
 * capitals after `RESTANTE_`, its command-line flag with hyphens.
 */
export const settingsSchema = z.strictObject({
  http: hostPort.prefault('127.0.0.1:4525').meta({ description: 'Address on which HTTP and sockets listen' }),
  smtp: z
    .union([z.literal('off'), hostPort], 'must be host:port, such as 127.0.0.1:2525, or off')
    .prefault('127.0.0.1:2525')
    .meta({ description: 'Address on which SMTP listens; `off` if email arrives by HTTP only' }),
  smtpCertificate: z.string().min(1).optional().meta({
    description:
      'PEM file of the certificate for STARTTLS at SMTP. Default: a self-signed one, which suffices between mail servers',
  }),
  smtpKey: z.string().min(1).optional().meta({ description: 'PEM file of the key of that certificate' }),
  metrics: hostPort.optional().meta({
    description:
      'Address on which /metrics listens for Prometheus, without a key. Default: off. Use a loopback address',
  }),
  data: z
    .string()
    .min(1)
    .refine(
      (folder) => folder !== ':memory:',
      'must be a folder: createService without one keeps all in memory',
    )
    .optional()
    .meta({
      description:
        'Folder of the database and of large messages. Default: PostgreSQL if that is set, else memory',
    }),
  blobs: z
    .string()
    .regex(/^s3:\/\/[a-z\d][a-z\d.-]{1,61}[a-z\d](\/[\w./-]*)?$/, 'must be s3://bucket or s3://bucket/prefix')
    .transform((text) => {
      const [bucket = '', ...folders] = text.slice('s3://'.length).split('/').filter(Boolean)
      return { bucket, prefix: folders.map((folder) => `${folder}/`).join('') }
    })
    .optional()
    .meta({
      description:
        'Bucket of S3 or a compatible service for messages above 64 KiB, as s3://bucket or s3://bucket/prefix',
    }),
  blobsEndpoint: webUrl.optional().meta({ description: 'Base address of the S3 service, if it is not AWS' }),
  blobsRegion: z
    .string()
    .regex(/^[a-z\d-]+$/, 'must be the name of a region, such as eu-central-1')
    .default('us-east-1')
    .meta({ description: 'Region of the bucket' }),
  blobsAccessKeyId: z.string().min(1).optional().meta({ description: 'Access key for the bucket' }),
  blobsSecretAccessKey: z.string().min(1).optional().meta({ description: 'Secret of that access key' }),
  databaseUrl: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')
    .optional()
    .meta({ description: 'PostgreSQL in place of the embedded SQLite' }),
  databaseDirectUrl: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')
    .optional()
    .meta({
      description:
        'Direct URL of the same PostgreSQL, if `databaseUrl` leads to a pooler such as PgBouncer, which does not pass LISTEN',
    }),
  databaseConnections: count.optional().meta({
    description:
      'Maximum of connections of this node to PostgreSQL, without the one for LISTEN. Default: 8 for `smtp`, 12 for `http`, 8 for `work`, at most 20',
  }),
  natsUrl: z
    .string()
    .regex(
      /^(nats|tls):\/\/[^\s,]+(\s*,\s*(nats|tls):\/\/[^\s,]+)*$/,
      'must be the nats:// or tls:// URLs of the servers of one NATS, with commas between them',
    )
    .refine(
      (urls) => urls.split(',').every((url) => URL.canParse(url.trim())),
      'has a URL that cannot be read: its port is 1 to 65535, and signs in a password are %-encoded',
    )
    .optional()
    .meta({
      description:
        'NATS servers by which nodes on one PostgreSQL notify each other, in place of LISTEN. NATS stores nothing and may be unavailable',
    }),
  roles: roles.prefault('smtp,http,work').meta({
    description:
      'Roles of this node: `smtp` receives email, `http` serves the API, sockets and the console, `work` sends email and webhooks and runs jobs. A node without all three needs PostgreSQL and other nodes',
  }),
  domain: z
    .string()
    .toLowerCase()
    .regex(
      /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]{2,63}$/,
      'must be a domain such as mail.example.com',
    )
    .default('restante.localhost')
    .meta({
      description:
        'Domain of the inboxes that the service creates. After a change, the home inbox gets an address there and keeps the old one as an alias',
    }),
  delivery: z
    .string()
    .regex(
      /^(capture|direct|smtps?:\/\/.+)$/,
      'must be capture, direct, or smtp://user:password@host:port of a smarthost',
    )
    .default('capture')
    .meta({
      description:
        'How email leaves: `capture` keeps it here, `direct` uses MX records, a URL names a smarthost',
    }),
  deliveryCa: z.string().min(1).optional().meta({
    description:
      'PEM file of the authority that signed the certificate of the smarthost. Default: the authorities that Node trusts',
  }),
  publicUrl: webUrl
    .transform((url) => url.replace(/\/v1$/, ''))
    .optional()
    .meta({ description: 'Base address that agents use, without /v1' }),
  consoleUrl: webUrl.optional().meta({
    description: 'Address of the console, if it has its own host; it ends in /console',
  }),
  cors: cors.optional().meta({
    description:
      'Origins whose pages may call the API from a browser (CORS), or `*` for all. Default: none. A page needs a key in any case',
  }),
  secret: z.string().min(16, 'must have at least 16 characters').optional().meta({
    description: 'Secret from which the service derives keys; after a rotation the new one first: new,old',
  }),
  signup: flag.default(true).meta({ description: 'Whether agents may sign up' }),
  smtpBareCr: z.enum(['refuse', 'accept'], 'must be refuse or accept').default('refuse').meta({
    description:
      'Whether SMTP refuses a message whose header has a NUL, or a CR without LF; `accept` stores it with the flaw `header-malformed`, and nothing proves its sender',
  }),
  verifyOperators: flag.optional().meta({
    description:
      'Whether the address of an operator must be verified by an emailed link before they can claim an account. Default: true for `restante serve`, else true unless mail is captured',
  }),
  smtpConnections: count
    .default(1000)
    .meta({ description: 'Concurrent SMTP connections from all addresses' }),
  smtpConnectionsEach: count.default(50).meta({
    description: 'Concurrent SMTP connections from one address. IPv6 addresses count by /64, here and below',
  }),
  smtpConnectsPerMinute: count
    .default(300)
    .meta({ description: 'New SMTP connections a minute from one address' }),
  smtpMailsPerMinute: count.default(600).meta({ description: 'Messages a minute from one address' }),
  smtpErrorsPerMinute: count.default(30).meta({
    description:
      'Unknown recipients and invalid commands a minute from one address. From a quarter of it, answers are delayed; above it, the connection is closed',
  }),
  smtpProxies: networks.optional().meta({
    description: 'Proxies in front of SMTP that send the client address by the PROXY protocol, version 1',
  }),
  spamFilter: webUrl.optional().meta({
    description: 'Address of an rspamd that checks incoming email, such as http://127.0.0.1:11333',
  }),
  trustProxy: z
    .string()
    .refine(isTrustProxy, 'must be a number of proxies, or their addresses and networks')
    .optional()
    .meta({
      description:
        'Trusted proxies in front of HTTP, as a number or as addresses and networks. Their X-Forwarded-For names the client; write `forwarded,` first if they set Forwarded instead',
    }),
  requestsPerMinute: count.default(6000).meta({ description: 'Requests a minute of one API key' }),
  maxSocketsPerKey: count
    .default(100)
    .meta({ description: 'Realtime sockets of one API key. This limit and those below hold for each node' }),
  maxSocketsPerAccount: count.default(1000).meta({ description: 'Realtime sockets of one account' }),
  maxSocketsPerAddress: count.default(1000).meta({ description: 'Realtime sockets from one address' }),
  maxSocketOutputBytes: count.default(64 * 1024 * 1024).meta({
    description:
      'Bytes that wait for slow readers of all realtime sockets. Above it, the slowest socket is closed',
  }),
  signupsPerHour: count.default(20).meta({ description: 'Signups an hour from one address' }),
  signupsPerHourInAll: count.default(1000).meta({ description: 'Signups an hour from all addresses' }),
  unlimited: networks.default('127.0.0.0/8, ::1').meta({
    description:
      'Addresses and networks without limits for each address. Limits for keys and accounts still apply',
  }),
  checkSenders: flag.optional().meta({
    description:
      'Whether SPF, DKIM, DMARC and ARC of incoming email are checked. Default: true, except for a `.localhost` domain',
  }),
  reportDomains: domains.optional().meta({
    description:
      'Domains whose DKIM-signed bounces and complaints count without the signed return path. Set it for a smarthost that rewrites the return path, such as amazonses.com, or for a feedback loop. Needs checkSenders',
  }),
  embeddings: z.enum(['builtin', 'off']).default('builtin').meta({
    description:
      'Encoder of semantic search: `builtin` ranks English messages by meaning in this process, `off` by words alone',
  }),
  embeddingsUrl: webUrl.optional().meta({
    description:
      'Base address of a server with OpenAI’s `/v1/embeddings`, such as http://127.0.0.1:11434/v1, which embeds messages instead of the built-in encoder',
  }),
  embeddingsKey: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'API key of the embeddings server, if it needs one' }),
  embeddingsModel: z.string().min(1).default('text-embedding-3-small').meta({
    description: 'Model of the embeddings server. A change embeds all messages again',
  }),
  plans: plans.meta({
    description: 'Plans by name, as JSON. Accounts from a signup get `standard`',
  }),
  maxStorageBytes: count.optional().meta({
    description:
      'Bytes of messages, uploads and draft files that all accounts together may store; no limit unless set',
  }),
  webhooksAllowPrivate: flag.default(false).meta({
    description:
      'Development only: webhooks may go to private addresses and use plain HTTP, and the console may load pictures from them',
  }),
  connectionsAllowPrivate: flag.default(false).meta({
    description:
      'Connected mailboxes may be on private networks, where any certificate is accepted, and may work without TLS. For development, or for a mail server in your own network',
  }),
  keepEventsDays: days.default(30).meta({
    description:
      'Minimum days for which events and webhook attempts are kept. PostgreSQL keeps them up to a quarter and three days longer',
  }),
  keepExpiredDays: days.default(30).meta({
    description: 'Days for which messages of an unclaimed account are kept after it expired',
  }),
  keepTrashDays: daysOrNone.default(30).meta({
    description: 'Days for which messages in the trash are kept; 0 keeps them',
  }),
  keepAuditDays: daysOrNone.default(365).meta({
    description: 'Days for which the audit log is kept; 0 keeps it',
  }),
  drainSeconds: seconds.default(0).meta({
    description:
      'Seconds for which a stopping node reports that it is not ready and still accepts requests, until load balancers have noticed',
  }),
  log: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], {
      error: 'must be debug, info, warn, error or silent',
    })
    .default('warn')
    .meta({ description: 'Log level on standard error' }),
})

/** Options of `createService`; all are optional. */
export type ServiceOptions = z.input<typeof settingsSchema>
/** All settings, with their defaults. */
export type Settings = z.output<typeof settingsSchema>
export type SettingName = keyof Settings

const secretSettings: ReadonlySet<SettingName> = new Set(['secret', 'blobsSecretAccessKey', 'embeddingsKey'])

/** Returns true if the value of a setting is a secret. */
export const isSecretSetting = (name: SettingName): boolean => secretSettings.has(name)

/** Returns true if operators must verify their addresses. Default: unless messages are captured. */
export const verifiesOperators = ({ verifyOperators, delivery }: Settings): boolean =>
  verifyOperators ?? delivery !== 'capture'

const words = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`)
/** Returns the environment variable of a setting. */
export const environmentName = (name: string): string => `RESTANTE_${words(name).toUpperCase()}`
/** Returns the command-line flag of a setting. */
export const flagName = (name: string): string => words(name).toLowerCase().replaceAll('_', '-')

const withNames = (name: string, problem: string): string =>
  `${name} (--${flagName(name)}, ${environmentName(name)}) ${problem}`

const invalidSettings = (problems: string[]) =>
  new UsageError('invalid_settings', `Invalid settings: ${problems.join('; ')}.`)

const pathOf = (url: string) => new URL(url).pathname.replace(/\/$/, '')

/** Refuses a URL without a console, since links to it would lead nowhere. */
function requireConsolePath({ publicUrl, consoleUrl }: Settings): void {
  if (consoleUrl === undefined) return
  // A proxy may strip the path of the public URL.
  const served = ['', publicUrl === undefined ? '' : pathOf(publicUrl)].map((path) => `${path}/console`)
  if (served.includes(pathOf(consoleUrl))) return
  const right = `${new URL(consoleUrl).origin}${served.at(-1)}`
  const problem = `must be the address of the pages of the console, such as ${right}: there are none at ${consoleUrl}`
  throw invalidSettings([withNames('consoleUrl', problem)])
}

/** Refuses settings that need several processes on one database. */
function requireShared({ databaseUrl, roles, natsUrl }: Settings): void {
  if (databaseUrl !== undefined) return
  if (roles.size < role.options.length)
    throw invalidSettings([
      withNames('roles', 'must be all without databaseUrl: one process does everything on SQLite'),
    ])
  if (natsUrl !== undefined)
    throw invalidSettings([withNames('natsUrl', 'needs databaseUrl: on SQLite there is one node')])
}

/** Refuses a bucket without its credentials. */
function requireBucket({ blobs, blobsAccessKeyId, blobsSecretAccessKey }: Settings): void {
  if (blobs !== undefined && (blobsAccessKeyId === undefined || blobsSecretAccessKey === undefined))
    throw invalidSettings([withNames('blobs', 'needs blobsAccessKeyId and blobsSecretAccessKey')])
}

/** Refuses an endpoint of embeddings beside `off`. */
function requireOneEmbedder({ embeddings, embeddingsUrl }: Settings): void {
  if (embeddings === 'off' && embeddingsUrl !== undefined)
    throw invalidSettings([withNames('embeddings', 'is off: leave embeddingsUrl out, or embeddings')])
}

/** Refuses a certificate without its key, and a key without its certificate. */
function requirePair({ smtpCertificate, smtpKey }: Settings): void {
  if ((smtpCertificate === undefined) !== (smtpKey === undefined))
    throw invalidSettings([withNames('smtpCertificate', 'is given together with smtpKey')])
}

function unknownSetting(name: string): string {
  const known = Object.keys(settingsSchema.shape)
  const other = meantName(name, known)
  return `there is no setting ${name}${other ? `: say ${other}` : ''}; the settings are ${known.join(', ')}`
}

/** Validates options. @throws UsageError `invalid_settings`, which names each setting in all its forms */
export function readSettings(options: ServiceOptions): Settings {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const result = settingsSchema.safeParse(Object.fromEntries(given))
  if (result.success) {
    requireConsolePath(result.data)
    requireShared(result.data)
    requireBucket(result.data)
    requirePair(result.data)
    requireOneEmbedder(result.data)
    return result.data
  }
  throw invalidSettings(
    result.error.issues.map((issue) => {
      if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownSetting).join('; ')
      return withNames(String(issue.path[0]), issue.message)
    }),
  )
}

/**
 * Reads the settings from environment variables.
 *
 * @example
 * ```ts
 * const service = await createService(environmentOptions(process.env))
 * ```
 */
export function environmentOptions(environment: Record<string, string | undefined>): ServiceOptions {
  const given = Object.keys(settingsSchema.shape).flatMap((name) => {
    const value = environment[environmentName(name)]
    return value === undefined || value === '' ? [] : [[name, value]]
  })
  return Object.fromEntries(given) as ServiceOptions
}

/** Returns the limits of the SMTP receiver. */
export const smtpLimitsOf = (
  settings: Settings,
): Pick<SmtpReceiverOptions, 'maxConnections' | 'rates' | 'proxies' | 'bareCr'> => ({
  bareCr: settings.smtpBareCr,
  maxConnections: settings.smtpConnections,
  proxies: settings.smtpProxies?.split(',').map((one) => one.trim()),
  rates: {
    connectionsPerAddress: settings.smtpConnectionsEach,
    connectionsPerMinute: settings.smtpConnectsPerMinute,
    mailsPerMinute: settings.smtpMailsPerMinute,
    errorsPerMinute: settings.smtpErrorsPerMinute,
    exempt: settings.unlimited,
  },
})
