import { type Context, type Handler, Hono, type HonoRequest, type MiddlewareHandler } from 'hono'
import { cors as allowCors } from 'hono/cors'
import { isServiceError } from '../../protocol/errors/error'
import { type ErrorCode, errorCodes } from '../../protocol/errors/error-codes'
import type { Route } from '../../protocol/routes/route'
import { routes } from '../../protocol/routes/routes'
import { traced } from '../../protocol/trace'
import { bearerOf, type Caller, requireScope } from '../accounts/keys'
import type { SignIn } from '../accounts/operators'
import { outageOf } from '../base/outage'
import { refuse, refuseMethod } from '../base/refuse'
import type { ClientAddress } from '../net/client-address'
import { AnswerWith } from './answers/answer-with'
import { narrowAnswer, narrowRefusal } from './answers/narrow'
import { codingFor, compress, minCompressedBytes } from './compress'
import type { Call } from './handlers/call'
import { handlers } from './handlers/handlers'
import type { HttpPorts } from './handlers/ports'
import { hasClientId, idempotencyKeyIn, withClientId } from './idempotency-key'
import { answerOnce } from './kept-answers'
import { admitForAccount, admitOperator, noOperator, requireConsole } from './operator'
import { publicDocuments, servePublic } from './public-documents'
import { retryAfterSeconds } from './raw-refusal'
import type { RequestLimiter } from './request-limiter'
import { limited, limitedByLength } from './requests/body-limit'
import { readRequest } from './requests/validate'

const nobody: Caller = {
  tenantId: '',
  keyId: '',
  inboxId: null,
  scopes: [],
  account: null,
  trusted: false,
  everywhere: false,
}
// Few requests have an idempotency key.
const maxBodyBytes = 1024 * 1024
const maxSignInBytes = 8 * 1024

type HeaderFields = Record<string, string>

/** Creates an answer with all header fields at once: setting one later costs a copy. */
const jsonResponse = (body: unknown, status: number, headers: HeaderFields): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

/** Creates the answer of an operation, compressed if the client accepts it. */
async function jsonAnswer(
  { answersSecret }: Route,
  request: Request,
  body: unknown,
  status: number,
  headers: HeaderFields,
): Promise<Response> {
  const text = JSON.stringify(body)
  const fields = { 'content-type': 'application/json', ...headers }
  if (answersSecret || Buffer.byteLength(text) < minCompressedBytes)
    return new Response(text, { status, headers: fields })
  const coding = codingFor(request.headers.get('accept-encoding'))
  const varying = { ...fields, vary: 'Accept-Encoding' }
  if (coding === null) return new Response(text, { status, headers: varying })
  const content = await compress(new TextEncoder().encode(text), coding)
  return new Response(content, { status, headers: { ...varying, 'content-encoding': coding } })
}

const failureOf = (error: unknown) =>
  outageOf(error) ??
  refuse('internal_error', 'The service failed at this. It was logged; the request can be repeated.')

/** Returns the answer for an error: a refusal gives its reason, a failure reveals nothing internal. */
function errorResponse(
  ports: HttpPorts,
  error: unknown,
  { path, raw }: HonoRequest,
  fields: HeaderFields = {},
): Response {
  const known = isServiceError(error)
  // A caller that left is not a failure of the service.
  if (!known && !raw.signal.aborted) ports.logger.error({ error, path }, 'request failed')
  const refusal = known ? error : failureOf(error)
  const body = { error: refusal.code, message: refusal.message, details: refusal.details }
  const status = errorCodes[refusal.code as ErrorCode]?.status ?? refusal.status
  const headers = {
    ...fields,
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(refusal.code === 'method_not_allowed' && { allow: (refusal.details as { allow: string }).allow }),
    // The rest of the body is still arriving.
    ...(refusal.code === 'payload_too_large' && { connection: 'close' }),
    ...(refusal.retryAfterMs !== undefined && {
      'retry-after': String(retryAfterSeconds(refusal.retryAfterMs)),
    }),
  }
  return jsonResponse(body, status, headers)
}

