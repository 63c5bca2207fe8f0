import { randomBytes } from 'node:crypto'
import type { Updateable } from 'kysely'
import type { Service, ServiceOptions } from 'restante/service'
import { expect } from 'vitest'
import type { AccountTable } from '../../src/service/store/schema'
import { JumpClock } from '../support/jump-clock'
import { openBeside } from '../support/open-beside'
import { type Answer, openService, type QuietService } from '../support/service'

export const minuteMs = 60_000
export const dayMs = 24 * 60 * minuteMs

/** An account that an agent made, with the answer to its signup. */
export interface SignedUp {
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any answer, also at wrong ones
  body: any
  key: string
  tenantId: string
  idempotencyKey: string
}

/** What every section works with: one service, its claimed account `home`, and a clock that tests move on. */
export interface World extends QuietService {
  readonly service: Service
  readonly clock: JumpClock
  post(path: string, body: unknown, key?: string): Promise<Answer>
  get(path: string, key?: string): Promise<Answer>
  delete(path: string, key?: string): Promise<Answer>
  /** POST /agent-signups, with whatever headers and body. */
  signup(headers: Record<string, string>, body?: unknown): Promise<Answer>
  /** An account of its own that nobody has claimed. */
  newAgent(body?: object): Promise<SignedUp>
  /** The newest message, after a mail came in. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  received(mail?: object): Promise<any>
  /** Brings an account into a state that its own calls do not reach. */
  setAccount(tenantId: string, values: Updateable<AccountTable>): Promise<void>
  revokeKeys(tenantId: string): Promise<void>
}

export const newIdempotencyKey = () => randomBytes(32).toString('base64url')

/** As the specification says: a claim sets `claimed_at`, starts the warmup and ends the expiry. */
export const claimedAt = (time: string): Updateable<AccountTable> => ({
  onboarding_state: 'claimed',
  claimed_at: time,
  sending_enabled_at: time,
  unclaimed_expires_at: null,
})

export async function startWorld(options: ServiceOptions): Promise<World> {
  const clock = new JumpClock()
  const quiet = await openService(options, { clock })
  const { call } = quiet
  const withKey = (key?: string) => (key === undefined ? {} : { key })
  const signup: World['signup'] = (headers, body = {}) =>
    call('POST', '/agent-signups', { key: null, headers, body })
  const db = await openBeside(options)
  return {
    ...quiet,
    clock,
    signup,
    post: (path, body, key) => call('POST', path, { body, ...withKey(key) }),
    get: (path, key) => call('GET', path, withKey(key)),
    delete: (path, key) => call('DELETE', path, withKey(key)),
    async newAgent(body = {}) {
      const idempotencyKey = newIdempotencyKey()
      const answer = await signup({ 'idempotency-key': idempotencyKey }, body)
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      const { api_key: key, tenant_id: tenantId } = answer.body
      return { body: answer.body, key, tenantId, idempotencyKey }
    },
    async received(mail = {}) {
      await quiet.mail(mail)
      return (await call('GET', '/messages?direction=inbound&limit=1')).body.messages[0]
    },
    async setAccount(tenantId, values) {
      await db.updateTable('accounts').set(values).where('tenant_id', '=', tenantId).execute()
    },
    async revokeKeys(tenantId) {
      const revoked_at = new Date(clock.now()).toISOString()
      await db.updateTable('api_keys').set({ revoked_at }).where('tenant_id', '=', tenantId).execute()
    },
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await quiet[Symbol.asyncDispose]()
    },
  }
}
