/**
 * The wire as data, for the client: loading its schemas would cost more than all other code. `npm run wire`
 * writes `wire.json` from the schemas, and a test compares the two.
 */

import type { Route } from './routes/route'
import * as tables from './wire.json'

/**
 * JSON Schema of a value (draft 2020-12), types only: the service checks formats and bounds. A `$ref` is a
 * key of {@link definitions}.
 */
export interface Shape {
  /** The type, or a list of possible types. */
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Shape>>
  /** Properties that may be missing. Most are required, so this list is shorter than `required`. */
  readonly optional?: readonly string[]
  /** False if other properties are refused. */
  readonly additionalProperties?: false
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly $ref?: string
}

/** The parts of an operation that a client needs. */
export interface Operation {
  readonly method: Route['method']
  readonly path: Route['path']
  /** Names of the query fields, if there is a body. Without a body, all other fields are of the query. */
  readonly query?: readonly string[] | undefined
  readonly headers?: readonly string[] | undefined
  readonly body?: 'json' | 'bytes' | undefined
  readonly idempotent?: boolean | undefined
  readonly answer: Shape | 'bytes'
}

/** Shapes that others refer to, by their `$ref`. */
export const definitions = tables.definitions as Record<string, Shape>

/** Operations of an agent, by group and name. */
export const operations = tables.operations as Record<string, Record<string, Operation>>

/** The data of each type of event. */
export const eventShapes = tables.eventShapes as Record<string, Shape>

/** Each frame of the service, by its type. */
export const frameShapes = tables.frameShapes as Record<string, Shape>

/** Body of a refusal. */
export const errorShape = tables.errorShape as Shape

/** An event of any type. */
export const eventShape = tables.eventShape as Shape

/** Token of a wait. */
export const waitTokenShape = tables.waitTokenShape as Shape