/** Parts that handle a request before the handlers. */
interface Entrance {
  /** Returns true while the service runs and is not about to stop. */
  alive: () => boolean
  limiter: RequestLimiter
  clientAddress: ClientAddress
  onAnswer?: AppOptions['onAnswer']
  signIn: SignIn
}

/** Bindings of the HTTP server; absent for calls within the process. */
interface Bindings {
  incoming?: { socket: { remoteAddress?: string } }
}

/** Returns the client address of a request; null within the process. */
function addressOf({ clientAddress }: Entrance, c: Context): string | null {
  const { incoming } = (c.env ?? {}) as Bindings
  return clientAddress({ socket: incoming?.socket.remoteAddress, header: (name) => c.req.header(name) })
}

const groupOf = (entrance: Entrance, c: Context): string | null =>
  entrance.limiter.groupOf(addressOf(entrance, c))

/** Request whose caller is being identified. */
interface Asked {
  address: string | null
  client: string | null
  admitted: ReturnType<typeof admit>
}

type AnyHandler = (call: Call<unknown>) => Promise<unknown>

/** Identifies the caller: the owner of a key, a human, or nobody. `who` is the name for the rate limit. */
async function admit(
  ports: HttpPorts,
  { limiter, signIn }: Entrance,
  route: Route,
  request: Request,
  client: string | null,
) {
  if (route.access === 'none') return { scope: nobody, operator: noOperator, who: client }
  if (route.access === 'operator') {
    const operator = await admitOperator(ports, signIn, request)
    return { scope: nobody, operator, who: operator.id }
  }
  const asOperator = await admitForAccount(ports, signIn, request)
  if (asOperator) return { ...asOperator, who: asOperator.operator.id }
  const scope = await limiter.authenticate(bearerOf(request.headers.get('authorization')), client)
  return { scope, operator: noOperator, who: scope.keyId }
}

/** Operation, and what its requests need. */
interface Mounted {
  ports: HttpPorts
  entrance: Entrance
  name: string
  route: Route
  handler: AnyHandler
}

/** Answers an admitted request. */
async function serve(
  { ports, entrance: { limiter }, name, route, handler }: Mounted,
  c: Context,
  { address, client, admitted }: Asked,
  fields: HeaderFields,
): Promise<Response> {
  const { raw } = c.req
  const { scope, operator, who } = await admitted
  if (address !== null && who !== null) {
    const quota = await limiter.count(who)
    Object.assign(fields, limiter.headers(quota))
    if (!quota.allowed) throw limiter.tooMany(quota, route.repeatsAt && 'unavailable')
  }
  if (scope !== nobody) requireScope(scope, route.access)
  const key = idempotencyKeyIn(route, raw)
  const given = await readRequest(route, raw, c.req.param() as Record<string, string>)
  const request = withClientId(route, key, given)
  const work = (incoming: Request) => handler({ ports, scope, operator, request, incoming, client })
  const carryOut = async () => {
    if (key === null || hasClientId(route)) return work(raw)
    const { account_id } = request as { account_id?: string }
    const tenantId = scope.tenantId || account_id || operator.id
    const holder = [scope.inboxId, operator.id]
    return answerOnce(ports, { tenantId, name, route, key, holder, request, incoming: raw }, work)
  }
  const answer = await carryOut().catch((error) => {
    throw isServiceError(error) && scope !== nobody ? narrowRefusal(error, scope, request) : error
  })
  await ports.store.settled()
  const { status } = route.success
  if (answer instanceof Response) return tell(fields, answer)
  const seen = narrowAnswer(route, scope, request, answer)
  if (seen instanceof AnswerWith)
    return jsonAnswer(route, raw, seen.body, seen.status, { ...fields, ...seen.headers })
  return status === 204
    ? new Response(null, { status, headers: fields })
    : jsonAnswer(route, raw, seen, status, fields)
}

