import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { bindHome, type Operator, type SignIn } from '../accounts'
import { isSameSecret, once, refuse, refuseForNow } from '../base'
import { sendServiceMail } from '../outbound'
import type { OutboundPorts } from '../outbound/delivery'
import { Attempts } from './attempts'
import { type Auth, addressHeader, authPath, cookiePrefix, openAuth } from './auth'

/** The person at the machine. Nobody can get mail at it (RFC 2606 section 2), nor sign up with it. */
const ownerEmail = 'owner@console.invalid'

const email = z
  .email()
  .max(254)
  .toLowerCase()
  .refine((address) => !address.endsWith('.invalid'), 'must be an address that mail can be sent to')
const password = z.string().min(10, 'must have at least 10 characters').max(128)

/** One thing that an operator does to sign in: what it takes, and what the library calls it. */
interface Step {
  body: z.ZodObject
  /** The path and, where it is not a POST, the query of the library's own endpoint. */
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

/** By address, beside what one place on the network may try. */
const perEmail = { max: 10, window: 600 }

const mailText = (wanted: string, url: string) => `Hello,

somebody, probably you, asked to ${wanted}. Open this link within 10 minutes:

${url}

It works once. If it was not you, do nothing: without the link nobody gets in.
`

const mails = {
  link: { subject: 'Sign in to Restante', wanted: 'sign in at Restante with this address' },
  reset: { subject: 'A new password for Restante', wanted: 'set a new password for your login at Restante' },
}

/** The signing in of operators, and of the person at the machine. */
interface ConsoleSignIn extends SignIn {
  ownerLink(): string
}

/** Tells somebody at the machine of a sign-in link that no mail server will ever bring. */
export type TellLink = (link: { email: string; url: string }) => void

/**
 * Sign-up, sign-in and sign-out of operators. The answers carry cookies and no secret; what the library can do
 * beyond these steps has no path.
 */
export function createSignIn(ports: OutboundPorts, tellLink?: TellLink): ConsoleSignIn {
  const attempts = new Attempts(ports.clock)
  const opened = new Map<string, () => Promise<Auth>>()

  /** What the library gave in place of a mail to the owner. */
  let ownerToken: string | undefined
  let ownerSecret: string | undefined

  async function sendMail(what: keyof typeof mails, to: string, token: string): Promise<void> {
    if (to === ownerEmail) {
      ownerToken = token
      return
    }
    const url = `${ports.settings.consoleUrl}/sign-in#${what}=${token}`
    const { subject, wanted } = mails[what]
    await sendServiceMail(ports, { to, subject, text: mailText(wanted, url) })
    tellLink?.({ email: to, url })
  }

  function auth(): Promise<Auth> {
    const { consoleUrl } = ports.settings
    const open = opened.get(consoleUrl) ?? once(() => openAuth({ ports, attempts, sendMail }))
    opened.set(consoleUrl, open)
    return open()
  }

  async function identify(headers: Headers): Promise<Operator | null> {
    if (!headers.get('cookie')?.includes(`${cookiePrefix}.session_token`)) return null
    const session = await (await auth()).api.getSession({ headers })
    if (!session) return null
    return { id: session.user.id, email: session.user.email, sessionId: session.session.id }
  }

  function ownerLink(): string {
    ownerSecret ??= randomBytes(32).toString('base64url')
    return `${ports.settings.consoleUrl}/sign-in#link=${ownerSecret}`
  }

  /** A token of the library, as a mail would bring it. */
  async function ownersToken(): Promise<string> {
    await (await auth()).api.signInMagicLink({ body: { email: ownerEmail }, headers: new Headers() })
    return ownerToken!
  }

  async function answer(request: Request, from: string | null): Promise<Response> {
    const name = new URL(request.url).pathname.slice(authPath.length + 1)
    if (name === 'session' && request.method === 'GET')
      return withOperator(await identify(request.headers), new Headers())
    const step = Object.hasOwn(steps, name) ? steps[name] : undefined
    if (!step || request.method !== 'POST')
      throw refuse('not_found', `There is nothing to ${request.method} at ${authPath}/${name.slice(0, 40)}.`)
    const body = await readBody(step, request)
    if (body.email) requireCalm(attempts.consume(`${name} ${body.email}`, perEmail))
    const isOwner = name === 'use-link' && ownerSecret !== undefined && isSameSecret(body.token!, ownerSecret)
    if (isOwner) body.token = await ownersToken()
    const response = await (await auth()).handler(libraryRequest(ports, step.target(body), request, from))
    const translated = await translate(response)
    if (isOwner) await bindHome(ports, ownerEmail)
    return translated
  }

  return { identify, answer, ownerLink }
}

function requireCalm(waitSeconds: number | null): void {
  if (waitSeconds === null) return
  throw refuseForNow(`Too many attempts: wait ${waitSeconds} seconds, then try again.`, waitSeconds * 1_000)
}

async function readBody(step: Step, request: Request): Promise<Record<string, string>> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    throw refuse('unsupported_media_type', 'Send JSON with "Content-Type: application/json".')
  const json = await request.json().catch(() => {
    throw refuse('invalid_json', 'The body is not JSON.')
  })
  const result = step.body.safeParse(json)
  if (result.success) return result.data as Record<string, string>
  const told = result.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`)
  throw refuse('invalid_request', `${told.slice(0, 3).join('. ')}.`)
}

/** The request as the library takes it: of what came in, only the cookies and who sent it. */
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

/** The operator as pages see them: the id of a session is nobody's business. */
function withOperator(of: Pick<Operator, 'id' | 'email'> | null, from: Headers): Response {
  const operator = of && { id: of.id, email: of.email }
  const headers = new Headers({ 'cache-control': 'no-store' })
  for (const cookie of from.getSetCookie()) headers.append('set-cookie', cookie)
  return Response.json({ operator }, { headers })
}

const sayings: Record<string, string> = {
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL:
    'There is an operator with this address: sign in, or let a link be sent to it.',
  INVALID_TOKEN: 'This link was used or is too old: let a new one be sent to you.',
  INVALID_EMAIL_OR_PASSWORD:
    'The address or the password is wrong: try again, sign in by a link, or set a new password.',
}

/** Translates the answer of the library: without its tokens, in the words of this service. */
async function translate(response: Response): Promise<Response> {
  if (response.status >= 300 && response.status < 400)
    throw refuse(
      'sign_in_required',
      'This sign-in link was used or is too old: let a new one be sent to you.',
    )
  const said = (await response.json().catch(() => ({}))) as {
    user?: Pick<Operator, 'id' | 'email'>
    code?: string
    message?: string
  }
  if (response.ok) {
    const { user } = said
    return withOperator(user ?? null, response.headers)
  }
  requireCalm(response.status === 429 ? Number(response.headers.get('x-retry-after')) : null)
  if (response.status >= 500) throw new Error(`sign-in failed: ${said.code ?? response.status}`)
  const message = sayings[said.code ?? ''] ?? said.message ?? 'This did not work: try again.'
  throw refuse(response.status === 401 ? 'sign_in_required' : 'invalid_request', message)
}
