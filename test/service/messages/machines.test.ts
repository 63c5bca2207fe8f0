import type { ServiceOptions } from 'restante/service'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { createFakeResolver, type FakeName } from '../../support/fake-resolver'
import { publish } from '../../support/publish'
import { openService, startService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

describeDatabases('what a message is', (openDatabase) => {
  const names: Record<string, FakeName> = {
    'known.com': { txt: [['v=spf1 ip4:127.0.0.1 -all']] },
    '_dmarc.known.com': { txt: [['v=DMARC1; p=reject']] },
  }
  const resolver = createFakeResolver(names)
  const begin = (options: ServiceOptions) => startService(options, { resolver })
  const { service } = useService(openDatabase, begin, perBlock)
  const newest = async () => {
    const [{ id }] = (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages
    return (await service.call('GET', `/messages/${id}`)).body
  }

  it('shows codes and links, with where they stand and whose they are', async () => {
    await service.mail({
      from: 'Shop <hello@mail.shop-example.com>',
      subject: 'Your code',
      text: 'Your verification code is 482 913.\nOr confirm here: https://www.shop-example.com/confirm/1',
      html: '<p>Your verification code is 482 913.</p><a href="https://sh0p-example.com/confirm">Confirm at https://shop-example.com</a>',
    })
    const { codes, links, body_text } = await newest()
    expect(codes).toEqual([{ code: '482913', in: 'text', offset: 26, length: 7 }])
    expect(links).toMatchObject([
      {
        kind: 'confirm',
        from_sender: false,
        offset: null,
        warnings: ['shows-other-domain', 'looks-like-sender'],
      },
      { kind: 'confirm', from_sender: true, domain: 'shop-example.com', warnings: [] },
    ])
    expect(body_text.slice(links[1].offset)).toMatch(/^https:\/\/www\.shop-example\.com/)
  })

  it('says who sent it, as far as DNS tells', async () => {
    await service.mail({ from: 'Ann <ann@known.com>', text: 'Hi' })
    expect((await newest()).authentication).toEqual({
      spf: 'pass',
      dkim: 'none',
      dmarc: 'pass',
      arc: 'none',
      dkim_aligned: false,
      from_verified: true,
      spf_aligned: true,
      signed_fields: [],
      source: 'smtp',
      replayed: false,
    })
    await service.mail({ from: 'Ann <ann@other.com>', text: 'Hi' })
    expect((await newest()).authentication).toMatchObject({ dmarc: 'none', from_verified: false })
  })

  it('lets nobody speak as one of its inboxes who is not proven, wherever the answer would go', async () => {
    const { address } = service.home
    await service.mail({ from: address, replyTo: 'eve@example.net', text: 'I am you' })
    expect(await newest()).toMatchObject({ unanswerable: 'own_address' })
  })

  it('lets nobody speak for a domain of the service or of its account who is not proven', async () => {
    const hostname = 'own.example'
    const unanswerableFrom = async (from: string) => {
      await service.mail({ from, text: `From ${from}` })
      return (await newest()).unanswerable
    }
    expect(await unanswerableFrom(`boss@${hostname}`)).toBeNull()
    const { id, records } = (await service.call('POST', '/domains', { body: { hostname } })).body
    publish(names, records)
    const verified = (await service.call('POST', `/domains/${id}/verify`, { body: {} })).body
    expect(verified.status).toBe('verified')
    names[`_dmarc.${hostname}`] = { txt: [['v=DMARC1; p=none']] }
    expect(await unanswerableFrom(`boss@${hostname.toUpperCase()}`)).toBe('own_address')
    const here = service.home.address.split('@')[1]
    expect(await unanswerableFrom(`nobody-is-called-so@${here}`)).toBe('own_address')
    names[hostname] = { txt: [['v=spf1 ip4:127.0.0.1 -all']] }
    expect(await unanswerableFrom(`boss@${hostname}`)).toBeNull()
  })

  it('knows mail between its own inboxes', async () => {
    const { address } = service.home
    await service.call('POST', '/messages', { body: { to: [address], text: 'To myself' } })
    await expect.poll(async () => (await newest()).body_text.trim()).toBe('To myself')
    expect(await newest()).toMatchObject({ authentication: { from_verified: true } })
  })
})

describeDatabases('loops', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)
  const received = async (mail: object) => {
    await service.mail(mail)
    return (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0]
  }
  const reply = (id: string, body: object = {}) =>
    service.call('POST', `/messages/${id}/reply`, { body: { text: 'Thanks', ...body } })

  it('are not begun by answering programs, unless asked for', async () => {
    const { id } = await received({ subject: 'Automatic reply: Offer', text: 'I am away' })
    expect(await reply(id)).toMatchObject({
      status: 409,
      body: { error: 'automatic_mail', details: { auto_reason: 'auto-reply' } },
    })
    const { inboxId } = service.home
    const draft = (body: object) =>
      service.call('POST', '/drafts', { body: { inbox_id: inboxId, text: 'Thanks', ...body } })
    expect((await draft({ reply_to_message_id: id })).body.error).toBe('automatic_mail')
    const blank = (await draft({})).body.id
    const change = (body: object) => service.call('PATCH', `/drafts/${blank}`, { body })
    expect((await change({ reply_to_message_id: id })).body.error).toBe('automatic_mail')
    const asked = { reply_to_message_id: id, allow_auto_reply: true }
    expect([(await change(asked)).status, (await draft(asked)).status]).toEqual([200, 201])
    expect((await reply(id, { allow_auto_reply: true })).status).toBe(200)
  })

  it('are not begun by what came without an envelope sender, however it reads', async () => {
    const envelope = { from: '', to: [service.home.address] }
    const { id, auto_submitted, auto_reason } = await received({
      envelope,
      subject: 'Gone fishing',
      inReplyTo: '<1@agent.example>',
      text: 'Call Bob.',
    })
    expect([auto_submitted, auto_reason]).toEqual(['auto-replied', 'auto-reply'])
    expect((await reply(id)).body.error).toBe('automatic_mail')
  })

  it('are not begun by acknowledgements of programs, which notices are not', async () => {
    const { body: sent } = await service.call('POST', '/messages', {
      body: { to: ['ticket@example.com'], text: 'Help' },
    })
    const { rfc822_message_id: inReplyTo } = (await service.call('GET', `/messages/${sent.id}`)).body
    const headers = { 'Auto-Submitted': 'auto-generated' }
    const from = 'ticket@example.com'
    expect(await received({ from, headers, inReplyTo, text: 'We got it' })).toMatchObject({
      unanswerable: 'automatic',
    })
    expect(await received({ from, headers, references: [inReplyTo], text: 'We got that' })).toMatchObject({
      unanswerable: 'automatic',
    })
    for (const mail of [{ headers }, { headers, inReplyTo: '<issue@example.com>' }, { inReplyTo }])
      expect(await received({ from, text: JSON.stringify(mail), ...mail })).toMatchObject({
        unanswerable: null,
      })
  })

  it('do not hinder answers to lists, notices and people', async () => {
    for (const mail of [{ headers: { 'List-Id': '<a.example.com>' } }, { from: 'no-reply@example.com' }, {}])
      expect((await reply((await received({ text: JSON.stringify(mail), ...mail })).id)).status).toBe(200)
  })

  it('are not begun by mail in the name of the inbox itself, whoever sent it', async () => {
    const { address } = service.home
    const own = { unanswerable: 'own_address' }
    for (const mail of [
      { from: address },
      { from: `Agent <${address.toUpperCase()}>` },
      { from: address.replace('@', '+news@') },
      { from: `postmaster@${address.split('@')[1]}` },
      { replyTo: address },
    ]) {
      const message = await received({ text: JSON.stringify(mail), ...mail })
      expect(message, JSON.stringify(mail)).toMatchObject(own)
      expect((await reply(message.id)).body).toMatchObject({ error: 'automatic_mail', details: own })
    }
    const { body: sibling } = await service.call('POST', '/inboxes', { body: { local_part: 'sibling' } })
    const beside = { replyTo: [sibling.address, address], text: 'Talk to each other' }
    expect(await received(beside)).toMatchObject(own)
    const replyTo = Array.from({ length: 101 }, (_, i) => `a${i}@example.com`)
    expect(await received({ replyTo, text: 'To many' })).toMatchObject({ unanswerable: 'no_sender' })
    const malformed = { replyTo: 'ana@example..com', text: 'To nobody' }
    expect(await received(malformed), 'goes to the sender').toMatchObject({ unanswerable: null })
    const raw = (from: string) => `From: ${from}\r\nTo: ${address}\r\nSubject: quoted\r\n\r\n${from}\r\n`
    const quoted = async (from: string) =>
      (await received({ raw: raw(from), envelope: { from: 'a@example.com', to: [address] } })).unanswerable
    expect(await quoted('"a b"@example.com')).toBe('no_sender')
    expect(await quoted('"a..b"@example.com')).toBeNull()
    const lone = await received({ envelope: { from: '', to: [address] }, from: 'somebody', text: 'Hi' })
    expect(lone.unanswerable).not.toBeNull()
    const stranger = await received({ replyTo: [address, 'ana@example.com'], text: 'Both' })
    expect(stranger.unanswerable).toBeNull()
    expect((await reply(stranger.id)).status).toBe(200)
  })

  it('are marked by a number that grows with each answer, and end', async () => {
    const hops = async (headers: object) => {
      const { id } = await received({ headers, text: JSON.stringify(headers) })
      const { status, body } = await reply(id)
      if (status !== 200) return body.error
      const sent = (await service.call('GET', `/messages/${body.id}`)).body
      return sent.headers.find((one: { name: string }) => one.name === 'X-Restante-Hops').value
    }
    expect(await hops({})).toBe('1')
    expect(await hops({ 'X-Restante-Hops': '7' })).toBe('8')
    expect(await hops({ 'X-Restante-Hops': 'many' })).toBe('1')
    expect(await hops({ 'X-Restante-Hops': '19' })).toBe('20')
    expect(await hops({ 'X-Restante-Hops': '20' })).toBe('automatic_mail')
  })

  it('are stopped in their thread after 60 mails in an hour, whatever the plan', async () => {
    const { id } = await received({ subject: 'Ping', text: 'ping' })
    const answers = []
    for (let i = 0; i < 61; i++) answers.push(await reply(id, { text: `pong ${i}` }))
    expect(answers.slice(0, 60).every(({ status }) => status === 200)).toBe(true)
    expect(answers[60]).toMatchObject({ status: 429, body: { error: 'loop_suspected' } })
    expect((await reply((await received({ subject: 'Other', text: 'x' })).id)).status).toBe(200)
  })
})
