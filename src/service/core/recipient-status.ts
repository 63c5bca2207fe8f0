import type { Kysely } from 'kysely'
import type { RecipientStatus } from '../../protocol/recipient-status'
import type { Database } from '../store/schema'

/** How a message that was sent fares with each of its recipients; none for one that came in. */
export const recipientStatuses = (
  db: Kysely<Database>,
  tenantId: string,
  messageId: string,
): Promise<RecipientStatus[]> =>
  db
    .selectFrom('recipients')
    .select(['address', 'status', 'reason', 'kind', 'detail'])
    .where('tenant_id', '=', tenantId)
    .where('message_id', '=', messageId)
    .orderBy('address')
    .execute()
