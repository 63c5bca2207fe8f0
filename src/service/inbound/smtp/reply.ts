import { errorCodes, isServiceError } from '../../../protocol/errors'
import { outageOf } from '../../base'

/** An SMTP reply: the code, and a text that begins with its enhanced status code (RFC 2034, RFC 3463). */
export interface Reply {
  code: number
  text: string
}

type SmtpRow = { smtp?: readonly [number, string]; meaning: string }

const rows: Record<string, SmtpRow | undefined> = errorCodes

/** The reply of one row of the error table; a code that has none there is a failure of ours. */
export function replyOf(code: string): Reply {
  const row = Object.hasOwn(rows, code) ? rows[code] : undefined
  const { smtp, meaning } = row?.smtp ? row : errorCodes.internal_error
  // Strangers get the words of the table, never the message: that one may speak of the account.
  return { code: smtp?.[0] ?? 451, text: `${smtp?.[1] ?? '4.3.0'} ${meaning}` }
}

/** The reply to whatever the door threw. */
export const replyTo = (error: unknown): Reply =>
  replyOf((isServiceError(error) ? error : outageOf(error))?.code ?? 'internal_error')

/** Tells whether the door refused, as opposed to broke. */
export const isRefusal = (error: unknown): boolean =>
  isServiceError(error) && error.code !== 'internal_error' && Boolean(rows[error.code]?.smtp)

/** The form in which smtp-server takes a reply from its handlers. */
export function asHandlerError({ code, text }: Reply): Error {
  return Object.assign(new Error(text), { responseCode: code })
}

const enhanced = /^[245]\.\d{1,3}\.\d{1,3} /

/** Tells whether the text brings its own enhanced status code. */
export const bringsStatus = (text: string | string[] | null | undefined): text is string =>
  typeof text === 'string' && enhanced.test(text)

/**
 * Tells whether a reply is to what no mail server says by mistake: a command that makes no sense, a guessed address.
 */
export const isMistake = (code: number, text: string | string[] | null | undefined): boolean =>
  (code >= 500 && code <= 504) || (code === 550 && typeof text === 'string' && text.startsWith('5.1.'))

/**
 * Status codes of what smtp-server says with 421, for which it knows one enhanced status code only (4.4.2, a bad
 * connection).
 */
const statusOfClosing: Record<string, string> = {
  'Server shutting down': '4.3.2',
  'HTTP requests not allowed': '4.7.0',
  'Error: too many unrecognized commands': '4.7.0',
  'Error: Command line too long': '4.5.2',
}

/** Puts the right enhanced status code in front of a 421 text of smtp-server. */
export const closingText = (text: string): string => `${statusOfClosing[text] ?? '4.4.2'} ${text}`
