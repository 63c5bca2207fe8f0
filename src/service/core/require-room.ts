import type { ErrorCode } from '../../protocol/error-codes'
import type { Change } from './change'
import { refuse } from './refuse'

type Counted = 'inboxes' | 'labels' | 'domains' | 'webhooks' | 'api_keys' | 'consumers'

/** How many an account may have, and how it is told that it has them. */
export interface Room {
  most: number
  code: Extract<ErrorCode, `${string}_limit_reached`>
  /** With "which is the most", and what to do about it. */
  message: string
}

/** Refuses one more of what an account has as many of as it may. */
export async function requireRoom({ tx, account }: Change, table: Counted, room: Room): Promise<void> {
  let query = tx
    .selectFrom(table as 'api_keys')
    .select((rows) => rows.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', account.tenant_id)
  // A revoked key stays in the list of keys, and takes no room.
  if (table === 'api_keys') query = query.where('revoked_at', 'is', null)
  const { count } = await query.executeTakeFirstOrThrow()
  if (Number(count) >= room.most) throw refuse(room.code, room.message)
}
