import { idle } from '../../protocol/time'
import { now } from '../base'
import type { Clock, Logger, Signals } from '../ports'
import type { Store } from '../store'

/** Topic that is woken when a key was revoked or an account suspended. */
export const revocationsTopic = 'revocations'

/** The time after which a revocation by another node, or in the database itself, is noticed. */
const everyMs = 500
/**
 * The most that clocks of nodes may differ, and that may pass between the check of a key and the watch on what it
 * opens.
 */
const marginMs = 60_000

/** The reason why something that was open must end. */
export type Ended = 'unauthorized' | 'account_suspended'

const sessionPrefix = 'session '

/** What stands for a key where an operator asks: their session, so that its end closes what it holds open. */
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
 * Ends what a key holds open once the key is revoked or expires, or its account is suspended. It asks for what changed in the
 * last minute, not for each key: the cost does not grow with the sockets. With nothing open it asks nothing.
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

  /** Calls back once when the holder's key or account is no longer good; the returned function ends the watch. */
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

  /** Looks no more; resolves once a look that was under way is over. */
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

  /** A session that ends leaves nothing behind: those that hold something open are looked for. */
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
