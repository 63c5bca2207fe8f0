import type { Command } from 'commander'
import {
  administer,
  administerAccounts,
  administerReindex,
  administerReparse,
  administerWaiting,
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

/** Defines `restante admin …`: what the host of a service does, while it runs or not. */
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
  add('reparse', 'Read stored mails again whose reading failed: they have their headers only')
    .option('--account <account>', `of one account only: ${whose}`)
    .action(reparse)
  add('reindex', 'Learn anew what the mail means, and give all of it new vectors, while searches go on')
    .option('--account <account>', `of one account only: ${whose}`)
    .action(reindex)
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
