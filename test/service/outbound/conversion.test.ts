import type { ServiceOptions } from 'restante/service'
import { beforeEach, expect, it } from 'vitest'
import { claimed, type TestAccount } from '../../support/accounts'
import { describeDatabases } from '../../support/databases'
import { openService, parser } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

const html = `<style>${'.a .b>.c{color:red}'.repeat(2_000)}</style><p class="a b c">Hello`
const plans = { one: { messagesPerDay: 1 } }

describeDatabases('HTML and Markdown of what is sent', (openDatabase) => {
  const conversions: string[] = []
  let failure: Error | undefined
  const counted = <T>(kind: string, work: () => Promise<T>): Promise<T> => {
    conversions.push(kind)
    return failure ? Promise.reject(failure) : work()
  }
  const counting = {
    ...parser,
    htmlText: (written: string) => counted('html', () => parser.htmlText(written)),
    markdown: (written: string) => counted('markdown', () => parser.markdown(written)),
  }
  const begin = (options: ServiceOptions) => openService({ ...options, plans }, { parser: counting })
  const { service, database } = useService(openDatabase, begin, perBlock)
  const account = () => claimed(service, database.options, { at: Date.now(), plan: 'one' })
  const answered = async (one: TestAccount, path: string, body: object) => {
    const { status, body: answer } = await one.call('POST', path, { body })
    return answer.error ?? status
  }
  beforeEach(() => {
    conversions.length = 0
    failure = undefined
  })

  it('is converted by the parser, once', async () => {
    const one = await account()
    const { status, body } = await one.send({ text: undefined, html })
    expect([status, conversions]).toEqual([200, ['html']])
    expect((await one.call('GET', `/messages/${body.id}`)).body.body_text.trim()).toBe('Hello')
  })

  it('is not converted for a send that is refused', async () => {
    const one = await account()
    const { body: first } = await one.send()
    conversions.length = 0
    const to = ['a@one.test']
    const draft = await one.call('POST', '/drafts', { body: { inbox_id: one.inboxId, to, html } })
    const refused = 'daily_limit_reached'
    for (const body of [{ html }, { markdown: '**x**' }]) {
      expect(await answered(one, '/messages', { to, subject: 'x', ...body })).toBe(refused)
      expect(await answered(one, `/messages/${first.id}/reply`, { ...body, quote: true })).toBe(refused)
      expect(await answered(one, `/messages/${first.id}/forward`, { to, ...body })).toBe(refused)
      expect(await answered(one, '/messages', { to: ['no address'], subject: 'x', ...body })).not.toBe(200)
      expect(
        await answered(one, '/messages', { to, subject: 'x', ...body, attachments: [{ upload_id: 'x' }] }),
      ).not.toBe(200)
      expect(await answered(one, '/messages/msg_00000000/reply', { ...body, quote: true })).toBe('not_found')
      expect(await answered(one, '/drafts', { inbox_id: 'inb_00000000', ...body })).toBe('not_found')
    }
    expect(await answered(one, `/drafts/${draft.body.id}/send`, {})).toBe(refused)
    expect(conversions).toEqual([])
  })

  it('refuses what takes too long, and says so', async () => {
    const one = await account()
    failure = new DOMException('too long', 'TimeoutError')
    for (const [field, body] of [
      ['html', { html }],
      ['markdown', { markdown: 'x' }],
    ] as const) {
      const answer = await one.send({ text: undefined, ...body })
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request', details: [{ field }] } })
    }
  })

  it('is to be sent again where the parser cannot convert it now', async () => {
    const one = await account()
    failure = Object.assign(new Error('no thread'), { code: 'PARSER_UNAVAILABLE' })
    for (const body of [{ html }, { markdown: 'x' }]) {
      const answer = await one.send({ text: undefined, ...body })
      expect(answer).toMatchObject({ status: 503, body: { error: 'unavailable' } })
      expect(answer.headers.get('retry-after')).toBe('5')
    }
    failure = undefined
    expect(await one.send({ text: undefined, html })).toMatchObject({ status: 200 })
  })
})
