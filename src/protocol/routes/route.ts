import type { z } from 'zod'
import type { ErrorCode } from '../errors'

/**
 * The scopes that a route asks of a key; `none` is public, `operator` is for a human who is signed in at the console.
 */
export type Access = 'none' | 'operator' | KeyScope
/** The scopes that a key may have. */
export type KeyScope = 'read' | 'send' | 'manage' | 'inbound'
/** Several scopes that open a route: any of them, or only all of them together. */
export type KeyScopes = { readonly anyOf: readonly KeyScope[] } | { readonly allOf: readonly KeyScope[] }

/** One operation of the interface: the server, the client, OpenAPI and the tests are derived from it. */
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
  /** Doing it twice comes to the same as doing it once (RFC 9110 section 9.2.2), though the answer may be another. */
  readonly idempotent?: true | undefined
  /** Clients may not repeat what is answered with 429: `unavailable` stands for it. */
  readonly repeatsAt?: 503 | undefined
  /** The body is bytes of any type, not JSON; the operation reads it, and bounds what it reads. */
  readonly rawBody?: true | undefined
  /** The largest body in bytes; 1 MiB where nothing is said. */
  readonly maxBodyBytes?: number | undefined
  readonly success: {
    readonly status: 200 | 201 | 204
    readonly replayStatus?: 200 | undefined
    readonly acceptedStatus?: 202 | undefined
    /** The answer to a `Range` (RFC 9110 section 15.3.7). */
    readonly partialStatus?: 206 | undefined
  }
  /** The body of a success: JSON of this schema, or raw bytes. */
  readonly answer: z.ZodType | { readonly contentType: string }
  /**
   * The fields of a success that a key without the scope `read` gets; `all` if nothing in it repeats mail. Such a key
   * gets no field if this is left out.
   */
  readonly withoutRead?: 'all' | readonly string[] | undefined
  /** The answer has a secret: it is never compressed, since its size would tell of the secret (BREACH). */
  readonly answersSecret?: true | undefined
  /** The codes with which the operation refuses; what the layer around it does is derived (`refusalsOf`). */
  readonly errors: readonly ErrorCode[]
}

/** The sets of scopes that open a route: a key needs all of one set. There are none where no key opens the route. */
export function scopeSetsOf(access: Route['access']): readonly (readonly KeyScope[])[] {
  if (access === 'none' || access === 'operator') return []
  if (typeof access === 'string') return [[access]]
  return 'allOf' in access ? [access.allOf] : access.anyOf.map((scope) => [scope])
}

type InputOf<Schema> = Schema extends z.ZodObject ? z.input<Schema> : unknown
type OutputOf<Schema> = Schema extends z.ZodObject ? z.output<Schema> : unknown
type Flat<T> = { [Key in keyof T]: T[Key] }

/** The input where the body is no JSON: the bytes, and their media type. */
interface RawInput {
  content: Uint8Array
  content_type?: string | undefined
}

/** The input of a route, as a caller writes it: the fields of path, query and body in one object. */
export type RouteInput<R extends Route> = Flat<
  InputOf<R['params']> &
    InputOf<R['query']> &
    InputOf<R['body']> &
    InputOf<R['headers']> &
    (R extends { rawBody: true } ? RawInput : unknown)
>
/** The input of a route as a handler gets it: the same, with defaults filled in. */
export type RouteRequest<R extends Route> = Flat<
  OutputOf<R['params']> & OutputOf<R['query']> & OutputOf<R['body']> & OutputOf<R['headers']>
>
/** The answer of a route, as a caller receives it. */
export type RouteAnswer<R extends Route> = R['answer'] extends z.ZodType ? z.output<R['answer']> : Uint8Array

/** Tells whether a route answers JSON. */
export const answersJson = (answer: Route['answer']): answer is z.ZodType => 'safeParse' in answer
