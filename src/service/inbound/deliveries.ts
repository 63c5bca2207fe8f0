import { withoutTrace } from '../../mail/headers/header-bytes'
import { refuse } from '../base/refuse'
import { sha256 } from '../base/secrets'
import { dayMs, timeOf } from '../base/time'
import { sha256InTurns } from '../base/turns'
import type { ChangeContext } from '../log/registry'
import type { NewMessage } from '../messages/add-message'
import type { InboundPorts } from './ports'

/** Stored message of a delivery, and its thread. */
export interface Place {
  id: string
  threadId: string
}

/** Time for which the id of a source is remembered. */
const keptMs = 30 * dayMs
/** Time for which content alone identifies a message: servers repeat that long (RFC 5321 section 4.5.4.1). */
const byContentMs = 5 * dayMs
const maxRows = 1_000

/** Returns the key by which a repeat of a message is recognized: the id of its source, else its content. */
export const deliveryOf = ({ keyId, id }: { keyId: string; id: string | null }, contentHash: string) => ({
  id: id === null ? sha256(`content\n${contentHash}`) : sha256(`${keyId}\n${id}`),
  byContent: id === null,
})

/**
 * Finds the stored message of an earlier delivery.
 *
 * @throws ServiceError `idempotency_key_reused` if its source used the id for another message
 */
export async function findDelivery(
  { tx, account, now }: ChangeContext,
  { delivery, inboxId, contentHash }: NewMessage,
): Promise<Place | null> {
  if (!delivery) return null
  const row = await tx
    .selectFrom('inbound_deliveries')
    .select(['message_id', 'thread_id', 'content_hash', 'created_at'])
    .where('tenant_id', '=', account.tenant_id)
    .where('inbox_id', '=', inboxId)
    .where('delivery', '=', delivery.id)
    .executeTakeFirst()
  if (!row) return null
  if (row.content_hash !== contentHash)
    throw refuse(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another mail: give each mail an id of its own, or none.',
    )
  const ageMs = Date.parse(now) - Date.parse(row.created_at)
  if (delivery.byContent && ageMs > byContentMs) return null
  return { id: row.message_id, threadId: row.thread_id }
}

/** Records the stored message of a delivery, in the transaction that stores it. */
export async function noteDelivery(
  { tx, account, now }: ChangeContext,
  { delivery, inboxId, contentHash }: NewMessage,
  { id, threadId }: Place,
): Promise<void> {
  if (!delivery) return
  const fresh = { message_id: id, thread_id: threadId, created_at: now }
  await tx
    .insertInto('inbound_deliveries')
    .values({
      tenant_id: account.tenant_id,
      inbox_id: inboxId,
      delivery: delivery.id,
      content_hash: contentHash,
      ...fresh,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'inbox_id', 'delivery']).doUpdateSet(fresh))
    .execute()
}

/**
 * Binds a token to the first message delivered with it, for any inbox, accepted or not.
 *
 * @throws ServiceError `idempotency_key_reused` if the token came with another message before
 */
export async function holdToken(
  ports: InboundPorts,
  { tenantId, keyId }: { tenantId: string; keyId: string },
  token: string,
  raw: Uint8Array,
): Promise<void> {
  const at = { tenant_id: tenantId, inbox_id: '', delivery: sha256(`token\n${keyId}\n${token}`) }
  const content_hash = await sha256InTurns(withoutTrace(raw))
  const nothing = { message_id: '', thread_id: '', created_at: timeOf(ports.clock.now()) }
  const held = await ports.store.write(async (tx) => {
    await tx
      .insertInto('inbound_deliveries')
      .values({ ...at, content_hash, ...nothing })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return tx
      .selectFrom('inbound_deliveries')
      .select('content_hash')
      .where('tenant_id', '=', at.tenant_id)
      .where('inbox_id', '=', at.inbox_id)
      .where('delivery', '=', at.delivery)
      .executeTakeFirstOrThrow()
  })
  if (held.content_hash !== content_hash)
    throw refuse('idempotency_key_reused', 'This token came with another mail before.')
}

/** Deletes records older than any repeat. */
export async function dropOldDeliveries({ store, clock }: InboundPorts): Promise<void> {
  const before = timeOf(clock.now() - keptMs)
  for (;;) {
    const old = await store.db
      .selectFrom('inbound_deliveries')
      .select(['tenant_id', 'inbox_id', 'delivery'])
      .where('created_at', '<', before)
      .limit(maxRows)
      .execute()
    if (old.length === 0) return
    await store.write(async (tx) => {
      for (const { tenant_id, inbox_id, delivery } of old)
        await tx
          .deleteFrom('inbound_deliveries')
          .where('tenant_id', '=', tenant_id)
          .where('inbox_id', '=', inbox_id)
          .where('delivery', '=', delivery)
          .execute()
    })
  }
}
