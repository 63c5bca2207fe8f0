import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import { createSelfSigned } from '../../src/service/inbound/smtp/certificate'

/** What a scripted server does at one step: a reply, no reply, or the end of the connection. */
export type FakeReply = string | 'SILENCE' | 'DROP'
type Step =
  | 'connect'
  | 'EHLO'
  | 'HELO'
  | 'STARTTLS'
  | 'AUTH'
  | 'MAIL'
  | 'RCPT'
  | 'DATA'
  | '.'
  | 'RSET'
  | 'QUIT'
export type FakeScript = Partial<
  Record<Step, FakeReply | ((line: string, connection: number) => FakeReply)>
> & {
  /** What is announced beside the name. */
  extensions?: string[]
  /** STARTTLS is announced and answered; then the handshake works or breaks. */
  tls?: 'works' | 'breaks' | 'drops'
  /** In the content of a mail the connection ends once so much of it is there. */
  breaksAfterBytes?: number
  /** One for `fake.test` that nobody vouches for, without. */
  certificate?: { key: string; cert: string }
}

export interface FakeSmtp {
  port: number
  /** Every line of every client, after `connection number: `. */
  lines: string[]
  /** The content of every mail, dots still stuffed. */
  mails: string[]
  connections: number
  /** Ends all connections, as a server does with idle ones. */
  dropAll(): Promise<void>
}

const defaults: Record<Step, string> = {
  connect: '220 fake.test ESMTP',
  EHLO: '',
  HELO: '250 fake.test',
  STARTTLS: '220 go on',
  AUTH: '235 2.7.0 welcome',
  MAIL: '250 2.1.0 sender fine',
  RCPT: '250 2.1.5 recipient fine',
  DATA: '354 go on',
  '.': '250 2.6.0 queued as FAKE1',
  RSET: '250 2.0.0 forgotten',
  QUIT: '221 2.0.0 bye',
}

/** An SMTP server that answers by a script, until the test ends. */
export async function startFakeSmtp(
  script: FakeScript = {},
  port = 0,
  host = '127.0.0.1',
): Promise<FakeSmtp> {
  const sockets = new Set<Socket>()
  const fake: FakeSmtp = { port, lines: [], mails: [], connections: 0, dropAll: async () => {} }
  const secureContext = createSecureContext(script.certificate ?? createSelfSigned('fake.test'))
  const extensions = [
    ...(script.extensions ?? ['PIPELINING', '8BITMIME']),
    ...(script.tls ? ['STARTTLS'] : []),
  ]

  function converse(raw: Socket): void {
    const connection = fake.connections
    fake.connections += 1
    let socket = raw
    let input = ''
    let content: string | undefined
    let secured = false
    let taken = 0

    const answer = (step: Step, line = ''): void => {
      const scripted = script[step]
      const reply =
        typeof scripted === 'function'
          ? scripted(line, connection)
          : (scripted ?? (step === 'STARTTLS' && !script.tls ? '500 5.5.2 what?' : defaults[step]))
      if (reply === 'DROP') socket.destroy()
      else if (reply !== 'SILENCE') socket.write(`${reply || ehlo()}\r\n`)
      if (step === 'DATA' && reply.startsWith('354')) content = ''
      if (step === 'QUIT') socket.end()
    }
    const ehlo = () =>
      ['fake.test', ...extensions.filter((name) => !secured || name !== 'STARTTLS')]
        .map((name, i, all) => `250${i < all.length - 1 ? '-' : ' '}${name}`)
        .join('\r\n')
    const upgrade = (): void => {
      if (script.tls === 'drops') return void socket.destroy()
      raw.removeAllListeners('data')
      if (script.tls === 'breaks') return void raw.once('data', () => raw.write('this is no handshake\r\n'))
      socket = new TLSSocket(raw, { isServer: true, secureContext })
      secured = true
      attach()
    }
    const takeLine = (line: string): void => {
      fake.lines.push(`${connection}: ${line}`)
      if (content !== undefined && line !== '.') content += `${line}\r\n`
      else if (content !== undefined) {
        fake.mails.push(content)
        content = undefined
        answer('.')
      } else {
        const step = line.split(/[ :]/)[0]?.toUpperCase() as Step
        if (step in defaults) answer(step, line)
        else socket.write('500 5.5.2 what?\r\n')
        if (step === 'STARTTLS' && script.tls) upgrade()
      }
    }
    const attach = (): void => {
      socket.on('error', () => {})
      socket.on('data', (chunk: Buffer) => {
        taken += content === undefined ? 0 : chunk.length
        if (taken > (script.breaksAfterBytes ?? Number.POSITIVE_INFINITY)) return void socket.destroy()
        input += chunk.toString('latin1')
        for (let end = input.indexOf('\r\n'); end >= 0; end = input.indexOf('\r\n')) {
          const line = input.slice(0, end)
          input = input.slice(end + 2)
          takeLine(line)
        }
      })
    }
    attach()
    answer('connect')
  }

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    converse(socket)
  }).listen(port, host)
  await once(server, 'listening')
  fake.port = (server.address() as AddressInfo).port
  fake.dropAll = async () => {
    const gone = [...sockets].map((socket) => once(socket, 'close'))
    for (const socket of sockets) socket.end()
    await Promise.all(gone)
  }
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return fake
}
