/**
 * The wire as data, for the half that agents embed: its schemas would cost more to load than all the rest. The build
 * puts what these constants come to in the place of this file (`tsup.computed.ts`), so each must be JSON.
 */
import { z } from 'zod'
import { serverFrame } from './frames'
import { errorBody, event, eventData, waitToken } from './records'
import { agentRoutes, answersJson, type Route } from './routes'

/**
 * The JSON Schema of a value (draft 2020-12) as far as types go: formats and bounds are for the service to keep.
 * A `$ref` is a key of {@link definitions}.
 */
export interface Shape {
  /** One of these types, where there are several. */
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Shape>>
  /** The properties that may be missing; most may not, so that this is shorter than `required`. */
  readonly optional?: readonly string[]
  /** False where other properties than those are refused. */
  readonly additionalProperties?: false
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly $ref?: string
}

/** An operation, as far as a caller must know it. */
export interface Operation {
  readonly method: Route['method']
  readonly path: Route['path']
  /** The names of the fields that go elsewhere than into the path, and the body, or the query where there is none. */
  readonly query?: readonly string[] | undefined
  readonly headers?: readonly string[] | undefined
  readonly body?: 'json' | 'bytes' | undefined
  readonly idempotent?: boolean | undefined
  readonly answer: Shape | 'bytes'
}

/** The shapes that others refer to, by their `$ref`. */
export const definitions: Record<string, Shape> = {}

type JsonSchema = z.core.JSONSchema.JSONSchema
type Schemas = Readonly<Record<string, z.ZodType>>

const mapValues = <From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))

/** The properties that are not required. */
function optionalOf({ properties = {}, required = [] }: JsonSchema): string[] | undefined {
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  return optional.length > 0 ? optional : undefined
}

/** A shape of several: simple types become one list. */
const oneOf = (anyOf: Shape[]): Shape =>
  anyOf.every((one) => Object.keys(one).join() === 'type')
    ? { type: [...new Set(anyOf.flatMap(({ type = [] }) => type))] }
    : { anyOf }

/** The types of a JSON Schema, without formats, bounds and words: as short as can be, since every browser loads it. */
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

/** The shapes of several schemas; what has an id among what they are made of is defined once. */
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

/** The operations of an agent, by group and name. */
export const operations: Record<string, Record<string, Operation>> = mapValues(
  agentRoutes as Record<string, Record<string, Route>>,
  (group) => mapValues(group, operationOf),
)

/** The data of each type of event. */
export const eventShapes: Record<string, Shape> = shapesOf(eventData)

/** Each frame that the service sends, by its type. */
export const frameShapes: Record<string, Shape> = shapesOf(
  Object.fromEntries(serverFrame.options.map((frame) => [frame.shape.type.value, frame])),
)

const others = shapesOf({ errorBody, event, waitToken })
/** The body of a refusal. */
export const errorShape = others.errorBody
/** An event of any type. */
export const eventShape = others.event
/** The token of a wait. */
export const waitTokenShape = others.waitToken
