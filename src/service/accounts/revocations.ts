import { idle } from '../../protocol/time/clock'
import { now } from '../base/time'
import type { Clock, Logger, Signals } from '../ports'
import type { Store } from '../store/store'

/** Topic that is published when a key was revoked or an account suspended. */
export const revocationsTopic = 'revocations'

/** Time in ms within which a revocation by another node, or in the database itself, is noticed. */
const everyMs = 500
/** Maximum clock difference of nodes in ms, plus the time from the check of a key to the watch on it. */
const marginMs = 60_000

/** Reason why a connection must end. */
export type Ended = 'unauthorized' | 'account_suspended'

const sessionPrefix = 'session '

/** Returns the key id of an operator's requests. It names the session, whose end closes its connections. */
export const operatorKeyId = (sessionId: string): string => sessionPrefix + sessionId

interface Holder {
  readonly tenantId: string
  readonly keyId: string
}

interface Watch {
  holder: Holder
  onEnd: (why: Ended) => void
}

interface Parts {
  store: Store
  clock: Clock
  signals: Signals
  logger: Logger
}

/**
 * Ends the connections of a key once the key is revoked or expires, or its account is suspended. It queries
 * the changes of the last minute instead of each key, so the cost does not grow with the sockets. Without
 * connections there are no queries.
 */
export class Revocations {
  readonly #parts: Parts
  readonly #watches = new Set<Watch>()
  #stop: (() => void) | undefined
  #checking: Promise<void> | undefined
  #again = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Calls back once when the key or account becomes invalid. The returned function ends the watch. */
  watch(holder: Holder, onEnd: (why: Ended) => void): () => void {
    const watch = { holder, onEnd }
    this.#watches.add(watch)
    this.#stop ??= this.#start()
    return () => {
      this.#watches.delete(watch)
      if (this.#watches.size > 0) return
      this.#stop?.()
      this.#stop = undefined
    }
  }

  /** Stops checking; resolves once a running check is done. */
  async close(): Promise<void> {
    this.#stop?.()
    await this.#checking
  }

  #start(): () => void {
    const { clock, signals } = this.#parts
    let cancel = () => {}
    const look = () => {
      this.#check()
      cancel = idle(clock, everyMs, look)
    }
    cancel = idle(clock, everyMs, look)
    const unsubscribe = signals.subscribe(revocationsTopic, () => this.#check())
    return () => {
      cancel()
      unsubscribe()
    }
  }

  #check(): void {
    this.#again = true
    this.#checking ??= this.#checkUntilQuiet()
      .catch((error) => this.#parts.logger.error({ error }, 'revoked keys could not be looked up'))
      .finally(() => {
        this.#checking = undefined
      })
  }

  async #checkUntilQuiet(): Promise<void> {
    while (this.#again) {
      this.#again = false
      const [{ keys, tenants }, ended] = await Promise.all([this.#recent(), this.#endedSessions()])
      if (keys.size + tenants.size + ended.size === 0) continue
      for (const watch of [...this.#watches]) {
        if (keys.has(watch.holder.keyId) || ended.has(watch.holder.keyId)) this.#end(watch, 'unauthorized')
        else if (tenants.has(watch.holder.tenantId)) this.#end(watch, 'account_suspended')
      }
    }
  }

  #end(watch: Watch, why: Ended): void {
    if (this.#watches.delete(watch)) watch.onEnd(why)
  }

  /**
   * Returns the watched sessions that have ended. Ended sessions leave no rows, so the open ones are queried.
   */
  async #endedSessions(): Promise<Set<string>> {
    const held = new Set(
      [...this.#watches].map(({ holder }) => holder.keyId).filter((id) => id.startsWith(sessionPrefix)),
    )
    if (held.size === 0) return held
    const { store, clock } = this.#parts
    const rows = await store.db
      .selectFrom('operator_sessions')
      .select('id')
      .where(
        'id',
        'in',
        [...held].map((id) => id.slice(sessionPrefix.length)),
      )
      .where('expires_at', '>', new Date(clock.now()).toISOString())
      .execute()
    for (const { id } of rows) held.delete(operatorKeyId(id))
    return held
  }

  async #recent(): Promise<{ keys: Set<string>; tenants: Set<string> }> {
    const { store, clock } = this.#parts
    const since = new Date(clock.now() - marginMs).toISOString()
    const keysOf = store.db.selectFrom('api_keys').select('id')
    const [revoked, expired, accounts] = await Promise.all([
      keysOf.where('revoked_at', '>=', since).execute(),
      keysOf.where('expires_at', '>=', since).where('expires_at', '<=', now(this.#parts)).execute(),
      store.db.selectFrom('accounts').select('tenant_id').where('suspended_at', '>=', since).execute(),
    ])
    return {
      keys: new Set([...revoked, ...expired].map((row) => row.id)),
      tenants: new Set(accounts.map((row) => row.tenant_id)),
    }
  }
}
