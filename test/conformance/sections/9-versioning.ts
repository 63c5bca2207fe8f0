import { describe, expect, it } from 'vitest'
import { openService } from '../../support/service'
import { error } from '../types'
import { newIdempotencyKey, type World } from '../world'

export const versioning = (world: World) =>
  describe('9 versioning', () => {
    it('1: the version is part of the path', async () => {
      const { fetch } = world.service
      expect((await fetch(new Request('http://restante.test/v1/openapi.json'))).status).toBe(200)
      for (const path of ['/account', '/v2/account'])
        expect((await fetch(new Request(`http://restante.test${path}`))).status).toBe(404)
    })

    it('2: the description of the interface carries the version number 0.1.0', async () => {
      expect((await world.get('/openapi.json')).body.info.version).toBe('0.1.0')
    })

    it('3: agent signup requires the staged rollout to be enabled', async () => {
      await using closed = await openService({ signup: false })
      const headers = { 'idempotency-key': newIdempotencyKey() }
      const answer = await closed.call('POST', '/agent-signups', { key: null, headers, body: {} })
      expect(answer).toMatchObject(error(503, 'signup_unavailable'))
    })
  })
