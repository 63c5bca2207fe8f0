import { checkOptions, type OptionNames } from '../protocol/options'
import type { AgentRoutes, Route, RouteAnswer, RouteInput } from '../protocol/routes'
import { type Clock, minuteMs, systemClock } from '../protocol/time'
import { type Operation, operations } from '../protocol/wire'
import { baseUrl } from './base-url'
import { buildRequest } from './build-request'
import { type FetchLike, fetch as platformFetch, type SocketLike } from './platform'
import { type RetryOptions, withRetry } from './retry'
import { createTransport } from './transport'

/** The options of every call, beside its input. */
export interface CallOptions {
  /** Ends the call at once; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** For each attempt, reading the answer included. Default 30,000. */
  timeoutMs?: number | undefined
  /** `false` for one attempt only. */
  retry?: RetryOptions | false | undefined
}

/** One operation as a function: path, query and body fields in one object. */
export type Call<R extends Route> =
  object extends RouteInput<R>
    ? (input?: RouteInput<R>, options?: CallOptions) => Promise<RouteAnswer<R>>
    : (input: RouteInput<R>, options?: CallOptions) => Promise<RouteAnswer<R>>

/** Every operation of an agent, by group and name; what operators do needs a human who is signed in. */
export type Client = {
  readonly [Group in keyof AgentRoutes]: {
    readonly [Name in keyof AgentRoutes[Group]]: AgentRoutes[Group][Name] extends Route
      ? Call<AgentRoutes[Group][Name]>
      : never
  }
}

/** The options of {@link createClient}. */
export interface ClientOptions {
  /** The base address, such as `https://mail.example/v1`; `/v1` is added where it is missing. */
  url: string | URL
  /** Left out only for routes that are public. */
  apiKey?: string | undefined
  /** Replaces the platform's `fetch`, such as by `(url, init) => service.fetch(new Request(url, init))`. */
  fetch?: FetchLike | undefined
  /** For each attempt. Default 30,000. */
  timeoutMs?: number | undefined
  /** For calls that are safe to repeat; `false` for one attempt only. */
  retry?: RetryOptions | false | undefined
  /** Ends every call of this client. */
  signal?: AbortSignal | undefined
  /** Time and chance; for tests. */
  clock?: Clock | undefined
}

/** A service in the same process, as `createService` of `restante/service` returns it. */
export interface ServiceLike {
  /** Answers a request of the interface; paths start with `/v1`. */
  fetch(request: Request): Promise<Response>
  /** Opens one end of a realtime connection. */
  socket(options: { apiKey: string }): SocketLike
  /** The key of the account that the service made for itself. */
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
 * Makes typed calls to a service, one function for each operation of its interface.
 *
 * Reads, sends with a `client_id`, signups, uploads, the deletion of mail and changes of labels are repeated when the
 * network fails or the service is away (502, 503, 504, and 429 with `Retry-After`): all but reads for up to 5 minutes.
 * A deletion whose answer got lost is then answered with `not_found`, a new label with `label_exists`. Nothing else is
 * ever sent twice.
 * Fields of an answer that this version does not know are kept. The key shows in no message.
 *
 * Calls reject with `ServiceError` (the service refused; `unexpected_answer` when what answered is not a
 * service), `NetworkError` (`network_failed`, `timeout`) or the reason of an aborted signal.
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
    const attempt = () => transport(operation, request, { timeoutMs, signals })
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
