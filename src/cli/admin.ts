import { administer, administerWaiting, type WaitingOrder } from '../service/administer'
import { serveDefaults, settingOptions } from './flags'
import { createOutput, printable } from './output'

type Options = Record<string, unknown> & { json?: boolean }

/** `restante admin …`: what the host does to an account, while the service runs or not. */
export async function admin(asked: Parameters<typeof administer>[1], flags: Options): Promise<void> {
  const account = await administer(settingOptions(flags, serveDefaults), asked)
  const who = `${account.tenant_id} (${printable(account.name)})`
  const said =
    asked.command === 'erase'
      ? `${who} is closed; what it held is gone within the hour.`
      : `${who}: sending ${account.sending_status}, ${account.limits.inboxes} inboxes at most`
  createOutput(flags.json).tell(said, account)
}

/** `restante admin hold` and `send-held`: what is done to all mail that waits. */
export async function adminWaiting(command: WaitingOrder, flags: Options): Promise<void> {
  const jobs = await administerWaiting(settingOptions(flags, serveDefaults), command)
  const said = {
    hold: `${jobs} mails that wait to be sent are held. restante admin send-held sends them.`,
    'send-held': `${jobs} mails that were held go out now.`,
  }
  createOutput(flags.json).tell(said[command], { jobs })
}
