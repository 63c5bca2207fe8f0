import type { DraftBody } from '../../../protocol/records/draft'
import type { Scope } from '../../accounts/keys'
import type { OutboundPorts } from '../delivery/ports'
import type { DraftRow } from '../submit/draft-records'

/** Columns with the context of a draft for its approver; they are not part of the message. */
export type DraftContext = Pick<DraftRow, 'read_message_ids' | 'approval_reason'>

export const noContext: DraftContext = { read_message_ids: '[]', approval_reason: null }

/** Fields of a request that set them. */
export type GivenContext = Pick<DraftBody, 'read_message_ids' | 'approval_reason'>

/** Maximum number of messages that a draft names. */
const maxRead = 50

/** Reads the context that a writer gives. Only messages that its key reaches are kept. */
export async function contextOf(
  { store }: Pick<OutboundPorts, 'store'>,
  { tenantId, inboxId }: Scope,
  { read_message_ids = [], ...given }: GivenContext,
): Promise<DraftContext> {
  const approval_reason = given.approval_reason ?? null
  if (read_message_ids.length === 0) return { ...noContext, approval_reason }
  let query = store.db
    .selectFrom('messages')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', read_message_ids)
  if (inboxId !== null) query = query.where('inbox_id', '=', inboxId)
  const reached = new Set((await query.execute()).map(({ id }) => id))
  const kept = [...new Set(read_message_ids)].filter((id) => reached.has(id))
  return { read_message_ids: JSON.stringify(kept), approval_reason }
}

/**
 * Merges new context into earlier context. Messages read for an earlier text may matter for this one; a
 * reason applies to one message only.
 */
export function contextAfter(before: DraftContext, given: DraftContext, isSameMail: boolean): DraftContext {
  const [old, fresh] = [before, given].map((one) => JSON.parse(one.read_message_ids) as string[])
  const last = [...new Set([...fresh!.reverse(), ...old!.reverse()])].slice(0, maxRead)
  return {
    read_message_ids: JSON.stringify(last.reverse()),
    approval_reason: given.approval_reason ?? (isSameMail ? before.approval_reason : null),
  }
}
