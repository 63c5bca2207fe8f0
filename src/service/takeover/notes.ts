import type { Selectable } from 'kysely'
import type { Note, NoteBody } from '../../protocol/records/desk/note'
import { requireManaging, requireReader } from '../accounts/account'
import type { Caller, Scope } from '../accounts/keys'
import { decodeIdCursor, pageOf } from '../base/cursor'
import { newId } from '../base/ids'
import { refuse } from '../base/refuse'
import { narrowAuthor, senderColumn } from '../base/sender'
import { changeAccount } from '../log/change'
import type { MessagePorts } from '../messages/ports'
import { saveThread } from '../messages/thread-refresh'
import { threadRowIn } from '../messages/threads'
import type { Database } from '../store/tables/schema'
import { actorOf } from './change-thread'

const list = 'notes'

const noteRecord = ({ id, thread_id, text, for_agent, author, created_at }: NoteRow): Note => ({
  ...{ id, thread_id, text, for_agent: for_agent === 1, by: JSON.parse(author), created_at },
})
type NoteRow = Selectable<Database['notes']>

interface NotesQuery {
  id: string
  order: 'asc' | 'desc'
  limit: number
  cursor?: string | undefined
}

/**
 * Returns the notes on a thread. A key without the scope `manage` gets those for the agent.
 *
 * @throws ServiceError `not_found`
 */
export async function listNotes(
  ports: MessagePorts,
  scope: Caller,
  { id, order, limit, cursor }: NotesQuery,
): Promise<{ notes: Note[]; next_cursor: string | null }> {
  requireReader(ports, scope)
  const { db } = ports.store
  const thread = await threadRowIn(db, scope, id)
  let query = db
    .selectFrom('notes')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('thread_id', '=', thread.id)
    .orderBy('id', order)
    .limit(limit + 1)
  if (!scope.scopes.includes('manage')) query = query.where('for_agent', '=', 1)
  if (cursor !== undefined)
    query = query.where('id', order === 'asc' ? '>' : '<', decodeIdCursor(list, cursor))
  const { page, next_cursor } = pageOf(list, await query.execute(), limit, (row) => row.id)
  return { notes: page.map((row) => narrowAuthor(noteRecord(row), scope)), next_cursor }
}

/**
 * Adds a note to a thread. Prompts show a note for the agent as the words of operators, so only they write one.
 *
 * @throws ServiceError `not_found`, `claim_required`; `insufficient_scope` for a note for the agent by a key
 */
export const addNote = (
  ports: MessagePorts,
  scope: Scope,
  { id, text, for_agent }: NoteBody & { id: string },
): Promise<Note> =>
  changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    if (for_agent && actorOf(scope).kind !== 'operator')
      throw refuse(
        'insufficient_scope',
        'Only an operator writes notes for the agent: use the console, or set for_agent to false.',
      )
    const thread = await threadRowIn(change.tx, scope, id)
    const row: NoteRow = {
      ...{ tenant_id: scope.tenantId, thread_id: thread.id, text, created_at: change.now },
      ...{ id: newId('not', ports.clock.now()), for_agent: for_agent ? 1 : 0 },
      author: senderColumn(actorOf(scope))!,
    }
    await change.tx.insertInto('notes').values(row).execute()
    await saveThread(change, { ...thread, note_count: thread.note_count + 1 })
    return narrowAuthor(noteRecord(row), scope)
  })
