import { isServiceError } from '../protocol/errors/error'
import { checkOptions, type OptionNames } from '../protocol/options'
import type { Route, RouteAnswer, RouteInput } from '../protocol/routes/route'
import type { AgentRoutes } from '../protocol/routes/routes'
import { type Clock, minuteMs, systemClock } from '../protocol/time/clock'
import { type Operation, operations } from '../protocol/wire'
import { baseUrl } from './base-url'
import { buildRequest } from './build-request'
import { type FetchLike, fetch as platformFetch, type SocketLike } from './platform/platform'
import { notePage, type RetryOptions, withRetry } from './retry'
import { createTransport } from './transport'

/** Options of every call, beside its input. */
export interface CallOptions {
  /** Ends the call at once; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Time limit of each attempt, including reading the answer. Default 30,000. */
  timeoutMs?: number | undefined
  /** `false` for a single attempt. */
  retry?: RetryOptions | false | undefined
}

/** One operation as a function: path, query and body fields in one object. */
export type Call<R extends Route> =
  object extends RouteInput<R>
    ? (input?: RouteInput<R>, options?: CallOptions) => Promise<RouteAnswer<R>>
    : (input: RouteInput<R>, options?: CallOptions) => Promise<RouteAnswer<R>>

/** All operations of agents, by group and name. Those of operators need a signed-in human. */
export type Client = {
  readonly [Group in keyof AgentRoutes]: {
    readonly [Name in keyof AgentRoutes[Group]]: AgentRoutes[Group][Name] extends Route
      ? Call<AgentRoutes[Group][Name]>
      : never
  }
}

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** Base URL, such as `https://mail.example/v1`; `/v1` is added if it is missing. */
  url: string | URL
  /** Can be omitted only for public routes. */
  apiKey?: string | undefined
  /**
   * Replaces the platform's `fetch`, for example by `(url, init) => service.fetch(new Request(url, init))`.
   */
  fetch?: FetchLike | undefined
  /** Time limit of each attempt. Default 30,000. */
  timeoutMs?: number | undefined
  /** For calls that are safe to repeat; `false` for a single attempt. */
  retry?: RetryOptions | false | undefined
  /** Ends every call of this client. */
  signal?: AbortSignal | undefined
  /** Clock and random source; for tests. */
  clock?: Clock | undefined
}

/** Service in the same process, as returned by `createService` of `restante/service`. */
export interface ServiceLike {
  /** Answers a request to the API; paths start with `/v1`. */
  fetch(request: Request): Promise<Response>
  /** Opens the client end of a realtime connection. */
  socket(options: { apiKey: string }): SocketLike
  /** Returns the key of the account that the service made for itself. */
  home(): Promise<{ apiKey: string }>
}

const sendRetryMs = 5 * minuteMs

const callNames: OptionNames<CallOptions> = { signal: true, timeoutMs: 'number', retry: true }
const clientNames: OptionNames<ClientOptions> = {
  ...callNames,
  ...{ url: true, apiKey: true, fetch: true, clock: true },
}
const retryNames: OptionNames<RetryOptions> = {
  ...{ totalMs: 'number', minDelayMs: 'number', maxDelayMs: 'number' },
}

/** @throws UsageError `invalid_options` */
function checkCall(call: string, options: CallOptions, names: OptionNames<CallOptions> = callNames): void {
  checkOptions(call, options, names)
  checkOptions(`retry of ${call}`, options.retry || {}, retryNames)
}

/**
 * Creates a typed client for a service, with one function for each operation of its API.
 *
 * Calls that are safe to repeat are retried when the network fails or the service is away (such as 502, 503,
 * 504, or 429 with `Retry-After`). Reads are retried for up to 1 minute. Sends with a `client_id`, signups,
 * uploads, deletions of messages and label changes are retried for up to 5 minutes. No other call is sent
 * twice. Once the service has answered a client, any page in its place counts as away, too. A deletion whose answer was lost can end with `not_found`, a new label with `label_exists`.
 *
 * Unknown fields of an answer are kept. The key appears in no message.
 *
 * Calls reject with `ServiceError` (the service refused, or `unexpected_answer` if something else answered),
 * `NetworkError` (`network_failed`, `timeout`) or the reason of an aborted signal.
 *
 * @throws UsageError `invalid_url`, `invalid_api_key`, `invalid_options`
 * @example
 * ```ts
 * const client = createClient({ url: 'https://mail.example/v1', apiKey })
 * const { messages } = await client.messages.list({ limit: 10 })
 * for (const { id } of messages) {
 *   await client.messages.reply({ id, text: 'On my way', client_id: `on-my-way:${id}` })
 * }
 * ```
 */
export const createClient = (options: ClientOptions): Client => {
  checkCall('createClient()', options, clientNames)
  const { apiKey, fetch = platformFetch, signal: ownSignal, clock = systemClock } = options
  const transport = createTransport({ base: baseUrl(options.url), apiKey, fetch, clock })
  // An address that has answered is right: from then on, a page in place of an answer is temporary.
  let isKnown = false
  const callOperation = async (
    name: string,
    operation: Operation,
    input?: object,
    call: CallOptions = {},
  ): Promise<unknown> => {
    checkCall(`${name}()`, call)
    const request = buildRequest(operation, input)
    const signals = [call.signal, ownSignal]
    const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? 30_000
    const attempt = async () => {
      try {
        const answer = await transport(operation, request, { timeoutMs, signals })
        isKnown = true
        return answer
      } catch (error) {
        isKnown ||= isServiceError(error) && error.code !== 'unexpected_answer'
        if (isKnown) notePage(error)
        throw error
      }
    }
    const retry = call.retry ?? options.retry ?? {}
    if (retry === false || !request.repeatable) return attempt()
    const totalMs = request.method === 'GET' ? undefined : sendRetryMs
    return withRetry(attempt, { totalMs, ...retry }, signals, clock)
  }
  const group = (those: Record<string, Operation>, of: string) =>
    mapValues(those, (operation, name) => callOperation.bind(undefined, `${of}.${name}`, operation))
  return mapValues(operations, group) as unknown as Client
}

const mapValues = <From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From, name: string) => To,
) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))
