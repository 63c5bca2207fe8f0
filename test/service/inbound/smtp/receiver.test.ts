import { describe, expect, test } from 'vitest'
import { refuse } from '../../../../src/service/base/refuse'
import { openDialog, openSession } from '../../../support/smtp-dialog'
import { startReceiver, text } from './start-receiver'

describe('a mail', () => {
  test('is handed over byte for byte, and answered with its queue id', async () => {
    const { port, mails } = await startReceiver()
    const dialog = await openSession(port)
    const content = 'Subject: hello\r\n\r\n..stuffed\r\ntext \xe4\xff\0 with 8 bits\r\nend'
    const reply = await dialog.mail(Buffer.from(content, 'latin1'), ['Box+tag@MX.test', 'two@mx.test'])
    expect(reply).toMatchObject({ code: 250, text: '2.0.0 Accepted as msg_1' })
    expect(mails).toHaveLength(1)
    expect(mails[0]?.envelope).toEqual({
      mailFrom: 'sender@example.com',
      recipients: ['Box+tag@MX.test', 'two@mx.test'],
      remoteAddress: '127.0.0.1',
      heloName: 'client.example.com',
      tls: false,
      smtpUtf8: false,
      authentication: null,
      judgedDomain: null,
      signatures: [],
      spfAligned: false,
    })
    expect(text(mails[0]?.raw)).toBe(`${content.replace('..stuffed', '.stuffed')}\r\n`)
    expect(mails[0]?.raw.byteLength).toBe(mails[0]?.raw.buffer.byteLength)
  })

  test('may be empty, and from nobody', async () => {
    const { port, mails } = await startReceiver()
    const dialog = await openSession(port)
    await dialog.say('MAIL FROM:<>', 250)
    await dialog.say('RCPT TO:<box@mx.test>', 250)
    await dialog.say('DATA', 354)
    await dialog.say('.', 250)
    expect(mails[0]).toMatchObject({ envelope: { mailFrom: '' }, raw: new Uint8Array() })
  })

  test('is answered only once the handler has it on disk', async () => {
    let onDisk = () => {}
    const accepting = new Promise<void>((resolve) => {
      onDisk = resolve
    })
    let asked = () => {}
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const accept = async () => {
      asked()
      await accepting
      return { queueId: 'late' }
    }
    const { port } = await startReceiver({ handler: { accept } })
    const dialog = await openSession(port)
    let answered = false
    const reply = dialog.mail('text').then((value) => {
      answered = true
      return value
    })
    await wasAsked
    expect(answered).toBe(false)
    onDisk()
    expect((await reply).text).toBe('2.0.0 Accepted as late')
  })

  test('follows another on the same connection, each with its own envelope', async () => {
    const { port, mails } = await startReceiver()
    const dialog = await openSession(port)
    await dialog.mail('first', ['one@mx.test'])
    await dialog.mail('second', ['two@mx.test'])
    await dialog.say('QUIT', 221)
    await dialog.closed
    expect(mails.map(({ envelope, raw }) => [envelope.recipients, text(raw)])).toEqual([
      [['one@mx.test'], 'first\r\n'],
      [['two@mx.test'], 'second\r\n'],
    ])
  })

  test('to the lone postmaster goes to the postmaster of this host; a repeated recipient counts once', async () => {
    const { port, mails } = await startReceiver()
    const dialog = await openSession(port)
    await dialog.mail('text', ['postmaster', 'box@mx.test', 'BOX@mx.test'])
    expect(mails[0]?.envelope.recipients).toEqual(['postmaster@mx.test', 'BOX@mx.test'])
  })
})

describe('what is announced', () => {
  test('in the greeting and after EHLO', async () => {
    const { port } = await startReceiver()
    const dialog = openDialog(port)
    expect((await dialog.expect(220)).text).toBe('mx.test ESMTP Restante')
    const { lines } = await dialog.say('EHLO client.example.com', 250)
    expect(lines[0]).toBe('mx.test')
    expect(lines.slice(1).sort()).toEqual(
      ['8BITMIME', 'ENHANCEDSTATUSCODES', 'PIPELINING', 'SIZE 26214400', 'SMTPUTF8', 'STARTTLS'].sort(),
    )
  })

  test('HELO is answered in one line', async () => {
    const { port } = await startReceiver()
    const dialog = openDialog(port)
    await dialog.expect(220)
    expect((await dialog.say('HELO old.example.com', 250)).text).toBe('mx.test')
  })
})

