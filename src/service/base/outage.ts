import type { ServiceError } from '../../protocol/errors/error'
import { refuse } from './refuse'

const codeSet = (...codes: string[]) => new Set(codes)

/**
 * Codes of connections and of PostgreSQL: unreachable, stopping or starting, without a free connection, or a
 * replica during a failover.
 */
const awayCodes = codeSet(
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['57P01', '57P02', '57P03', '57P05', '25P03', '53300', '25006', '08000', '08003', '08006'],
)
/** Errors to which `pg` gives no code. */
const awayWords =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client (?:has encountered a connection error|was closed) and is not queryable)/
/** Codes of a transaction that PostgreSQL aborted for another: the same work may succeed later. */
const conflictCodes = codeSet('40001', '40P01')
/** Checks whether a transaction was aborted for another. */
export const isConflict = (error: unknown): boolean =>
  conflictCodes.has(String((error as { code?: unknown }).code))

/**
 * Codes of the system, databases and threads: no file handle or memory is left, a lock stayed taken after
 * retries, or a bucket is unreachable.
 */
const scarceCodes = codeSet(
  ...[
    'EMFILE',
    'ENFILE',
    'ENOMEM',
    'EAGAIN',
    'SQLITE_CANTOPEN',
    'SQLITE_BUSY',
    ...conflictCodes,
    '55P03',
    '53200',
    'PARSER_UNAVAILABLE',
    'BUCKET_UNAVAILABLE',
  ],
)
/** Codes of the system, SQLite and PostgreSQL for a full or failing disk. */
const storageCodes = codeSet(
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'SQLITE_FULL',
  'SQLITE_READONLY',
  '53100',
  '58030',
)

/**
 * Checks whether a log partition refuses writes while it is split or dropped, or until housekeeping removes a
 * leftover check.
 */
const isClosed = (error: Error & { code?: unknown; constraint?: unknown }) =>
  error.code === '23514' && /^(?:until_|closed$)/.test(String(error.constraint))

/**
 * Checks whether PgBouncer ended the connection; its one code means that PostgreSQL is unreachable or has no
 * free connection.
 */
const isPooler = (error: Error & { code?: unknown; severity?: unknown }) =>
  error.code === '08P01' && error.severity === 'FATAL'

const codeOf = (error: Error): string => String((error as { code?: unknown }).code)

const awayMs = 5_000
const storageMs = 30_000

const unreachable = () =>
  refuse(
    'unavailable',
    'The service is not available now. Repeat the request in some seconds.',
    undefined,
    awayMs,
  )
const noStorage = () =>
  refuse(
    'storage_unavailable',
    'The service cannot write to its disk now. Repeat the request later. Its administrator finds the reason in the log.',
    undefined,
    storageMs,
  )

/**
 * Returns the refusal for a failure that passes without a change to the request; null for any other failure.
 */
export function outageOf(error: unknown): ServiceError | null {
  if (!(error instanceof Error)) return null
  const code = codeOf(error)
  if (storageCodes.has(code) || code.startsWith('SQLITE_IOERR')) return noStorage()
  if (awayCodes.has(code) || scarceCodes.has(code) || awayWords.test(error.message)) return unreachable()
  if (isClosed(error) || isPooler(error)) return unreachable()
  return outageOf(error.cause)
}
