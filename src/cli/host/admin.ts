import type { Command } from 'commander'
import { UsageError } from '../../protocol/errors'
import { type InboundProvider, inboundProvider, providerPaths } from '../../protocol/records'
import {
  administer,
  administerAccounts,
  administerInboundKey,
  administerMove,
  administerOperator,
  administerReindex,
  administerReparse,
  administerWaiting,
  readConsoleLink,
  type WaitingOrder,
} from '../../service/host'
import { readSettings } from '../../service/settings'
import { acceptLoss } from '../../service/store'
import {
  addSettingFlags,
  adminSettings,
  createOutput,
  createProgress,
  jsonOption,
  paint,
  printable,
  serveDefaults,
  settingOptions,
} from '../base'

const waiting = {
  hold: 'Hold the mail that waits to be sent, as after pg_restore: it has probably gone out',
  'send-held': 'Send the mail that restore or hold held',
} as const

const orders = {
  pause: 'Pause sending: what is queued waits',
  resume: 'Send again, what has waited first',
  suspend: 'Close an account at once: no request, no mail in or out',
  unsuspend: 'Open an account again',
  erase: 'Close an account and erase all that it has; its addresses are never given again',
} as const
const whose = 'id of the account, or an address of its inboxes'

/** Defines `restante admin …`: commands of the administrator, while the service runs or not. */
export function define(admin: Command): void {
  admin.description('What the host of a service can do, while it runs or not.')
  const add = (name: string, description: string) =>
    addSettingFlags(admin.command(name), serveDefaults, adminSettings)
      .description(description)
      .option(...jsonOption)
  add('accounts', 'List the accounts, oldest first').action(accounts)
  add('plan', 'Give an account a plan')
    .argument('<account>', whose)
    .argument('<plan>', 'name of the plan: standard, unlimited, or one of the setting plans')
    .action((account, plan, flags) => order({ command: 'plan', account, plan }, flags))
  for (const [command, meaning] of Object.entries(orders))
    add(command, meaning)
      .argument('<account>', whose)
      .action((account, flags) => order({ command: command as keyof typeof orders, account }, flags))
  for (const [command, meaning] of Object.entries(waiting))
    add(command, meaning).action((flags) => orderWaiting(command as WaitingOrder, flags))
  add('verify-operator', 'Verify the address of an operator who cannot be sent a link')
    .argument('<email>', 'address of their login at the console')
    .action(verifyOperator)
  add('console-link', 'Print a link that signs you in at the console as the owner; it works once').action(
    consoleLink,
  )
  add('reparse', 'Read stored mails again whose reading failed: they have their headers only')
    .option('--account <account>', `of one account only: ${whose}`)
    .action(reparse)
  add('reindex', 'Learn anew what the mail means, and give all of it new vectors, while searches go on')
    .option('--account <account>', `of one account only: ${whose}`)
    .action(reindex)
  add(
    'move-blobs',
    'Move large mails from the database or the data folder to the bucket that is set; it may be stopped, and goes on',
  ).action(moveBlobs)
  add('inbound-key', 'Make a key that brings mail in over HTTP, and can do nothing else')
    .option('--provider <name>', `provider that posts the mail: ${Object.keys(secretsOf).join(', ')}`)
    .option('--account <account>', `for one account only, ${whose}; without it for all of the service`)
    .option(
      '--trusted <name>',
      'proxy or provider whose word on the client address counts for SPF: its key can prove any sender that has SPF only',
    )
    .addHelpText('after', inboundHelp)
    .action(inboundKey)
  admin
    .command('accept-loss')
    .summary('Go on with a database whose end is missing')
    .description(
      'Go on with a database whose end is missing, as a start said that was refused. What is missing stays so: restore a backup to have it again.',
    )
    .option(
      '--data <folder>',
      'folder of the service [RESTANTE_DATA]',
      process.env.RESTANTE_DATA || '.restante',
    )
    .option(...jsonOption)
    .action(adminAcceptLoss)
}

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
      what: 'the id of that key: mail in S3 is read with both',
      besides: 'AWS_SECRET_ACCESS_KEY',
    },
    secret_access_key: {
      variable: 'AWS_SECRET_ACCESS_KEY',
      what: 'the secret of that key: mail in S3 is read with both',
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
    api_key: { variable: 'RESEND_API_KEY', what: 'an API key with full access, by which mail is fetched' },
  },
}

const wrongSecrets = (type: string, wrong: readonly string[]) =>
  new UsageError('invalid_arguments', `The secrets of ${type} come by the environment: ${wrong.join('; ')}.`)

