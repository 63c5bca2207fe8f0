import { accountHeader } from '../../protocol/socket'
import { type Caller, type Operator, operatorCaller, type SignIn } from '../accounts'
import { refuse } from '../base'
import type { HttpPorts } from './ports'

/** The operator where no human asks. */
export const noOperator: Operator = { id: '', email: '', name: '', sessionId: '' }

const originOf = (url: string) => new URL(url).origin
const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null)

/**
 * Refuses changes that do not come from the pages of the console, since cookies go along with whatever page a browser
 * shows. The console is where its URL says it is, or where the request itself went.
 *
 * @throws ServiceError `origin_refused`
 */
export function requireConsole(ports: HttpPorts, request: Request): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const origin = request.headers.get('origin') ?? ''
  const here = new URL(request.url)
  if (origin === originOf(ports.settings.consoleUrl) || hostOf(origin) === here.host) return
  throw refuse(
    'origin_refused',
    `Changes are taken from the pages of the console only: open ${ports.settings.consoleUrl} and do it there.`,
  )
}

/** Lets a human through who is signed in. @throws ServiceError `sign_in_required`, `origin_refused` */
export async function admitOperator(ports: HttpPorts, signIn: SignIn, request: Request): Promise<Operator> {
  const operator = await signIn.identify(request.headers)
  if (!operator)
    throw refuse('sign_in_required', `Nobody is signed in: do so at ${ports.settings.consoleUrl}.`)
  requireConsole(ports, request)
  return operator
}

/**
 * Lets a human ask what an agent asks, for an account that they claimed and name in a header. No page of another origin
 * can set it, so that not even a read comes from one.
 *
 * @returns null where the request names none, and a key is asked for
 * @throws ServiceError `sign_in_required`, `origin_refused`, `not_found`, `account_suspended`
 */
export async function admitForAccount(
  ports: HttpPorts,
  signIn: SignIn,
  request: Request,
): Promise<{ scope: Caller; operator: Operator } | null> {
  const tenantId = request.headers.get(accountHeader)
  if (tenantId === null || request.headers.has('authorization')) return null
  const operator = await admitOperator(ports, signIn, request)
  return { scope: await operatorCaller(ports, operator, tenantId), operator }
}

/**
 * Lets a human open a socket for an account that they claimed, from the pages of the console: no other page's socket
 * can read what its own cookies would open.
 *
 * @throws ServiceError `sign_in_required`, `origin_refused`, `not_found`, `account_suspended`
 */
export async function admitSocket(
  ports: HttpPorts,
  signIn: SignIn,
  tenantId: string,
  { headers, url }: { headers: Headers; url: string },
): Promise<{ scope: Caller; operator: Operator }> {
  requireConsole(ports, new Request(url, { method: 'POST', headers }))
  const operator = await admitOperator(ports, signIn, new Request(url, { headers }))
  return { scope: await operatorCaller(ports, operator, tenantId), operator }
}
