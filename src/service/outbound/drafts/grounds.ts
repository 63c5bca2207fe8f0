import type { DraftBody } from '../../../protocol/records'
import type { Scope } from '../../accounts'
import type { OutboundPorts } from '../delivery'
import type { DraftRow } from '../submit'

/** The columns that tell whoever decides on a draft how it came to be; they are no part of the mail. */
export type DraftGrounds = Pick<DraftRow, 'read_message_ids' | 'approval_reason'>

export const noGrounds: DraftGrounds = { read_message_ids: '[]', approval_reason: null }

/** The fields of a request that give them. */
export type ToldGrounds = Pick<DraftBody, 'read_message_ids' | 'approval_reason'>

/** The most messages that a draft names. */
const maxRead = 50

/** Reads what a writer says of its draft. Of what it read only messages are kept that its key reaches. */
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
 * Adds what is told of a draft now to what was told before. What had been read for an earlier text may be in this one; a
 * reason is of one mail, and not of another.
 */
export function groundsAfter(before: DraftGrounds, told: DraftGrounds, isSameMail: boolean): DraftGrounds {
  const [old, fresh] = [before, told].map((one) => JSON.parse(one.read_message_ids) as string[])
  const last = [...new Set([...fresh!.reverse(), ...old!.reverse()])].slice(0, maxRead)
  return {
    read_message_ids: JSON.stringify(last.reverse()),
    approval_reason: told.approval_reason ?? (isSameMail ? before.approval_reason : null),
  }
}
