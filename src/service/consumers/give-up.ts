import type { Scope } from '../accounts/keys'
import { changeAccount } from '../log/change'
import type { MessagePorts } from '../messages/ports'
import { findThread } from '../messages/threads'
import { holdForPeople } from '../takeover/holds'
import { lockConsumer } from './consumers'
import { isExhausted, type LeaseRow, selectLeases, setLease } from './work'

const reason = 'The agent did not handle the message in ten attempts.'

/**
 * Hands the threads of messages over to people after their last attempt. After the release, the messages come
 * again with new attempts unless somebody answered them.
 */
export async function handOverGivenUp(
  ports: MessagePorts,
  scope: Scope,
  name: string,
  givenUp: readonly LeaseRow[],
): Promise<void> {
  await changeAccount(ports, scope.tenantId, async (change) => {
    const { tx, account, now } = change
    const consumer = await lockConsumer(ports, tx, scope, name)
    const rows = await selectLeases(tx, consumer)
      .selectAll()
      .where(
        'message_id',
        'in',
        givenUp.map((row) => row.message_id),
      )
      .execute()
    const by = { kind: 'consumer', id: name, name } as const
    for (const row of rows) {
      // Another request may have handed it over meanwhile.
      if (!isExhausted(row) || (row.lease_until !== null && row.lease_until > now)) continue
      const thread = await findThread(tx, account.tenant_id, row.thread_id)
      if (thread) await holdForPeople(ports, scope, change, thread, { by, reason })
      await setLease(tx, row, { attempts: 0, lease_token: null, lease_until: null, due_at: now })
    }
  })
}
