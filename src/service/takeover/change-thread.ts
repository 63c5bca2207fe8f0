import type { Thread } from '../../protocol/records/thread'
import { requireManaging } from '../accounts/account'
import type { Scope } from '../accounts/keys'
import { administrator, type StoredSender } from '../base/sender'
import { changeAccount } from '../log/change'
import type { ChangeContext } from '../log/registry'
import type { MessagePorts } from '../messages/ports'
import type { ThreadRow } from '../messages/records'
import { threadAnswer, threadRowIn } from '../messages/threads'

/** Returns who makes a request. */
export const actorOf = ({ sender }: Pick<Scope, 'sender'>): StoredSender => sender ?? administrator

/** Changes a thread that the caller reaches, and returns it. @throws ServiceError `not_found`, `claim_required` */
export const changeThread = (
  ports: MessagePorts,
  scope: Scope,
  id: string,
  work: (change: ChangeContext, thread: ThreadRow) => Promise<ThreadRow>,
): Promise<Thread> =>
  changeAccount(ports, scope.tenantId, async (change) => {
    requireManaging(change.account, change.now)
    const thread = await threadRowIn(change.tx, scope, id)
    return threadAnswer(change.tx, scope, await work(change, thread))
  })
