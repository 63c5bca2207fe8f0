import type { Command } from 'commander'
import type { Connection, ConnectionBody } from '../../protocol/connections/connection'
import { UsageError } from '../../protocol/errors/error'
import {
  addingTo,
  type Call,
  type ConnectionOptions,
  calling,
  callService,
  collect,
} from '../base/connection'
import { createOutput, paint, printable } from '../base/output'
import { everyPage, tellRows } from '../base/pages'

/** Defines `restante connect …`. */
export function define(connect: Command): void {
  connect.description('Connect mailboxes at any IMAP server as inboxes, and show their state.')
  const add = addingTo(connect)
  withMailboxOptions(add('add', 'Connect a mailbox', true))
    .argument('<imap-url>', 'imaps://kim%40example.com@imap.example.com, or imap:// for STARTTLS')
    .option('--address <address>', 'address of the mailbox, if it is not the user of the URL')
    .action(make)
  withMailboxOptions(add('imap', 'Connect a mailbox by its address alone: the service finds its servers'))
    .requiredOption('--address <address>', 'address of the mailbox')
    .option('--user <user>', 'user to log in as, if it is not the address')
    .action((options: MakeOptions) => make(undefined, options))
  add('list', 'List connected mailboxes and their state').action(calling(list))
  add('retry', 'Retry a mailbox now, including skipped messages')
    .argument('<connection>', 'id of the connection')
    .action(calling(retry))
  add('remove', 'Disconnect a mailbox. Its inbox and messages stay')
    .argument('<connection>', 'id of the connection')
    .action(calling(remove))
}

const withMailboxOptions = (command: Command): Command =>
  command
    .option('--smtp <url>', 'server that sends its email: smtps://smtp.example.com, or smtp:// for STARTTLS')
    .option('--folder <path>', 'folder to import from, repeatable (default: INBOX)', collect)
    .option('--since <since>', 'first message to import: now, all, or a time such as 2026-01-31', 'now')
    .option('--authserv-id <name>', 'trust the Authentication-Results of this name, such as mx.google.com')
    .option('--mark-answered', 'set the flag \\Answered on messages after a reply')
    .option('--keyword <keyword>', 'set this keyword on them as well')
    .option(
      '--oauth <file>',
      'JSON file with client_id, client_secret, refresh_token and token_url, instead of a password',
    )
    .addHelpText(
      'after',
      '\nThe password comes from RESTANTE_MAILBOX_PASSWORD, which other users cannot see.\nGmail, Yahoo and iCloud need an app password. Microsoft 365 needs --oauth.',
    )

interface MakeOptions extends ConnectionOptions {
  json?: boolean
  address?: string
  user?: string
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
      `The URL must look like ${protocol}s://kim%40example.com@${protocol}.example.com. Write the @ of a user as %40.`,
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
      throw new UsageError('invalid_oauth_file', `${options.oauth} is not a JSON file.`, {
        cause: error,
      })
    }
  }
  const password = process.env.RESTANTE_MAILBOX_PASSWORD || inUrl
  if (password) return { type: 'password', password }
  throw new UsageError(
    'password_missing',
    'Give the password of the mailbox: RESTANTE_MAILBOX_PASSWORD=… restante connect imaps://… (Gmail, Yahoo and iCloud need an app password), or --oauth.',
  )
}

async function make(imapUrl: string | undefined, options: MakeOptions): Promise<void> {
  const imap =
    imapUrl === undefined
      ? { server: undefined, user: options.user ?? '', password: '' }
      : readServer(imapUrl, 'imap')
  const smtp = options.smtp === undefined ? undefined : readServer(options.smtp, 'smtp').server
  const address = options.address ?? imap.user
  if (!address.includes('@'))
    throw new UsageError('address_missing', 'Give the address of the mailbox: --address kim@example.com.')
  const login = await loginOf(options, imap.password)
  const client = await callService('connect', options)
  const since = options.since === 'now' || options.since === 'all' ? options.since : readTime(options.since)
  const made = await client.connections.create({
    address,
    login,
    since,
    ...(imap.server && { imap: imap.server }),
    ...(imap.user && { user: imap.user }),
    ...(smtp && { smtp }),
    ...(options.folder && { folders: options.folder }),
    ...(options.authservId && { authserv_id: options.authservId }),
    ...(options.markAnswered && { mark_answered: true }),
    ...(options.keyword && { keyword: options.keyword }),
  })
  createOutput(options.json).tell(
    `${made.address} is connected as ${made.inbox_id}. New messages there appear here, and replies are sent through ${made.smtp.host}. Show its state with: restante connect list`,
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
  if (state === 'needs_sign_in') return paint('red', `needs a new sign-in: ${said}`)
  if (state === 'failing') return paint('red', `failing: ${said} Next attempt ${next_attempt_at}.`)
  if (live_since === null) return paint('yellow', state)
  return `live since ${live_since}${said && paint('yellow', `. ${said}`)}`
}

function line(one: Connection): string {
  const waiting = one.folders.reduce((sum, folder) => sum + folder.waiting, 0)
  const left = waiting > 0 ? `, ${waiting} messages to import` : ''
  return `${one.id}  ${printable(one.address, 200)}  ${stateOf(one)}${left}`
}

async function list(call: Call): Promise<void> {
  const all = everyPage(
    (cursor) => call.client.connections.list({ cursor, limit: 100 }),
    (page): Connection[] => page.connections,
  )
  await tellRows(call, all, line, 'No mailbox is connected yet. Connect one: restante connect imaps://…')
}

async function retry({ client, output }: Call, id: string): Promise<void> {
  const one = await client.connections.retry({ id })
  output.tell(`Retrying ${one.address}. Show its state with: restante connect list`, one)
}

async function remove({ client, output }: Call, id: string): Promise<void> {
  await client.connections.delete({ id })
  output.tell(`${id} is disconnected. Its inbox and messages are still here.`, { id })
}
