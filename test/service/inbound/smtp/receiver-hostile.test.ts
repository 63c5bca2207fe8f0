import { connect as connectTls } from 'node:tls'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openDialog, openSession } from '../../../support/smtp-dialog'
import { type StartedReceiver, startReceiver, text } from './start-receiver'

async function takesMail({ port, mails }: StartedReceiver): Promise<void> {
  const before = mails.length
  const dialog = await openSession(port)
  expect((await dialog.mail('still here')).code).toBe(250)
  expect(mails).toHaveLength(before + 1)
}

describe('only CRLF . CRLF ends a mail', () => {
  const smuggled = 'MAIL FROM:<evil@b.test>\r\nRCPT TO:<box@mx.test>\r\nDATA\r\nsmuggled\r\n.\r\n'

  test.each(['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r\n.\r', '\r.\r\n', '\n.\r', '\r\n\0.\r\n'])(
    '%j does not, wherever the packets are cut',
    async (end) => {
      const { port, mails } = await startReceiver()
      const head = 'Subject: x\r\n\r\n'
      const content = `${head}text${end}${smuggled.replace(/\r\n\.\r\n$/, '')}`
      for (const cut of [content.length, ...[5, 6, 7].map((at) => head.length + at)]) {
        const dialog = await openSession(port)
        dialog.socket.setNoDelay(true)
        await dialog.say('MAIL FROM:<a@b.test>', 250)
        await dialog.say('RCPT TO:<box@mx.test>', 250)
        await dialog.say('DATA', 354)
        dialog.write(content.slice(0, cut))
        await new Promise((resolve) => setImmediate(resolve))
        dialog.write(`${content.slice(cut)}\r\n.\r\n`)
        await dialog.expect(250)
        await dialog.say('QUIT', 221)
        expect(await dialog.closed).toBe('')
      }
      expect(mails).toHaveLength(4)
      // A dot at the start of a line is deleted where more follows it (RFC 5321 section 4.5.2).
      const unstuffed = content.replace(/\r\n\./g, '\r\n')
      for (const { raw } of mails) expect(text(raw)).toBe(`${unstuffed}\r\n`)
    },
  )

  test('a first line of one stuffed dot, cut after each byte, is content', async () => {
    const { port, mails } = await startReceiver()
    const dialog = await openSession(port)
    await dialog.say('MAIL FROM:<a@b.test>', 250)
    await dialog.say('RCPT TO:<box@mx.test>', 250)
    await dialog.say('DATA', 354)
    dialog.socket.setNoDelay(true)
    for (const byte of '..\r\nQUIT\r\n.\r\n') {
      dialog.write(byte)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await dialog.expect(250)
    expect(text(mails[0]?.raw)).toBe('.\r\nQUIT\r\n')
  })
})

describe('pipelining (RFC 2920)', () => {
  test('a whole session in one packet', async () => {
    const { port, mails } = await startReceiver()
    const dialog = openDialog(port)
    const mail = 'MAIL FROM:<a@b.test>\r\nRCPT TO:<box@mx.test>\r\nRCPT TO:<bad\r\nDATA\r\ntext\r\n.\r\n'
    dialog.write(`EHLO c.test\r\n${mail}${mail}RSET\r\nQUIT\r\nNOOP\r\n`)
    const codes = [220, 250, 250, 250, 501, 354, 250, 250, 250, 501, 354, 250, 250, 221]
    for (const code of codes) await dialog.expect(code)
    expect(await dialog.closed).toBe('')
    expect(mails).toHaveLength(2)
  })

  test('replies come in order though the handler takes its time', async () => {
    const turns: (() => void)[] = []
    const admit = () =>
      new Promise<void>((resolve) => turns.push(resolve) && setImmediate(() => turns.pop()?.()))
    const { port, mails } = await startReceiver({ handler: { admit } })
    const dialog = await openSession(port)
    dialog.write('MAIL FROM:<a@b.test>\r\nRCPT TO:<one@mx.test>\r\nRCPT TO:<two@mx.test>\r\nDATA\r\n')
    for (const code of [250, 250, 250, 354]) await dialog.expect(code)
    dialog.write('text\r\n.\r\n')
    await dialog.expect(250)
    expect(mails[0]?.envelope.recipients).toEqual(['one@mx.test', 'two@mx.test'])
  })

  test('the replies to a group come in one packet', async () => {
    const admit = async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    const { port } = await startReceiver({ handler: { admit } })
    const dialog = await openSession(port)
    let packets = 0
    dialog.socket.on('data', () => {
      packets += 1
    })
    dialog.write('MAIL FROM:<a@b.test>\r\nRCPT TO:<one@mx.test>\r\nRCPT TO:<two@mx.test>\r\nDATA\r\n')
    for (const code of [250, 250, 250, 354]) await dialog.expect(code)
    expect(packets).toBe(1)
    dialog.write('text\r\n.\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<one@mx.test>\r\nDATA\r\n')
    for (const code of [250, 250, 250, 354]) await dialog.expect(code)
    expect(packets).toBeLessThanOrEqual(3)
  })
})

describe('rubbish', () => {
  test('a web browser is told off', async () => {
    const started = await startReceiver()
    const dialog = openDialog(started.port)
    dialog.write('POST / HTTP/1.1\r\nHost: mx.test\r\n\r\nMAIL FROM:<a@b.test>\r\n')
    expect(await dialog.closed).toMatch(/421 4\.7\.0 .*HTTP.*\r\n$/)
    await takesMail(started)
  })

  test('TLS at once is answered in clear, and fails at once', async () => {
    const started = await startReceiver()
    const socket = connectTls({ port: started.port, rejectUnauthorized: false })
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => socket.once('error', resolve))
    expect(error.code).toMatch(/SSL|EPROTO/)
    await takesMail(started)
  })

  test('a client that goes away in the middle of a mail leaves nothing behind', async () => {
    const started = await startReceiver()
    for (const leave of ['end', 'destroy'] as const) {
      const dialog = await openSession(started.port)
      await dialog.say('MAIL FROM:<a@b.test>', 250)
      await dialog.say('RCPT TO:<box@mx.test>', 250)
      await dialog.say('DATA', 354)
      dialog.write('half a ma')
      dialog[leave]()
      await dialog.closed
    }
    expect(started.mails).toEqual([])
    expect(started.complaints).toEqual([])
    await takesMail(started)
  })

  test('a client that ends its side after its last line still gets its replies', async () => {
    const { port, mails } = await startReceiver()
    const dialog = openDialog(port)
    dialog.write('HELO c.test\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<box@mx.test>\r\nDATA\r\ntext\r\n.\r\n')
    dialog.end()
    for (const code of [220, 250, 250, 250, 354, 250]) await dialog.expect(code)
    expect(await dialog.closed).toBe('')
    expect(mails).toHaveLength(1)
  })

  const word = fc.constantFrom(
    'EHLO c.test',
    'HELO c',
    'MAIL FROM:<a@b.test>',
    'MAIL FROM:<a@b.test> SIZE=5 BODY=8BITMIME SMTPUTF8',
    'RCPT TO:<box@mx.test>',
    'RCPT TO:<',
    'DATA',
    'RSET',
    'NOOP',
    'VRFY x',
    'EXPN x',
    'AUTH LOGIN',
    'BDAT 5 LAST',
    'XCLIENT NAME=x',
    '.',
    '..',
    'text',
    '',
  )
  const soup = fc.array(fc.tuple(word, fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r', ' ', '\0')), {
    maxLength: 40,
  })
  const input = fc.oneof(
    soup.map((words) => Buffer.from(words.flat().join(''))),
    fc.uint8Array({ maxLength: 6000 }).map((bytes) => Buffer.from(bytes)),
    fc
      .tuple(soup, fc.uint8Array({ maxLength: 300 }))
      .map(([words, bytes]) => Buffer.concat([Buffer.from(words.flat().join('')), bytes])),
  )

  test('of any kind gets well-formed replies or an end, and the next mail is taken', async () => {
    const started = await startReceiver()
    await fc.assert(
      fc.asyncProperty(input, fc.nat(100), async (bytes, cut) => {
        const dialog = openDialog(started.port)
        dialog.write(bytes.subarray(0, cut))
        await new Promise((resolve) => setImmediate(resolve))
        dialog.write(bytes.subarray(cut))
        dialog.end()
        const lines = (await dialog.closed).split('\r\n')
        expect(lines.pop()).toBe('')
        for (const reply of lines) {
          expect(reply).toMatch(/^[2345]\d\d[ -][\x20-\x7e]*$/)
          if (/^[45]/.test(reply) && !/hostname/.test(reply))
            expect(reply).toMatch(/^([45])\d\d \1\.\d\.\d+ /)
        }
        dialog.destroy()
      }),
      { numRuns: 150 },
    )
    expect(started.complaints).toEqual([])
    await takesMail(started)
  })
})
