import { NetworkError, UsageError } from '../protocol/errors/error'
import type { Clock } from '../protocol/time/clock'
import { traced, traceHeaders } from '../protocol/trace'
import type { Operation } from '../protocol/wire'
import { withDeadline } from './abort'
import type { BuiltRequest } from './build-request'
import { parseAnswer } from './parse-answer'
import type { FetchLike } from './platform/platform'

/**
 * Returns the Authorization header of a key (RFC 6750 section 2.1), or none.
 *
 * @throws UsageError `invalid_api_key` if the key cannot be sent. The message never shows it.
 */
const authorization = (apiKey: string | undefined): Readonly<Record<string, string>> => {
  if (apiKey === undefined) return {}
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new UsageError(
      'invalid_api_key',
      'the API key is empty or has a space or line break: pass exactly what signup or the console gave',
    )
  return { authorization: `Bearer ${apiKey}` }
}

/** Options of a {@link Transport}. */
interface TransportOptions {
  /** Result of `baseUrl`. */
  base: string
  apiKey: string | undefined
  fetch: FetchLike
  clock: Clock
}

/** Bounds of one attempt. */
interface AttemptOptions {
  timeoutMs: number
  signals: readonly (AbortSignal | undefined)[]
}

/** Function that makes one attempt of one request. */
type Transport = (operation: Operation, request: BuiltRequest, options: AttemptOptions) => Promise<unknown>

const causeOf = (error: unknown): string => {
  const { cause = error } = error as { cause?: unknown }
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown }
  return String(code ?? message ?? 'unknown reason')
}

/** Combines authorization, fetch, time limit and parsing. */
export const createTransport = ({ base, apiKey, fetch, clock }: TransportOptions): Transport => {
  const ownHeaders = { accept: 'application/json', ...authorization(apiKey) }
  const send = async (request: BuiltRequest, where: string, signal: AbortSignal): Promise<Response> => {
    try {
      return await fetch(base + request.path, {
        method: request.method,
        headers: { ...ownHeaders, ...traceHeaders(), ...request.headers },
        ...(request.body === undefined ? {} : { body: request.body }),
        // No key goes to another host, and no POST becomes a GET: the caller learns the right URL.
        redirect: 'manual',
        signal,
      })
    } catch (cause) {
      if (signal.aborted) throw signal.reason
      throw new NetworkError('network_failed', `${where} could not be reached (${causeOf(cause)})`, { cause })
    }
  }
  return (operation, request, { timeoutMs, signals }) => {
    const where = `${operation.method} ${base}${operation.path}`
    const { method, path } = operation
    const attributes = { 'http.request.method': method, 'url.template': path }
    return traced(`${method} ${path}`, { kind: 'client', attributes }, () =>
      withDeadline({ timeoutMs, clock, signals, where }, async (signal) =>
        parseAnswer(operation, await send(request, where, signal), where),
      ),
    )
  }
}
