import type { Command } from 'commander'
import type { Connection, ConnectionBody } from '../../protocol/connections'
import { UsageError } from '../../protocol/errors'
import {
  addingTo,
  type ConnectionOptions,
  callService,
  collect,
  createOutput,
  everyPage,
  paint,
  printable,
} from '../base'

/** Defines `restante connect …`. */
export function define(connect: Command): void {
  connect.description('Make an inbox of a mailbox at any IMAP server, or see how those that there are fare.')
  const add = addingTo(connect)
  add('add', 'Connect a mailbox', true)
    .argument('<imap-url>', 'imaps://kim%40example.com@imap.example.com, or imap:// for STARTTLS')
    .option('--address <address>', 'address of the mailbox, where it is not the user of the URL')
    .option('--smtp <url>', 'where its mail leaves: smtps://smtp.example.com, or smtp:// for STARTTLS')
    .option(
      '--folder <path>',
      'a folder to take mail from; may be given several times (default: INBOX)',
      collect,
    )
    .option('--since <since>', 'now, all, or a time such as 2026-01-31', 'now')
    .option('--authserv-id <name>', 'believe the Authentication-Results of this name, such as mx.google.com')
    .option('--mark-answered', 'give mail the flag \\Answered once it is answered')
    .option('--keyword <keyword>', 'give it this keyword as well')
    .option(
      '--oauth <file>',
      'JSON with client_id, client_secret, refresh_token and token_url, in place of a password',
    )
    .addHelpText(
      'after',
      '\nThe password is taken from RESTANTE_MAILBOX_PASSWORD, where no other user sees it.\nGmail, Yahoo and iCloud want an app password; Microsoft 365 wants --oauth.',
    )
    .action(make)
  add('list', 'List connected mailboxes, and how they fare').action(list)
  add('retry', 'Try a mailbox again at once, with mail that was skipped')
    .argument('<connection>', 'its id')
    .action(retry)
  add('remove', 'Disconnect a mailbox; its inbox and mail stay')
    .argument('<connection>', 'its id')
    .action(remove)
}

type Options = ConnectionOptions & { json?: boolean }

interface MakeOptions extends Options {
  address?: string
  smtp?: string
  folder?: string[]
  since: string
  authservId?: string
  markAnswered?: boolean
  keyword?: string
  oauth?: string
}

/**
 * Parses a server's URL. @throws UsageError `invalid_mailbox_url`, without the URL: it may hold a password
 */
function readServer(text: string, protocol: 'imap' | 'smtp') {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== `${protocol}:` && url.protocol !== `${protocol}s:`) || !url.hostname)
    throw new UsageError(
      'invalid_mailbox_url',
      `This is not a URL such as ${protocol}s://kim%40example.com@${protocol}.example.com: write the @ of a user as %40.`,
    )
  const tls =
    url.protocol === `${protocol}s:` ? 'implicit' : url.searchParams.get('tls') === 'off' ? 'off' : 'starttls'
  return {
    server: {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      tls,
      ...(url.port && { port: Number(url.port) }),
    } as const,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  }
}

async function loginOf(options: MakeOptions, inUrl: string): Promise<ConnectionBody['login']> {
  if (options.oauth !== undefined) {
    const { readFile } = await import('node:fs/promises')
    try {
      return { type: 'oauth', ...JSON.parse(await readFile(options.oauth, 'utf8')) }
    } catch (error) {
      throw new UsageError('invalid_oauth_file', `${options.oauth} is not a file with JSON.`, {
        cause: error,
      })
    }
  }
  const password = process.env.RESTANTE_MAILBOX_PASSWORD || inUrl
  if (password) return { type: 'password', password }
  throw new UsageError(
    'password_missing',
    'Give the password of the mailbox: RESTANTE_MAILBOX_PASSWORD=… restante connect imaps://… (Gmail, Yahoo and iCloud want an app password), or --oauth.',
  )
}

async function make(imapUrl: string, options: MakeOptions): Promise<void> {
  const imap = readServer(imapUrl, 'imap')
  const smtp = options.smtp === undefined ? undefined : readServer(options.smtp, 'smtp').server
  const address = options.address ?? imap.user
  if (!address.includes('@'))
    throw new UsageError('address_missing', 'Say which address the mailbox has: --address kim@example.com.')
  const login = await loginOf(options, imap.password)
  const client = await callService('connect', options)
  const since = options.since === 'now' || options.since === 'all' ? options.since : readTime(options.since)
  const made = await client.connections.create({
    address,
    imap: imap.server,
    login,
    since,
    ...(imap.user && { user: imap.user }),
    ...(smtp && { smtp }),
    ...(options.folder && { folders: options.folder }),
    ...(options.authservId && { authserv_id: options.authservId }),
    ...(options.markAnswered && { mark_answered: true }),
    ...(options.keyword && { keyword: options.keyword }),
  })
  createOutput(options.json).tell(
    `${made.address} is connected as ${made.inbox_id}: what comes in there comes in here, and replies leave by ${made.smtp.host}. restante connect list tells how it fares.`,
    made,
  )
}

function readTime(text: string): string {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw new UsageError('invalid_since', '--since must be now, all, or a time such as 2026-01-31.')
}

function stateOf({ state, live_since, error, next_attempt_at }: Connection): string {
  const said = printable(error ?? '', 600)
  if (state === 'failing') return paint('red', `fails: ${said} Next attempt ${next_attempt_at}.`)
  if (live_since === null) return paint('yellow', state)
  return `live since ${live_since}${said && paint('yellow', `. ${said}`)}`
}

async function list(options: Options): Promise<void> {
  const client = await callService('connect', options)
  const output = createOutput(options.json)
  const all = everyPage(
    (cursor) => client.connections.list({ cursor, limit: 100 }),
    (page): Connection[] => page.connections,
  )
  let count = 0
  for await (const one of all) {
    count += 1
    const waiting = one.folders.reduce((sum, folder) => sum + folder.waiting, 0)
    const left = waiting > 0 ? `, ${waiting} mails to go` : ''
    output.tell(`${one.id}  ${printable(one.address, 200)}  ${stateOf(one)}${left}`, one)
  }
  if (count === 0 && !options.json)
    output.tell('No mailbox is connected yet: restante connect imaps://… does it.', {})
}

async function retry(id: string, options: Options): Promise<void> {
  const client = await callService('connect', options)
  const one = await client.connections.retry({ id })
  createOutput(options.json).tell(
    `${one.address} is tried again now: restante connect list tells how it fares.`,
    one,
  )
}

async function remove(id: string, options: Options): Promise<void> {
  const client = await callService('connect', options)
  await client.connections.delete({ id })
  createOutput(options.json).tell(`${id} is disconnected. Its inbox and mail are still here.`, { id })
}
