import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { useService } from '../../support/use-service'

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
  const received = async (contentType: string, filename: string, content: string) => {
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

  it('are no other files', async () => {
    const message = await received('text/plain', 'a.eml.txt', messageOf(0))
    expect(await read(`${message.attachments[0].id}/message`)).toMatchObject({
      ...{ error: 'not_found', message: expect.stringContaining('/text') },
    })
  })
})
