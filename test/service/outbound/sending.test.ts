import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { useService } from '../../support/use-service'

describeDatabases('sending', (openDatabase) => {
  const { service } = useService(openDatabase, openService)
  const send = (body: object) => service.call('POST', '/messages', { body: { text: 'hi', ...body } })
  const messages = async (query = '') =>
    (await service.call('GET', `/messages?limit=100${query}`)).body.messages
  const received = async (mail: object) => {
    await service.mail(mail)
    return (await messages('&direction=inbound'))[0]
  }
  const reply = (id: string, body: object = {}) =>
    service.call('POST', `/messages/${id}/reply`, { body: { text: 'thanks', ...body } })
  const read = async (id: string) => (await service.call('GET', `/messages/${id}`)).body

  it('writes a whole mail and sends it on its way', async () => {
    const { status, body } = await send({
      to: ['Bo <bo@example.com>'],
      cc: ['cy@example.com'],
      bcc: ['di@example.com'],
      subject: 'Grüße',
      html: '<p>Hallo <b>Bo</b></p>',
      text: undefined,
    })
    expect([status, body.idempotent]).toEqual([200, false])
    await expect.poll(async () => (await read(body.id)).delivery_status).toBe('sent')
    expect(await read(body.id)).toMatchObject({
      direction: 'outbound',
      from_addr: service.home.address,
      to_addrs: ['bo@example.com'],
      cc_addrs: ['cy@example.com'],
      bcc_addrs: ['di@example.com'],
      subject: 'Grüße',
      body_html: expect.stringContaining('<b>Bo</b>'),
      body_text: expect.stringContaining('Hallo Bo'),
      rfc822_message_id: body.message_id,
    })
    const raw = (await service.call('GET', `/messages/${body.id}/raw`)).body
    expect(raw).not.toMatch(/di@example\.com/)
  })

  it.each([
    ['nothing at all', {}],
    ['a subject alone', { subject: 'Ping' }],
    ['an empty text', { text: '' }],
    ['nothing but space', { text: ' \n\t', html: '  ' }],
    ['no attachment in the list of them', { attachments: [] }],
    ['a header alone', { headers: { 'X-Ticket': '1' } }],
    ['nothing, later', { scheduled_at: '2031-01-01T00:00:00Z' }],
  ])('refuses a mail that says %s, as a reply too', async (_what, body) => {
    const message = await received({})
    const empty = {
      status: 422,
      body: { error: 'message_empty', message: expect.stringContaining('give text') },
    }
    const ask = (path: string, given: object) => service.call('POST', path, { body: { ...given, ...body } })
    expect(await ask('/messages', { to: ['bo@example.com'] })).toMatchObject(empty)
    const { subject: _subject, ...answer } = { subject: '', ...body }
    for (const quote of [false, true])
      expect(
        await service.call('POST', `/messages/${message.id}/reply`, { body: { ...answer, quote } }),
      ).toMatchObject(empty)
    expect(await messages('&direction=outbound')).toEqual([])
  })

  it('takes an attachment alone as what a mail says, and a message that is passed on', async () => {
    const message = await received({})
    const attachments = [{ filename: 'a.txt', content_base64: 'aGk=' }]
    for (const [path, body] of [
      ['/messages', { to: ['bo@example.com'], attachments }],
      [`/messages/${message.id}/reply`, { attachments }],
      [`/messages/${message.id}/forward`, { to: ['bo@example.com'] }],
    ] as const)
      expect((await service.call('POST', path, { body })).status, path).toBe(200)
  })

  it('carries out 50 equal calls at once as one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send({ to: ['bo@example.com'], client_id: 'order-1' })),
    )
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
    expect(answers.filter((answer) => !answer.body.idempotent)).toHaveLength(1)
    expect(await messages()).toHaveLength(1)
  })

  it('carries out 50 equal replies, and 50 equal forwards, at once as one', async () => {
    const message = await received({ subject: 'Question' })
    const forward = () =>
      service.call('POST', `/messages/${message.id}/forward`, {
        body: { to: ['bo@example.com'], client_id: 'f' },
      })
    for (const call of [() => reply(message.id, { client_id: 'r' }), forward]) {
      const answers = await Promise.all(Array.from({ length: 50 }, call))
      expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1)
      expect(answers.filter((answer) => !answer.body.idempotent)).toHaveLength(1)
    }
    expect(await messages('&direction=outbound')).toHaveLength(2)
  })

  it('lets one of 20 replies win that all expect the same last message', async () => {
    const message = await received({ subject: 'Question' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        reply(message.id, { text: `answer ${i}`, expect_last_message_id: message.id }),
      ),
    )
    const [won, ...more] = answers.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    const refused = answers.filter(({ status }) => status !== 200)
    for (const { status, body } of refused)
      expect([status, body.error, body.details.last_message_id]).toEqual([409, 'thread_moved', won!.body.id])
    expect(await messages('&direction=outbound')).toHaveLength(1)
  })

  it('refuses another content under the same client_id, unless the first is to win', async () => {
    const first = await send({ to: ['bo@example.com'], client_id: 'x' })
    expect(await send({ to: ['bo@example.com'], client_id: 'x', text: 'other' })).toMatchObject({
      status: 409,
      body: { error: 'client_id_conflict' },
    })
    const won = await send({ to: ['bo@example.com'], client_id: 'x', text: 'other', replay: 'first_wins' })
    expect(won.body).toEqual({ ...first.body, idempotent: true })
  })

  it('replies in thread, to the sender', async () => {
    const message = await received({
      messageId: '<q1@example.com>',
      references: '<q0@example.com>',
      subject: 'Question',
    })
    const { body } = await reply(message.id)
    expect(body.thread_id).toBe(message.thread_id)
    expect(await read(body.id)).toMatchObject({
      to_addrs: ['ana@example.com'],
      subject: 'Re: Question',
      in_reply_to: '<q1@example.com>',
      references: ['<q0@example.com>', '<q1@example.com>'],
    })
    const thread = (await service.call('GET', `/threads/${message.thread_id}`)).body
    expect(thread).toMatchObject({ message_count: 2, last_message_id: body.id, subject: 'Question' })
  })

  it('takes the answer to its reply into the same thread', async () => {
    const message = await received({ messageId: '<q1@example.com>' })
    const { body } = await reply(message.id)
    const answer = await received({
      subject: 'Re: Hello',
      inReplyTo: body.message_id,
      references: `<q1@example.com> ${body.message_id}`,
    })
    expect(answer.thread_id).toBe(message.thread_id)
  })

  it('joins a mail that comes before the one it answers', async () => {
    const child = await received({ messageId: '<child@example.com>', inReplyTo: '<parent@example.com>' })
    const parent = await received({ messageId: '<parent@example.com>' })
    expect(parent.thread_id).toBe(child.thread_id)
  })

  it('replies to all but itself, each once, and to Reply-To in place of the sender', async () => {
    const message = await received({
      to: [service.home.address, 'bo@example.com'],
      cc: ['cy@example.com', 'BO@example.com'],
      replyTo: 'desk@example.com',
    })
    const { body } = await reply(message.id, { reply_all: true, cc: ['cy@example.com', 'new@example.com'] })
    expect(await read(body.id)).toMatchObject({
      to_addrs: ['desk@example.com'],
      cc_addrs: ['bo@example.com', 'cy@example.com', 'new@example.com'],
    })
  })

  it('refuses a reply where the thread has moved on', async () => {
    const message = await received({ messageId: '<q1@example.com>' })
    const newer = await received({ inReplyTo: '<q1@example.com>' })
    const refused = await reply(message.id, { expect_last_message_id: message.id })
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'thread_moved', details: { last_message_id: newer.id } },
    })
    expect((await reply(newer.id, { expect_last_message_id: newer.id })).status).toBe(200)
  })

  it('delivers between inboxes of the service, and bounces what has none', async () => {
    const key = { headers: { 'idempotency-key': 'k'.repeat(43) }, key: null }
    const other = (await service.call('POST', '/agent-signups', { ...key, body: { local_part: 'other' } }))
      .body
    const { body } = await send({
      to: [other.inbox.address, 'nobody@restante.localhost'],
      subject: 'Hi there',
    })
    await expect.poll(async () => (await read(body.id)).delivery_status).toBe('bounced')
    expect((await read(body.id)).delivery_detail).toMatch(/nobody@restante\.localhost|No recipient/)
    const arrived = (await service.call('GET', '/messages', { key: other.api_key })).body.messages
    expect(arrived).toMatchObject([
      { from_addr: service.home.address, subject: 'Hi there', direction: 'inbound' },
    ])
  })

  it('keeps a mail that its sender repeats once, and one that only has its Message-ID apart', async () => {
    const raw = `From: a@example.com\r\nTo: ${service.home.address}\r\nMessage-ID: <same@example.com>\r\nSubject: Once\r\n\r\nbody\r\n`
    const envelope = { from: 'a@example.com', to: service.home.address }
    await service.mail({ raw: `Received: from one\r\n by two; now\r\n${raw}`, envelope })
    await service.mail({ raw: `Received: from other\r\n by two; later\r\n${raw}`, envelope })
    expect(await messages()).toHaveLength(1)
    await service.mail({ raw: raw.replace('body', 'forged'), envelope })
    const [forged, first] = await messages()
    expect(forged.thread_id).not.toBe(first.thread_id)
  })

  it('sends attachments as they are', async () => {
    const content = Buffer.from([0, 1, 2, 255, 13, 10])
    const attachments = [
      {
        filename: 'Bericht 2026.bin',
        content_type: 'application/octet-stream',
        content_base64: content.toString('base64'),
      },
    ]
    const { body } = await send({ to: ['bo@example.com'], attachments })
    const [info] = (await read(body.id)).attachments
    expect(info).toMatchObject({ filename: 'Bericht 2026.bin', size: 6 })
    const attachment = (await service.call('GET', `/attachments/${info.id}`)).body
    expect(Buffer.from(attachment.content_base64, 'base64')).toEqual(content)
  })

  it('quotes the message that it answers where that is wanted, in text and HTML', async () => {
    const message = await received({ text: 'Shall we <meet>?\n\n> at noon', subject: 'Lunch' })
    const { body } = await reply(message.id, { text: 'At one.', quote: true })
    const sent = await read(body.id)
    expect(sent.body_text).toMatch(/^At one\.\n\nOn .+ wrote:\n> Shall we <meet>\?\n>\n>> at noon\n$/)
    expect(sent.body_html).toMatch(
      /<p>At one\.<\/p>[\s\S]+<blockquote[\s\S]+Shall we &lt;meet&gt;\?[\s\S]+<\/blockquote>/,
    )
    expect(sent.reply_text).toBe('At one.')
    const html = await read(
      (await reply(message.id, { text: undefined, html: '<b>At two.</b>', quote: true })).body.id,
    )
    expect([html.reply_text, html.body_html]).toEqual(['At two.', expect.stringContaining('<b>At two.</b>')])
    expect((await read((await reply(message.id)).body.id)).body_text).toBe('thanks\n')
  })

  it('forwards with the attachments, under the words that are new', async () => {
    const message = await received({
      subject: 'Plans',
      text: 'as agreed',
      html: '<html><body class="x"><p>as <b>agreed</b></p></body></html>',
      attachments: [{ filename: 'plan.bin', content: Buffer.from([0, 255, 13, 10]) }],
    })
    const forward = (body: object) => service.call('POST', `/messages/${message.id}/forward`, { body })
    const { body } = await forward({ to: ['bo@example.com'], text: 'See <below>', client_id: 'f' })
    expect(body.thread_id).not.toBe(message.thread_id)
    const sent = await read(body.id)
    expect(sent).toMatchObject({ subject: 'Fwd: Plans', to_addrs: ['bo@example.com'], in_reply_to: null })
    expect(sent.body_text).toMatch(
      /^See <below>\n\n-+ Forwarded message -+\nFrom: Ana <ana@example.com>\n[\s\S]*agreed/,
    )
    expect(sent.body_html).toMatch(
      /See &lt;below&gt;[\s\S]*Ana &lt;ana@example.com&gt;[\s\S]*<p>as <b>agreed<\/b><\/p>/,
    )
    const file = (await service.call('GET', `/attachments/${sent.attachments[0].id}`)).body
    expect(Buffer.from(file.content_base64, 'base64')).toEqual(Buffer.from([0, 255, 13, 10]))
    expect((await forward({ to: ['bo@example.com'], text: 'See <below>', client_id: 'f' })).body).toEqual({
      ...body,
      idempotent: true,
    })
    expect((await forward({ text: 'to whom?' })).body.error).toBe('no_recipients')
  })

  it('replies to no inbox of its account, unless that one wrote', async () => {
    const { body: second } = await service.call('POST', '/inboxes', { body: { local_part: 'second' } })
    const message = await received({
      to: [service.home.address, 'bo@example.com'],
      cc: ['Second+tag@restante.localhost'],
    })
    const { body } = await reply(message.id, { reply_all: true })
    expect(await read(body.id)).toMatchObject({ to_addrs: ['ana@example.com'], cc_addrs: ['bo@example.com'] })
    const from = await received({ from: second.address })
    expect(await read((await reply(from.id, { allow_auto_reply: true })).body.id)).toMatchObject({
      to_addrs: [second.address],
    })
  })
})
