import fc from 'fast-check'
import type { z } from 'zod'

interface Def {
  type: string
  format?: string
  innerType?: z.ZodType
  element?: z.ZodType
  options?: z.ZodType[]
  entries?: Record<string, string>
  values?: unknown[]
  shape?: Record<string, z.ZodType>
  in?: z.ZodType
  valueType?: z.ZodType
}

const defOf = (schema: z.ZodType) => (schema as unknown as { _zod: { def: Def } })._zod.def

/** What fields of these names mean, which no schema says. */
const known: Record<string, string[]> = {
  to: ['ana@example.com', 'Bo <bo@example.com>'],
  cc: ['cy@example.com'],
  bcc: ['di@example.com'],
  hostname: ['example.com', 'mail.example.org', 'bücher.example', 'co.uk', '127.0.0.1'],
  mail_from_domain: ['bounces.example.com', 'example.net'],
  domain: ['example.com', 'restante.localhost'],
  pattern: ['ana@example.com', '*@example.com', '*.example.com', 'example.com', '*'],
  address: ['ana@example.com', '*@example.com'],
  local_part: ['desk', 'a.b', 'postmaster', '..'],
  url: ['https://example.com/hook', 'http://127.0.0.1/', 'nonsense'],
  events: ['message.received', '*', 'no.such'],
  content_type: ['text/plain', 'application/pdf'],
  range: ['bytes=0-1', 'bytes=5-', 'bytes=-1', 'bytes=99999-'],
  cursor: ['dGhyZWFkczox', 'x', 'aW5ib3hlczppbmJfMQ'],
  'idempotency-key': ['k'.repeat(43), 'q'.repeat(32), 'short'],
}

/** Mostly what people write, and what breaks things: nothing, NUL, lone surrogates, quotes, wildcards, length. */
const text = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[\w-][\w .,!-]{0,20}$/) },
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', '\0', '\u{dfff}', '%', "'", '"', '\\', '../..', 'x'.repeat(5_000), '💥'),
)

const formats: Record<string, fc.Arbitrary<unknown>> = {
  datetime: fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
    .map((d) => d.toISOString()),
  base64: fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes).toString('base64')),
}

function stringOf({ format }: Def, name: string): fc.Arbitrary<unknown> {
  if (known[name]) return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known[name]) }, text)
  return (format && formats[format]) || text
}

const isOptional = (schema: z.ZodType) => ['optional', 'default', 'prefault'].includes(defOf(schema).type)

/** Mostly with every field that is needed. */
function objectOf(shape: Record<string, z.ZodType>): fc.Arbitrary<unknown> {
  const entries = Object.entries(shape)
  const fields = Object.fromEntries(entries.map(([name, schema]) => [name, arbitraryOf(schema, name)]))
  const needed = entries.filter(([, schema]) => !isOptional(schema)).map(([name]) => name)
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.record(fields, { requiredKeys: needed }) },
      fc.record(fields, { requiredKeys: [] }),
    )
    .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)))
}

/** Values that a schema takes, or nearly: what it refines beyond its shape is not known here. */
export function arbitraryOf(schema: z.ZodType, name = ''): fc.Arbitrary<unknown> {
  const def = defOf(schema)
  switch (def.type) {
    case 'string':
      return stringOf(def, name)
    case 'number':
      return fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 0, max: 120 }) },
        fc.constantFrom(-1, 0.5, 2 ** 53, 1e300),
      )
    case 'boolean':
      return fc.boolean()
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries!))
    case 'literal':
      return fc.constantFrom(...def.values!)
    case 'optional':
    case 'default':
    case 'prefault':
      return fc.option(arbitraryOf(def.innerType!, name), { nil: undefined, freq: 2 })
    case 'nullable':
      return fc.option(arbitraryOf(def.innerType!, name))
    case 'array':
      return fc.array(arbitraryOf(def.element!, name), { maxLength: 3 })
    case 'union':
      return fc.oneof(...def.options!.map((option) => arbitraryOf(option, name)))
    case 'pipe':
      return arbitraryOf(def.in!, name)
    case 'object':
      return objectOf(def.shape!)
    case 'record':
      return fc.dictionary(
        fc.oneof(
          fc.constantFrom('X-Ticket', 'List-Id', 'Subject', 'x-restante-hops', '__proto__'),
          text as fc.Arbitrary<string>,
        ),
        arbitraryOf(def.valueType!, name) as fc.Arbitrary<string>,
        { maxKeys: 3 },
      )
    case 'unknown':
      return fc.jsonValue()
    default:
      throw new Error(`no arbitrary for a schema of type ${def.type} (${name}): add it to ${import.meta.url}`)
  }
}

/** The same, with a field now and then that has no business there, or another value in its place. */
export const nearly = (schema: z.ZodObject): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(
      arbitraryOf(schema),
      fc.option(fc.tuple(fc.constantFrom(...Object.keys(schema.shape), 'extra'), fc.jsonValue()), {
        freq: 5,
      }),
    )
    .map(([value, odd]) => ({ ...(value as object), ...(odd && { [odd[0]]: odd[1] }) }))
