import * as z from 'zod'
import { type EventType, event, eventData } from '../../protocol/records/event'

/** Schema of each event type, under its name in both API descriptions. */
export const eventSchemas = Object.entries(eventData).map(([type, data]) => ({
  type: type as EventType,
  schema: event.extend({ type: z.literal(type), data }).meta({ id: `Event.${type}` }),
}))

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Part of a JSON schema that examples are made from. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  example?: Json
  examples?: Json[]
  const?: Json
  default?: Json
  enum?: Json[]
  format?: string
  minimum?: number
  maximum?: number
  minItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

export type Components = Record<string, Schema>

const byFormat: Record<string, string> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  email: 'agent@example.com',
  uri: 'https://example.com/hook',
  uuid: '0b3c1c1e-6c1f-4a52-9d0c-3f0d4a6b8f10',
}

/** Examples of strings whose meaning only their name reveals. */
const byName: [RegExp, string][] = [
  [/^(id|.*_id)$/, 'abc_1m7yqmwm4c0yfmxk'],
  [/idempotency-key$/, 'Zy3vX0x8bq7uQm2Lr5sWtA9cDkEfGhJnPpRsTvWxYz0'],
  [/^local_part$/, 'support-bot'],
  [/addr|address/, 'ana@example.com'],
  [/url$/, 'https://example.com/hook'],
  [/^pattern$/, '*@example.com'],
  [/^hostname$|domain$/, 'mail.example.com'],
  [/^secret$/, 'whsec_c2VjcmV0IG9mIHRoZSBleGFtcGxl'],
  [/base64/, 'aGVsbG8='],
  [/content_type/, 'text/plain'],
  [/^filename$/, 'order.txt'],
]

const nameOf = (name: string) => byName.find(([pattern]) => pattern.test(name))?.[1] ?? 'text'

function resolve(schema: Schema, components: Components): Schema {
  const found = schema.$ref && components[schema.$ref.replace('#/components/schemas/', '')]
  return found
    ? resolve({ ...found, ...(schema.example !== undefined && { example: schema.example }) }, components)
    : schema
}

function objectExample(schema: Schema, components: Components): Json {
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([name, property]) =>
      schema.required?.includes(name) || resolve(property, components).example !== undefined,
  )
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, components, name)]))
}

/** Returns a value that fits the schema: required fields, and those with their own example. */
export function exampleOf(given: Schema, components: Components, name = ''): Json {
  const schema = resolve(given, components)
  for (const example of [
    schema.example,
    schema.const,
    schema.default,
    schema.examples?.[0],
    schema.enum?.[0],
  ])
    if (example !== undefined) return example
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (first) return exampleOf(first, components, name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') return objectExample(schema, components)
  if (type === 'array')
    return schema.items ? [exampleOf(schema.items, components, name.replace(/s$/, ''))] : []
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type === 'string') return byFormat[schema.format ?? ''] ?? nameOf(name)
  return null
}
