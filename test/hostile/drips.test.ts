import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Listening } from 'restante/service'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startReceiver } from '../service/inbound/smtp/start-receiver'
import { JumpClock } from '../support/jump-clock'
import { openService } from '../support/service'
import { openDialog, openSession } from '../support/smtp-dialog'

/** What a connection was told, and when it ended. */
function listen(socket: Socket) {
  let reported = ''
  socket.on('data', (chunk) => {
    reported += chunk.toString()
  })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return { ended: once(socket, 'close').then(() => reported), reported: () => reported }
}

describe('a body', () => {
  const clock = new JumpClock()
  let service: Awaited<ReturnType<typeof openService>>
  let at: Listening
  beforeAll(async () => {
    service = await openService({ metrics: '127.0.0.1:0' }, { clock })
    at = await service.listen()
  })
  afterAll(() => service[Symbol.asyncDispose]())

  /** Begins a request whose body is to have so many bytes. */
  async function begin(length: number): Promise<Socket> {
    const { hostname, port } = new URL(at.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const head = [
      'POST /v1/uploads HTTP/1.1',
      'Host: restante.test',
      `Authorization: Bearer ${service.home.apiKey}`,
      'Content-Type: text/plain',
      `Content-Length: ${length}`,
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    return socket
  }
  /** Resolves when the service has read what was written before. */
  const taken = () =>
    service
      .call('GET', '/account')
      .then(() => fetch(`${at.url}/openapi.json`))
      .then((one) => one.text())
  const pass = async (seconds: number) => {
    await taken()
    clock.jump(seconds * 1_000)
  }

  it('that drips is ended within 45 seconds', async () => {
    const socket = await begin(1_000_000)
    const { ended } = listen(socket)
    for (let passed = 0; passed < 45; passed += 15) {
      socket.write('x'.repeat(100))
      await pass(15)
    }
    const answer = await ended
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ error: 'request_timeout' })
  })

  it('that is merely slow is taken', async () => {
    const socket = await begin(8 * 17_000)
    const { reported } = listen(socket)
    for (let i = 0; i < 8; i += 1) {
      socket.write('x'.repeat(17_000))
      if (i < 7) await pass(15)
    }
    await expect.poll(reported).toMatch(/^HTTP\/1\.1 201 /)
  })
})

describe('SMTP senders that hold their connections', () => {
  const rates = {
    connectionsPerAddress: 4,
    connectionsPerMinute: 1_000,
    mailsPerMinute: 1_000,
    errorsPerMinute: 1_000,
    exempt: '192.0.2.0/24',
  }
  const envelope = ['MAIL FROM:<a@b.test>', 'RCPT TO:<box@mx.test>']

  it.each([
    { what: 'all places there are', options: { maxConnections: 4 } },
    { what: 'all places of their address', options: { rates } },
  ])('do not keep others out of $what', async ({ options }) => {
    const { port, mails } = await startReceiver({ ...options, giveWayMs: 0 })
    const holders = await Promise.all(Array.from({ length: 4 }, () => openSession(port)))
    for (const mail of [1, 2]) {
      const honest = await openSession(port)
      for (const line of envelope) await honest.say(line, 250)
      await honest.say('DATA', 354)
      await honest.say('Subject: x\r\n\r\nx\r\n.', 250)
      await honest.say('QUIT', 221)
      expect(mails).toHaveLength(mail)
    }
    expect(await holders[0]!.closed).toMatch(/^421 4\.3\.2 .*\r\n$/)
  })

  it('keep their places for as long as they may bring a mail', async () => {
    const { port } = await startReceiver({ maxConnections: 2, giveWayMs: 60_000 })
    const holders = [await openSession(port), await openSession(port)]
    const late = openDialog(port)
    expect(await late.closed).toMatch(/^421 4\.3\.2 /)
    for (const holder of holders) await holder.say('NOOP', 250)
  })

  it('are not cut off for another while their mail is on its way in', async () => {
    const { port, mails } = await startReceiver({ maxConnections: 1, giveWayMs: 0 })
    const honest = await openSession(port)
    for (const line of envelope) await honest.say(line, 250)
    await honest.say('DATA', 354)
    expect(await openDialog(port).closed).toMatch(/^421 4\.3\.2 /)
    await honest.say('Subject: x\r\n\r\nx\r\n.', 250)
    expect(mails).toHaveLength(1)
  })
})
