import { describe, expect, it } from 'vitest'
import { error } from '../types'
import { dayMs, type World } from '../world'

export const getAccount = (world: World) =>
  describe('4.2 GET /account', () => {
    it('answers 200 to a key of the account', async () => {
      expect((await world.get('/account')).status).toBe(200)
    })

    it('uses the original API key to resume setup', async () => {
      const { key, idempotencyKey } = await world.newAgent()
      await world.signup({ 'idempotency-key': idempotencyKey })
      expect((await world.get('/account', key)).status).toBe(200)
    })

    it('status remains readable after unclaimed expiry', async () => {
      const { key } = await world.newAgent()
      world.clock.jump(30 * dayMs)
      expect(await world.get('/account', key)).toMatchObject({ status: 200, body: { expired: true } })
    })

    it.each([
      ['missing', { key: null }],
      ['invalid', { key: 'rst_invalid' }],
      ['in another scheme', { key: null, headers: { authorization: 'Basic YTpi' } }],
    ])('401: the key is %s', async (_how, options) => {
      expect(await world.call('GET', '/account', options)).toMatchObject(error(401, 'unauthorized'))
    })

    it('401: the key is revoked', async () => {
      const { key, tenantId } = await world.newAgent()
      await world.revokeKeys(tenantId)
      expect(await world.get('/account', key)).toMatchObject(error(401, 'unauthorized'))
    })

    it('403: the account is suspended', async () => {
      const { key, tenantId } = await world.newAgent()
      await world.service.admin.suspend(tenantId)
      expect(await world.get('/account', key)).toMatchObject(error(403, 'account_suspended'))
    })

    it('404 account_not_found: the account is gone', async () => {
      const { key, tenantId } = await world.newAgent()
      await world.loseAccount(tenantId)
      expect(await world.get('/account', key)).toMatchObject(error(404, 'account_not_found'))
    })
  })
