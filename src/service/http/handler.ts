import type { Route, RouteAnswer, RouteRequest } from '../../protocol/route'
import type { Routes } from '../../protocol/routes'
import type { Core } from '../core/context'
import type { Caller } from '../core/keys'
import type { Operator } from '../core/operators'

/** A request that was read and let through. */
export interface Call<Request> {
  core: Core
  /** Whose key it was; nobody's where an operator asks. */
  scope: Caller
  /** The human who asks; nobody where a key does. */
  operator: Operator
  request: Request
  /** As it came: for a route whose body is bytes, or that waits for as long as the caller does. */
  incoming: globalThis.Request
  /** What the caller's address is limited by; null where it is not. */
  client: string | null
}

type Handler<R extends Route> = (call: Call<RouteRequest<R>>) => Promise<RouteAnswer<R> | Response>

/** One handler for each operation of the table; the compiler misses none. */
export type Handlers = {
  readonly [Group in keyof Routes]: {
    readonly [Name in keyof Routes[Group]]: Routes[Group][Name] extends Route
      ? Handler<Routes[Group][Name]>
      : never
  }
}
