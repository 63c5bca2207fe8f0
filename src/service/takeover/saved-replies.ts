import type { Selectable } from 'kysely'
import type { SavedReply, SavedReplyBody } from '../../protocol/records/desk/saved-reply'
import {
  type CountLimit,
  requireBelowLimit,
  requireManaging,
  requireReader,
  requireWholeAccount,
} from '../accounts/account'
import type { Caller, Scope } from '../accounts/keys'
import { decodeIdCursor, pageOf } from '../base/cursor'
import { newId } from '../base/ids'
import { notFound } from '../base/refuse'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import type { MessagePorts } from '../messages/ports'
import type { Database } from '../store/tables/schema'

const list = 'saved-replies'
type SavedReplyRow = Selectable<Database['saved_replies']>

const countLimit: CountLimit = {
  max: 500,
  code: 'saved_reply_limit_reached',
  message: 'The account has 500 saved replies, which is the most: delete one.',
}

const savedReplyRecord = ({ id, name, text, created_at }: SavedReplyRow): SavedReply => ({
  ...{ id, name, text, created_at },
})

const changeReplies = <T>(
  ports: MessagePorts,
  scope: Scope,
  work: (change: ChangeContext) => Promise<T>,
): Promise<T> => {
  requireWholeAccount(scope)
  return changeAccount(ports, scope.tenantId, (change) => {
    requireManaging(change.account, change.now)
    return work(change)
  })
}

/**
 * Saves a reply, in place of one of the same name.
 *
 * @throws ServiceError `saved_reply_limit_reached`, `claim_required`, `insufficient_scope`
 */
export const saveReply = (
  ports: MessagePorts,
  scope: Scope,
  { name, text }: SavedReplyBody,
): Promise<{ replayed: boolean; answer: SavedReply }> =>
  changeReplies(ports, scope, async (change) => {
    const { tx, account } = change
    const known = await tx
      .updateTable('saved_replies')
      .set({ text })
      .where('tenant_id', '=', account.tenant_id)
      .where('name', '=', name)
      .returningAll()
      .executeTakeFirst()
    if (known) return { replayed: true, answer: savedReplyRecord(known) }
    await requireBelowLimit(change, 'saved_replies', countLimit)
    const row: SavedReplyRow = {
      ...{ tenant_id: account.tenant_id, id: newId('srp', ports.clock.now()), name, text },
      created_at: change.now,
    }
    await tx.insertInto('saved_replies').values(row).execute()
    return { replayed: false, answer: savedReplyRecord(row) }
  })

/** Returns the saved replies of an account, oldest first. @throws ServiceError `insufficient_scope` */
export async function listSavedReplies(
  ports: MessagePorts,
  scope: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ saved_replies: SavedReply[]; next_cursor: string | null }> {
  requireReader(ports, scope)
  requireWholeAccount(scope)
  let query = ports.store.db
    .selectFrom('saved_replies')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('id')
    .limit(limit + 1)
  if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.id)
  return { saved_replies: page.map(savedReplyRecord), next_cursor }
}

/** @throws ServiceError `not_found`, `claim_required`, `insufficient_scope` */
export const deleteSavedReply = (ports: MessagePorts, scope: Scope, id: string): Promise<undefined> =>
  changeReplies(ports, scope, async ({ tx, account }) => {
    const { numDeletedRows } = await tx
      .deleteFrom('saved_replies')
      .where('tenant_id', '=', account.tenant_id)
      .where('id', '=', id)
      .executeTakeFirst()
    if (Number(numDeletedRows) === 0) throw notFound('saved reply', id)
    return undefined
  })
