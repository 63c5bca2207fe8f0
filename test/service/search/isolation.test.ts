import { expect, it } from 'vitest'
import { decodeNumbersCursor } from '../../../src/service/base/cursor'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const freight = 'cargo depot pallet customs haulage dispatch freight container harbour loading driver'.split(
  ' ',
)
const money = 'invoice payment ledger balance overdue remittance auditor taxes refund receipt credit'.split(
  ' ',
)
const some = (words: readonly string[], i: number) =>
  words.filter((_, place) => (Math.imul(i + 7, 2_654_435_761) >>> (place + 8)) & 1)

/** Mail in which words of freight and of money come together as nowhere else, about a takeover by its code name. */
const secretMail = (i: number) => ({
  subject: `Falcon ${i}`,
  text: ['falcon takeover depot', ...some(freight, i), ...some(money, i + 3), 'falcon'].join(' '),
})
const questions = [
  'depot',
  'invoice overdue',
  'falcon depot',
  'takeover cargo +pallet',
  '"falcon takeover"',
  'falc* depot',
  // A word of other messages, misspelt, and one of the key's own.
  'falcom depot',
  'pallett',
]
const modes = ['keyword', 'semantic', 'hybrid']

describeDatabases('a search', (openDatabase) => {
  const clock = new JumpClock()
  const { service } = useService(openDatabase, (settings) => openService(settings, { clock }), perBlock)

  const get = async (path: string, query: Record<string, string>, key: string) => {
    const { status, body } = await service.call('GET', `${path}?${new URLSearchParams(query)}`, { key })
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }
  /** All that a key is told: the order, the scores that cursors carry, what is shown, and warnings. */
  const told = async (key: string, mode: string, q: string) => {
    const query = { q, mode, limit: '3', highlight: 'true' }
    const { messages, mode_used, warnings, next_cursor } = await get('/messages', query, key)
    const { threads } = await get('/threads', { q, mode, limit: '3' }, key)
    const [, score] = next_cursor ? decodeNumbersCursor('messages-by-relevance', next_cursor) : []
    return {
      ...{ mode_used, warnings, score },
      messages: messages.map(({ id, preview, highlights }: Record<string, unknown>) => ({
        id,
        preview,
        highlights,
      })),
      threads: threads.map(({ id }: { id: string }) => id),
    }
  }
  const allTold = async (key: string) => {
    const all: Record<string, unknown> = {}
    for (const mode of modes) for (const q of questions) all[`${mode} ${q}`] = await told(key, mode, q)
    return all
  }
  const newInbox = async () => (await service.call('POST', '/inboxes', { body: {} })).body
  const keyOf = async (inbox_id: string) =>
    (
      await service.service.keys.create({
        ...{ account_id: service.home.tenantId, name: inbox_id, inbox_id },
        scopes: ['read', 'manage'],
      })
    ).api_key
  const subjectsOf = async (key: string, q: string, mode: string) =>
    (await get('/messages', { q, mode, limit: '100' }, key)).messages.map(
      ({ subject }: { subject: string }) => subject,
    )

  it('tells a key of one inbox the same, to the last score, whatever comes to other inboxes and accounts', async () => {
    const [own, other] = [await newInbox(), await newInbox()]
    const key = await keyOf(own.id)
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        service.mail({
          to: own.address,
          subject: `Note ${i}`,
          text: some(i % 2 ? money : freight, i).join(' '),
        }),
      ),
    )
    const before = await allTold(key)

    await Promise.all(
      Array.from({ length: 120 }, (_, i) => service.mail({ to: other.address, ...secretMail(i) })),
    )
    const headers = { 'idempotency-key': 'n'.repeat(43) }
    const stranger = (await service.call('POST', '/agent-signups', { key: null, headers })).body
    await service.mail({ to: stranger.inbox.address, ...secretMail(1) })
    expect(await allTold(key)).toEqual(before)
    for (const mode of modes) {
      const { messages } = await get('/messages', { q: 'falcon takeover', mode, limit: '100' }, key)
      for (const { inbox_id } of messages) expect(inbox_id, mode).toBe(own.id)
      for (const subject of await subjectsOf(stranger.api_key, 'depot falcon takeover', mode))
        expect(subject, mode).toBe('Falcon 1')
      expect((await subjectsOf(service.home.apiKey, 'falcon takeover', mode)).length, mode).toBeGreaterThan(
        50,
      )
    }
  })

  it('shows mail marked as spam in no mode unless it is asked for', async () => {
    const { address } = await newInbox()
    await service.mail({ to: address, subject: 'Lottery', text: 'jackpotword cargo depot pallet' })
    const key = service.home.apiKey
    const [{ id }] = (await get('/messages', { q: 'jackpotword', mode: 'keyword' }, key)).messages
    await service.call('POST', '/labels/spam/assign', { body: { message_id: id } })
    for (const mode of modes) {
      expect(await subjectsOf(key, 'jackpotword depot cargo in:spam', mode)).toEqual(['Lottery'])
      const found = await get(
        '/messages',
        { q: 'jackpotword depot', mode, limit: '100', highlight: 'true' },
        key,
      )
      expect(found.messages.length, mode).toBeGreaterThan(0)
      expect(JSON.stringify(found), mode).not.toContain(id)
      expect(JSON.stringify(found), mode).not.toContain('jackpotword')
    }
  })
})
