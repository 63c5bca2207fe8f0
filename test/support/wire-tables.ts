import * as z from 'zod'
import { serverFrame } from '../../src/protocol/frames'
import { errorBody } from '../../src/protocol/records/common'
import { event, eventData } from '../../src/protocol/records/event'
import { waitToken } from '../../src/protocol/records/wait-token'
import { answersJson, type Route } from '../../src/protocol/routes/route'
import { agentRoutes } from '../../src/protocol/routes/routes'
import type { Operation, Shape } from '../../src/protocol/wire'

const definitions: Record<string, Shape> = {}

/** Parts of answers that the mailbox passes on without reading them: browsers need not load their shapes. */
const passedOn =
  /^(?:Capabilities|DomainRecord|DoubleAnswer|DraftAttachment|FoundLink|Highlights|Invitation|Pause|RecipientStatus|Report|SearchWarning|SentBy|TextPiece|Via)/

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
  if (passedOn.test(schema.$ref?.slice('#/$defs/'.length) ?? '')) return { type: 'object' }
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
  for (const [id, schema] of Object.entries($defs))
    if (!passedOn.test(id)) definitions[id] ??= shapeOf(schema)
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

const operations = mapValues(agentRoutes as Record<string, Record<string, Route>>, (group) =>
  mapValues(group, operationOf),
)

const eventShapes = shapesOf(eventData)

const frameShapes = shapesOf(
  Object.fromEntries(serverFrame.options.map((frame) => [frame.shape.type.value, frame])),
)

const {
  errorBody: errorShape,
  event: eventShape,
  waitToken: waitTokenShape,
} = shapesOf({ errorBody, event, waitToken })

const tables = { definitions, operations, eventShapes, frameShapes, errorShape, eventShape, waitTokenShape }

/** The text of `src/protocol/wire.json`, from the schemas: a line for each entry of a table. */
export function wireTables(): string {
  const texts = Object.entries(tables).map(([name, table]) => {
    const entries = Object.entries(table).map(
      ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
    )
    return `${JSON.stringify(name)}: {\n${entries.join(',\n')}\n}`
  })
  return `{\n${texts.join(',\n')}\n}\n`
}
