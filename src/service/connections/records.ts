import type { Selectable } from 'kysely'
import type { Connection, ConnectionBody, MailLogin } from '../../protocol/connections/connection'
import type { ConnectionFolderTable, ConnectionTable } from '../store/tables/connection-tables'
import type { MailServer } from './discovery/providers'
import { skippedOf } from './obstacles'
import type { ConnectionPorts } from './ports'

export type ConnectionRow = Selectable<ConnectionTable>
export type FolderRow = Selectable<ConnectionFolderTable>

/** Stored settings of a connection, without its login. */
export interface ConnectionSettings
  extends Pick<ConnectionBody, 'folders' | 'mark_answered' | 'authserv_id' | 'keyword' | 'sent_copy'> {
  imap: MailServer
  smtp: MailServer
  user: string
  login: MailLogin['type']
  /** ISO 8601; null for all messages. */
  since: string | null
}

export const settingsOf = ({ settings }: ConnectionRow): ConnectionSettings => JSON.parse(settings)

const purpose = 'connection login'
const contextOf = ({ tenant_id, id }: Pick<ConnectionRow, 'tenant_id' | 'id'>) => `${tenant_id}/${id}`

export const sealLogin = (
  { secrets }: Pick<ConnectionPorts, 'secrets'>,
  row: Pick<ConnectionRow, 'tenant_id' | 'id'>,
  login: MailLogin,
): string => secrets.seal(purpose, contextOf(row), Buffer.from(JSON.stringify(login)))

/** An access token, and when it is replaced, in ms since 1970. */
export interface AccessToken {
  value: string
  replaceAt: number
}

const tokenPurpose = 'connection token'

export const sealToken = (
  { secrets }: Pick<ConnectionPorts, 'secrets'>,
  row: Pick<ConnectionRow, 'tenant_id' | 'id'>,
  token: AccessToken | null,
): string | null => token && secrets.seal(tokenPurpose, contextOf(row), Buffer.from(JSON.stringify(token)))

/** Returns the access token of a connection; null if it has none that can be decrypted. */
export function openToken(
  { secrets }: Pick<ConnectionPorts, 'secrets'>,
  row: Pick<ConnectionRow, 'tenant_id' | 'id' | 'token'>,
): AccessToken | null {
  const text = row.token === null ? null : secrets.open(tokenPurpose, contextOf(row), row.token)
  return text && (JSON.parse(text.toString()) as AccessToken)
}

/** Returns the login of a connection; null if the secret that encrypted it is no longer set. */
export function openLogin(
  { secrets }: Pick<ConnectionPorts, 'secrets'>,
  row: Pick<ConnectionRow, 'tenant_id' | 'id' | 'secret'>,
): MailLogin | null {
  const text = secrets.open(purpose, contextOf(row), row.secret)
  return text && (JSON.parse(text.toString()) as MailLogin)
}

const tlsOf = (tls: MailServer['tls'] | undefined, isImplicit: boolean): MailServer['tls'] =>
  tls ?? (isImplicit ? 'implicit' : 'starttls')

/** Servers that do not follow the rule that `imap.` becomes `smtp.`. */
const knownSmtp: Record<string, MailServer> = {
  'outlook.office365.com': { host: 'smtp.office365.com', port: 587, tls: 'starttls' },
  'imap-mail.outlook.com': { host: 'smtp-mail.outlook.com', port: 587, tls: 'starttls' },
  'imap.mail.me.com': { host: 'smtp.mail.me.com', port: 587, tls: 'starttls' },
}

/** Fills in omitted server settings. */
export function readServers(
  imap: NonNullable<ConnectionBody['imap']>,
  smtp: ConnectionBody['smtp'],
): { imap: MailServer; smtp: MailServer } {
  const imapPort = imap.port ?? (imap.tls === 'starttls' || imap.tls === 'off' ? 143 : 993)
  const usual = knownSmtp[imap.host]
  const smtpPort = smtp?.port ?? (smtp?.tls === 'starttls' ? 587 : 465)
  return {
    imap: { host: imap.host, port: imapPort, tls: tlsOf(imap.tls, imapPort === 993) },
    smtp:
      !smtp && usual
        ? usual
        : {
            host: smtp?.host ?? imap.host.replace(/^imap\./, 'smtp.'),
            port: smtpPort,
            tls: tlsOf(smtp?.tls, smtpPort === 465),
          },
  }
}

/** Servers that file sent messages by themselves. */
const filesItself = /(?:^|\.)(?:gmail\.com|googlemail\.com|office365\.com|outlook\.com)$/

/** Checks whether the service files a copy of sent messages. */
export const filesCopies = ({ sent_copy, smtp }: ConnectionSettings): boolean =>
  sent_copy === 'append' || (sent_copy === 'auto' && !filesItself.test(smtp.host))

/** Returns a connection as on the wire. */
export function connectionRecord(row: ConnectionRow, folders: readonly FolderRow[]): Connection {
  const { imap, smtp, user, login, since, mark_answered, keyword, authserv_id, sent_copy } = settingsOf(row)
  return {
    id: row.id,
    kind: 'imap',
    inbox_id: row.inbox_id,
    address: row.address,
    user,
    login,
    imap: { ...imap },
    smtp: { ...smtp },
    since,
    state: row.state,
    live_since: row.live_since,
    looked_at: row.looked_at,
    error: row.error,
    failing_since: row.failing_since,
    next_attempt_at: row.next_attempt_at,
    folders: folders.map((folder) => ({
      path: folder.path,
      role: folder.role,
      uid_validity: folder.uid_validity,
      uid: folder.uid,
      waiting: folder.waiting,
      skipped: skippedOf(folder).map(({ uid, reason, at }) => ({ uid, reason, skipped_at: at })),
    })),
    mark_answered,
    keyword: keyword ?? null,
    authserv_id: authserv_id ?? null,
    sent_copy,
    created_at: row.created_at,
  }
}
