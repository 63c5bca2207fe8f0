import { type Core, now } from './context'
import { findHostAccount } from './host-account'
import { sendMessage } from './submit'

/** Who the service's own mail is from: an account without a key, whose address takes no mail. */
const findSender = (core: Core) =>
  findHostAccount(core, {
    role: 'sender',
    name: 'Service mail',
    localPart: 'no-reply',
    async complete(tx, { address }) {
      await tx
        .updateTable('addresses')
        .set({ retired_at: now(core) })
        .where('address', '=', address)
        .execute()
      return {}
    },
  })

/** A mail from the service itself to a human; it goes the way of all mail. */
export async function sendServiceMail(
  core: Core,
  mail: { to: string; subject: string; text: string },
): Promise<void> {
  const { tenantId, inboxId } = await findSender(core)
  const scope = { tenantId, keyId: '', inboxId, scopes: ['send'] as const }
  await sendMessage(core, scope, { ...mail, to: [mail.to], cc: [], bcc: [], replay: 'strict' })
}
