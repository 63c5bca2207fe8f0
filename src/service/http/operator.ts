import { accountHeader } from '../../protocol/socket'
import type { Caller } from '../accounts/keys'
import { type Operator, operatorCaller, type SignIn } from '../accounts/operators'
import { refuse } from '../base/refuse'
import type { HttpPorts } from './handlers/ports'

/** Operator of requests that no human makes. */
export const noOperator: Operator = { id: '', email: '', name: '', sessionId: '' }

const originOf = (url: string) => new URL(url).origin
const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null)

/**
 * Refuses changes from other pages than the console, since browsers send cookies with requests of any page.
 * The console is at its configured URL, or at the host of the request.
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

/** Admits a signed-in human. @throws ServiceError `sign_in_required`, `origin_refused` */
export async function admitOperator(ports: HttpPorts, signIn: SignIn, request: Request): Promise<Operator> {
  const operator = await signIn.identify(request.headers)
  if (!operator)
    throw refuse('sign_in_required', `Nobody is signed in: do so at ${ports.settings.consoleUrl}.`)
  requireConsole(ports, request)
  return operator
}

/**
 * Admits a human to operations of agents, for a claimed account that a header names. Pages of other origins
 * cannot set the header, so not even reads come from them.
 *
 * @returns null if the request names no account, and so needs a key
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
 * Admits a human to a socket for a claimed account, from pages of the console only. Otherwise any page could
 * open one with their cookies.
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
