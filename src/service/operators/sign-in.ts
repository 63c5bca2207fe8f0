import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { bindHome } from '../accounts/host-account'
import { nameOfOperator, type Operator, ownerEmail, ownerName, type SignIn } from '../accounts/operators'
import { once } from '../base/load-later'
import { refuse, refuseForNow, refuseMethod } from '../base/refuse'
import { isSameSecret } from '../base/secrets'
import type { StoredSender } from '../base/sender'
import { now } from '../base/time'
import { auditIn } from '../log/audit'
import type { OutboundPorts } from '../outbound/delivery/ports'
import { sendServiceMail } from '../outbound/service-mail'
import { Attempts } from './attempts'
import { type Auth, type AuthPorts, addressHeader, authPath, cookiePrefix, openAuth } from './auth'
import { createDevices } from './devices'

const email = z
  .email()
  .max(254)
  .toLowerCase()
  .refine((address) => !address.endsWith('.invalid'), 'must be an address that mail can be sent to')
const password = z.string().min(10, 'must have at least 10 characters').max(128)

/** Step of signing in: its body, and the request to the library. */
interface Step {
  body: z.ZodObject
  /** Returns the library's endpoint: its path, with a query (GET) or a body (POST). */
  target(body: Record<string, string>): { path: string; query?: Record<string, string>; body?: object }
}

const post = (path: string) => (body: object) => ({ path, body })

const steps: Record<string, Step> = {
  'sign-up': {
    body: z.strictObject({ email, password, name: z.string().trim().max(100).default('') }),
    target: post('/sign-up/email'),
  },
  'sign-in': {
    body: z.strictObject({ email, password: z.string().max(128) }),
    target: post('/sign-in/email'),
  },
  'send-link': { body: z.strictObject({ email }), target: post('/sign-in/magic-link') },
  'use-link': {
    body: z.strictObject({ token: z.string().min(1).max(200) }),
    target: ({ token }) => ({ path: '/magic-link/verify', query: { token: token! } }),
  },
  'send-reset': { body: z.strictObject({ email }), target: post('/request-password-reset') },
  'reset-password': {
    body: z.strictObject({ token: z.string().min(1).max(200), password }),
    target: ({ token, password }) => ({ path: '/reset-password', body: { token, newPassword: password } }),
  },
  'sign-out-everywhere': { body: z.strictObject({}), target: post('/revoke-sessions') },
  'sign-out': { body: z.strictObject({}), target: post('/sign-out') },
}

/** Limit for each address, in addition to that of each client address. */
const perEmail = { max: 10, window: 600 }
/**
 * Steps that send a link. Over the limit of an address they send no more and answer as before: the links of
 * the last minutes still work, so a stranger who asks for many locks nobody out.
 */
const mailing: ReadonlySet<string> = new Set(['send-link', 'send-reset'])
/** Steps after which the operator is signed in. */
const signingIn: ReadonlySet<string> = new Set(['sign-up', 'sign-in', 'use-link'])
/** Step that checks a password: its attempts are forgotten after success. */
const byPassword = 'sign-in'

const mailText = (wanted: string, url: string) => `Hello,

somebody, probably you, asked to ${wanted}. Open this link within 10 minutes:

${url}

It works once. If it was not you, do nothing: without the link nobody gets in.
`

const mails = {
  link: { subject: 'Sign in to Restante', wanted: 'sign in at Restante with this address' },
  reset: { subject: 'A new password for Restante', wanted: 'set a new password for your login at Restante' },
}

/** Sign-in of operators and of the owner of the service. */
interface ConsoleSignIn extends SignIn {
  /** Returns the owner's sign-in link, which works once; after its use, a new one. */
  ownerLink(): string
}

/** Reports a sign-in link locally, for addresses that no mail server delivers to. */
export type TellLink = (link: { email: string; url: string }) => void

interface SignInOptions {
  tellLink?: TellLink | undefined
  /** True if only an emailed link creates logins. It verifies the address and reveals no login. */
  signUpByLink?: boolean
}

class OperatorSignIn implements ConsoleSignIn {
  readonly #ports: OutboundPorts
  readonly #tellLink
  readonly #signUpByLink
  readonly #attempts
  readonly #devices
  readonly #opened = new Map<string, () => Promise<Auth>>()
  #ownerSecret: string | undefined

  constructor(ports: OutboundPorts, { tellLink, signUpByLink = false }: SignInOptions = {}) {
    this.#ports = ports
    this.#tellLink = tellLink
    this.#signUpByLink = signUpByLink
    this.#attempts = new Attempts(ports.clock)
    this.#devices = createDevices(ports)
  }

  readonly #sendMail = async (what: keyof typeof mails, to: string, token: string): Promise<void> => {
    const url = `${this.#ports.settings.consoleUrl}/sign-in#${what}=${token}`
    const { subject, wanted } = mails[what]
    await sendServiceMail(this.#ports, { to, subject, text: mailText(wanted, url) })
    this.#tellLink?.({ email: to, url })
  }

