import { errorCodes, routes } from 'restante/protocol'
import { refusalsOf } from '../../src/protocol/routes/refusals'
import type { Route } from '../../src/protocol/routes/route'

const all = (Object.values(routes) as Record<string, Route>[])
  .flatMap((operations) => Object.values(operations))
  .map((route) => ({ route, path: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`) }))

/** The operation that a request is for; a path or a method that is not in the table has none. */
const routeOf = (method: string, path: string): Route | undefined => {
  const [plain] = path.split('?')
  return all.find((one) => one.route.method === method && one.path.test(plain!))?.route
}

/** Throws where an operation refuses with what its description does not have, or with another status. */
export function requireDocumented(
  method: string,
  path: string,
  status: number,
  body: { error?: string },
): void {
  const route = status >= 400 ? routeOf(method, path) : undefined
  if (!route) return
  const known: readonly string[] = refusalsOf(route)
  const expected = errorCodes[body.error as keyof typeof errorCodes]?.status
  if (!known.includes(body.error ?? ''))
    throw new Error(`${method} ${route.path} refused with ${body.error}, which its table of errors lacks`)
  if (status !== expected) throw new Error(`${body.error} was answered with ${status}`)
}
