import type { Kysely } from 'kysely'
import type { ConnectionBody, MailLogin } from '../../protocol/connections/connection'
import { classifyError, type SmtpError } from '../outbound/delivery/outcome'
import { openSession } from '../outbound/delivery/session-pool'
import type { Database } from '../store/tables/schema'
import { beginFolder, findFolders, foldersOf, rememberedRecent } from './folders'
import { openImapSource } from './imap-source'
import { noteKeys } from './keys'
import { type Credentials, freshToken, reachable, takesAnyCertificate } from './login'
import type { ConnectionPorts } from './ports'
import type { AccessToken, ConnectionRow, ConnectionSettings, FolderRow } from './records'
import { MailSourceError } from './source/mail-source'
import { nextStep } from './source/refusals'

/** A successful login to a mailbox, with the start positions of its folders. */
export interface Trial {
  /** Request with the current login: a token may have been exchanged for another. */
  request: ConnectionBody
  settings: ConnectionSettings
  /** Access token of the trial, for the session after it. */
  token: AccessToken | null
  /** Stores the positions from which messages are ingested. */
  begin(tx: Kysely<Database>, row: ConnectionRow): Promise<void>
  close(): void
}

/** Logs in to the SMTP server. @throws MailSourceError */
async function trySmtp(
  ports: ConnectionPorts,
  { smtp }: Pick<ConnectionSettings, 'smtp'>,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<void> {
  const { host, port, tls } = smtp
  const address = await reachable(ports, smtp)
  try {
    const session = await openSession(
      {
        host: address,
        name: host,
        port,
        tls: tls === 'starttls' ? 'required' : tls,
        verifyCertificate: !takesAnyCertificate(ports, address),
        hostname: ports.settings.domain,
        credentials,
      },
      signal,
    )
    session.quit()
  } catch (error) {
    const { detail } = classifyError(error as SmtpError, host)
    const isLogin = (error as SmtpError).code === 'EAUTH'
    const step =
      nextStep(`${detail} ${(error as SmtpError).code ?? ''}`) ??
      (isLogin ? 'allow SMTP for this login' : 'name the server in smtp (restante connect --smtp)')
    throw new MailSourceError(
      isLogin ? 'login_refused' : 'unreachable',
      `Mail cannot leave by ${host}:${port} (${detail}): ${step}.`,
      { cause: error },
    )
  }
}

/** Returns the credentials of a login that is not stored yet. @throws MailSourceError */
async function logIn(
  ports: ConnectionPorts,
  user: string,
  login: MailLogin,
  signal: AbortSignal,
): Promise<{ credentials: Credentials; login: MailLogin; token: AccessToken | null }> {
  if (login.type === 'password') return { credentials: { user, pass: login.password }, login, token: null }
  const { accessToken, ...fresh } = await freshToken(ports, login, signal)
  return { credentials: { user, accessToken }, ...fresh }
}

async function beginAgain(tx: Kysely<Database>, { tenant_id, id, inbox_id }: ConnectionRow): Promise<void> {
  await tx
    .deleteFrom('connected_mails')
    .where('tenant_id', '=', tenant_id)
    .where('inbox_id', '=', inbox_id)
    .where('message_id', '=', '')
    .execute()
  await tx
    .deleteFrom('connection_folders')
    .where('tenant_id', '=', tenant_id)
    .where('connection_id', '=', id)
    .execute()
}

/** Logs in to a mailbox and reads its folders. @throws MailSourceError */
export async function tryConnection(
  ports: ConnectionPorts,
  settings: ConnectionSettings,
  request: ConnectionBody,
  signal: AbortSignal,
): Promise<Trial> {
  const address = await reachable(ports, settings.imap)
  const { credentials, login, token } = await logIn(ports, settings.user, request.login, signal)
  await trySmtp(ports, settings, credentials, signal)
  const anyCertificate = takesAnyCertificate(ports, address)
  const source = await openImapSource({ server: settings.imap, address, credentials, anyCertificate }, signal)
  // Calls after the login end with the trial, too.
  const end = () => source.close()
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    const isFromNow = request.since === 'now'
    const found: { folder: FolderRow; recent: string[][] }[] = []
    for (const one of await findFolders(source, settings)) {
      const folder = await beginFolder(source, { tenant_id: '', id: '' }, isFromNow, one)
      found.push({ folder, recent: [] })
    }
    // Earlier messages that break the connection do no harm: their UIDs are known as old.
    if (isFromNow)
      for (const one of found) one.recent = await rememberedRecent(ports, source, one.folder).catch(() => [])
    return {
      request: { ...request, login },
      settings,
      token,
      async begin(tx, row) {
        // Old messages are ingested on request, even if left out before; ingested ones are not repeated.
        if (!isFromNow) await beginAgain(tx, row)
        const known = new Set((await foldersOf(tx, row)).map(({ path }) => path))
        for (const { folder, recent } of found) {
          // A known folder continues from its position.
          if (known.has(folder.path)) continue
          const owned = { ...folder, tenant_id: row.tenant_id, connection_id: row.id }
          await tx.insertInto('connection_folders').values(owned).execute()
          await noteKeys(
            tx,
            row,
            recent.map((keys) => ({ keys, messageId: '' })),
          )
        }
      },
      close: () => source.close(),
    }
  } catch (error) {
    source.close()
    throw error
  }
}
