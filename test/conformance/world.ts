import { randomBytes } from 'node:crypto'
import type { Service, ServiceOptions } from 'restante/service'
import { expect } from 'vitest'
import { type Browser, secretOf, signedIn } from '../support/console'
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

/** The world of every section: one service, its claimed account `home`, and a clock that tests move on. */
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
  /** A human who is signed in at the console, and has claimed what was claimed here. */
  readonly operator: Browser
  claim(claimUrl: string, by?: Browser): Promise<Answer>
  /** An account that the operator has claimed. */
  claimedAgent(): Promise<SignedUp>
  /** Revokes all keys of an account. */
  revokeKeys(tenantId: string): Promise<void>
  /** Takes the account of a key out of the database, which no call does. */
  loseAccount(tenantId: string): Promise<void>
}

/** Plans that the host of the world has beside those that there always are. */
const plans = { small: { inboxes: 2 } }

export const newIdempotencyKey = () => randomBytes(32).toString('base64url')

export async function startWorld(options: ServiceOptions): Promise<World> {
  const clock = new JumpClock()
  const quiet = await openService({ ...options, plans }, { clock })
  const { call } = quiet
  const withKey = (key?: string) => (key === undefined ? {} : { key })
  const signup: World['signup'] = (headers, body = {}) =>
    call('POST', '/agent-signups', { key: null, headers, body })
  const db = await openBeside(options)
  const operator = await signedIn(quiet.service)
  const newAgent: World['newAgent'] = async (body = {}) => {
    const idempotencyKey = newIdempotencyKey()
    const answer = await signup({ 'idempotency-key': idempotencyKey }, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    const { api_key: key, tenant_id: tenantId } = answer.body
    return { body: answer.body, key, tenantId, idempotencyKey }
  }
  const claim: World['claim'] = (url, by = operator) => by.call('POST', '/claim', { token: secretOf(url) })
  return {
    ...quiet,
    clock,
    operator,
    signup,
    newAgent,
    claim,
    async claimedAgent() {
      const agent = await newAgent()
      expect((await claim(agent.body.claim_url)).status).toBe(200)
      return agent
    },
    post: (path, body, key) => call('POST', path, { body, ...withKey(key) }),
    get: (path, key) => call('GET', path, withKey(key)),
    delete: (path, key) => call('DELETE', path, withKey(key)),
    async received(mail = {}) {
      await quiet.mail(mail)
      return (await call('GET', '/messages?direction=inbound&limit=1')).body.messages[0]
    },
    async revokeKeys(tenantId) {
      const { list, revoke } = quiet.service.keys
      for (const { id } of (await list({ account_id: tenantId })).keys)
        await revoke({ account_id: tenantId, key_id: id })
    },
    async loseAccount(tenantId) {
      await db.deleteFrom('accounts').where('tenant_id', '=', tenantId).execute()
    },
    async [Symbol.asyncDispose]() {
      await db.destroy()
      await quiet[Symbol.asyncDispose]()
    },
  }
}
