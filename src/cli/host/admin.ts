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
  hold: 'Hold queued messages, such as after pg_restore: they were probably sent already',
  'send-held': 'Send the messages that restore or hold held',
} as const

const orders = {
  pause: 'Pause sending. Messages stay queued',
  resume: 'Resume sending, oldest queued messages first',
  suspend: 'Suspend an account at once: no requests, no email in or out',
  unsuspend: 'Lift the suspension of an account',
  erase: 'Close an account and erase all its data. Its addresses are never used again',
} as const
const whose = 'id of the account, or an address of its inboxes'

/** Defines `restante admin …`: commands of the administrator, while the service runs or not. */
export function define(admin: Command): void {
  admin.description('Administer accounts and the service, while it runs or not.')
  const add = (name: string, description: string) =>
    addSettingFlags(admin.command(name), serveDefaults, adminSettings)
      .description(description)
      .option(...jsonOption)
  add('accounts', 'List the accounts, oldest first').action(accounts)
  add('plan', 'Set the plan of an account')
    .argument('<account>', whose)
    .argument('<plan>', 'name of the plan: standard, unlimited, or one from the setting plans')
    .action((account, plan, flags) => order({ command: 'plan', account, plan }, flags))
  for (const [command, meaning] of Object.entries(orders))
    add(command, meaning)
      .argument('<account>', whose)
      .action((account, flags) => order({ command: command as keyof typeof orders, account }, flags))
  for (const [command, meaning] of Object.entries(waiting))
    add(command, meaning).action((flags) => orderWaiting(command as WaitingOrder, flags))
  add('verify-operator', 'Verify the address of an operator who cannot receive a link')
    .argument('<email>', 'address of their console login')
    .action(verifyOperator)
  add('console-link', 'Print a link that signs you in to the console as the owner. It works once').action(
    consoleLink,
  )
  add('reparse', 'Parse stored messages again if parsing failed: they have only headers so far')
    .option('--account <account>', `only this account: ${whose}`)
    .action(reparse)
  add('reindex', 'Rebuild the embeddings of all messages, while searches continue')
    .option('--account <account>', `only this account: ${whose}`)
    .action(reindex)
  add(
    'move-blobs',
    'Move large messages from the database or the data folder to the configured bucket. You can stop it and run it again to continue',
  ).action(moveBlobs)
  add('inbound-key', 'Create a key that delivers inbound email over HTTP, and can do nothing else')
    .option('--provider <name>', `provider that posts the email: ${Object.keys(secretsOf).join(', ')}`)
    .option('--account <account>', `only for this account: ${whose} (default: the whole service)`)
    .option(
      '--trusted <name>',
      'proxy or provider whose client addresses count for SPF. Its key can verify any sender that has only SPF',
    )
    .addHelpText('after', inboundHelp)
    .action(inboundKey)
  admin
    .command('accept-loss')
    .summary('Accept that the newest commits of a database are missing')
    .description(
      'Accept that the newest commits of a database are missing, if that error refused a start. To get the lost commits back, restore a backup instead.',
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

async function inboundKey(
  flags: Options & { provider?: string; account?: string; trusted?: string },
): Promise<void> {
  const provider = readProvider(flags.provider)
  const settings = placeOf(flags)
  const key = await administerInboundKey(settings, {
    name: flags.trusted ?? (provider ? `Email from ${provider.type}` : 'Inbound email'),
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
    : '\n\nNo provider can reach that address. Set RESTANTE_PUBLIC_URL, which replaces the part before /v1, and run this command again.'
  const said = provider
    ? `URL for the provider:\n\n  ${url}\n\nAPI key: ${key.api_key}${advice}`
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
  if (count === 0 && !flags.json) output.tell('No accounts yet.', {})
}

async function order(asked: Parameters<typeof administer>[1], flags: Options): Promise<void> {
  const account = await administer(placeOf(flags), asked)
  const who = `${account.tenant_id} (${printable(account.name)})`
  const said =
    asked.command === 'erase'
      ? `${who} is closed. Its data is erased within an hour.`
      : `${who}: sending ${account.sending_status}, ${account.limits.inboxes} inboxes at most`
  createOutput(flags.json).tell(said, account)
}

async function verifyOperator(email: string, flags: Options): Promise<void> {
  const verified = await administerOperator(placeOf(flags), email)
  createOutput(flags.json).tell(`${printable(verified.email)} is verified and can claim accounts.`, verified)
}

async function consoleLink(flags: Options): Promise<void> {
  const { data } = placeOf(flags)
  if (data === undefined)
    throw new UsageError(
      'invalid_arguments',
      'The link comes from a service with a data folder. Give the folder with --data or RESTANTE_DATA.',
    )
  const link = await readConsoleLink(data)
  createOutput(flags.json).tell(link.url, link)
}

async function adminAcceptLoss({ data, json }: { data: string; json?: boolean }): Promise<void> {
  const { held, seen } = await acceptLoss(data)
  const lost = (seen?.number ?? 0) - (held?.number ?? 0)
  const said =
    seen && lost > 0
      ? `${data} continues without ${lost} commits, made from ${held?.at ?? 'its beginning'} to ${seen.at}.`
      : `No commits are known to be missing from ${data}. Nothing was changed.`
  createOutput(json).tell(said, { event: 'loss_accepted', commits: Math.max(lost, 0), held, seen })
}

async function orderWaiting(command: WaitingOrder, flags: Options): Promise<void> {
  const jobs = await administerWaiting(placeOf(flags), command)
  const said = {
    hold: `Held ${jobs} queued messages. Send them with: restante admin send-held`,
    'send-held': `Sending ${jobs} held messages now.`,
  }
  createOutput(flags.json).tell(said[command], { jobs })
}

async function reparse({ account, ...flags }: Options & { account?: string }): Promise<void> {
  const progress = createProgress()
  const { read, unread } = await administerReparse(placeOf(flags), account, ({ seen, ...counts }) =>
    progress.tell(`${seen} messages checked, ${counts.read} parsed`),
  ).finally(progress.end)
  createOutput(flags.json).tell(`Parsed ${read} messages. ${unread} still cannot be parsed.`, {
    read,
    unread,
  })
}

async function reindex({ account, ...flags }: Options & { account?: string }): Promise<void> {
  const progress = createProgress()
  const counts = await administerReindex(placeOf(flags), account, ({ messages, embedded }) =>
    progress.tell(`${embedded} of ${messages} messages have new embeddings`),
  ).finally(progress.end)
  const { messages, embedded } = counts
  createOutput(flags.json).tell(
    `${embedded} of ${messages} messages have embeddings for semantic search.`,
    counts,
  )
}

async function moveBlobs(flags: Options): Promise<void> {
  const progress = createProgress()
  const { moved, damaged } = await administerMove(placeOf(flags), (counts) =>
    progress.tell(`${counts.moved} large messages moved`),
  ).finally(progress.end)
  const left = damaged === 0 ? '' : ` ${damaged} are damaged and were not moved.`
  createOutput(flags.json).tell(`Moved ${moved} large messages to the bucket.${left}`, { moved, damaged })
}
