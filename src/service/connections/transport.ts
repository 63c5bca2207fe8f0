import { classifyError, type RecipientOutcome, type SmtpError } from '../outbound/delivery/outcome'
import { openSession } from '../outbound/delivery/session-pool'
import type { OutgoingMail, Transport } from '../outbound/delivery/transport'
import { type Credentials, reachable, takesAnyCertificate } from './login'
import type { ConnectionPorts } from './ports'
import { settingsOf } from './records'
import { MailSourceError } from './source/mail-source'
import { credentialsOfRow, dropToken } from './tokens'

const undelivered = (
  { recipients }: OutgoingMail,
  outcome: 'deferred' | 'bounced',
  detail: string,
): RecipientOutcome[] =>
  recipients.map((recipient) => ({
    recipient,
    outcome,
    code: null,
    enhanced: null,
    detail,
    remote: null,
    stage: 'connect',
  }))

/**
 * Creates the transport of connected mailboxes, each through its own server; other messages use the service's
 * transport. Login failures are deferred, since they are not about the message.
 */
export function createConnectedTransport(ports: ConnectionPorts, others: Transport): Transport {
  async function sendAs(
    mail: OutgoingMail,
    { tenantId, id }: NonNullable<OutgoingMail['connection']>,
    signal = new AbortController().signal,
  ): Promise<RecipientOutcome[]> {
    const row = await ports.store.db
      .selectFrom('connections')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row) return undelivered(mail, 'bounced', 'The mailbox that this is from is no longer connected.')
    const { smtp, user } = settingsOf(row)
    let credentials: Credentials | undefined
    try {
      const address = await reachable(ports, smtp)
      credentials = await credentialsOfRow(ports, row, user, signal)
      const session = await openSession(
        {
          host: address,
          name: smtp.host,
          port: smtp.port,
          tls: smtp.tls === 'starttls' ? 'required' : smtp.tls,
          verifyCertificate: !takesAnyCertificate(ports, address),
          hostname: ports.settings.domain,
          credentials,
        },
        signal,
      )
      const { outcomes } = await session.send(mail, signal)
      session.quit()
      return outcomes
    } catch (error) {
      if (signal.aborted) throw error
      if (credentials && (error as SmtpError).code === 'EAUTH') await dropToken(ports, row, credentials)
      const words =
        error instanceof MailSourceError ? error.message : classifyError(error as SmtpError, smtp.host).detail
      return undelivered(mail, 'deferred', words)
    }
  }

  return {
    siteOf: (domain) => (domain.startsWith('con_') ? `mailbox ${domain}` : others.siteOf(domain)),
    send: (mail, signal, settle) =>
      mail.connection ? sendAs(mail, mail.connection, signal) : others.send(mail, signal, settle),
    close: () => others.close(),
  }
}
