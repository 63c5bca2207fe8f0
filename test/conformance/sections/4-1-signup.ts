import { describe, expect, it } from 'vitest'
import { error } from '../types'
import { newIdempotencyKey, type World } from '../world'

/** A user-perceived character of five code points. */
const family = '👩‍👩‍👧'
const keyOf = (length: number) => newIdempotencyKey().repeat(4).slice(0, length)

export function signup(world: World): void {
  const signUp = (body: unknown, key = newIdempotencyKey()) => world.signup({ 'idempotency-key': key }, body)

  describe('4.1 POST /agent-signups: headers', () => {
    it('no Authorization header is part of the request', async () => {
      expect((await signUp({})).status).toBe(201)
    })

    it.each([
      [31, 400],
      [32, 201],
      [128, 201],
      [129, 400],
    ])('an Idempotency-Key of %d characters: %d', async (length, status) => {
      expect((await signUp({}, keyOf(length))).status).toBe(status)
    })

    it.each([...' .~+/=:,"%é'])('an Idempotency-Key with %j in it: 400', async (character) => {
      const key = `${keyOf(20)}${character}${keyOf(20)}`
      expect(await signUp({}, key)).toMatchObject(error(400, 'invalid_request'))
    })

    it('no Idempotency-Key: 400', async () => {
      expect(await world.signup({})).toMatchObject(error(400, 'invalid_request'))
    })

    it('a Content-Type that is not application/json: 415', async () => {
      const headers = { 'idempotency-key': keyOf(40), 'content-type': 'text/plain' }
      expect(await world.signup(headers)).toMatchObject(error(415, 'unsupported_media_type'))
    })
  })

  describe('4.1 name: 1 to 100 characters, trimmed, control characters rejected', () => {
    const nameOf = async (name: string) => {
      const { status, body } = await signUp({ name })
      return status === 201 ? (await world.get('/account', body.api_key)).body.name : status
    }

    it.each([
      ['none', '', 400],
      ['only space', ' \t ', 400],
      ['1', 'x', 'x'],
      ['100', 'x'.repeat(100), 'x'.repeat(100)],
      ['101', 'x'.repeat(101), 400],
      ['100 emoji', '🎉'.repeat(100), '🎉'.repeat(100)],
      ['101 emoji', '🎉'.repeat(101), 400],
      ['100 with combining marks', 'e\u0301'.repeat(50), 'e\u0301'.repeat(50)],
      ['102 with combining marks', 'e\u0301'.repeat(51), 400],
      ['100 in families', family.repeat(20), family.repeat(20)],
      ['105 in families', family.repeat(21), 400],
      ['100 and space around them', ` ${'x'.repeat(100)}\n`, 'x'.repeat(100)],
      ['space around it', '  Ana Bot ', 'Ana Bot'],
    ])('of %s', async (_length, name, expected) => {
      expect(await nameOf(name)).toBe(expected)
    })

    it.each(['\0', '\x07', '\n', '\x1b', '\x7f', '\x85'])('with %j in it: 400', async (control) => {
      expect(await nameOf(`a${control}b`)).toBe(400)
    })

    it('default: Agent workspace', async () => {
      const { body } = await signUp({})
      expect((await world.get('/account', body.api_key)).body.name).toBe('Agent workspace')
    })
  })

  describe('4.1 inbox local part: 1 to 64 characters, trimmed and lowercased', () => {
    const localPartOf = async (local_part: string) => {
      const { status, body } = await signUp({ local_part })
      return status === 201 ? body.inbox.address.split('@')[0] : status
    }

    it.each([
      ['', 400],
      ['q', 'q'],
      ['7', '7'],
      ['w'.repeat(64), 'w'.repeat(64)],
      ['w'.repeat(65), 400],
      ['  Trim.Me ', 'trim.me'],
      ['UPPER_case-1', 'upper_case-1'],
      ['a.b.c', 'a.b.c'],
      ['a..b', 400],
      ['.a', 400],
      ['a.', 400],
      ['-a', 400],
      ['a-', 400],
      ['_a', 400],
      ['a_', 400],
      ['a-.b', 'a-.b'],
      ['a__b--c', 'a__b--c'],
      ['a+b', 400],
      ['a b', 400],
      ['a@b', 400],
      ['é', 400],
      ['İ', 400],
    ])('%j: %s', async (localPart, expected) => {
      expect(await localPartOf(localPart)).toBe(expected)
    })

    it.each(['postmaster', 'abuse', 'admin', 'PostMaster', ' root '])(
      '%j is reserved',
      async (local_part) => {
        expect(await signUp({ local_part })).toMatchObject(error(422, 'inbox_unavailable'))
      },
    )

    it('an occupied name is rejected', async () => {
      expect((await signUp({ local_part: 'occupied' })).status).toBe(201)
      expect(await signUp({ local_part: 'Occupied' })).toMatchObject(error(422, 'inbox_unavailable'))
    })

    it('when omitted a name is allocated', async () => {
      const [one, other] = [await signUp({}), await signUp({})]
      expect(one.body.inbox.address).not.toBe(other.body.inbox.address)
    })
  })

  describe('4.1 response', () => {
    it('200 on replay of the original signup: inbox and API key unchanged', async () => {
      const key = newIdempotencyKey()
      const first = await signUp({ name: 'Rita', local_part: 'rita' }, key)
      const replay = await signUp({ name: 'Rita', local_part: 'rita' }, key)
      expect([first.status, replay.status]).toEqual([201, 200])
      const { tenant_id, inbox, api_key, unclaimed_expires_at } = first.body
      expect(replay.body).toMatchObject({ tenant_id, inbox, api_key, unclaimed_expires_at })
    })

    it('another body under the same Idempotency-Key is refused, and changes nothing', async () => {
      const key = newIdempotencyKey()
      const first = await signUp({ name: 'Rolf' }, key)
      expect(await signUp({ name: 'Ralf' }, key)).toMatchObject(error(409, 'idempotency_key_reused'))
      expect((await world.get('/account', first.body.api_key)).body.name).toBe('Rolf')
    })

    it.each([
      ['a wrong type', { name: 7 }],
      ['null alone', 'null'],
      ['an unknown field', { nmae: 'x' }],
      ['no object', []],
      ['no JSON', '{"name":'],
    ])('%s: 400 with {error, message}', async (_what, body) => {
      const answer = await signUp(body)
      expect(answer).toMatchObject({
        status: 400,
        body: { error: expect.any(String), message: expect.any(String) },
      })
    })
  })
}
