import { administer } from '../service/administer'
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
