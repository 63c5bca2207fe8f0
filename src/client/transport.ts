import { NetworkError, type Route } from '../protocol'
import { authorization } from './authorization'
import type { BuiltRequest } from './build-request'
import type { Clock } from './clock'
import { withDeadline } from './deadline'
import type { FetchLike } from './fetch-like'
import { parseAnswer } from './parse-answer'

/** Where requests go, and as whom. */
export interface TransportOptions {
  /** From `baseUrl`. */
  base: string
  apiKey: string | undefined
  fetch: FetchLike
  clock: Clock
}

/** The bounds of one attempt. */
export interface AttemptOptions {
  timeoutMs: number
  signals: readonly (AbortSignal | undefined)[]
}

/** Carries out one attempt of one request. */
export type Transport = (route: Route, request: BuiltRequest, options: AttemptOptions) => Promise<unknown>

const causeOf = (error: unknown): string => {
  const { cause = error } = error as { cause?: unknown }
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown }
  return String(code ?? message ?? 'unknown reason')
}

/** Joins authorization, fetch, time limit and parsing. */
export const createTransport = ({ base, apiKey, fetch, clock }: TransportOptions): Transport => {
  const ownHeaders = { accept: 'application/json', ...authorization(apiKey) }
  const send = async (request: BuiltRequest, where: string, signal: AbortSignal): Promise<Response> => {
    try {
      return await fetch(base + request.path, {
        method: request.method,
        headers: { ...ownHeaders, ...request.headers },
        ...(request.body === undefined ? {} : { body: request.body }),
        // A POST that is redirected becomes a GET: better to say so than to do something else.
        redirect: request.method === 'GET' ? 'follow' : 'manual',
        signal,
      })
    } catch (cause) {
      if (signal.aborted) throw signal.reason
      throw new NetworkError('network_failed', `${where} could not be reached (${causeOf(cause)})`, { cause })
    }
  }
  return (route, request, { timeoutMs, signals }) => {
    const where = `${route.method} ${base}${route.path}`
    return withDeadline({ timeoutMs, clock, signals, where }, async (signal) =>
      parseAnswer(route, await send(request, where, signal), where),
    )
  }
}
