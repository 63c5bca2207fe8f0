import { findHostAccount } from '../accounts'
import { now } from '../base'
import type { OutboundPorts } from './delivery'
import { sendMessage } from './send'

/** Finds the sender of the service's own mail: an account without a key, whose address takes no mail. */
const findSender = (ports: OutboundPorts) =>
  findHostAccount(ports, {
    role: 'sender',
    name: 'Service mail',
    localPart: 'no-reply',
    async complete(tx, { address }) {
      await tx
        .updateTable('addresses')
        .set({ retired_at: now(ports) })
        .where('address', '=', address)
        .execute()
      return {}
    },
  })

/** Sends a mail from the service itself to a human; it goes the way of all mail. */
export async function sendServiceMail(
  ports: OutboundPorts,
  mail: { to: string; subject: string; text: string },
): Promise<void> {
  const { tenantId, inboxId } = await findSender(ports)
  const scope = { tenantId, keyId: '', inboxId, scopes: ['send'] as const }
  await sendMessage(ports, scope, {
    ...mail,
    to: [mail.to],
    cc: [],
    bcc: [],
    replay: 'strict',
    release_on_discard: false,
  })
}
