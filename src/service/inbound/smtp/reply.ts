import { isServiceError } from '../../../protocol/errors/error'
import { errorCodes } from '../../../protocol/errors/error-codes'
import { outageOf } from '../../base/outage'

/** SMTP reply: the code, and a text that begins with its enhanced status code (RFC 2034, RFC 3463). */
export interface Reply {
  code: number
  text: string
}

type SmtpRow = { smtp?: readonly [number, string]; meaning: string }

const rows: Record<string, SmtpRow | undefined> = errorCodes

/** Returns the reply of one row of the error table; that of an internal error if the row has none. */
export function replyOf(code: string): Reply {
  const row = Object.hasOwn(rows, code) ? rows[code] : undefined
  const { smtp, meaning } = row?.smtp ? row : errorCodes.internal_error
  // Strangers get the text of the table, never the message: it may contain details of the account.
  return { code: smtp?.[0] ?? 451, text: `${smtp?.[1] ?? '4.3.0'} ${meaning}` }
}

/** Returns the reply to any error of the handler. */
export const replyTo = (error: unknown): Reply =>
  replyOf((isServiceError(error) ? error : outageOf(error))?.code ?? 'internal_error')

/** Returns whether the error is a refusal, not a failure. */
export const isRefusal = (error: unknown): boolean =>
  isServiceError(error) && error.code !== 'internal_error' && Boolean(rows[error.code]?.smtp)

/** Converts a reply to the form that smtp-server takes from its handlers. */
export function asHandlerError({ code, text }: Reply): Error {
  return Object.assign(new Error(text), { responseCode: code })
}

const enhanced = /^[245]\.\d{1,3}\.\d{1,3} /

/** Returns whether the text has its own enhanced status code. */
export const bringsStatus = (text: string | string[] | null | undefined): text is string =>
  typeof text === 'string' && enhanced.test(text)

/** Returns whether a reply is to an error no mail server makes: a nonsensical command, a guessed address. */
export const isMistake = (code: number, text: string | string[] | null | undefined): boolean =>
  (code >= 500 && code <= 504) || (code === 550 && typeof text === 'string' && text.startsWith('5.1.'))

/** Enhanced status codes for the 421 texts of smtp-server, which uses only 4.4.2 (a bad connection). */
const statusOfClosing: Record<string, string> = {
  'Server shutting down': '4.3.2',
  'HTTP requests not allowed': '4.7.0',
  'Error: too many unrecognized commands': '4.7.0',
  'Error: Command line too long': '4.5.2',
}

/** Adds the right enhanced status code to a 421 text of smtp-server. */
export const closingText = (text: string): string => `${statusOfClosing[text] ?? '4.4.2'} ${text}`
