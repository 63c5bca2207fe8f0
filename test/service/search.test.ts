import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchTerms, wordsOf } from '../../src/service/search/search-words'
import { describeDatabases } from '../support/databases'
import { openService } from '../support/service'
import { perBlock, useService } from '../support/use-service'

describe('words of a search', () => {
  it('are the same with and without case, accents and signs', () => {
    expect(wordsOf('Grüße, CAFÉ! ana.maria@example.com №5 日本')).toEqual([
      'gruße',
      'cafe',
      'ana',
      'maria',
      'example',
      'com',
      'no5',
      '日',
      '本',
    ])
    expect(wordsOf('Order注文 2件')).toEqual(['order', '注', '文', '2', '件'])
    expect(wordsOf('⺀')).toEqual([])
  })

  it('are looked for whatever somebody writes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const { words } of searchTerms(text))
          for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}]+$/u)
      }),
    )
    expect(searchTerms('"late invoice" ship* a.b')).toEqual([
      { words: ['late', 'invoice'], isPrefix: false },
      { words: ['ship'], isPrefix: true },
      { words: ['a', 'b'], isPrefix: false },
    ])
  })
})

describeDatabases('search', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)
  const find = async (query: Record<string, string>) => {
    const { status, body } = await service.call('GET', `/messages?${new URLSearchParams(query)}`)
    expect(status).toBe(200)
    expect(body.mode_used).toBe('keyword')
    return body
  }
  const subjects = async (query: Record<string, string>) =>
    (await find(query)).messages.map((message: { subject: string }) => message.subject)

  it('finds mail as soon as it was received, by any of its words', async () => {
    await service.mail({
      from: 'Zoë Quartz <zoe@quartz.example>',
      subject: 'Überfällige Rechnung',
      text: 'The invoice 4711-B is late.\n日本語の件名',
      attachments: [{ filename: 'Plan März.pdf', content: 'x' }],
    })
    for (const q of [
      'rechnung',
      'UBERFALLIGE',
      'invoice late',
      '"is late"',
      '"The Invoice 4711-B is late"',
      '"the invoice 47"*',
      '4711-B',
      'quartz',
      'zoe@quartz.example',
      'invoi*',
      'marz.pdf',
      '日本語',
    ])
      expect(await subjects({ q }), q).toEqual(['Überfällige Rechnung'])
    for (const q of [
      'late invoice nowhere',
      '"late is"',
      '"rechnung the"',
      '"the invoice 4711-B was late"',
      'invoi',
      'tenant',
      '!!!',
      '"',
    ])
      expect(await subjects({ q }), q).toEqual([])
  })

  it('narrows by filters, in pages, newest first', async () => {
    for (let i = 0; i < 7; i++)
      await service.mail({ from: `p${i % 2}@paging.example`, subject: `paged ${i}`, text: 'pagingword' })
    const first = await find({ q: 'pagingword', limit: '4' })
    expect(first.messages.map((one: { subject: string }) => one.subject)).toEqual(
      [6, 5, 4, 3].map((i) => `paged ${i}`),
    )
    const rest = await find({ q: 'pagingword', limit: '4', cursor: first.next_cursor })
    expect(rest.messages.map((one: { subject: string }) => one.subject)).toEqual(
      [2, 1, 0].map((i) => `paged ${i}`),
    )
    expect(rest.next_cursor).toBeNull()
    expect(await subjects({ q: 'pagingword', from: 'p1@', order: 'asc' })).toEqual(
      [1, 3, 5].map((i) => `paged ${i}`),
    )
    expect(await subjects({ q: 'pagingword', mode: 'semantic', order: 'asc', limit: '1' })).toEqual([
      'paged 0',
    ])
  })

  it('shows nobody the mail of another account', async () => {
    await service.mail({ subject: 'private', text: 'onlymine' })
    expect(await subjects({ q: 'onlymine' })).toEqual(['private'])
    const headers = { 'idempotency-key': 'k'.repeat(43) }
    const other = await service.call('POST', '/agent-signups', { key: null, headers })
    const answer = await service.call('GET', '/messages?q=onlymine', { key: other.body.api_key })
    expect(answer.body.messages).toEqual([])
  })

  it('forgets what is erased', async () => {
    await service.mail({ subject: 'to go', text: 'vanishingword' })
    const [{ id }] = (await find({ q: 'vanishingword' })).messages
    expect((await service.call('DELETE', `/messages/${id}`)).status).toBe(204)
    expect(await subjects({ q: 'vanishingword' })).toEqual([])
  })
})
