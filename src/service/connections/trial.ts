import type { Kysely } from 'kysely'
import type { ConnectionBody, MailLogin } from '../../protocol/connections'
import { classifyError, openSession, type SmtpError } from '../outbound/delivery'
import type { Database } from '../store/tables'
import { beginFolder, findFolders, foldersOf, rememberedRecent } from './folders'
import { openImapSource } from './imap-source'
import { noteKeys } from './keys'
import { type Credentials, credentialsOf, reachable, takesAnyCertificate } from './login'
import { MailSourceError } from './mail-source'
import type { ConnectionPorts } from './ports'
import type { ConnectionRow, ConnectionSettings, FolderRow } from './records'

/** A mailbox that was logged in to, with where its folders are now. */
interface Trial {
  /** The request with the login as it is now: a token may have been exchanged for another. */
  request: ConnectionBody
  /** Writes down from where on its mail is taken in. */
  begin(tx: Kysely<Database>, row: ConnectionRow): Promise<void>
  close(): void
}

/** Logs in where mail leaves. @throws MailSourceError */
export async function trySmtp(
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
    throw new MailSourceError(
      isLogin ? 'login_refused' : 'unreachable',
      `Mail cannot leave by ${host}:${port} (${detail}): ${isLogin ? 'allow SMTP for this login' : 'name the server in smtp (restante connect --smtp)'}.`,
      { cause: error },
    )
  }
}

async function beginAnew(tx: Kysely<Database>, { tenant_id, id, inbox_id }: ConnectionRow): Promise<void> {
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

/** Logs in to a mailbox and looks at its folders. @throws MailSourceError */
export async function tryConnection(
  ports: ConnectionPorts,
  settings: ConnectionSettings,
  request: ConnectionBody,
  signal: AbortSignal,
): Promise<Trial> {
  const address = await reachable(ports, settings.imap)
  let login: MailLogin = request.login
  const credentials = await credentialsOf(ports, settings.user, login, signal, async (changed) => {
    login = changed
  })
  await trySmtp(ports, settings, credentials, signal)
  const anyCertificate = takesAnyCertificate(ports, address)
  const source = await openImapSource({ server: settings.imap, address, credentials, anyCertificate }, signal)
  // What is asked after the login ends with the trial, too.
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
    // Mail of before that breaks the connection hinders nobody: what follows knows it by its UID.
    if (isFromNow)
      for (const one of found) one.recent = await rememberedRecent(ports, source, one.folder).catch(() => [])
    return {
      request: { ...request, login },
      async begin(tx, row) {
        // Old mail that is asked for comes in, whatever was left out before; what came in does not come again.
        if (!isFromNow) await beginAnew(tx, row)
        const known = new Set((await foldersOf(tx, row)).map(({ path }) => path))
        for (const { folder, recent } of found) {
          // One that is looked at already goes on where it was.
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
