import type { Core } from '../core/context'
import type { Operator, SignIn } from '../core/operators'
import { refuse } from '../core/refuse'

export const nobody: Operator = { id: '', email: '' }

const originOf = (url: string) => new URL(url).origin
const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null)

/**
 * Cookies go along with whatever page a browser shows: changes are taken from the pages of the console only,
 * which is where the console's URL says it is, or where the request itself went.
 *
 * @throws ServiceError `origin_refused`
 */
export function requireConsole(core: Core, request: Request): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const origin = request.headers.get('origin') ?? ''
  const here = new URL(request.url)
  if (origin === originOf(core.settings.consoleUrl) || hostOf(origin) === here.host) return
  throw refuse(
    'origin_refused',
    `Changes are taken from the pages of the console only: open ${core.settings.consoleUrl} and do it there.`,
  )
}

/** Lets a human through who is signed in. @throws ServiceError `sign_in_required`, `origin_refused` */
export async function admitOperator(core: Core, signIn: SignIn, request: Request): Promise<Operator> {
  requireConsole(core, request)
  const operator = await signIn.identify(request.headers)
  if (operator) return operator
  throw refuse('sign_in_required', `Nobody is signed in: do so at ${core.settings.consoleUrl}/claim.`)
}