describe('refusals', () => {
  test.each([
    ['mailbox_unavailable', 550, '5.1.1'],
    ['address_retired', 550, '5.1.6'],
    ['account_suspended', 550, '5.2.1'],
    ['quota_exceeded', 452, '4.2.2'],
    ['rate_limited', 451, '4.7.1'],
  ] as const)('at RCPT %s is %d %s, and the other recipients stay', async (errorCode, code, status) => {
    const admit = async (recipient: string) => {
      if (recipient === 'bad@mx.test') throw refuse(errorCode, 'a secret of the account')
    }
    const { port, mails, complaints } = await startReceiver({ handler: { admit } })
    const dialog = await openSession(port)
    await dialog.say('MAIL FROM:<sender@example.com>', 250)
    const refused = await dialog.say('RCPT TO:<bad@mx.test>', code)
    expect(refused.text).toMatch(new RegExp(`^${status.replaceAll('.', '\\.')} `))
    expect(refused.text).not.toContain('secret')
    await dialog.say('RCPT TO:<good@mx.test>', 250)
    await dialog.say('DATA', 354)
    await dialog.say('text\r\n.', 250)
    expect(mails[0]?.envelope.recipients).toEqual(['good@mx.test'])
    expect(complaints).toEqual([])
  })

  test('`unavailable` is for later, and the connection goes on', async () => {
    const admit = async () => Promise.reject(refuse('unavailable', 'no file handles'))
    const { port } = await startReceiver({ handler: { admit } })
    const dialog = await openSession(port)
    await dialog.say('MAIL FROM:<sender@example.com>', 250)
    expect((await dialog.say('RCPT TO:<box@mx.test>', 451)).text).toMatch(/^4\.3\.2 /)
    await dialog.say('NOOP', 250)
  })

  test('the handler sees sender and remote address', async () => {
    const seen: unknown[] = []
    const admit = async (...args: unknown[]) => void seen.push(args)
    const { port } = await startReceiver({ handler: { admit } })
    const dialog = await openSession(port)
    await dialog.mail('text', ['box@xn--bcher-kva.test'])
    const opening = { mailFrom: 'sender@example.com', remoteAddress: '127.0.0.1', declaredBytes: 0 }
    expect(seen).toEqual([['box@xn--bcher-kva.test', opening]])
  })

  test.each([
    ['rejects', () => Promise.reject(new Error('the disk of a secret account is full'))],
    [
      'throws at once',
      () => {
        throw new TypeError('a bug')
      },
    ],
  ])('a handler that %s is 451 4.3.0, logged, and not told about', async (_, fail) => {
    const { port, complaints } = await startReceiver({ handler: { admit: fail } })
    const dialog = await openSession(port)
    await dialog.say('MAIL FROM:<sender@example.com>', 250)
    const { text } = await dialog.say('RCPT TO:<box@mx.test>', 451)
    expect(text).toBe('4.3.0 The service failed; the request can be repeated.')
    expect(complaints).toHaveLength(1)
  })

  test('after DATA are the table’s too, and the connection goes on', async () => {
    const replies = [refuse('quota_exceeded', 'x'), new Error('disk full')]
    const accept = async () => {
      const error = replies.shift()
      if (error) throw error
      return { queueId: 'ok' }
    }
    const { port, complaints } = await startReceiver({ handler: { accept } })
    const dialog = await openSession(port)
    expect(await dialog.mail('text')).toMatchObject({ code: 452, text: expect.stringMatching(/^4\.2\.2 /) })
    expect(await dialog.mail('text')).toMatchObject({ code: 451, text: expect.stringMatching(/^4\.3\.0 /) })
    expect(await dialog.mail('text')).toMatchObject({ code: 250 })
    expect(complaints).toHaveLength(1)
  })

  test.each([
    ['MAIL FROM:<a@b.test>', 503, '5.5.1', 'before EHLO'],
    ['HELO', 501, '', 'without a name'],
    ['EHLO a b', 501, '', 'with two names'],
  ])('before EHLO: %s is %d %s', async (line, code, status) => {
    const { port } = await startReceiver()
    const dialog = openDialog(port)
    await dialog.expect(220)
    expect((await dialog.say(line, code)).text).toMatch(new RegExp(`^${status}`))
  })

  test.each([
    ['FROB', 500, '5.5.2'],
    ['DATA_OK', 500, '5.5.2'],
    ['AUTH PLAIN AGEAYg==', 500, '5.5.2'],
    ['WIZ x', 500, '5.5.2'],
    ['XCLIENT ADDR=1.2.3.4', 500, '5.5.2'],
    ['', 500, '5.5.2'],
    ['\0\x01\xff', 500, '5.5.2'],
    ['RCPT TO:<a@b.test>', 503, '5.5.1'],
    ['DATA', 503, '5.5.1'],
    ['MAIL FROM:a@b@c.test', 501, '5.1.7'],
    ['MAIL FROM:<a\x01b@c.test>', 501, '5.1.7'],
    ['MAIL FROM:<a@b@c.test>', 501, '5.1.7'],
    ['MAIL FROM:<a@b.test> SIZE=many', 501, '5.5.4'],
    ['MAIL FROM:<a@b.test> BODY=BINARYMIME', 501, '5.5.4'],
    ['MAIL FROM:<a@b.test> SIZE=26214401', 552, '5.3.4'],
    ['MAIL FROM:<\u00e4@b.test>', 553, '5.6.7'],
    ['VRFY', 501, '5.5.4'],
    ['STARTTLS now', 501, '5.5.4'],
    ['VRFY someone', 252, '2.1.5'],
    ['NOOP', 250, '2.0.0'],
    ['RSET', 250, '2.0.0'],
  ])('%j is %d %s, and a good mail follows', async (line, code, status) => {
    const { port, mails } = await startReceiver()
    const dialog = await openSession(port)
    expect((await dialog.say(line, code)).text).toMatch(new RegExp(`^${status.replaceAll('.', '\\.')} `))
    expect((await dialog.mail('text')).code).toBe(250)
    expect(mails).toHaveLength(1)
  })

  test('a recipient without a domain, twice MAIL, DATA without a recipient that was taken', async () => {
    const admit = async () => Promise.reject(refuse('mailbox_unavailable', ''))
    const { port } = await startReceiver({ handler: { admit } })
    const dialog = await openSession(port)
    await dialog.say('MAIL FROM:<a@b.test>', 250)
    expect((await dialog.say('MAIL FROM:<a@b.test>', 503)).text).toMatch(/^5\.5\.1 /)
    expect((await dialog.say('RCPT TO:<box>', 501)).text).toMatch(/^5\.1\.3 /)
    await dialog.say('RCPT TO:<box@mx.test>', 550)
    expect((await dialog.say('DATA', 503)).text).toMatch(/^5\.5\.1 /)
  })

  test('the recipient above the limit is 452 4.5.3', async () => {
    const { port } = await startReceiver({ maxRecipients: 2 })
    const dialog = await openSession(port)
    await dialog.say('MAIL FROM:<a@b.test>', 250)
    await dialog.say('RCPT TO:<one@mx.test>', 250)
    await dialog.say('RCPT TO:<two@mx.test>', 250)
    expect((await dialog.say('RCPT TO:<three@mx.test>', 452)).text).toMatch(/^4\.5\.3 /)
  })
})

describe('internationalized mail (RFC 6531)', () => {
  test('keeps the local part and puts domains into ASCII', async () => {
    const { port, mails } = await startReceiver()
    const dialog = await openSession(port)
    await dialog.say(
      Buffer.from('MAIL FROM:<j\u00f6rg@b\u00fccher.example> SMTPUTF8 BODY=8BITMIME').toString('utf8'),
      250,
    )
    await dialog.say('RCPT TO:<\u7528\u6237@mx.test>', 250)
    await dialog.say('DATA', 354)
    await dialog.say('Subject: \u00fc\r\n\r\n.', 250)
    expect(mails[0]?.envelope).toMatchObject({
      mailFrom: 'j\u00f6rg@xn--bcher-kva.example',
      recipients: ['\u7528\u6237@mx.test'],
      smtpUtf8: true,
    })
  })
})