function mount(app: Hono, mounted: Mounted): void {
  const { ports, entrance, name, route } = mounted
  const { limiter } = entrance
  const path = `/v1${route.path.replace(/\{(\w+)\}/g, ':$1')}`
  const respond = async (c: Context) => {
    const fields: HeaderFields = {}
    const startedMs = performance.now()
    const attributes = { 'http.request.method': route.method, 'http.route': route.path }
    const address = addressOf(entrance, c)
    const client = limiter.groupOf(address)
    const admitted = admit(ports, entrance, route, c.req.raw, client)
    // Only known callers influence the sampling of traces.
    const isKnown = await admitted.then(
      ({ scope, operator }) => scope !== nobody || operator !== noOperator,
      () => false,
    )
    const header = isKnown ? (field: string) => c.req.header(field) : undefined
    const response = await traced(
      `${route.method} /v1${route.path}`,
      { kind: 'server', attributes, header },
      async (tell) => {
        const response = await serve(mounted, c, { address, client, admitted }, fields).catch((error) =>
          errorResponse(ports, error, c.req, fields),
        )
        tell({ 'http.response.status_code': response.status })
        return response
      },
    )
    return answered(ports, entrance, { name, method: route.method, path: route.path, startedMs }, response)
  }
  // Access to the body of a request without one would make the server build it.
  if (route.method === 'GET') app.get(path, respond)
  else {
    const limit = route.rawBody ? limitedByLength : limited
    app.on(route.method, path, limit(route.maxBodyBytes ?? maxBodyBytes), respond)
  }
}

interface Answered {
  /** Name of the operation in metrics. */
  name: string
  method: string
  /** Pattern of the path: ids, queries and secrets of callers stay out of the log. */
  path: string
  startedMs: number
}

function answered(
  { logger }: HttpPorts,
  { alive, onAnswer }: Entrance,
  { name, method, path, startedMs }: Answered,
  response: Response,
): Response {
  const ms = performance.now() - startedMs
  onAnswer?.(name, response.status, ms / 1000)
  logger.debug({ method, route: path, status: response.status, ms }, 'answered')
  // The caller's next request uses a new connection, which a balancer sends to another node.
  return alive() ? response : tell({ connection: 'close' }, response)
}

function tell(fields: HeaderFields, response: Response): Response {
  for (const [field, value] of Object.entries(fields)) response.headers.set(field, value)
  return response
}

/** Rate-limits readers of public documents by address, like every request without a key. */
const countedByAddress =
  (ports: HttpPorts, entrance: Entrance): MiddlewareHandler =>
  async (c, next) => {
    const client = groupOf(entrance, c)
    if (client === null) return next()
    const quota = await entrance.limiter.count(client)
    const fields = entrance.limiter.headers(quota)
    if (!quota.allowed) return errorResponse(ports, entrance.limiter.tooMany(quota), c.req, fields)
    await next()
    tell(fields, c.res)
  }

/** Refuses a method and lists the allowed ones. */
const onlyTakes =
  (allow: string): Handler =>
  ({ req }) => {
    throw refuseMethod(req.method, allow)
  }

/** Refuses all other methods of an operation's path and lists the allowed ones. */
function mountWrongMethods(app: Hono, all: Route[]): void {
  for (const path of new Set(all.map((route) => route.path))) {
    const methods = all.filter((route) => route.path === path).map((route) => route.method)
    app.all(`/v1${path.replace(/\{(\w+)\}/g, ':$1')}`, onlyTakes(methods.join(', ')))
  }
}

