import type * as z from 'zod'
import type { ErrorCode } from '../errors/error-codes'

/** Scope that a route requires of a key. `none` is public; `operator` needs a human at the console. */
export type Access = 'none' | 'operator' | KeyScope
/** Scope of a key. */
export type KeyScope = 'read' | 'send' | 'manage' | 'inbound'
/** Scopes that open a route: any of them, or only all of them together. */
export type KeyScopes = { readonly anyOf: readonly KeyScope[] } | { readonly allOf: readonly KeyScope[] }

/** One operation of the interface, from which the server, the client, OpenAPI and the tests are derived. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Relative to the base address, with `{name}` for each field of `params`. */
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string | undefined
  readonly access: Access | KeyScopes
  readonly headers?: z.ZodObject | undefined
  readonly params?: z.ZodObject | undefined
  readonly query?: z.ZodObject | undefined
  readonly body?: z.ZodObject | undefined
  /** A repeat has the same effect as one request (RFC 9110 section 9.2.2), though its response may differ. */
  readonly idempotent?: true | undefined
  /** Clients may not repeat a request after 429, so the route answers 503 (`unavailable`) instead. */
  readonly repeatsAt?: 503 | undefined
  /** The body is bytes of any type, not JSON; the operation reads and bounds it. */
  readonly rawBody?: true | undefined
  /** Most bytes of the body; default 1 MiB. */
  readonly maxBodyBytes?: number | undefined
  readonly success: {
    readonly status: 200 | 201 | 204
    readonly replayStatus?: 200 | undefined
    readonly acceptedStatus?: 202 | undefined
    /** Status of the response to a `Range` (RFC 9110 section 15.3.7). */
    readonly partialStatus?: 206 | undefined
  }
  /** Body of a success: JSON of this schema, or raw bytes. */
  readonly answer: z.ZodType | { readonly contentType: string }
  /**
   * Fields of a success for a key without the scope `read`; `all` if no field repeats content of messages. By
   * default such a key gets none.
   */
  readonly withoutRead?: 'all' | readonly string[] | undefined
  /** The response has a secret: it is never compressed, since its size would reveal the secret (BREACH). */
  readonly answersSecret?: true | undefined
  /** Codes with which the operation refuses; those of the layer around it are derived (`refusalsOf`). */
  readonly errors: readonly ErrorCode[]
}

/** Returns the sets of scopes that open a route: a key needs all of one set. Empty if no key opens it. */
export function scopeSetsOf(access: Route['access']): readonly (readonly KeyScope[])[] {
  if (access === 'none' || access === 'operator') return []
  if (typeof access === 'string') return [[access]]
  return 'allOf' in access ? [access.allOf] : access.anyOf.map((scope) => [scope])
}

type InputOf<Schema> = Schema extends z.ZodObject ? z.input<Schema> : unknown
type OutputOf<Schema> = Schema extends z.ZodObject ? z.output<Schema> : unknown
type Flat<T> = { [Key in keyof T]: T[Key] }

/** Input of a route with a raw body: the bytes, and their media type. */
interface RawInput {
  content: Uint8Array
  content_type?: string | undefined
}

/** Input of a route for a caller: the fields of path, query, body and headers in one object. */
export type RouteInput<R extends Route> = Flat<
  InputOf<R['params']> &
    InputOf<R['query']> &
    InputOf<R['body']> &
    InputOf<R['headers']> &
    (R extends { rawBody: true } ? RawInput : unknown)
>
/** Input of a route for a handler: the same, with defaults. */
export type RouteRequest<R extends Route> = Flat<
  OutputOf<R['params']> & OutputOf<R['query']> & OutputOf<R['body']> & OutputOf<R['headers']>
>
/** Response of a route for a caller. */
export type RouteAnswer<R extends Route> = R['answer'] extends z.ZodType ? z.output<R['answer']> : Uint8Array

/** Returns whether a route answers JSON. */
export const answersJson = (answer: Route['answer']): answer is z.ZodType => 'safeParse' in answer
