import { ImapFlow } from 'imapflow'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { createDovecot, type Dovecot, mailboxPassword, mailboxUser } from './dovecot'

const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

/** A mail as its sender's server has it. */
export async function composed(mail: SendMailOptions): Promise<Buffer> {
  const { message } = await composer.sendMail({ from: 'Ana <ana@example.net>', to: mailboxUser, ...mail })
  return message as Buffer
}

/** A person at the mailbox: another client of it. */
export async function personAt({ port }: Pick<Dovecot, 'port'>): Promise<ImapFlow> {
  const auth = { user: mailboxUser, pass: mailboxPassword }
  const client = new ImapFlow({
    host: '127.0.0.1',
    port,
    secure: false,
    doSTARTTLS: false,
    auth,
    logger: false,
    disableAutoIdle: true,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** What left by the SMTP server of the mailbox. */
interface Outgoing {
  from: string
  to: string[]
  raw: string
}

/** A mail provider: Dovecot, and an SMTP server that takes mail of the mailbox after a login. */
export interface MailboxServer extends AsyncDisposable {
  dovecot: Dovecot
  smtpPort: number
  sent: Outgoing[]
  /** The body of `POST /connections` for it. */
  body: Record<string, unknown>
}

export async function startMailboxServer(
  options?: Parameters<typeof createDovecot>[0],
): Promise<MailboxServer> {
  const dovecot = await createDovecot(options)
  await dovecot.start()
  const sent: Outgoing[] = []
  const smtp = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    onAuth({ username, password, accessToken }, _session, done) {
      const isRight = username === mailboxUser && (password === mailboxPassword || accessToken === 'token')
      done(isRight ? null : new Error('Invalid login'), { user: username })
    },
    onData(stream, session, done) {
      let raw = ''
      stream.on('data', (chunk) => {
        raw += chunk
      })
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        sent.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw,
        })
        done()
      })
    },
  })
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port: smtpPort } = smtp.server.address() as { port: number }
  return {
    dovecot,
    smtpPort,
    sent,
    body: {
      address: mailboxUser,
      imap: { host: '127.0.0.1', port: dovecot.port, tls: 'off' },
      smtp: { host: '127.0.0.1', port: smtpPort, tls: 'off' },
      login: { type: 'password', password: mailboxPassword },
    },
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => smtp.close(resolve))
      await dovecot[Symbol.asyncDispose]()
    },
  }
}