  async identify(headers: Headers): Promise<Operator | null> {
    if (!headers.get('cookie')?.includes(`${cookiePrefix}.session_token`)) return null
    const session = await (await this.#auth()).api.getSession({ headers })
    if (!session) return null
    const { id, email } = session.user
    const name = email === ownerEmail ? ownerName : session.user.name
    return { id, email, name, sessionId: session.session.id }
  }

  ownerLink(): string {
    this.#ownerSecret ??= randomBytes(32).toString('base64url')
    return linkOf(this.#ports, this.#ownerSecret)
  }

  async answer(request: Request, from: string | null): Promise<Response> {
    const name = new URL(request.url).pathname.slice(authPath.length + 1)
    if (name === 'session' && request.method === 'GET')
      return withOperator(await this.identify(request.headers), new Headers())
    if (name === 'session') throw refuseMethod(request.method, 'GET')
    const step = Object.hasOwn(steps, name) ? steps[name] : undefined
    if (!step) throw refuse('not_found', `There is nothing at ${authPath}/${name.slice(0, 40)}.`)
    if (request.method !== 'POST') throw refuseMethod(request.method, 'POST')
    const body = await readBody(step, request)
    if (name === 'sign-up') requirePasswords(this.#ports, this.#signUpByLink)
    const device = this.#devices.of(request.headers, body.email ?? '')
    const attempt = `${name} ${body.email}${device === null ? '' : ` ${device}`}`
    const wait = body.email ? this.#attempts.consume(attempt, perEmail) : null
    if (wait !== null && mailing.has(name)) return withOperator(null, new Headers())
    requireCalm(wait, name)
    await this.#exchange(name, body)
    const target = await this.#targetOf(name, step, body)
    const response = await keepingPassword(
      this.#ports,
      name,
      await this.identify(request.headers),
      async () => (await this.#auth()).handler(libraryRequest(this.#ports, target, request, from)),
    )
    const { operator, answer } = await translate(response)
    if (operator?.email === ownerEmail) await bindHome(this.#ports, ownerEmail)
    if (operator && signingIn.has(name)) await this.#audit(operator, name)
    if (operator && name === byPassword) this.#attempts.forget(attempt)
    if (operator) answer.headers.append('set-cookie', this.#devices.cookieOf(operator.email))
    return answer
  }

  /** Writes a sign-in into the audit logs of the operator's accounts. */
  async #audit({ id, email }: Pick<Operator, 'id' | 'email'>, step: string): Promise<void> {
    const { store } = this.#ports
    const rows = await store.db
      .selectFrom('account_operators')
      .innerJoin('operators', 'operators.id', 'account_operators.operator_id')
      .select(['account_operators.tenant_id', 'operators.name'])
      .where('operator_id', '=', id)
      .execute()
    for (const { tenant_id, name } of rows) {
      const by: StoredSender = { kind: 'operator', id, name: nameOfOperator({ email, name }) }
      const details = { by: step === byPassword ? 'password' : 'link' }
      await store.write(
        (tx) =>
          auditIn(tx, tenant_id, now(this.#ports), {
            action: 'operator.signed_in',
            by,
            target: null,
            details,
          }),
        tenant_id,
      )
    }
  }

  #auth(): Promise<Auth> {
    const { consoleUrl } = this.#ports.settings
    const open =
      this.#opened.get(consoleUrl) ??
      once(() => openAuth({ ports: this.#ports, attempts: this.#attempts, sendMail: this.#sendMail }))
    this.#opened.set(consoleUrl, open)
    return open()
  }

  /** Exchanges the owner link's secret for a token of the library. Deletes it before anything is awaited. */
  async #exchange(name: string, body: Record<string, string>): Promise<void> {
    if (
      name !== 'use-link' ||
      this.#ownerSecret === undefined ||
      !isSameSecret(body.token!, this.#ownerSecret)
    )
      return
    this.#ownerSecret = undefined
    body.token = await createOwnerToken(this.#ports)
  }

  /**
   * Treats a password reset for an address without a login like a sign-in link, so that both take equal work.
   */
  async #targetOf(name: string, step: Step, body: Record<string, string>) {
    if (name !== 'send-reset') return step.target(body)
    const known = await this.#ports.store.db
      .selectFrom('operators')
      .select('id')
      .where('email', '=', body.email!)
      .executeTakeFirst()
    return (known ? step : steps['send-link']!).target(body)
  }
}

/**
 * Creates sign-up, sign-in and sign-out for operators. Answers carry cookies and no secret. Other functions
 * of the library have no path.
 */
export const createSignIn = (ports: OutboundPorts, options: SignInOptions = {}): ConsoleSignIn =>
  new OperatorSignIn(ports, options)

const linkOf = ({ settings }: AuthPorts, secret: string) => `${settings.consoleUrl}/sign-in#link=${secret}`

/** Returns a token of the library for the owner, like that of an emailed link. */
async function createOwnerToken(ports: AuthPorts): Promise<string> {
  let issued: string | undefined
  const sendMail = async (_what: string, _email: string, token: string) => {
    issued = token
  }
  const auth = await openAuth({ ports, attempts: new Attempts(ports.clock), sendMail })
  await auth.api.signInMagicLink({ body: { email: ownerEmail }, headers: new Headers() })
  return issued!
}

/**
 * Creates a link that signs the owner in, stored in the database: it works once, for ten minutes, on every
 * node.
 */
export const createOwnerLink = async (ports: AuthPorts): Promise<string> =>
  linkOf(ports, await createOwnerToken(ports))

function requireCalm(waitSeconds: number | null, name = ''): void {
  if (waitSeconds === null) return
  const remedy = name === byPassword ? ', or sign in by an emailed link' : ''
  throw refuseForNow(
    `Too many attempts: wait ${waitSeconds} seconds, then try again${remedy}.`,
    waitSeconds * 1_000,
  )
}

/** @throws ServiceError `invalid_request`, before the address is looked up */
function requirePasswords({ settings }: OutboundPorts, signUpByLink: boolean): void {
  if (!signUpByLink) return
  throw refuse(
    'invalid_request',
    `A login is made by an emailed link: ask for one at ${settings.consoleUrl}/sign-in.`,
  )
}

/**
 * Runs the use of a link. The library drops the password of an operator whose address is verified for the
 * first time, since somebody else may have set it. If this operator is signed in here, the password is
 * theirs, and it is restored.
 */
async function keepingPassword(
  { store }: OutboundPorts,
  name: string,
  operator: Operator | null,
  run: () => Promise<Response>,
): Promise<Response> {
  if (name !== 'use-link' || !operator) return run()
  const ofOperator = store.db
    .selectFrom('operator_credentials')
    .selectAll()
    .where('operator_id', '=', operator.id)
  const before = await ofOperator.execute()
  const response = await run()
  const answer = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { user?: { id?: string } }
  if (!response.ok || answer.user?.id !== operator.id) return response
  const after = new Set((await ofOperator.execute()).map(({ id }) => id))
  const lost = before.filter(({ id }) => !after.has(id))
  if (lost.length > 0) await store.write((tx) => tx.insertInto('operator_credentials').values(lost).execute())
  return response
}

async function readBody(step: Step, request: Request): Promise<Record<string, string>> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    throw refuse('unsupported_media_type', 'Send JSON with "Content-Type: application/json".')
  const json = await request.json().catch(() => {
    throw refuse('invalid_json', 'The body is not JSON.')
  })
  const result = step.body.safeParse(json)
  if (result.success) return result.data as Record<string, string>
  const problems = result.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`)
  throw refuse('invalid_request', `${problems.slice(0, 3).join('. ')}.`)
}

/** Builds the library's request: of the original one only the cookies, user agent and client address. */
function libraryRequest(
  ports: OutboundPorts,
  { path, query, body }: ReturnType<Step['target']>,
  { headers }: Request,
  from: string | null,
): Request {
  const { origin } = new URL(ports.settings.consoleUrl)
  const url = `${origin}${authPath}${path}${query ? `?${new URLSearchParams(query)}` : ''}`
  const given = { cookie: headers.get('cookie'), 'user-agent': headers.get('user-agent')?.slice(0, 300) }
  const sent = Object.entries(given).filter((one): one is [string, string] => typeof one[1] === 'string')
  return new Request(url, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...Object.fromEntries(sent),
      origin,
      [addressHeader]: from?.split('/')[0] ?? '127.0.0.1',
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** Answers with the operator as pages see it, without the session id. */
function withOperator(of: Pick<Operator, 'id' | 'email'> | null, from: Headers): Response {
  const operator = of && { id: of.id, email: of.email }
  const headers = new Headers({ 'cache-control': 'no-store' })
  for (const cookie of from.getSetCookie()) headers.append('set-cookie', cookie)
  return Response.json({ operator }, { headers })
}

const sayings: Record<string, string> = {
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL:
    'A login cannot be made with this address: sign in, or let a link be sent to it.',
  INVALID_TOKEN: 'This link was used or is too old: let a new one be sent to you.',
  INVALID_EMAIL_OR_PASSWORD:
    'The address or the password is wrong: try again, sign in by a link, or set a new password.',
}

/** Translates an answer of the library: no tokens, and messages of this service. */
async function translate(response: Response): Promise<{
  operator: Pick<Operator, 'id' | 'email'> | null
  answer: Response
}> {
  if (response.status >= 300 && response.status < 400)
    throw refuse(
      'sign_in_required',
      'This sign-in link was used or is too old: let a new one be sent to you.',
    )
  const answer = (await response.json().catch(() => ({}))) as {
    user?: Pick<Operator, 'id' | 'email'>
    code?: string
    message?: string
  }
  if (response.ok) {
    const operator = answer.user ?? null
    return { operator, answer: withOperator(operator, response.headers) }
  }
  requireCalm(response.status === 429 ? Number(response.headers.get('x-retry-after')) : null)
  if (response.status >= 500) throw new Error(`sign-in failed: ${answer.code ?? response.status}`)
  const message = sayings[answer.code ?? ''] ?? answer.message ?? 'This did not work: try again.'
  throw refuse(response.status === 401 ? 'sign_in_required' : 'invalid_request', message)
}
