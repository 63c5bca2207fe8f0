import { describe, expect, test } from 'vitest'
import { openDialog, openSession } from '../../../support/smtp-dialog'
import { startReceiver, text } from './start-receiver'

const line = `${'x'.repeat(998)}\r\n`

describe('size', () => {
  test('that is not declared is counted: drained, 552 5.3.4, and the connection goes on', async () => {
    const { port, mails } = await startReceiver({ maxMessageBytes: 10_000 })
    const dialog = await openSession(port)
    const reply = await dialog.mail(line.repeat(30))
    expect(reply).toMatchObject({ code: 552, text: expect.stringMatching(/^5\.3\.4 /) })
    expect((await dialog.mail(line.repeat(9))).code).toBe(250)
    expect(mails).toHaveLength(1)
  })

  test('may be exactly the limit', async () => {
    const { port, mails } = await startReceiver({ maxMessageBytes: 1000 })
    const dialog = await openSession(port)
    expect((await dialog.mail('x'.repeat(998))).code).toBe(250)
    expect((await dialog.mail('x'.repeat(999))).code).toBe(552)
    expect(mails.map(({ raw }) => raw.length)).toEqual([1000])
  })

  test('without an end is cut off', async () => {
    const { port, mails } = await startReceiver({ maxMessageBytes: 10_000 })
    const dialog = await openSession(port)
    await dialog.say('MAIL FROM:<a@b.test> SIZE=10', 250)
    await dialog.say('RCPT TO:<box@mx.test>', 250)
    await dialog.say('DATA', 354)
    dialog.write(line.repeat(100))
    await dialog.closed
    expect(mails).toEqual([])
  })

  test('of all mails together is bounded: 452 4.3.1, and memory is given back', async () => {
    const { port } = await startReceiver({ maxMemoryBytes: 10_000 })
    const holder = await openSession(port)
    const other = await openSession(port)
    const otherGets = async (wanted: number): Promise<string> => {
      const { code, text } = await other.mail(line.repeat(8))
      return code === wanted ? text : otherGets(wanted)
    }
    await holder.say('MAIL FROM:<a@b.test>', 250)
    await holder.say('RCPT TO:<box@mx.test>', 250)
    await holder.say('DATA', 354)
    holder.write(line.repeat(8))
    expect(await otherGets(452)).toMatch(/^4\.3\.1 /)
    holder.destroy()
    await otherGets(250)
    for (let i = 0; i < 3; i += 1) expect((await other.mail(line.repeat(9))).code).toBe(250)
  })

  test('of a mail of stuffed dots is its own, however it is cut', async () => {
    const { port, mails } = await startReceiver()
    const dialog = await openSession(port)
    await dialog.mail('..\r\n'.repeat(5000))
    expect(text(mails[0]?.raw)).toBe(`${'.\r\n'.repeat(5000)}\r\n`)
  })
})

describe('commands', () => {
  test('that are unknown end the connection after a while', async () => {
    const { port } = await startReceiver()
    const dialog = await openSession(port)
    for (let i = 0; i < 9; i += 1) await dialog.say('FROB', 500)
    expect((await dialog.say('FROB', 421)).text).toMatch(/^4\.7\.0 /)
    await dialog.closed
  })

  test('in a flood end the connection', async () => {
    const { port } = await startReceiver()
    const dialog = await openSession(port)
    dialog.write('NOOP\r\n'.repeat(100_000))
    const rest = await dialog.closed
    expect(rest).toMatch(/421 4\.7\.0 Too many commands without a mail\r\n$/)
    expect(rest.split('\r\n').length).toBeLessThan(400)
  })

  test('count anew after each mail', async () => {
    const { port, mails } = await startReceiver({ maxRecipients: 1 })
    const dialog = await openSession(port)
    for (let i = 0; i < 4; i += 1) {
      for (let j = 0; j < 90; j += 1) await dialog.say('NOOP', 250)
      await dialog.mail('text')
    }
    expect(mails).toHaveLength(4)
  })

  test('that are too long end the connection, with and without an end', async () => {
    const { port } = await startReceiver()
    for (const command of [`NOOP ${'x'.repeat(5000)}\r\n`, 'x'.repeat(5000)]) {
      const dialog = await openSession(port)
      dialog.write(command)
      expect((await dialog.expect(421)).text).toMatch(/^4\.5\.2 /)
      await dialog.closed
    }
  })
})

describe('connections', () => {
  test('above the limit are told to come back', async () => {
    const { port } = await startReceiver({ maxConnections: 1 })
    const first = await openSession(port)
    const second = openDialog(port)
    expect((await second.expect(421)).text).toMatch(/^4\.3\.2 /)
    await second.closed
    await first.say('QUIT', 221)
    await first.closed
    await openSession(port)
  })

  test('that are idle are closed', async () => {
    const { port } = await startReceiver({ socketTimeoutMs: 30 })
    const dialog = openDialog(port)
    await dialog.expect(220)
    expect((await dialog.expect(421)).text).toMatch(/^4\.4\.2 /)
    await dialog.closed
  })

  test('that wait for the handler are not idle', async () => {
    let admit = () => {}
    const admitted = new Promise<void>((resolve) => {
      admit = resolve
    })
    // Long enough for a busy machine to come as far as RCPT.
    const { port } = await startReceiver({ socketTimeoutMs: 2_000, handler: { admit: () => admitted } })
    const idle = openDialog(port)
    const dialog = await openSession(port)
    await dialog.say('MAIL FROM:<a@b.test>', 250)
    const reply = dialog.say('RCPT TO:<box@mx.test>', 250)
    await idle.closed
    admit()
    await reply
  })

  test('that trickle are closed, in a command and in a mail', async () => {
    // Long enough for a busy machine to come as far as the mail.
    const { port } = await startReceiver({ progressTimeoutMs: 2_000 })
    const [command, data] = await Promise.all([openSession(port), openSession(port)])
    await data.say('MAIL FROM:<a@b.test>', 250)
    await data.say('RCPT TO:<box@mx.test>', 250)
    await data.say('DATA', 354)
    const trickle = setInterval(() => {
      command.write('x')
      data.write('x')
    }, 5)
    for (const dialog of [command, data]) expect(await dialog.closed).toMatch(/^421 4\.4\.2 .*\r\n$/)
    clearInterval(trickle)
  })
})