const inboundHelp = `
What requests of a provider are checked with is read from the environment:
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
      `There is no provider ${printable(type, 40)}; there are: ${Object.keys(secretsOf).join(', ')}.`,
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

async function inboundKey(
  flags: Options & { provider?: string; account?: string; trusted?: string },
): Promise<void> {
  const provider = readProvider(flags.provider)
  const settings = placeOf(flags)
  const key = await administerInboundKey(settings, {
    name: flags.trusted ?? (provider ? `Mail by ${provider.type}` : 'Brings mail in'),
    trusted: flags.trusted !== undefined,
    ...(flags.account !== undefined && { account: flags.account }),
    ...(provider && { provider }),
  })
  const base = settings.publicUrl ?? `http://${settings.http.host}:${settings.http.port}`
  const path = provider ? `/keys/${key.id}/${providerPaths[provider.type]}` : ''
  const login = provider?.type === 'postmark' ? `//restante:${key.api_key}@` : '//'
  const url = `${base}/v1/inbound${path}`.replace('//', login)
  const advice = settings.publicUrl
    ? ''
    : '\n\nNo provider reaches that address: what stands before /v1 is RESTANTE_PUBLIC_URL, which this command was not given.'
  const said = provider
    ? `Mail is posted to\n\n  ${url}\n\nunder the key ${key.api_key}${advice}`
    : key.api_key
  createOutput(flags.json).tell(said, { ...key, url })
}

type Options = Record<string, unknown> & { json?: boolean }

const placeOf = (flags: Options) => readSettings(settingOptions(flags, serveDefaults))

async function accounts(flags: Options): Promise<void> {
  const output = createOutput(flags.json)
  let count = 0
  await administerAccounts(placeOf(flags), (account) => {
    count += 1
    const addresses = account.inboxes.map(({ address }) => address).join(', ') || 'no inbox'
    const name = paint('dim', `(${printable(account.name)})`)
    output.tell(
      `${account.tenant_id}  ${account.sending_status.padEnd(9)}  ${printable(addresses, 200)}  ${name}`,
      account,
    )
  })
  if (count === 0 && !flags.json) output.tell('There is no account yet.', {})
}

async function order(asked: Parameters<typeof administer>[1], flags: Options): Promise<void> {
  const account = await administer(placeOf(flags), asked)
  const who = `${account.tenant_id} (${printable(account.name)})`
  const said =
    asked.command === 'erase'
      ? `${who} is closed; what it held is gone within the hour.`
      : `${who}: sending ${account.sending_status}, ${account.limits.inboxes} inboxes at most`
  createOutput(flags.json).tell(said, account)
}

async function verifyOperator(email: string, flags: Options): Promise<void> {
  const verified = await administerOperator(placeOf(flags), email)
  createOutput(flags.json).tell(`${printable(verified.email)} is verified and may claim accounts.`, verified)
}

async function consoleLink(flags: Options): Promise<void> {
  const { data } = placeOf(flags)
  if (data === undefined)
    throw new UsageError(
      'invalid_arguments',
      'The link comes from the service that runs on a data folder: name it by --data or RESTANTE_DATA.',
    )
  const link = await readConsoleLink(data)
  createOutput(flags.json).tell(link.url, link)
}

async function adminAcceptLoss({ data, json }: { data: string; json?: boolean }): Promise<void> {
  const { held, seen } = await acceptLoss(data)
  const lost = (seen?.number ?? 0) - (held?.number ?? 0)
  const said =
    seen && lost > 0
      ? `${data} goes on without ${lost} commits, made from ${held?.at ?? 'its beginning'} to ${seen.at}.`
      : `Nothing is known to be missing from ${data}: it was left as it is.`
  createOutput(json).tell(said, { event: 'loss_accepted', commits: Math.max(lost, 0), held, seen })
}

async function orderWaiting(command: WaitingOrder, flags: Options): Promise<void> {
  const jobs = await administerWaiting(placeOf(flags), command)
  const said = {
    hold: `${jobs} mails that wait to be sent are held. restante admin send-held sends them.`,
    'send-held': `${jobs} mails that were held go out now.`,
  }
  createOutput(flags.json).tell(said[command], { jobs })
}

async function reparse({ account, ...flags }: Options & { account?: string }): Promise<void> {
  const progress = createProgress()
  const { read, unread } = await administerReparse(placeOf(flags), account, ({ seen, ...counts }) =>
    progress.tell(`${seen} mails looked at, ${counts.read} read again`),
  ).finally(progress.end)
  createOutput(flags.json).tell(`${read} mails were read again; ${unread} still cannot be read.`, {
    read,
    unread,
  })
}

async function reindex({ account, ...flags }: Options & { account?: string }): Promise<void> {
  const progress = createProgress()
  const counts = await administerReindex(placeOf(flags), account, ({ messages, embedded }) =>
    progress.tell(`${embedded} of ${messages} mails have new vectors`),
  ).finally(progress.end)
  const { messages, embedded } = counts
  createOutput(flags.json).tell(`${embedded} of ${messages} mails are found by what they mean.`, counts)
}

async function moveBlobs(flags: Options): Promise<void> {
  const progress = createProgress()
  const { moved, damaged } = await administerMove(placeOf(flags), (counts) =>
    progress.tell(`${counts.moved} large mails moved`),
  ).finally(progress.end)
  const left = damaged === 0 ? '' : ` ${damaged} are not what they were, and stay where they are.`
  createOutput(flags.json).tell(`${moved} large mails moved to the bucket.${left}`, { moved, damaged })
}
