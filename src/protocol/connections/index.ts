/** Mailboxes at other servers, on the wire. */

export {
  type Connection,
  type ConnectionBody,
  connection,
  connectionBody,
  type MailLogin,
  type MailServerBody,
} from './connection'
