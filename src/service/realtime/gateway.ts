import { setTimeout as pause } from 'node:timers/promises'
import type { CloseReason } from '../../protocol/frames'
import { eventsRoutes } from '../../protocol/routes/events'
import { readReaches } from '../accounts/account'
import { requireScope, type Scope } from '../accounts/keys'
import type { AccountPorts } from '../accounts/ports'
import { Lookout } from '../log/lookout'
import { FairQueue } from './fair-queue'
import { OutputBudget, type Peer, sayGoodbye } from './output'
import { Session } from './session'

/** Limits on sockets, and on their unread output. */
interface SocketLimits {
  maxSocketsPerKey: number
  maxSocketsPerAccount: number
  maxSocketsPerAddress: number
  /** Bytes that all sockets together may leave unread. */
  maxSocketOutputBytes: number
}

/** Owner of a socket. */
export interface SocketOwner {
  scope: Scope
  /** Group that its address is counted by; null if that is not limited. */
  group: string | null
}

/** All sockets of this process. */
export interface Gateway {
  /** Checks that a key may open a socket, which reads the log. @throws ServiceError `insufficient_scope` */
  admit(scope: Scope): void
  /** Accepts an admitted socket, or closes it at once if its owner has too many. */
  accept(owner: SocketOwner, peer: Peer): void
  /** Number of open sockets. */
  size(): number
  /** By account, the read position of the socket that is furthest behind. */
  positions(): ReadonlyMap<string, number>
  /**
   * Closes all sockets; many are closed in batches, so that they do not all reconnect to the next node at
   * once.
   */
  close(): Promise<void>
}

/** Counts of open sockets by owner. */
class Counts {
  readonly #open = new Map<string, number>()

  get(name: string): number {
    return this.#open.get(name) ?? 0
  }

  change(names: readonly string[], by: 1 | -1): void {
    for (const name of names) {
      const count = this.get(name) + by
      if (count === 0) this.#open.delete(name)
      else this.#open.set(name, count)
    }
  }
}

/** Returns the names under which a socket is counted, and the limit of each. */
function countedBy({ scope, group }: SocketOwner, limits: SocketLimits) {
  const counted = [
    { what: 'API key', name: `key ${scope.keyId}`, max: limits.maxSocketsPerKey },
    { what: 'account', name: `account ${scope.tenantId}`, max: limits.maxSocketsPerAccount },
  ]
  if (group === null) return counted
  return [...counted, { what: 'address', name: `address ${group}`, max: limits.maxSocketsPerAddress }]
}

/** Reasons for which a socket is closed to protect others. */
const limited: ReadonlySet<CloseReason> = new Set(['slow_reader', 'too_many_frames', 'too_many_sockets'])

const stopping = 'the service is stopping'

/**
 * Sockets that are closed at once; of very many, a fiftieth per batch, so that closing takes five seconds.
 */
const closedAtOnce = 200
const closingParts = 50
const partMs = 100

/** Creates the gateway; `onLimited` is called for each socket that is closed over a limit. */
export function createGateway(
  ports: AccountPorts,
  limits: SocketLimits,
  onLimited: (reason: CloseReason) => void = () => {},
): Gateway {
  const onGoodbye = (reason: CloseReason) => {
    if (limited.has(reason)) onLimited(reason)
  }
  const sessions = new Set<Session>()
  const open = new Counts()
  const budget = new OutputBudget(limits.maxSocketOutputBytes)
  const reads = new FairQueue()
  const lookout = new Lookout(ports.clock, (tenantIds) => readReaches(ports, tenantIds))
  let isClosing = false
  return {
    admit: (scope) => requireScope(scope, eventsRoutes.list.access),
    accept(owner, peer) {
      if (isClosing) return sayGoodbye(peer, 'going_away', stopping)
      const counted = countedBy(owner, limits)
      const full = counted.find(({ name, max }) => open.get(name) >= max)
      if (full) {
        const message = `the ${full.what} has ${full.max} sockets open, which is the most: close one`
        onGoodbye('too_many_sockets')
        return sayGoodbye(peer, 'too_many_sockets', message)
      }
      const names = counted.map(({ name }) => name)
      const session = new Session({ ports, scope: owner.scope, peer, budget, reads, lookout, onGoodbye })
      const { onclose } = peer
      sessions.add(session)
      open.change(names, 1)
      const unwatch = ports.revocations.watch(owner.scope, (why) =>
        session.close(why === 'unauthorized' ? 'unauthorized' : 'forbidden', why),
      )
      peer.onclose = () => {
        unwatch()
        if (sessions.delete(session)) open.change(names, -1)
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
    async close() {
      isClosing = true
      const all = [...sessions]
      const part = Math.max(closedAtOnce, Math.ceil(all.length / closingParts))
      for (let at = 0; at < all.length; at += part) {
        if (at > 0) await pause(partMs)
        for (const session of all.slice(at, at + part)) session.close('going_away', stopping)
      }
    },
  }
}