/** Lets pages of other origins call the API; console routes accept only its own pages. */
function allowOrigins(origins: readonly string[]): MiddlewareHandler {
  const allow = allowCors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowHeaders: [
      ...['Authorization', 'Content-Type', 'Idempotency-Key', 'Range', 'If-Range'],
      ...['Traceparent', 'Tracestate'],
    ],
    exposeHeaders: [
      ...['Retry-After', 'RateLimit', 'RateLimit-Policy', 'Allow', 'Location'],
      ...['Content-Disposition', 'Content-Range', 'Accept-Ranges', 'ETag'],
    ],
    maxAge: 3_600,
  })
  return (c, next) => (c.req.path.startsWith('/v1/console/') ? next() : allow(c, next))
}

interface AppOptions extends Entrance {
  ports: HttpPorts
  /** Checks each part that the service depends on, and returns the results. */
  readiness: () => Promise<object>
  /** Called with each answer: operation, status and duration. */
  onAnswer?: ((operation: string, status: number, seconds: number) => void) | undefined
  /** Base URL for callers, ending in `/v1`. */
  publicUrl: () => string
  /** Origins whose pages may call the API, or `*` for all. */
  cors?: readonly string[] | undefined
  /** Pages of the console, below its path. */
  pages: Hono
}

/** Creates the HTTP API: web-standard requests in, responses out, without a port. */
export function createApp(options: AppOptions): Hono {
  const { ports, readiness, publicUrl, cors, pages, ...entrance } = options
  const { alive } = entrance
  const app = new Hono()
  app.onError((error, c) => errorResponse(ports, error, c.req))
  app.notFound((c) => {
    const path = c.req.path.slice(0, 200)
    const error = refuse('not_found', `There is nothing at ${path}: GET /v1/openapi.json lists every path.`)
    return errorResponse(ports, error, c.req)
  })
  if (cors?.length) app.use('/v1/*', allowOrigins(cors))
  const all: Route[] = []
  for (const group of Object.keys(routes) as (keyof typeof routes)[]) {
    for (const [name, route] of Object.entries(routes[group]) as [string, Route][]) {
      const handler = (handlers[group] as Record<string, AnyHandler>)[name]!
      mount(app, { ports, entrance, name: `${group}.${name}`, route, handler })
      all.push(route)
    }
  }
  const counted = countedByAddress(ports, entrance)
  for (const [path, document] of Object.entries(publicDocuments)) {
    const serve = servePublic(document, publicUrl)
    app.get(path, counted, (c) => serve(c.req.raw)).all(path, onlyTakes('GET'))
  }
  app.get('/healthz', (c) => (alive() ? c.json({ status: 'ok' }) : c.json({ status: 'stopping' }, 503)))
  app.get('/readyz', async (c) => {
    const parts = await readiness()
    const ready = alive() && Object.values(parts).every(Boolean)
    return c.json({ status: ready ? 'ok' : 'not ready', ...parts }, ready ? 200 : 503)
  })
  app.get('/', (c) => c.redirect('/console'))
  for (const path of ['/', '/healthz', '/readyz']) app.all(path, onlyTakes('GET'))
  app.all('/console/auth/*', limited(maxSignInBytes), async (c) => {
    const call = { name: 'console.auth', method: c.req.method, path: '/console/auth/*' }
    const startedMs = performance.now()
    const signIn = async () => {
      requireConsole(ports, c.req.raw)
      return entrance.signIn.answer(c.req.raw, groupOf(entrance, c))
    }
    const response = await signIn().catch((error) => errorResponse(ports, error, c.req))
    return answered(ports, entrance, { ...call, startedMs }, response)
  })
  app.route('/console', pages)
  for (const path of ['/console', '/console/*']) app.all(path, onlyTakes('GET'))
  mountWrongMethods(app, all)
  return app
}

/** Creates the endpoints of a node that serves no API: liveness and readiness. */
export function healthOf(app: Hono): Hono {
  const health = new Hono()
  for (const path of ['/healthz', '/readyz']) health.all(path, (c) => app.fetch(c.req.raw, c.env))
  health.notFound((c) =>
    c.json({ error: 'not_found', message: 'The roles of this node serve no interface: ask another.' }, 404),
  )
  return health
}
