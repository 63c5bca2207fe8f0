import type { Command } from 'commander'
import { UsageError } from '../../protocol/errors/error'
import { type InboundProvider, inboundProvider, providerPaths } from '../../protocol/records/inbound/provider'
import { administer } from '../../service/admin/administer'
import { createOutput, printable } from '../base/output'
import { type Flags, placeOf } from '../base/setting-flags'

/** Environment variable of a secret, and a description of its value. */
interface Secret {
  variable: string
  what: string
  /** Required only together with this other variable; if undefined, always required. */
  besides?: string
}

/** Secrets of each provider. */
const secretsOf: Record<string, Record<string, Secret>> = {
  cloudflare: {},
  ses: {
    topic_arn: { variable: 'SES_TOPIC_ARN', what: 'the ARN of the SNS topic that the receipt rule names' },
    access_key_id: {
      variable: 'AWS_ACCESS_KEY_ID',
      what: 'the id of that key. The service reads email in S3 with both',
      besides: 'AWS_SECRET_ACCESS_KEY',
    },
    secret_access_key: {
      variable: 'AWS_SECRET_ACCESS_KEY',
      what: 'the secret of that key. The service reads email in S3 with both',
      besides: 'AWS_ACCESS_KEY_ID',
    },
  },
  mailgun: {
    signing_key: { variable: 'MAILGUN_SIGNING_KEY', what: 'the HTTP webhook signing key of the account' },
  },
  postmark: {},
  sendgrid: {
    public_key: {
      variable: 'SENDGRID_PUBLIC_KEY',
      what: 'the public key of the security policy that signs',
    },
  },
  resend: {
    signing_secret: {
      variable: 'RESEND_SIGNING_SECRET',
      what: 'the signing secret of the webhook, which begins with whsec_',
    },
    api_key: { variable: 'RESEND_API_KEY', what: 'an API key with full access, which fetches the email' },
  },
}

const wrongSecrets = (type: string, wrong: readonly string[]) =>
  new UsageError(
    'invalid_arguments',
    `The secrets of ${type} come from the environment: ${wrong.join('; ')}.`,
  )

const inboundHelp = `
The environment holds the secrets that verify the requests of a provider:
${Object.entries(secretsOf)
  .map(([name, secrets]) => {
    const variables = Object.values(secrets).map(({ variable }) => variable)
    return `  ${name.padEnd(11)} ${variables.join(', ') || '(nothing)'}`
  })
  .join('\n')}`

/** Reads the secrets that verify requests of a provider. @throws UsageError `invalid_arguments` */
function readProvider(type: string | undefined): InboundProvider | undefined {
  if (type === undefined) return undefined
  const secrets = Object.hasOwn(secretsOf, type) ? secretsOf[type]! : null
  if (!secrets)
    throw new UsageError(
      'invalid_arguments',
      `There is no provider ${printable(type, 40)}. Choose one of: ${Object.keys(secretsOf).join(', ')}.`,
    )
  const isGiven = (variable: string) => Boolean(process.env[variable]?.trim())
  const missing = Object.values(secrets).filter(
    ({ variable, besides }) => !isGiven(variable) && (besides === undefined || isGiven(besides)),
  )
  if (missing.length > 0)
    throw wrongSecrets(
      type,
      missing.map(({ variable, what }) => `set ${variable} to ${what}`),
    )
  const given = Object.entries(secrets).filter(([, { variable }]) => isGiven(variable))
  const values = given.map(([field, { variable }]) => [field, process.env[variable]])
  const read = inboundProvider.safeParse({ type, ...Object.fromEntries(values) })
  if (read.success) return read.data
  throw wrongSecrets(
    type,
    read.error.issues.map(({ path, message }) => `${secrets[String(path[0])]?.variable ?? type} ${message}`),
  )
}

/** Defines the options of `restante admin inbound-key`. */
export const defineInboundKey = (command: Command): Command =>
  command
    .option('--provider <name>', `provider that posts the email: ${Object.keys(secretsOf).join(', ')}`)
    .option(
      '--account <account>',
      'only for this account: its id, or an address of its inboxes (default: the whole service)',
    )
    .option(
      '--trusted <name>',
      'proxy or provider whose client addresses count for SPF. Its key can verify any sender that has only SPF',
    )
    .addHelpText('after', inboundHelp)
    .action(createKey)

async function createKey(
  flags: Flags & { provider?: string; account?: string; trusted?: string },
): Promise<void> {
  const provider = readProvider(flags.provider)
  const settings = placeOf(flags)
  const key = await administer(settings, 'inbound-key', {
    account: flags.account,
    name: flags.trusted ?? (provider ? `Email from ${provider.type}` : 'Inbound email'),
    trusted: flags.trusted !== undefined,
    provider,
  })
  const base = settings.publicUrl ?? `http://${settings.http.host}:${settings.http.port}`
  const path = provider ? `/keys/${key.id}/${providerPaths[provider.type]}` : ''
  const login = provider?.type === 'postmark' ? `//restante:${key.api_key}@` : '//'
  const url = `${base}/v1/inbound${path}`.replace('//', login)
  const advice = settings.publicUrl
    ? ''
    : '\n\nNo provider can reach that address. Set RESTANTE_PUBLIC_URL, which replaces the part before /v1, and run this command again.'
  const said = provider
    ? `URL for the provider:\n\n  ${url}\n\nAPI key: ${key.api_key}${advice}`
    : key.api_key
  createOutput(flags.json).tell(said, { ...key, url })
}
