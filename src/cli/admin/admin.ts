import type { Command } from 'commander'
import type { Account } from '../../protocol/records/account'
import { administer } from '../../service/admin/administer'
import {
  type AdminCommandName,
  type AdminProgress,
  type AdminResult,
  adminCommands,
} from '../../service/admin/commands'
import { acceptLoss } from '../../service/store/open-sqlite'
import { createOutput, jsonOption, paint, printable } from '../base/output'
import { createProgress } from '../base/progress'
import { addingTo, type Flags, placeOf } from '../base/setting-flags'
import { defineInboundKey } from './inbound-key'

/** Texts of a command in the terminal: its help, its answer and its progress. */
interface Words<Name extends AdminCommandName> {
  description: string
  answer(result: AdminResult<Name>): string
  progress?(progress: AdminProgress<Name>): string
}

const who = ({ tenant_id, name }: Account) => `${tenant_id} (${printable(name)})`
const standing = (account: Account) =>
  `${who(account)}: sending ${account.sending_status}, ${account.limits.inboxes} inboxes at most`

const words: { [Name in AdminCommandName]?: Words<Name> } = {
  plan: { description: 'Set the plan of an account', answer: standing },
  pause: { description: 'Pause sending. Messages stay queued', answer: standing },
  resume: { description: 'Resume sending, oldest queued messages first', answer: standing },
  suspend: {
    description: 'Suspend an account at once: no requests, no email in or out',
    answer: standing,
  },
  unsuspend: { description: 'Lift the suspension of an account', answer: standing },
  erase: {
    description: 'Close an account and erase all its data. Its addresses are never used again',
    answer: (account) => `${who(account)} is closed. Its data is erased within an hour.`,
  },
  hold: {
    description: 'Hold queued messages, such as after pg_restore: they were probably sent already',
    answer: ({ jobs }) => `Held ${jobs} queued messages. Send them with: restante admin send-held`,
  },
  'send-held': {
    description: 'Send the messages that restore or hold held',
    answer: ({ jobs }) => `Sending ${jobs} held messages now.`,
  },
  'verify-operator': {
    description: 'Verify the address of an operator who cannot receive a link',
    answer: ({ email }) => `${printable(email)} is verified and can claim accounts.`,
  },
  'console-link': {
    description: 'Print a link that signs you in to the console as the owner. It works once',
    answer: ({ url }) => url,
  },
  reparse: {
    description: 'Parse stored messages again if parsing failed: they have only headers so far',
    progress: ({ seen, read }) => `${seen} messages checked, ${read} parsed`,
    answer: ({ read, unread }) => `Parsed ${read} messages. ${unread} still cannot be parsed.`,
  },
  reindex: {
    description: 'Index and embed all messages again, while searches continue',
    progress: ({ messages, indexed, embedded }) =>
      `${messages} messages: ${indexed} indexed, ${embedded} embedded`,
    answer: ({ messages, indexed, embedded }) =>
      `Of ${messages} messages, ${indexed} are indexed and ${embedded} embedded for semantic search.`,
  },
  'move-blobs': {
    description:
      'Move large messages from the database or the data folder to the configured bucket. You can stop it and run it again to continue',
    progress: ({ moved }) => `${moved} large messages moved`,
    answer: ({ moved, damaged }) =>
      `Moved ${moved} large messages to the bucket.${damaged === 0 ? '' : ` ${damaged} are damaged and were not moved.`}`,
  },
}

type Add = ReturnType<typeof addingTo>

/** Adds a command: its required inputs are arguments, the others are options. */
function addCommand<Name extends AdminCommandName>(add: Add, name: Name, shown: Words<Name>): void {
  const command = add(name, shown.description)
  const fields = Object.entries(adminCommands[name].input.shape)
  for (const [field, schema] of fields) {
    if (schema.isOptional()) command.option(`--${field} <${field}>`, schema.description)
    else command.argument(`<${field}>`, schema.description)
  }
  command.action(async () => {
    const flags: Flags = command.opts()
    const given = command.registeredArguments.map((argument, at) => [argument.name(), command.args[at]])
    const progress = createProgress()
    const result = await administer(
      placeOf(flags),
      name,
      { ...flags, ...Object.fromEntries(given) } as never,
      (facts) => progress.tell(shown.progress?.(facts) ?? ''),
    ).finally(progress.end)
    createOutput(flags.json).tell(shown.answer(result), result as object)
  })
}

/** Defines `restante admin …`: commands of the administrator, while the service runs or not. */
export function define(admin: Command): void {
  admin.description('Administer accounts and the service, while it runs or not.')
  const add = addingTo(admin)
  add('accounts', 'List the accounts, oldest first').action(accounts)
  for (const [name, shown] of Object.entries(words)) addCommand(add, name as AdminCommandName, shown as never)
  defineInboundKey(
    add('inbound-key', 'Create a key that delivers inbound email over HTTP, and can do nothing else'),
  )
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

async function accounts(flags: Flags): Promise<void> {
  const output = createOutput(flags.json)
  let count = 0
  await administer(placeOf(flags), 'accounts', {}, (account) => {
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

async function adminAcceptLoss({ data, json }: { data: string; json?: boolean }): Promise<void> {
  const { held, seen } = await acceptLoss(data)
  const lost = (seen?.number ?? 0) - (held?.number ?? 0)
  const said =
    seen && lost > 0
      ? `${data} continues without ${lost} commits, made from ${held?.at ?? 'its beginning'} to ${seen.at}.`
      : `No commits are known to be missing from ${data}. Nothing was changed.`
  createOutput(json).tell(said, { event: 'loss_accepted', commits: Math.max(lost, 0), held, seen })
}
