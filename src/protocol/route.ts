import type { z } from 'zod'
import type { ErrorCode } from './error-codes'

/** What a key must be allowed to do; `none` is public, `operator` is for a human who is signed in at the console. */
export type Access = 'none' | 'operator' | KeyScope
/** What keys may be allowed to do. */
export type KeyScope = 'read' | 'send' | 'manage'

/** One operation of the interface: the server, the client, OpenAPI and the tests are derived from it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to the base address, with `{name}` for each field of `params`. */
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  /** Of a list the key needs one. */
  readonly access: Access | readonly KeyScope[]
  readonly headers?: z.ZodObject
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  /** Doing it twice comes to the same as doing it once (RFC 9110 section 9.2.2), though the answer may be another. */
  readonly idempotent?: true
  /** The body is bytes of any type, not JSON. */
  readonly rawBody?: true
  /** The largest body in bytes; 1 MiB where nothing is said. */
  readonly maxBodyBytes?: number
  readonly success: {
    readonly status: 200 | 201 | 204
    readonly replayStatus?: 200
    readonly acceptedStatus?: 202
  }
  /** What a success answers; raw bytes where it says so. */
  readonly answer: z.ZodType | { readonly contentType: string }
  /** Beside those that every route can answer. */
  readonly errors: readonly ErrorCode[]
}

/** What every route with a key may answer. */
export const commonErrors = [
  'invalid_request',
  'unauthorized',
  'account_suspended',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const satisfies readonly ErrorCode[]

type InputOf<Schema> = Schema extends z.ZodObject ? z.input<Schema> : unknown
type OutputOf<Schema> = Schema extends z.ZodObject ? z.output<Schema> : unknown
type Flat<T> = { [Key in keyof T]: T[Key] }

/** What a caller writes where the body is no JSON: the bytes, and their media type. */
export interface RawInput {
  content: Uint8Array
  content_type?: string
}

/** What a caller writes: the path's, the query's and the body's fields in one object. */
export type RouteInput<R extends Route> = Flat<
  InputOf<R['params']> &
    InputOf<R['query']> &
    InputOf<R['body']> &
    InputOf<R['headers']> &
    (R extends { rawBody: true } ? RawInput : unknown)
>
/** What a handler gets: the same, with defaults filled in. */
export type RouteRequest<R extends Route> = Flat<
  OutputOf<R['params']> & OutputOf<R['query']> & OutputOf<R['body']> & OutputOf<R['headers']>
>
/** What a caller receives. */
export type RouteAnswer<R extends Route> = R['answer'] extends z.ZodType ? z.output<R['answer']> : Uint8Array

/**
 * Whether a route answers JSON.
 *
 * @example
 * ```ts
 * import { routes } from 'restante/protocol'
 *
 * console.log(answersJson(routes.messages.get.answer)) // true; of messages.raw it is false
 * ```
 */
export const answersJson = (answer: Route['answer']): answer is z.ZodType => 'safeParse' in answer
