import type { CloseReason } from '../../protocol/frames'
import type { Core } from '../core/context'
import type { Scope } from '../core/keys'
import type { Peer } from './peer'
import { Session } from './session'

/** All sockets of this process. */
export interface Gateway {
  /** Takes a socket of an agent whose key was checked. */
  accept(scope: Scope, peer: Peer): void
  /** How many are open. */
  size(): number
  /** By account, how far the socket has read that is furthest behind. */
  positions(): ReadonlyMap<string, number>
  /** Says goodbye to everybody. */
  close(): void
}

export function createGateway(core: Core): Gateway {
  const sessions = new Set<Session>()
  return {
    accept(scope, peer) {
      const session = new Session(core, scope, peer)
      const { onclose } = peer
      sessions.add(session)
      const unwatch = core.revocations.watch(scope, (why) =>
        session.close(why === 'unauthorized' ? 'unauthorized' : 'forbidden', why),
      )
      peer.onclose = () => {
        unwatch()
        sessions.delete(session)
        onclose()
      }
    },
    size: () => sessions.size,
    positions() {
      const found = new Map<string, number>()
      for (const { position } of sessions) {
        if (!position) continue
        const { tenantId, seq } = position
        found.set(tenantId, Math.min(seq, found.get(tenantId) ?? seq))
      }
      return found
    },
    close() {
      const reason: CloseReason = 'going_away'
      for (const session of sessions) session.close(reason, 'the service is stopping')
      sessions.clear()
    },
  }
}
