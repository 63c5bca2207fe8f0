import { requireManaging } from '../accounts/account'
import type { Scope } from '../accounts/keys'
import { administrator } from '../base/sender'
import { audit } from '../log/audit'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import { messageRowIn } from '../messages/messages'
import type { MessagePorts } from '../messages/ports'
import type { MessageRow, ThreadRow } from '../messages/records'
import { rebuiltThread, saveThread } from '../messages/thread-refresh'
import { threadRowIn } from '../messages/threads'
import { erase } from './erase'
import { eraseMessageRows } from './erase-rows'

async function dropThread(change: ChangeContext, thread: ThreadRow): Promise<void> {
  const { tx, account } = change
  for (const table of [
    'thread_keys',
    'thread_mentions',
    'thread_aliases',
    'thread_labels',
    'presence',
    'notes',
  ] as const) {
    await tx
      .deleteFrom(table as 'thread_keys')
      .where('tenant_id', '=', account.tenant_id)
      .where('thread_id', '=', thread.id)
      .execute()
  }
  await tx
    .deleteFrom('threads')
    .where('tenant_id', '=', account.tenant_id)
    .where('id', '=', thread.id)
    .execute()
  const { id, inbox_id } = thread
  change.append('thread.deleted', inbox_id, { id, inbox_id })
}

/** Keeps the Message-ID of an erased message, so that an answer to it still finds the thread. */
async function loosenKeys({ tx, account }: ChangeContext, inboxId: string, messageId: string): Promise<void> {
  await tx
    .updateTable('thread_keys')
    .set({ message_id: null })
    .where('tenant_id', '=', account.tenant_id)
    .where('inbox_id', '=', inboxId)
    .where('message_id', '=', messageId)
    .execute()
}

/**
 * Erases a message within a change. Its rows lose the content with the commit, all other places within the
 * hour. A thread that loses its last message is deleted with it.
 */
export async function eraseMessageIn(
  ports: MessagePorts,
  change: ChangeContext,
  { id, inbox_id, thread_id }: Pick<MessageRow, 'id' | 'inbox_id' | 'thread_id'>,
): Promise<void> {
  const scope = { tenantId: change.account.tenant_id, inboxId: null }
  const thread = await threadRowIn(change.tx, scope, thread_id)
  await eraseMessageRows(change, [id])
  await erase(ports, change, { of: 'message', id, threadId: thread_id, after: 0 })
  change.append('message.deleted', inbox_id, { id, thread_id, inbox_id })
  const rest = await rebuiltThread(change, thread)
  if (rest) {
    await loosenKeys(change, inbox_id, id)
    await saveThread(change, rest)
  } else await dropThread(change, thread)
}

/** Erases a message that the key reaches. @throws ServiceError `not_found`, `claim_required` */
export async function eraseMessage(ports: MessagePorts, scope: Scope, id: string): Promise<undefined> {
  await changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    await audit(change, { action: 'message.erased', by: scope.sender ?? administrator, target: id })
    await eraseMessageIn(ports, change, await messageRowIn(change.tx, scope, id))
  })
}

/**
 * Erases a thread with all its messages, a large one in later steps; the only event is `thread.deleted`. Its
 * Message-IDs are deleted: a later reply begins a new thread.
 *
 * @throws ServiceError `not_found`, `claim_required`
 */
export async function eraseThread(ports: MessagePorts, scope: Scope, id: string): Promise<undefined> {
  await changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const thread = await threadRowIn(change.tx, scope, id)
    await erase(ports, change, { of: 'thread', id: thread.id, after: 0 })
    await audit(change, { action: 'thread.erased', by: scope.sender ?? administrator, target: thread.id })
    await dropThread(change, thread)
  })
}
