import { z } from 'zod'
import { UsageError } from '../protocol/errors'
import { meantName } from '../protocol/options'
import { type PlanInput, type PlanTable, readPlans } from './accounts'
import type { SmtpReceiverOptions } from './inbound/smtp'
import { areNetworks, isTrustProxy } from './net'

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
 * Every setting of the service, once: the name is the option of `createService`; in capitals after `RESTANTE_`
 * it is the environment variable, with hyphens the flag of the command line.
 */
export const settingsSchema = z.strictObject({
  http: hostPort.prefault('127.0.0.1:4525').meta({ description: 'Where HTTP and sockets listen' }),
  smtp: z
    .union([z.literal('off'), hostPort], 'must be host:port, such as 127.0.0.1:2525, or off')
    .prefault('127.0.0.1:2525')
    .meta({ description: 'Where mail comes in; `off` where it comes by HTTP only' }),
  smtpCertificate: z.string().min(1).optional().meta({
    description:
      'PEM file of the certificate for STARTTLS at SMTP. Default: a self-signed one, which suffices between mail servers',
  }),
  smtpKey: z.string().min(1).optional().meta({ description: 'PEM file of the key of that certificate' }),
  metrics: hostPort.optional().meta({
    description: 'Where /metrics listens for Prometheus, without a key: off unless set, best on loopback',
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
        'Folder of the database and large mails. Without one both are in memory, or in PostgreSQL where that is set',
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
        'Bucket of S3, or of anything that speaks its interface, for mails above 64 KiB, as s3://bucket or s3://bucket/prefix',
    }),
  blobsEndpoint: webUrl.optional().meta({ description: 'Base address of that server, where it is not AWS' }),
  blobsRegion: z
    .string()
    .regex(/^[a-z\d-]+$/, 'must be the name of a region, such as eu-central-1')
    .default('us-east-1')
    .meta({ description: 'Its region' }),
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
        'The same PostgreSQL past a pooler such as PgBouncer, which keeps nodes from waking each other by LISTEN',
    }),
  databaseConnections: count.optional().meta({
    description:
      'The most connections of this node to PostgreSQL, but for that of LISTEN; without: 8 for `smtp`, 12 for `http`, 8 for `work`, at most 20',
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
        'NATS, by which the nodes on one PostgreSQL wake each other in place of LISTEN; it keeps nothing, and may be away',
    }),
  roles: roles.prefault('smtp,http,work').meta({
    description:
      'What this node does: `smtp` takes mail, `http` serves the interface, sockets and the console, `work` sends mail, webhooks and all that is due. Fewer than all need PostgreSQL, and other nodes for the rest',
  }),
  domain: z
    .string()
    .toLowerCase()
    .regex(
      /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]{2,63}$/,
      'must be a domain such as mail.example.com',
    )
    .default('restante.localhost')
    .meta({ description: 'Domain of the addresses that are given' }),
  delivery: z
    .string()
    .regex(
      /^(capture|direct|smtps?:\/\/.+)$/,
      'must be capture, direct, or smtp://user:password@host:port of a smarthost',
    )
    .default('capture')
    .meta({
      description: 'How mail leaves: capture keeps it here, direct goes by MX, a URL names a smarthost',
    }),
  publicUrl: webUrl
    .transform((url) => url.replace(/\/v1$/, ''))
    .optional()
    .meta({ description: 'Base address that agents use, without /v1' }),
  consoleUrl: webUrl.optional().meta({
    description: 'Address of the console, where it has a host of its own; it ends in /console',
  }),
  cors: cors.optional().meta({
    description:
      'Origins whose pages may call the interface from a browser (CORS), or `*` for all; none unless set. A page needs a key all the same',
  }),
  secret: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .meta({ description: 'What keys are derived from, the newest first: new,old' }),
  signup: flag.default(true).meta({ description: 'Whether agents may sign up' }),
  smtpBareCr: z.enum(['refuse', 'accept'], 'must be refuse or accept').default('refuse').meta({
    description:
      'Whether SMTP refuses a message whose header has a NUL, or a CR without LF; `accept` stores it with the flaw `header-malformed`, and nothing proves its sender',
  }),
  verifyOperators: flag.optional().meta({
    description:
      'Whether the address of an operator must be verified by an emailed link before they can claim an account. Default: true for `restante serve`, else true unless mail is captured',
  }),
  smtpConnections: count.default(1000).meta({ description: 'SMTP connections at once, from everywhere' }),
  smtpConnectionsEach: count.default(50).meta({
    description: 'SMTP connections at once from one address; IPv6 addresses count by /64, here and below',
  }),
  smtpConnectsPerMinute: count.default(300).meta({ description: 'New SMTP connections from one address' }),
  smtpMailsPerMinute: count.default(600).meta({ description: 'Mails from one address' }),
  smtpErrorsPerMinute: count.default(30).meta({
    description:
      'Unknown recipients and senseless commands from one address: from a quarter on it has to wait, above it is sent away',
  }),
  smtpProxies: networks.optional().meta({
    description: 'Proxies before SMTP that name the client by the PROXY protocol, version 1',
  }),
  spamFilter: webUrl.optional().meta({
    description: 'Address of an rspamd that judges incoming mail, such as http://127.0.0.1:11333',
  }),
  trustProxy: z
    .string()
    .refine(isTrustProxy, 'must be a number of proxies, or their addresses and networks')
    .optional()
    .meta({
      description:
        'Proxies before HTTP, by number or by addresses and networks: whose X-Forwarded-For names the client; `forwarded,` before it where they set Forwarded instead',
    }),
  requestsPerMinute: count.default(6000).meta({ description: 'Requests of one API key' }),
  maxSocketsPerKey: count
    .default(100)
    .meta({ description: 'Realtime sockets of one API key, on each node, here and below' }),
  maxSocketsPerAccount: count.default(1000).meta({ description: 'Realtime sockets of one account' }),
  maxSocketsPerAddress: count.default(1000).meta({ description: 'Realtime sockets from one address' }),
  maxSocketOutputBytes: count.default(64 * 1024 * 1024).meta({
    description:
      'What the readers of all realtime sockets may leave untaken, before the slowest is sent away',
  }),
  signupsPerHour: count.default(20).meta({ description: 'Signups from one address' }),
  signupsPerHourInAll: count.default(1000).meta({ description: 'Signups from everywhere' }),
  unlimited: networks.default('127.0.0.0/8, ::1').meta({
    description: 'Addresses and networks that no limit on addresses holds for; those on keys and accounts do',
  }),
  checkSenders: flag.optional().meta({
    description:
      'Whether SPF, DKIM, DMARC and ARC of incoming mail are checked; without: unless the domain is a `.localhost`',
  }),
  reportDomains: domains.optional().meta({
    description:
      'Domains whose bounces and complaints are believed where they are signed (DKIM), though they do not come to the signed return path: that of a smarthost which rewrites it, such as amazonses.com, or of a feedback loop. Needs checkSenders',
  }),
  embeddingsUrl: webUrl.optional().meta({
    description:
      'Base address of a server that speaks OpenAI’s `/v1/embeddings`, such as http://127.0.0.1:11434/v1, which tells what mail means; without one that is learned from the mail itself',
  }),
  embeddingsKey: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'API key of that server, where it wants one' }),
  embeddingsModel: z.string().min(1).default('text-embedding-3-small').meta({
    description: 'Model of that server; another one embeds all mail anew',
  }),
  plans: plans.meta({
    description: 'Plans by name, as JSON; `standard` is that of accounts that agents open',
  }),
  maxStorageBytes: count.optional().meta({
    description:
      'Bytes of messages, uploads and draft files that all accounts together may store; no limit unless set',
  }),
  webhooksAllowPrivate: flag.default(false).meta({
    description:
      'Development only: webhooks may go to private addresses, and over plain HTTP; pictures of mail may come from there',
  }),
  connectionsAllowPrivate: flag.default(false).meta({
    description:
      'Connected mailboxes may be on private networks, there with any certificate, and anywhere without TLS: for development, or a mail server of the house',
  }),
  keepEventsDays: days.default(30).meta({
    description:
      'How long events are kept at least, and what was sent of them to webhooks; on PostgreSQL up to a quarter and three days longer',
  }),
  keepExpiredDays: days.default(30).meta({
    description: 'How long the mail of an account that nobody claimed is kept after its end',
  }),
  keepTrashDays: daysOrNone.default(30).meta({
    description: 'How long mail in the trash is kept before it is erased; 0 keeps it',
  }),
  drainSeconds: seconds.default(0).meta({
    description:
      'For how many seconds a node that was asked to stop is not ready and still takes what comes, until balancers have noticed',
  }),
  log: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], {
      error: 'must be debug, info, warn, error or silent',
    })
    .default('warn')
    .meta({ description: 'What is logged to standard error' }),
})

