import type { DraftBody } from '../../../protocol/records'
import type { Scope } from '../../accounts'
import type { OutboundPorts } from '../delivery'
import type { DraftRow } from '../submit'

/** Columns with the context of a draft for its approver; they are not part of the message. */
export type DraftGrounds = Pick<DraftRow, 'read_message_ids' | 'approval_reason'>

export const noGrounds: DraftGrounds = { read_message_ids: '[]', approval_reason: null }

/** Fields of a request that set them. */
export type ToldGrounds = Pick<DraftBody, 'read_message_ids' | 'approval_reason'>

/** Maximum number of messages that a draft names. */
const maxRead = 50

/** Reads the context that a writer gives. Only messages that its key reaches are kept. */
export async function groundsOf(
  { store }: Pick<OutboundPorts, 'store'>,
  { tenantId, inboxId }: Scope,
  { read_message_ids = [], ...told }: ToldGrounds,
): Promise<DraftGrounds> {
  const approval_reason = told.approval_reason ?? null
  if (read_message_ids.length === 0) return { ...noGrounds, approval_reason }
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
export function groundsAfter(before: DraftGrounds, told: DraftGrounds, isSameMail: boolean): DraftGrounds {
  const [old, fresh] = [before, told].map((one) => JSON.parse(one.read_message_ids) as string[])
  const last = [...new Set([...fresh!.reverse(), ...old!.reverse()])].slice(0, maxRead)
  return {
    read_message_ids: JSON.stringify(last.reverse()),
    approval_reason: told.approval_reason ?? (isSameMail ? before.approval_reason : null),
  }
}
