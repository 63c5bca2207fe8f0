import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { useService } from '../../support/use-service'
import { pdfOf, zipOf } from './support/files'
import { msgOf, type OutlookMail, tnefOf } from './support/outlook'

/** A message with a file, and with another message in it; 0 has none. */
function messageOf(level: number): string {
  const file = ['--b', 'Content-Type: text/plain; name="a.txt"', '', `a file of level ${level}`]
  const inner = level === 0 ? [] : ['--b', 'Content-Type: message/rfc822', '', messageOf(level - 1)]
  return [
    'From: Ann Lee <ann@people.example>',
    'To: shop@people.example',
    `Subject: Level ${level}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary=b${level}`,
    '',
    ...['--b', 'Content-Type: text/plain', '', `Your code is 48291${level}.`, ...file, ...inner, '--b--'].map(
      (line) => line.replace(/^--b/, `--b${level}`),
    ),
  ].join('\r\n')
}

describeDatabases('messages within messages:', (openDatabase) => {
  const { service: context } = useService(openDatabase, openService)
  const read = async (path: string) => (await context.call('GET', `/attachments/${path}`)).body
  const received = async (contentType: string, filename: string, content: string | Buffer) => {
    await context.mail({ attachments: [{ filename, contentType, content }] })
    return (await context.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0]
  }

  it.each([
    ['message/rfc822', 'mail.eml'],
    ['application/octet-stream', 'Mail.EML'],
  ])('are opened three levels deep, as %s', async (contentType, filename) => {
    const message = await received(contentType, filename, messageOf(3))
    const found = await read(`${message.attachments[0].id}/message`)
    expect(found).toMatchObject({
      ...{ from_addr: 'ann@people.example', from_name: 'Ann Lee', subject: 'Level 3' },
      ...{ message_id: message.id, attachment_id: message.attachments[0].id, authentication: null },
      attachments: [
        { filename: 'a.txt', parent_id: message.attachments[0].id },
        { content_type: 'message/rfc822', parent_id: message.attachments[0].id },
      ],
    })
    expect(found).not.toHaveProperty('codes')
    const second = await read(`${found.attachments[1].id}/message`)
    const third = await read(`${second.attachments[1].id}/message`)
    expect(third).toMatchObject({ subject: 'Level 1', body_text: expect.stringContaining('482911') })
    expect(await read(`${third.attachments[0].id}/text`)).toMatchObject({
      text_status: 'ready',
      pages: [{ text: 'a file of level 1' }],
    })
    expect(await read(`${third.attachments[1].id}/message`)).toMatchObject({ error: 'not_found' })
    // Its files are no files of the message that it came with, and a second reading finds the same.
    expect(await read(`${message.attachments[0].id}/message`)).toMatchObject({
      attachments: found.attachments.map(({ id }: { id: string }) => ({ id })),
    })
    const { body } = await context.call('GET', `/messages/${message.id}`)
    expect(body).toMatchObject({ attachments: [{ id: message.attachments[0].id }], codes: [] })
    expect(body.attachments).toHaveLength(1)
    await context.call('DELETE', `/messages/${message.id}`)
    expect(await read(`${third.attachments[0].id}/text`)).toMatchObject({ error: 'not_found' })
  })

  const ann = { name: 'Ann Lee', address: 'ann@people.example' }
  const outlook = (level: number): OutlookMail => ({
    ...{ subject: `Level ${level}`, body: `Your code is 48291${level}.`, from: ann },
    to: [{ name: 'The Shop', address: 'shop@people.example' }],
    files: [
      { name: 'an invoice of a long name.pdf', content: pdfOf([[[50, 700, `invoice ${level}`]]]) },
      ...(level === 0 ? [] : [{ name: 'Inner', content: outlook(level - 1) }]),
    ],
  })
  it.each([
    ['.msg', 'application/vnd.ms-outlook', 'mail.msg', msgOf],
    ['.msg as bytes', 'application/octet-stream', 'mail', msgOf],
    ['winmail.dat', 'application/ms-tnef', 'winmail.dat', tnefOf],
  ])('of Outlook are opened three levels deep, and prove nothing: %s', async (_, type, filename, make) => {
    const message = await received(type, filename, make(outlook(3)))
    const [{ id }] = message.attachments
    expect(await read(`${id}/text`)).toMatchObject({
      text_status: 'ready',
      pages: [
        {
          text: expect.stringMatching(
            /^From: Ann Lee <ann@people\.example>\n[\s\S]*Attached message:\n[\s\S]*Level 2[\s\S]*Level 1/,
          ),
        },
      ],
      attachments: [{ filename: 'an invoice of a long name.pdf', parent_id: id }, { parent_id: id }],
    })
    const found = await read(`${id}/message`)
    expect(found).toMatchObject({
      ...{ from_addr: 'ann@people.example', from_name: 'Ann Lee', to_addrs: ['shop@people.example'] },
      ...{ subject: 'Level 3', reply_text: 'Your code is 482913.', authentication: null },
      attachments: [{ filename: 'an invoice of a long name.pdf', content_type: 'application/pdf' }, {}],
    })
    const second = await read(`${found.attachments[1].id}/message`)
    const third = await read(`${second.attachments[1].id}/message`)
    expect(third).toMatchObject({ subject: 'Level 1', authentication: null })
    expect(await read(`${third.attachments[0].id}/text`)).toMatchObject({ pages: [{ text: 'invoice 1' }] })
    expect(await read(`${third.attachments[1].id}/message`)).toMatchObject({ error: 'not_found' })
    const { body } = await context.call('GET', `/messages/${message.id}`)
    expect(body).toMatchObject({ codes: [] })
  })

  it('of Outlook have the header in which they travelled, and pictures of their HTML', async () => {
    const content = msgOf({
      ...{ subject: 'Offer', from: ann, html: '<p>See <img src="cid:pear"> here</p>' },
      headers:
        'Message-ID: <1@people.example>\r\nReply-To: sales@people.example\r\nContent-Type: x/y\r\n\r\nX: y\rEvil: 1',
      files: [{ name: 'pear.png', content: Buffer.from('a picture'), contentId: 'pear' }],
    })
    const message = await received('application/vnd.ms-outlook', 'offer.msg', content)
    expect(await read(`${message.attachments[0].id}/message`)).toMatchObject({
      ...{ rfc822_message_id: '<1@people.example>', reply_to: ['sales@people.example'], subject: 'Offer' },
      body_html: expect.stringContaining('cid:pear'),
      attachments: [{ filename: 'pear.png', inline: true, content_id: 'pear' }],
    })
  })

  it('and archives have files that are read like any other; a damaged one does no harm', async () => {
    const archive = zipOf({
      'reports/2026.csv': 'pears,12',
      'reports/': '',
      'inner.zip': zipOf({ 'deep.txt': 'very deep' }),
      'mail.eml': messageOf(0),
    })
    const message = await received('application/zip', 'all.zip', archive)
    const { attachments } = await read(`${message.attachments[0].id}/text`)
    expect(attachments).toMatchObject([
      { filename: '2026.csv', content_type: 'text/csv', size: 8, parent_id: message.attachments[0].id },
      { filename: 'inner.zip' },
      { filename: 'mail.eml', content_type: 'message/rfc822' },
    ])
    expect(await read(`${attachments[0].id}/text`)).toMatchObject({ format: 'csv' })
    const content = await read(attachments[0].id)
    expect(Buffer.from(content.content_base64, 'base64').toString()).toBe('pears,12')
    const [deep] = (await read(`${attachments[1].id}/text`)).attachments
    expect(await read(`${deep.id}/text`)).toMatchObject({ pages: [{ text: 'very deep' }] })
    expect(await read(`${attachments[2].id}/message`)).toMatchObject({ subject: 'Level 0' })
    const locked = await received('application/zip', 'locked.zip', zipOf({ 'a.txt': 'secret' }, 1))
    const [member] = (await read(`${locked.attachments[0].id}/text`)).attachments
    expect(await read(`${member.id}/text`)).toMatchObject({ text_status: 'encrypted', pages: [] })
    expect(await read(`${member.id}/content`)).toMatchObject({ error: 'not_found' })
    const damaged = await received('application/vnd.ms-outlook', 'a.msg', msgOf(outlook(0)).subarray(0, 700))
    expect(await read(`${damaged.attachments[0].id}/message`)).toMatchObject({ error: 'not_found' })
  })

  it.each([
    ['text/plain', 'mail.eml', messageOf(0)],
    ['message/global', 'mail', messageOf(0)],
    ['application/octet-stream', 'mail.eml', `DKIM-Signature: v=1;\r\n\td=a\r\n${messageOf(0)}`],
    ['message/rfc822', 'mail', `X-Note: %PDF-1.4\r\n${messageOf(0)}`],
    ['message/rfc822', 'mail', 'no header at all'],
    ['text/plain', 'mail.txt', messageOf(0)],
    ['application/pdf', 'mail.eml', pdfOf([[[50, 700, 'one']]])],
  ])('are the same files for the text and for the message: %s %s', async (type, name, content) => {
    const [{ id }] = (await received(type, name, content)).attachments
    const isMessage = (await read(`${id}/text`)).format === 'message'
    expect(isMessage).toBe(/^Subject: Level/m.test(`${content}`) && name !== 'mail.txt')
    const opened = isMessage ? { subject: 'Level 0' } : { error: 'not_found' }
    expect(await read(`${id}/message`)).toMatchObject(opened)
  })

  it('stand in the text of their message also after many other files, and beside damaged ones', async () => {
    const part = (type: string, name: string, content: string) =>
      ['--x', `Content-Type: ${type}; name="${name}"`, '', content].join('\r\n')
    const others = Array.from({ length: 12 }, (_, at) => part('application/octet-stream', `${at}.bin`, 'x'))
    const damaged = part('application/ms-tnef', 'winmail.dat', '\x78\x9f\x3e\x22')
    const inner = part('message/rfc822', 'inner.eml', messageOf(0))
    const content = [
      'From: bo@people.example\r\nSubject: Many\r\nContent-Type: multipart/mixed; boundary=x\r\n',
      ...[...others, damaged, inner, '--x--'],
    ].join('\r\n')
    const [{ id }] = (await received('message/rfc822', 'mail.eml', content)).attachments
    expect((await read(`${id}/text`)).pages[0].text).toMatch(/Attached message:\n\n[\s\S]*Level 0/)
  })

  it('are no other files', async () => {
    const message = await received('text/plain', 'a.eml.txt', messageOf(0))
    expect(await read(`${message.attachments[0].id}/message`)).toMatchObject({
      ...{ error: 'not_found', message: expect.stringContaining('/text') },
    })
  })
})
