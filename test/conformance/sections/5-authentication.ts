import { agentRoutes } from 'restante/protocol'
import { describe, expect, it } from 'vitest'
import type { Route } from '../../../src/protocol/route'
import { error } from '../types'
import type { World } from '../world'

const guarded = (Object.values(agentRoutes) as Record<string, Route>[])
  .flatMap((group) => Object.values(group))
  .filter((route) => route.access !== 'none')
  .map(({ method, path }) => [method, path.replace(/\{\w+\}/g, 'none')] as const)

export const authentication = (world: World) =>
  describe('5 authentication', () => {
    it.each(guarded)(
      '%s %s requires a key: 401 where it is missing, invalid or revoked',
      async (method, path) => {
        const revoked = await world.newAgent()
        await world.revokeKeys(revoked.tenantId)
        for (const key of [null, 'rst_invalid', revoked.key])
          expect(await world.call(method, path, { key })).toMatchObject(error(401, 'unauthorized'))
      },
    )

    it('every path of section 4 is there', () => {
      const paths = (Object.values(agentRoutes) as Record<string, Route>[]).flatMap((group) =>
        Object.values(group).map(({ method, path }) => `${method} ${path}`),
      )
      expect(paths).toEqual(expect.arrayContaining(specified))
    })
  })

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
