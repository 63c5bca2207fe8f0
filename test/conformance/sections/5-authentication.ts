import { describe, expect, it } from 'vitest'
import { type Route, scopeSetsOf } from '../../../src/protocol/routes/route'
import { agentRoutes, routes } from '../../../src/protocol/routes/routes'
import { error } from '../types'
import type { SignedUp, World } from '../world'

/** The fewest scopes without which a key may not: each that is needed with others, all of which one is enough. */
const lacking = (sets: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  sets.length === 1 ? sets[0]!.map((scope) => [scope]) : [sets.flat()]

const guarded = (Object.values(agentRoutes) as Record<string, Route>[])
  .flatMap((group) => Object.values(group))
  .filter((route) => route.access !== 'none')
  .map(
    ({ method, path, access }) =>
      [method, path.replace(/\{\w+\}/g, 'none'), lacking(scopeSetsOf(access))] as const,
  )

const operated = (Object.values(routes.console) as Route[]).map(
  ({ method, path }) => [method, path.replace(/\{\w+\}/g, 'none')] as const,
)

const scopes = ['read', 'send', 'manage']

/** The same thing for whoever asks, made with the first. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

export function authentication(world: World): void {
  const keysOf = ({ tenantId }: SignedUp) => `/accounts/${tenantId}/keys`
  const createKey = async (agent: SignedUp, body: object = {}) => {
    const answer = await world.operator.call('POST', keysOf(agent), { name: 'one more', ...body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body
  }

  describe('5 authentication', () => {
    const revokedKey = once(async () => {
      const { key, tenantId } = await world.newAgent()
      await world.revokeKeys(tenantId)
      return key
    })
    const owner = once(() => world.claimedAgent())
    const narrow = new Map<string, string>()
    /** A key with every scope but these. */
    const keyWithout = async (missing: readonly string[]) => {
      const rest = scopes.filter((scope) => !missing.includes(scope))
      const key = narrow.get(rest.join()) ?? (await createKey(await owner(), { scopes: rest })).api_key
      narrow.set(rest.join(), key)
      return key
    }

    it.each(guarded)(
      '%s %s requires a key: 401 where it is missing, invalid or revoked; 403 without the scope',
      async (method, path, needed) => {
        for (const key of [null, 'rst_invalid', await revokedKey()])
          expect(await world.call(method, path, { key })).toMatchObject(error(401, 'unauthorized'))
        for (const missing of needed) {
          const key = await keyWithout(missing)
          expect(await world.call(method, path, { key })).toMatchObject(error(403, 'insufficient_scope'))
        }
      },
    )

    it('keys are created and revoked in the console, and then work or do not, at once', async () => {
      const agent = await world.claimedAgent()
      const { id, api_key } = await createKey(agent)
      expect((await world.get('/account', api_key)).body.tenant_id).toBe(agent.tenantId)
      const { keys } = (await world.operator.call('GET', keysOf(agent))).body
      expect(keys).toHaveLength(2)
      expect(JSON.stringify(keys)).not.toContain(api_key)
      expect((await world.operator.call('DELETE', `${keysOf(agent)}/${id}`)).status).toBe(204)
      expect(await world.get('/account', api_key)).toMatchObject(error(401, 'unauthorized'))
      expect((await world.get('/account', agent.key)).status).toBe(200)
    })

    it.each(operated)(
      '%s %s requires an operator: 401 without one, whatever key asks',
      async (method, path) => {
        const { key } = await owner()
        for (const asking of [null, 'rst_invalid', key])
          expect(await world.call(method, path, { key: asking })).toMatchObject(
            error(401, 'sign_in_required'),
          )
      },
    )

    it('a key of one inbox opens that inbox', async () => {
      const agent = await world.claimedAgent()
      const other = (await world.post('/inboxes', {}, agent.key)).body
      const { api_key } = await createKey(agent, { inbox_id: other.id })
      expect((await world.get('/inboxes', api_key)).body.inboxes).toMatchObject([{ id: other.id }])
      expect(await world.get(`/inboxes/${agent.body.inbox.id}`, api_key)).toMatchObject(
        error(404, 'not_found'),
      )
    })

    it('the first key is unchanged across signup replays and across claiming', async () => {
      const agent = await world.claimedAgent()
      const replay = await world.signup({ 'idempotency-key': agent.idempotencyKey })
      expect(replay.body.api_key).toBe(agent.key)
      expect((await world.get('/account', agent.key)).body.onboarding_state).toBe('claimed')
    })

    it('a revoked first key is still what a replay returns, and still refused', async () => {
      const agent = await world.newAgent()
      await world.revokeKeys(agent.tenantId)
      const replay = await world.signup({ 'idempotency-key': agent.idempotencyKey })
      expect(replay.body.api_key).toBe(agent.key)
      expect(await world.get('/account', agent.key)).toMatchObject(error(401, 'unauthorized'))
    })

    it('every path of section 4 is there', () => {
      const paths = (Object.values(agentRoutes) as Record<string, Route>[]).flatMap((group) =>
        Object.values(group).map(({ method, path }) => `${method} ${path}`),
      )
      expect(paths).toEqual(expect.arrayContaining(specified))
    })
  })
}

/** The table of section 4. */
const specified = [
  'POST /agent-signups',
  'GET /account',
  'POST /drafts',
  'GET /drafts/{id}',
  'DELETE /drafts/{id}',
  'POST /drafts/{id}/send',
  'POST /messages/{id}/reply',
  'GET /messages',
  'GET /messages/{id}',
  'GET /attachments/{id}',
  'GET /labels',
  'POST /labels/{id}/assign',
  'POST /lists',
  'GET /lists',
  'DELETE /lists/{id}',
  'GET /domains',
  'POST /webhooks',
  'DELETE /webhooks/{id}',
]
