import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { onTestFinished } from 'vitest'

/** One SMTP reply, of one or several lines. */
interface DialogReply {
  code: number
  lines: string[]
  text: string
}

/** The client's side of an SMTP connection, byte by byte. */
export interface SmtpDialog {
  /** Writes as is. */
  write(bytes: string | Uint8Array): void
  /** The next reply; rejects when the connection ends first. */
  reply(): Promise<DialogReply>
  /** Writes a line, reads one reply and checks its code. */
  say(line: string, code: number): Promise<DialogReply>
  expect(code: number): Promise<DialogReply>
  /** EHLO, MAIL, RCPT, DATA; then the content goes out as is, and the final dot. */
  mail(content: string | Uint8Array, recipients?: string[]): Promise<DialogReply>
  startTls(): Promise<void>
  /** Ends our side only. */
  end(): void
  destroy(): void
  /** Resolves when the other side has ended the connection, with everything that was not read as replies. */
  readonly closed: Promise<string>
  readonly socket: Socket
}

const replyLine = /^(\d{3})([ -])(.*)$/

/** Connects, until the test ends; the greeting is the first reply. */
export function openDialog(port: number, host = '127.0.0.1'): SmtpDialog {
  let socket: Socket = connect({ port, host, allowHalfOpen: true, noDelay: true })
  let received = ''
  let ended = false
  let wake = () => {}
  let resolveClosed: (rest: string) => void = () => {}
  const closed = new Promise<string>((resolve) => {
    resolveClosed = resolve
  })
  const onEnd = () => {
    ended = true
    wake()
    resolveClosed(received)
  }
  const listen = () => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
      wake()
    })
    socket.once('end', onEnd)
    socket.once('close', onEnd)
    socket.on('error', () => {})
  }
  listen()
  onTestFinished(() => void socket.destroy())

  const takeReply = (): DialogReply | undefined => {
    const lines: string[] = []
    let rest = received
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 2)
      const [, code, separator, text] = replyLine.exec(line) ?? []
      if (!code) throw new Error(`not a reply: ${JSON.stringify(line)}`)
      lines.push(text ?? '')
      if (separator === '-') continue
      received = rest
      return { code: Number(code), lines, text: lines.join('\n') }
    }
    return undefined
  }

  const dialog: SmtpDialog = {
    write: (bytes) => void socket.write(bytes),
    async reply() {
      for (;;) {
        const reply = takeReply()
        if (reply) return reply
        if (ended) throw new Error(`the connection ended before a reply; rest: ${JSON.stringify(received)}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    async expect(code) {
      const reply = await dialog.reply()
      if (reply.code !== code) throw new Error(`expected ${code}, got ${reply.code} ${reply.text}`)
      return reply
    },
    say(line, code) {
      dialog.write(`${line}\r\n`)
      return dialog.expect(code)
    },
    async mail(content, recipients = ['box@mx.test']) {
      await dialog.say('MAIL FROM:<sender@example.com>', 250)
      for (const recipient of recipients) await dialog.say(`RCPT TO:<${recipient}>`, 250)
      await dialog.say('DATA', 354)
      dialog.write(content)
      dialog.write('\r\n.\r\n')
      return dialog.reply()
    },
    async startTls() {
      await dialog.say('STARTTLS', 220)
      const plain = socket
      plain.removeAllListeners()
      received = ''
      socket = connectTls({ socket: plain, rejectUnauthorized: false })
      await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
      listen()
    },
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
    closed,
    get socket() {
      return socket
    },
  }
  return dialog
}

/** Connects, reads the greeting and says EHLO. */
export async function openSession(port: number): Promise<SmtpDialog> {
  const dialog = openDialog(port)
  await dialog.expect(220)
  await dialog.say('EHLO client.example.com', 250)
  return dialog
}
