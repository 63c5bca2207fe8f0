import { findHostAccount } from '../accounts/host-account'
import { now } from '../base/time'
import type { OutboundPorts } from './delivery/ports'
import { sendMessage } from './send'

/**
 * Finds the sender of the service's own messages: an account without a key, whose address accepts no email.
 */
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

/** Sends a message from the service itself to a person, like any other message. */
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
