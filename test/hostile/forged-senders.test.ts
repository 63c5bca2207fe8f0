import type { ServiceOptions } from 'restante/service'
import { afterEach, describe, expect, it } from 'vitest'
import { describeDatabases } from '../support/databases'
import { createFakeResolver } from '../support/fake-resolver'
import { openService } from '../support/service'
import { perBlock, useService } from '../support/use-service'

const here = [['v=spf1 ip4:127.0.0.1 -all']]
const elsewhere = [['v=spf1 ip4:203.0.113.7 -all']]
const reject = { txt: [['v=DMARC1; p=reject']] }
/** A DNS that says whom this machine may send for, and whom it may not. */
const resolver = createFakeResolver({
  'friend.example': { txt: here },
  '_dmarc.friend.example': reject,
  'small.example': { txt: here },
  'list.example': { txt: here },
  'eve.example': { txt: here },
  '_dmarc.eve.example': reject,
  'bank.example': { txt: elsewhere },
  '_dmarc.bank.example': reject,
})

describeDatabases('a forged sender', (openDatabase) => {
  const begin = (options: ServiceOptions) => openService(options, { resolver })
  const { service } = useService(openDatabase, begin, perBlock)
  afterEach(async () => {
    for (const { id } of (await service.call('GET', '/lists')).body.lists)
      await service.call('DELETE', `/lists/${id}`)
  })
  let mails = 0
  const outcome = (mail: object) =>
    service.mail({ messageId: `<m${++mails}@x.example>`, text: `mail ${mails}`, ...mail }).then(
      () => 'taken',
      (error: Error) => /\b(\d{3} \d\.\d\.\d)/.exec(error.message)?.[1],
    )
  const from = (envelope: string, header = envelope, more: object = {}) =>
    outcome({ from: header, envelope: { from: envelope, to: service.home.address }, ...more })
  const newest = async () =>
    (await service.call('GET', '/messages?direction=inbound&limit=1&include=spam')).body.messages[0]
  const allow = (pattern: string) => service.call('POST', '/lists', { body: { pattern, kind: 'allow' } })
  const refused = '550 5.7.1'

  it('passes no allow list, whichever of its names is forged', async () => {
    for (const pattern of ['*@bank.example', '*@friend.example', '*@small.example'])
      expect((await allow(pattern)).body.warning).toBeNull()
    expect(await from('ceo@bank.example')).toBe(refused)
    expect(await from('x@eve.example', 'ceo@bank.example')).toBe(refused)
    expect(await from('ceo@bank.example', 'x@eve.example')).toBe(refused)
    expect(await from('', 'ceo@bank.example')).toBe(refused)
    expect(await from('x@friend.example', 'ceo@bank.example')).toBe(refused)
    expect(await from('x@eve.example')).toBe(refused)
    expect(await from('ana@friend.example')).toBe('taken')
    // It has no policy, and its address is proven all the same.
    expect(await from('ana@small.example')).toBe('taken')
    expect(await from('bounces@friend.example', 'ana@list.example')).toBe('taken')
  })

  it('passes no allow list by an answer to a mail that it saw', async () => {
    const sent = (await service.call('POST', '/messages', { body: { to: ['ceo@bank.example'], text: 'hi' } }))
      .body
    await allow('*@friend.example')
    const answer = { inReplyTo: sent.message_id, references: sent.message_id }
    expect(await from('ceo@bank.example', undefined, answer)).toBe(refused)
    expect(await from('', 'ceo@bank.example', answer)).toBe(refused)
    expect(await from('bo@eve.example', undefined, answer)).toBe('taken')
  })

  it('is new in a thread, in whosever name it writes', async () => {
    const root = '<root@friend.example>'
    await from('ana@friend.example', undefined, { messageId: root })
    const marks: boolean[] = []
    for (const [envelope, header] of [
      ['ana@friend.example', 'ana@friend.example'],
      ['x@eve.example', 'ana@friend.example'],
      ['ana@friend.example', 'ana@friend.example'],
    ] as const) {
      await from(envelope, header, { inReplyTo: root, references: root })
      marks.push((await newest()).new_participant)
    }
    expect(marks).toEqual([false, true, false])
  })

  it('joins no two threads', async () => {
    const roots = ['<one@friend.example>', '<two@friend.example>']
    const threadIds: string[] = []
    for (const messageId of roots) {
      await from('ana@friend.example', undefined, { messageId, subject: messageId })
      threadIds.push((await newest()).thread_id)
    }
    const both = { references: roots, inReplyTo: roots[1], subject: 'Both' }
    const inAll = async () => (await service.call('GET', '/threads')).body.threads.length
    const others = (await inAll()) - roots.length
    const threads = async () => (await inAll()) - others
    for (const [envelope, header] of [
      ['bo@eve.example', 'bo@eve.example'],
      ['bo@eve.example', 'ana@friend.example'],
    ] as const) {
      await from(envelope, header, both)
      expect((await newest()).thread_id).toBe(threadIds[1])
      expect(await threads()).toBe(2)
    }
    // Who wrote into both uninvited is not in them either.
    for (const id of roots) await from('bo@eve.example', undefined, { inReplyTo: id, references: id })
    await from('bo@eve.example', undefined, both)
    expect(await threads()).toBe(2)
    await from('ana@friend.example', undefined, both)
    expect((await newest()).thread_id).toBe(threadIds[0])
    expect(await threads()).toBe(1)
  })

  it('shows its domain, whatever it has before it, everywhere', async () => {
    const odd = '"ceo@friend.example"@eve.example'
    await from('x@eve.example', `Boss <${odd}>`, { cc: `Cy <${odd}>`, replyTo: odd })
    const { id, thread_id } = await newest()
    const shown = { from_addr: odd, cc_addrs: [odd], reply_to: [odd] }
    expect((await service.call('GET', `/messages/${id}`)).body).toMatchObject({
      ...shown,
      authentication: { from_verified: true },
    })
    expect((await service.call('GET', `/threads/${thread_id}`)).body.participants).toContain(odd)
    const { events } = (await service.call('GET', '/events?after=0&types=message.received&limit=100')).body
    expect(events.at(-1).data).toMatchObject(shown)
    await allow('*@friend.example')
    expect(await from('x@eve.example', odd)).toBe(refused)
  })

  it.each([
    'ok@ok.example<evil@evil.example>',
    '"ok@ok.example" <evil@evil.example>',
    'ok@ok.example (x) <evil@evil.example>',
    'ok＠ok.example <evil@evil.example>',
    '=?utf-8?q?ok=40ok.example?= <evil@evil.example>',
    '"ok@ok.example"@evil.example',
    'ok@ok.example@evil.example',
    '<@ok.example:evil@evil.example>',
  ])('is no recipient either: %s', async (address) => {
    for (const field of ['to', 'cc', 'bcc'])
      expect(
        await service.call('POST', '/messages', { body: { [field]: [address], text: 'hi' } }),
      ).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })
})

describe('where nobody checks senders', () => {
  it('an allow says that it can be forged, and how that ends', async () => {
    await using service = await openService()
    const list = (body: object) => service.call('POST', '/lists', { body })
    expect((await list({ pattern: 'a.example', kind: 'allow' })).body.warning).toMatch(
      /RESTANTE_CHECK_SENDERS/,
    )
    expect((await service.call('GET', '/lists')).body.lists[0].warning).toMatch(/does not verify senders/)
    expect((await list({ pattern: 'b.example' })).body.warning).toBeNull()
    const send = { pattern: 'c.example', kind: 'allow', direction: 'send' }
    expect((await list(send)).body.warning).toBeNull()
  })
})