/** The options of `createService`; all of them are optional. */
export type ServiceOptions = z.input<typeof settingsSchema>
/** Every setting, with its default where none was given. */
export type Settings = z.output<typeof settingsSchema>
export type SettingName = keyof Settings

const secretSettings: ReadonlySet<SettingName> = new Set(['secret', 'blobsSecretAccessKey', 'embeddingsKey'])

/** Tells whether the value of a setting is a secret. */
export const isSecretSetting = (name: SettingName): boolean => secretSettings.has(name)

/** Tells whether operators must verify their addresses: not if mail is captured, unless that is set. */
export const verifiesOperators = ({ verifyOperators, delivery }: Settings): boolean =>
  verifyOperators ?? delivery !== 'capture'

const words = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`)
/** The name of a setting in the environment. */
export const environmentName = (name: string): string => `RESTANTE_${words(name).toUpperCase()}`
/** The name of a setting as a flag of the command. */
export const flagName = (name: string): string => words(name).toLowerCase().replaceAll('_', '-')

const withNames = (name: string, problem: string): string =>
  `${name} (--${flagName(name)}, ${environmentName(name)}) ${problem}`

const invalidSettings = (problems: string[]) =>
  new UsageError('invalid_settings', `Invalid settings: ${problems.join('; ')}.`)

const pathOf = (url: string) => new URL(url).pathname.replace(/\/$/, '')

/** Refuses an address at which there is no console: links to it would lead nowhere. */
function requireConsolePath({ publicUrl, consoleUrl }: Settings): void {
  if (consoleUrl === undefined) return
  // A proxy may take the path of the public address away.
  const served = ['', publicUrl === undefined ? '' : pathOf(publicUrl)].map((path) => `${path}/console`)
  if (served.includes(pathOf(consoleUrl))) return
  const right = `${new URL(consoleUrl).origin}${served.at(-1)}`
  const problem = `must be the address of the pages of the console, such as ${right}: there are none at ${consoleUrl}`
  throw invalidSettings([withNames('consoleUrl', problem)])
}

/** Refuses what only several processes on one database can do together. */
function requireShared({ databaseUrl, roles, natsUrl }: Settings): void {
  if (databaseUrl !== undefined) return
  if (roles.size < role.options.length)
    throw invalidSettings([
      withNames('roles', 'must be all without databaseUrl: one process does everything on SQLite'),
    ])
  if (natsUrl !== undefined)
    throw invalidSettings([withNames('natsUrl', 'needs databaseUrl: on SQLite there is one node')])
}

/** Refuses half of what a bucket needs. */
function requireBucket({ blobs, blobsAccessKeyId, blobsSecretAccessKey }: Settings): void {
  if (blobs !== undefined && (blobsAccessKeyId === undefined || blobsSecretAccessKey === undefined))
    throw invalidSettings([withNames('blobs', 'needs blobsAccessKeyId and blobsSecretAccessKey')])
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

/** @throws UsageError `invalid_settings`, naming each setting in all the ways it can be given */
export function readSettings(options: ServiceOptions): Settings {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const result = settingsSchema.safeParse(Object.fromEntries(given))
  if (result.success) {
    requireConsolePath(result.data)
    requireShared(result.data)
    requireBucket(result.data)
    requirePair(result.data)
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
 * The settings that the environment gives.
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

/** The limits at the SMTP door, from the settings. */
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
