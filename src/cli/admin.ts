import { administer, administerReparse, administerWaiting, type WaitingOrder } from '../service/host'
import { readSettings } from '../service/settings'
import { acceptLoss } from '../service/store'
import { serveDefaults, settingOptions } from './flags'
import { createOutput, printable } from './output'

type Options = Record<string, unknown> & { json?: boolean }

/** `restante admin …`: what the host does to an account, while the service runs or not. */
export async function admin(asked: Parameters<typeof administer>[1], flags: Options): Promise<void> {
  const account = await administer(readSettings(settingOptions(flags, serveDefaults)), asked)
  const who = `${account.tenant_id} (${printable(account.name)})`
  const said =
    asked.command === 'erase'
      ? `${who} is closed; what it held is gone within the hour.`
      : `${who}: sending ${account.sending_status}, ${account.limits.inboxes} inboxes at most`
  createOutput(flags.json).tell(said, account)
}

/** `restante admin accept-loss`: the database as it is, where its end is missing. */
export async function adminAcceptLoss({ data, json }: { data: string; json?: boolean }): Promise<void> {
  const { held, seen } = await acceptLoss(data)
  const lost = (seen?.number ?? 0) - (held?.number ?? 0)
  const said =
    seen && lost > 0
      ? `${data} goes on without ${lost} commits, made from ${held?.at ?? 'its beginning'} to ${seen.at}.`
      : `Nothing is known to be missing from ${data}: it was left as it is.`
  createOutput(json).tell(said, { event: 'loss_accepted', commits: Math.max(lost, 0), held, seen })
}

/** `restante admin hold` and `send-held`: what is done to all mail that waits. */
export async function adminWaiting(command: WaitingOrder, flags: Options): Promise<void> {
  const jobs = await administerWaiting(readSettings(settingOptions(flags, serveDefaults)), command)
  const said = {
    hold: `${jobs} mails that wait to be sent are held. restante admin send-held sends them.`,
    'send-held': `${jobs} mails that were held go out now.`,
  }
  createOutput(flags.json).tell(said[command], { jobs })
}

/** `restante admin reparse`: stored mails whose reading failed are read again. */
export async function adminReparse({ account, ...flags }: Options & { account?: string }): Promise<void> {
  const { read, unread } = await administerReparse(
    readSettings(settingOptions(flags, serveDefaults)),
    account,
  )
  createOutput(flags.json).tell(`${read} mails were read again; ${unread} still cannot be read.`, {
    read,
    unread,
  })
}
