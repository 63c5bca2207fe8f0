/**
 * The wire as data, for the client: loading its schemas would cost more than all other code. The build
 * replaces this file by the values of these constants (`tsup.computed.ts`), so each must be JSON.
 */
import { z } from 'zod'
import { serverFrame } from './frames'
import { errorBody, event, eventData, waitToken } from './records'
import { agentRoutes, answersJson, type Route } from './routes'

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
export const definitions: Record<string, Shape> = {}

type JsonSchema = z.core.JSONSchema.JSONSchema
type Schemas = Readonly<Record<string, z.ZodType>>

const mapValues = <From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))

/** Returns the names of optional properties; undefined if there are none. */
function optionalOf({ properties = {}, required = [] }: JsonSchema): string[] | undefined {
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  return optional.length > 0 ? optional : undefined
}

/** Joins several shapes; simple types become one list. */
const oneOf = (anyOf: Shape[]): Shape =>
  anyOf.every((one) => Object.keys(one).join() === 'type')
    ? { type: [...new Set(anyOf.flatMap(({ type = [] }) => type))] }
    : { anyOf }

/** Returns the types of a JSON Schema, without formats, bounds and texts: every browser loads it. */
function shapeOf(schema: JsonSchema | boolean): Shape {
  if (typeof schema === 'boolean') return {}
  const { type, enum: values, $ref, properties, items, anyOf = schema.oneOf } = schema
  return {
    ...(type !== undefined && { type }),
    ...('const' in schema && { const: schema.const }),
    ...(values && { enum: values }),
    ...($ref !== undefined && { $ref: $ref.slice('#/$defs/'.length) }),
    ...(anyOf && oneOf(anyOf.map(shapeOf))),
    ...(items && { items: shapeOf(items as JsonSchema) }),
    ...(properties && { properties: mapValues(properties, shapeOf), optional: optionalOf(schema) }),
    ...(schema.additionalProperties === false && { additionalProperties: false as const }),
  }
}

/** Returns the shapes of several schemas; parts with an id are defined once. */
function shapesOf<const S extends Schemas>(schemas: S): Record<keyof S, Shape> {
  const { $defs = {}, properties = {} } = z.toJSONSchema(z.object(schemas), {
    io: 'input',
    unrepresentable: 'any',
  })
  for (const [id, schema] of Object.entries($defs)) definitions[id] ??= shapeOf(schema)
  return mapValues(properties, shapeOf) as Record<keyof S, Shape>
}

const namesOf = (schema: Route['params']): string[] | undefined => schema && Object.keys(schema.shape)

function operationOf(route: Route): Operation {
  const { method, path, query, headers, body, rawBody, idempotent, answer } = route
  return {
    ...{ method, path, idempotent },
    ...{ query: namesOf(body && query), headers: namesOf(headers) },
    body: rawBody ? 'bytes' : body && 'json',
    answer: answersJson(answer) ? shapesOf({ answer }).answer : 'bytes',
  }
}

/** Operations of an agent, by group and name. */
export const operations: Record<string, Record<string, Operation>> = mapValues(
  agentRoutes as Record<string, Record<string, Route>>,
  (group) => mapValues(group, operationOf),
)

/** The data of each type of event. */
export const eventShapes: Record<string, Shape> = shapesOf(eventData)

/** Each frame of the service, by its type. */
export const frameShapes: Record<string, Shape> = shapesOf(
  Object.fromEntries(serverFrame.options.map((frame) => [frame.shape.type.value, frame])),
)

const others = shapesOf({ errorBody, event, waitToken })
/** Body of a refusal. */
export const errorShape = others.errorBody
/** An event of any type. */
export const eventShape = others.event
/** Token of a wait. */
export const waitTokenShape = others.waitToken
