import type { Scope } from '../../accounts/keys'
import type { StoredSender } from '../../base/sender'
import type { OutboundPorts } from '../delivery/ports'
import { senderIn } from './sends'

/** What a program reports of the run in which it sends. */
interface ReportedRun {
  /** Consumer whose handler this is. */
  consumer?: string | undefined
  messages_read?: number | undefined
}

/** Returns the time in ms since a consumer got a message; null if it has no lease of it. */
async function durationOf(
  { store, clock }: OutboundPorts,
  { tenantId }: Scope,
  consumer: string,
  messageId: string,
): Promise<number | null> {
  const row = await store.db
    .selectFrom('consumer_leases')
    .select('leased_at')
    .where('tenant_id', '=', tenantId)
    .where('consumer', '=', consumer)
    .where('message_id', '=', messageId)
    .where('lease_token', 'is not', null)
    .executeTakeFirst()
  return row?.leased_at ? Math.max(0, clock.now() - Date.parse(row.leased_at)) : null
}

/**
 * Returns the sender of a message, with its run: how many messages the program had read, and how long it took
 * since its consumer got the answered message.
 */
export async function senderWithRun(
  ports: OutboundPorts,
  scope: Scope,
  { consumer, messages_read = undefined }: ReportedRun,
  messageId: string | null | undefined,
): Promise<StoredSender | null> {
  const sender = senderIn(scope, consumer)
  if (!sender || sender.kind === 'operator') return sender
  const duration_ms = consumer && messageId ? await durationOf(ports, scope, consumer, messageId) : null
  if (messages_read === undefined && duration_ms === null) return sender
  return { ...sender, run: { messages_read: messages_read ?? null, duration_ms } }
}
