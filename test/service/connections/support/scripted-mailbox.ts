import { startWillingSmtp } from '../../../support/odd-mailbox'
import { type ImapOddities, type ScriptedImap, startScriptedImap } from '../../../support/scripted-imap'

/** A mailbox at a scripted server, and an SMTP server that takes everything. */
export interface ScriptedMailbox extends AsyncDisposable {
  imap: ScriptedImap
  /** The body of `POST /connections` for an address of its own. */
  body(more?: Record<string, unknown>): Record<string, unknown>
}

let count = 0

export async function startScriptedMailbox(odd?: ImapOddities): Promise<ScriptedMailbox> {
  const [imap, smtp] = await Promise.all([startScriptedImap(odd), startWillingSmtp()])
  return {
    imap,
    // A user each: of one, few logins are tried in an hour.
    body: (more = {}) => ({
      address: `kim-${++count}@company.test`,
      user: `kim-${count}`,
      imap: { host: '127.0.0.1', port: imap.port, tls: 'off' },
      smtp: { host: '127.0.0.1', port: smtp.port, tls: 'off' },
      login: { type: 'password', password: 'right' },
      ...more,
    }),
    async [Symbol.asyncDispose]() {
      await imap[Symbol.asyncDispose]()
      await smtp.close()
    },
  }
}

/** A mail of Ana with a subject. */
export const mailOf = (subject: string, more = ''): string =>
  `From: Ana <ana@example.net>\r\nTo: kim@company.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.net>\r\n${more}\r\nHello\r\n`
