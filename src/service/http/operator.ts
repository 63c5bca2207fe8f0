import type { Operator, SignIn } from '../accounts'
import { refuse } from '../base'
import type { HttpPorts } from './ports'

/** The operator where no human asks. */
export const noOperator: Operator = { id: '', email: '' }

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
    throw refuse('sign_in_required', `Nobody is signed in: do so at ${ports.settings.consoleUrl}/claim.`)
  requireConsole(ports, request)
  return operator
}
