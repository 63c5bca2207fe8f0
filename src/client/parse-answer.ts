import { NetworkError, ServiceError } from '../protocol/errors/error'
import type { ErrorBody } from '../protocol/records/common'
import { misfitOf } from '../protocol/shape'
import { errorShape, type Operation } from '../protocol/wire'

/**
 * Returns the milliseconds of a `Retry-After` header, in seconds or as a date (RFC 9110 section 10.2.3). A date counts
 * from the `Date` of the same answer, since the clock here may be wrong.
 */
export const retryAfterMs = (headers: Headers): number | undefined => {
  const value = headers.get('retry-after') ?? ''
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Math.ceil(Number(value) * 1_000)
  const date = /^[A-Z]/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date)
    ? undefined
    : Math.max(0, date - (Date.parse(headers.get('date') ?? '') || Date.now()))
}

const unexpected = (response: Response, where: string, what: string, misfit?: string): ServiceError =>
  new ServiceError(
    'unexpected_answer',
    `${where} answered ${response.status} ${what}: check that url is the base address of the service, with no proxy between`,
    {
      status: response.status,
      retryAfterMs: retryAfterMs(response.headers),
      details: { location: response.headers.get('location') ?? undefined, misfit },
    },
  )

const isRedirect = ({ status, type }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)

/**
 * Creates the error for a redirect, which is not followed: the key would go to an address that nobody chose.
 */
function redirected(response: Response, where: string): ServiceError {
  const location = response.headers.get('location')
  const target = location && URL.canParse(location) ? new URL(location) : null
  const advice = target ? `use ${target.origin} in url` : 'use the address that it leads to as url'
  return new ServiceError(
    'unexpected_answer',
    `${where} redirects to ${location ?? 'another address'}: ${advice}`,
    {
      status: response.status,
      details: { location: location ?? undefined },
    },
  )
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readText = async (response: Response, where: string): Promise<string> => {
  try {
    return await response.text()
  } catch (cause) {
    throw new NetworkError('network_failed', `${where}: the connection broke during the answer`, { cause })
  }
}

const refusal = async (response: Response, where: string): Promise<ServiceError> => {
  const body = parseJson(await readText(response, where))
  if (misfitOf(errorShape, body))
    return unexpected(response, where, `with ${response.headers.get('content-type') ?? 'no content type'}`)
  const { error: code, message, details } = body as ErrorBody
  return new ServiceError(code, message ?? `${where} was refused: ${code}`, {
    status: response.status,
    details,
    retryAfterMs: retryAfterMs(response.headers),
  })
}

const readBytes = async (response: Response, where: string): Promise<Uint8Array> => {
  try {
    return new Uint8Array(await response.arrayBuffer())
  } catch (cause) {
    throw new NetworkError('network_failed', `${where}: the connection broke during the answer`, { cause })
  }
}

/**
 * Parses the answer of an operation. Unknown fields are kept.
 *
 * @param where Method and URL, for messages.
 * @throws ServiceError for a refusal, or `unexpected_answer` if something other than the service answered.
 *   NetworkError `network_failed` if the body ends early.
 */
export const parseAnswer = async (
  { answer }: Operation,
  response: Response,
  where: string,
): Promise<unknown> => {
  if (isRedirect(response)) throw redirected(response, where)
  if (!response.ok) throw await refusal(response, where)
  if (answer === 'bytes') return readBytes(response, where)
  if (response.status === 204) return undefined
  const body = parseJson(await readText(response, where))
  if (body === undefined) throw unexpected(response, where, 'with a body that is not JSON')
  const misfit = misfitOf(answer, body)
  if (misfit) throw unexpected(response, where, `with JSON that does not fit (it${misfit})`, misfit)
  return body
}
