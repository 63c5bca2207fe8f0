import { once } from 'node:events'
import type { Socket } from 'node:net'
import hoodiecrow from 'hoodiecrow-imap'
import { SMTPServer } from 'smtp-server'

/** A mailbox at a server within this process, with what few servers lack and as little else as a test wants. */
export interface OddMailbox {
  imapPort: number
  /** The body of `POST /connections` for an address of its own. */
  body(address?: string): Record<string, unknown>
  append(raw: string, flags?: string[], folder?: string): void
  /** Ends every connection to its IMAP. */
  kickAll(): void
  close(): Promise<void>
}

let count = 0

/** An SMTP server that lets everybody in, and takes everything. */
export async function startWillingSmtp(): Promise<{ port: number; close(): Promise<void> }> {
  const smtp = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    onAuth: (_auth, _session, done) => done(null, { user: 'odd' }),
  })
  smtp.on('error', () => {})
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  smtp.server.unref()
  return {
    port: (smtp.server.address() as { port: number }).port,
    close: () => new Promise((resolve) => smtp.close(resolve)),
  }
}

/** Starts one. @param plugins What it offers beyond IMAP4rev1 (RFC 3501). */
export async function startOddMailbox(plugins: readonly string[] = []): Promise<OddMailbox> {
  const users: Record<string, { password: string }> = { odd: { password: 'odd-password' } }
  const imap = hoodiecrow({
    plugins,
    users,
    storage: {
      INBOX: {},
      '': { separator: '/', folders: { Sent: { 'special-use': '\\Sent' } } },
    },
  })
  await new Promise<void>((resolve) => imap.listen(0, '127.0.0.1', resolve))
  const sockets = new Set<Socket>()
  imap.server.on('connection', (socket) => sockets.add(socket.setNoDelay(true)))
  imap.server.unref()
  const smtp = await startWillingSmtp()
  const portOf = (server: { address(): unknown }) => (server.address() as { port: number }).port
  return {
    imapPort: portOf(imap.server),
    // A user each: of one, few logins are tried in an hour.
    body: (address = `odd-${count++}@company.test`) => {
      const user = `odd-${count++}`
      users[user] = { password: 'odd-password' }
      return {
        address,
        user,
        imap: { host: '127.0.0.1', port: portOf(imap.server), tls: 'off' },
        smtp: { host: '127.0.0.1', port: smtp.port, tls: 'off' },
        login: { type: 'password', password: 'odd-password' },
      }
    },
    append: (raw, flags = [], folder = 'INBOX') => imap.appendMessage(folder, flags, new Date(), raw),
    kickAll() {
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    async close() {
      await smtp.close()
      await new Promise<void>((resolve) => imap.close(resolve))
    },
  }
}

let shared: Promise<OddMailbox> | undefined

/** One for all who want no more than that there is one. */
export const oddMailbox = (): Promise<OddMailbox> => (shared ??= startOddMailbox())
