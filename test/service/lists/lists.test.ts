import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge, normalizePattern, patternsFor } from '../../../src/service/lists/list-match'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { useService } from '../../support/use-service'

const label = fc.stringMatching(/^[a-z]([a-z\d-]{0,3}[a-z\d])?$/)
const domain = fc.array(label, { minLength: 2, maxLength: 5 }).map((labels) => labels.join('.'))
const address = fc.tuple(fc.stringMatching(/^[a-z\d.+]{1,5}$/), domain).map((parts) => parts.join('@'))

/** Tells what a pattern means, without looking at how it is found. */
function fits(address: string, pattern: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  if (pattern.startsWith('*@')) return domain === pattern.slice(2)
  if (pattern.includes('@')) return address === pattern
  if (pattern.startsWith('*.')) return domain.endsWith(pattern.slice(1))
  return domain === pattern || domain.endsWith(`.${pattern}`)
}

describe('patterns of lists', () => {
  it('that fit an address come with the narrowest first', () => {
    fc.assert(
      fc.property(address, fc.array(address, { maxLength: 20 }), (one, others) => {
        const patterns = patternsFor(one)
        for (const [i, pattern] of patterns.entries()) {
          expect(fits(one, pattern)).toBe(true)
          for (const other of others.filter((other) => fits(other, pattern)))
            for (const wider of patterns.slice(i)) expect(fits(other, wider)).toBe(true)
        }
      }),
    )
  })

  it('decide by the narrowest that fits, in whatever order they were made', () => {
    fc.assert(
      fc.property(address, domain, fc.infiniteStream(fc.boolean()), (one, elsewhere, kinds) => {
        const patterns = [...patternsFor(one), ...patternsFor(`x@${elsewhere}`)].filter(
          () => kinds.next().value,
        )
        const entries = [...new Set(patterns)].map((pattern) => ({
          pattern,
          kind: kinds.next().value ? ('allow' as const) : ('block' as const),
        }))
        const fitting = entries.filter(({ pattern }) => fits(one, pattern))
        const narrowest = patternsFor(one).find((pattern) =>
          fitting.some((entry) => entry.pattern === pattern),
        )
        expect(judge(one, entries)?.pattern).toBe(narrowest)
        expect(judge(one.toUpperCase(), entries.toReversed())?.pattern).toBe(narrowest)
      }),
    )
  })

  it('are compared in lower case and ASCII', () => {
    expect(['*@BÜCHER.de', '*.Example.COM', 'Ana@Example.com'].map(normalizePattern)).toEqual([
      '*@xn--bcher-kva.de',
      '*.example.com',
      'ana@example.com',
    ])
  })
})

describeDatabases('block and allow lists', (openDatabase) => {
  const { service } = useService(openDatabase, openService)
  const list = (pattern: string, more: object = {}) =>
    service.call('POST', '/lists', { body: { pattern, ...more } })
  const from = (address: string, more: object = {}) =>
    service.mail({ from: address, subject: address, ...more }).then(
      () => 'taken',
      (error: Error) => /\b(\d{3} \d\.\d\.\d)/.exec(error.message)?.[1],
    )
  const send = (to: string[]) => service.call('POST', '/messages', { body: { to, text: 'hi' } })

  it('are made, listed and deleted', async () => {
    const { status, body } = await list(' *@Example.com ')
    expect([status, body]).toMatchObject([
      201,
      { pattern: '*@example.com', kind: 'block', direction: 'receive' },
    ])
    expect(await list('*@example.com', { kind: 'allow' })).toMatchObject({
      status: 409,
      body: { error: 'list_exists', details: { list_id: body.id } },
    })
    expect((await service.call('GET', '/lists')).body.lists).toEqual([body])
    expect((await service.call('DELETE', `/lists/${body.id}`)).status).toBe(204)
    expect((await service.call('DELETE', `/lists/${body.id}`)).status).toBe(404)
    expect((await service.call('GET', '/lists')).body.lists).toEqual([])
  })

  it.each(['', 'a@', '@b.c', 'a@*', '*', '*@*.b', 'a b@c.d', 'a@b@c', '*.', 'x'.repeat(400)])(
    'refuse the pattern %j',
    async (pattern) => {
      expect(await list(pattern)).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    },
  )

  it('block at SMTP, the narrower entry first', async () => {
    await list('example.com')
    await list('friend@mail.example.com', { kind: 'allow' })
    expect(await from('spam@mail.example.com')).toBe('550 5.7.1')
    expect(await from('friend@mail.example.com')).toBe('taken')
  })

  it('block the sender in From, whatever the envelope says', async () => {
    await list('spam@example.com')
    const envelope = { from: 'bounces@lists.example.net', to: service.home.address }
    expect(await from('spam@example.com', { envelope })).toBe('550 5.7.1')
    expect(await from('ham@example.com', { envelope })).toBe('taken')
  })

  it('with an allow refuse everybody else, until it is deleted', async () => {
    const { body } = await list('*@example.org', { kind: 'allow' })
    expect(await from('ana@example.com')).toBe('550 5.7.1')
    expect(await from('bo@example.org')).toBe('taken')
    await service.call('DELETE', `/lists/${body.id}`)
    expect(await from('ana@example.com')).toBe('taken')
  })

  it('let a reply to our own mail in, and no other', async () => {
    const sent = (await send(['ana@example.com'])).body
    await list('ana@example.com')
    expect(await from('ana@example.com')).toBe('550 5.7.1')
    expect(await from('ana@example.com', { inReplyTo: '<guess@x>' })).toBe('550 5.7.1')
    expect(await from('ana@example.com', { inReplyTo: sent.message_id })).toBe('taken')
  })

  it('refuse to send, naming the pattern and what to do', async () => {
    await list('*.example.com', { direction: 'send' })
    expect(await send(['ok@example.com', 'no@a.example.com'])).toMatchObject({
      status: 422,
      body: {
        error: 'recipient_blocked',
        message: expect.stringMatching(/no@a\.example\.com.*\*\.example\.com.*DELETE|allow/),
        details: { address: 'no@a.example.com', pattern: '*.example.com' },
      },
    })
    expect((await send(['ok@example.com'])).status).toBe(200)
    await list('example.net', { direction: 'send', kind: 'allow' })
    expect(await send(['ok@example.com'])).toMatchObject({
      status: 422,
      body: { details: { pattern: null } },
    })
    expect((await service.call('GET', '/messages')).body.messages).toHaveLength(1)
  })
})
