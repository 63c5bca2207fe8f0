import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { createService, type Service, type ServiceOptions } from 'restante/service'
import { expect } from 'vitest'
import { sha256 } from '../../src/service/base/secrets'
import type { Job } from '../../src/service/jobs/jobs'
import { openStore } from '../../src/service/store/open-store'
import type { Store } from '../../src/service/store/store'
import type { Database } from '../../src/service/store/tables/schema'
import { JumpClock } from './jump-clock'
import { openBeside } from './open-beside'
import { openService, type QuietService } from './service'

/** A service with keys of every kind and a clock that the test owns; it can be stopped and started again. */
export interface Drafting
  extends Pick<QuietService, 'call' | 'mail' | 'home' | 'service' | typeof Symbol.asyncDispose> {
  readonly clock: JumpClock
  /** Two keys of the home account by scope; one of another claimed account; one of an account nobody claimed. */
  readonly keys: Record<'read' | 'manage' | 'other' | 'unclaimed', string>
  readonly otherInboxId: string
  /** Stops the service, lets the database be changed meanwhile, and starts it again. */
  restart(meanwhile?: (store: Store) => Promise<void>): Promise<void>
  /** Another service on the same database; null where a database has one process only. */
  beside(): Promise<Service | null>
  /** What is on a queue. */
  jobs(queue: string): Promise<Job[]>
  /** Resolves once every draft that is due was dealt with. */
  looked(): Promise<void>
}

async function insertKey(db: Kysely<Database>, tenantId: string, scopes: string): Promise<string> {
  const key = `rst_${randomBytes(16).toString('hex')}`
  const row = {
    key_hash: sha256(key),
    id: `key_${randomBytes(8).toString('hex')}`,
    tenant_id: tenantId,
    inbox_id: null,
    scopes,
    created_at: new Date().toISOString(),
    revoked_at: null,
  }
  await db.insertInto('api_keys').values(row).execute()
  return key
}

const claim = (db: Kysely<Database>, tenantId: string) =>
  db.updateTable('accounts').set({ onboarding_state: 'claimed' }).where('tenant_id', '=', tenantId).execute()

async function signUp({ call }: QuietService) {
  const headers = { 'idempotency-key': randomBytes(32).toString('base64url') }
  return (await call('POST', '/agent-signups', { key: null, headers })).body
}

export async function startDrafting(options: ServiceOptions): Promise<Drafting> {
  const clock = new JumpClock()
  let running = await openService(options, { clock })
  const [other, unclaimed] = [await signUp(running), await signUp(running)]
  const keys = { read: '', manage: '', other: other.api_key, unclaimed: unclaimed.api_key }
  const db = await openBeside(options)
  const jobs = (queue: string) => db.selectFrom('jobs').selectAll().where('queue', '=', queue).execute()
  const drafting: Drafting = {
    get service() {
      return running.service
    },
    clock,
    keys,
    home: running.home,
    otherInboxId: other.inbox.id,
    call: (...args) => running.call(...args),
    mail: (mail) => running.mail(mail),
    async restart(meanwhile = async () => {}) {
      await running[Symbol.asyncDispose]()
      const store = await openStore(options)
      await meanwhile(store).finally(() => store.close())
      running = await openService(options, { clock })
    },
    beside: async () =>
      options.databaseUrl === undefined ? null : createService({ log: 'silent', ...options }, { clock }),
    jobs,
    async looked() {
      const time = new Date(clock.now()).toISOString()
      const body = { inbox_id: running.home.inboxId, scheduled_at: time }
      await running.call('POST', '/drafts', { body })
      const due = async () => (await jobs('drafts')).filter((job) => job.run_at <= time)
      await expect.poll(due, { interval: 20 }).toEqual([])
    },
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await running[Symbol.asyncDispose]()
    },
  }
  await claim(db, other.tenant_id)
  keys.read = await insertKey(db, running.home.tenantId, 'read')
  keys.manage = await insertKey(db, running.home.tenantId, 'read manage')
  return drafting
}
