import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unreadMail } from '../../../src/mail/head-only'
import { createFakeResolver } from '../../support/fake-resolver'
import { openService, parser, type QuietService } from '../../support/service'

const resolver = createFakeResolver({
  'friend.example': { txt: [['v=spf1 ip4:127.0.0.1 -all']] },
  '_dmarc.friend.example': { txt: [['v=DMARC1; p=reject']] },
})

describe('a message that could not be read whole', () => {
  let service: QuietService
  let isUnread = false
  beforeAll(async () => {
    const parse: typeof parser.parse = async (...given) =>
      isUnread ? unreadMail('parser-timeout') : parser.parse(...given)
    service = await openService({}, { resolver, parser: { ...parser, parse } })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
  })
  const take = async (mail: object) => {
    await service.mail({ from: 'ana@friend.example', ...mail })
    const { messages } = (await service.call('GET', '/messages?direction=inbound&limit=1')).body
    return messages[0]
  }

  it('proves its sender where nothing was cut', async () => {
    expect(await take({ text: 'whole' })).toMatchObject({
      authentication: { from_verified: true },
      flaws: [],
      unanswerable: null,
    })
  })

  it('proves no sender where a field was cut', async () => {
    const long = Array.from({ length: 2_000 }, (_, at) => `<${'x'.repeat(60)}${at}@a.example>`).join(' ')
    expect(await take({ text: 'cut', headers: { 'X-Long': long } })).toMatchObject({
      from_addr: 'ana@friend.example',
      authentication: { from_verified: false, dkim_aligned: false, spf_aligned: false },
      flaws: ['header-too-large'],
    })
  })

  it('has the envelope sender, no proof and no answer where not even its header could be read', async () => {
    isUnread = true
    expect(await take({ subject: 'hostile', text: 'unread' })).toMatchObject({
      from_addr: 'ana@friend.example',
      subject: '',
      preview: '',
      authentication: { from_verified: false, dkim_aligned: false, spf_aligned: false },
      flaws: ['parser-timeout', 'unread'],
      unanswerable: 'no_sender',
    })
  })
})
