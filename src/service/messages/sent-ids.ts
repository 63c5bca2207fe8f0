import type { Transaction } from 'kysely'
import type { ParsedMail } from '../../mail'
import type { Database } from '../store/tables'

/** The ids that a mail says it answers. */
type Answering = Pick<ParsedMail, 'autoSubmitted' | 'inReplyTo' | 'references'>

const maxIds = 500

/** The Message-IDs of mail that these inboxes sent, among those that mails of programs name as what they answer. */
export async function sentIdsNamedBy(
  tx: Transaction<Database>,
  tenantId: string,
  inboxIds: readonly string[],
  mails: readonly Answering[],
): Promise<ReadonlySet<string>> {
  const programs = mails.filter(({ autoSubmitted }) => autoSubmitted !== 'no')
  const named = new Set(programs.flatMap(({ inReplyTo, references }) => [...references, inReplyTo ?? '']))
  named.delete('')
  if (named.size === 0) return named
  const rows = await tx
    .selectFrom('thread_keys')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.tenant_id', '=', 'thread_keys.tenant_id')
        .onRef('messages.id', '=', 'thread_keys.message_id'),
    )
    .select('thread_keys.rfc822_message_id')
    .where('thread_keys.tenant_id', '=', tenantId)
    .where('thread_keys.inbox_id', 'in', [...new Set(inboxIds)])
    .where('thread_keys.rfc822_message_id', 'in', [...named].slice(-maxIds))
    .where('messages.direction', '=', 'outbound')
    .execute()
  return new Set(rows.map((row) => row.rfc822_message_id))
}
