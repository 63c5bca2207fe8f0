import * as z from 'zod'

/** An ISO 8601 time in UTC with milliseconds. */
export const timestamp = z.iso
  .datetime('must be a time in UTC such as 2026-01-31T12:00:00.000Z')
  .meta({ id: 'Timestamp', example: '2026-01-31T12:00:00.000Z' })

/** A time in a request (RFC 3339), in any zone; it is parsed to a {@link timestamp}. */
export const timeInput = z.iso
  .datetime({
    offset: true,
    error: 'must be a time with its zone, such as 2026-01-31T12:00:00Z or 2026-01-31T13:00:00+01:00',
  })
  .transform((text) => new Date(text).toISOString())
  .refine((time) => /^\d{4}-/.test(time), 'must be in the years 0000 to 9999')
  .meta({ example: '2026-01-31T13:00:00+01:00' })

/** A time as {@link timeInput}, or a day as in `q`, which means its start in UTC. */
export const dayOrTimeInput = z.union([z.iso.date().transform((day) => `${day}T00:00:00.000Z`), timeInput], {
  error: 'must be a day such as 2026-01-31, or a time with its zone such as 2026-01-31T12:00:00Z',
})

/** A value of a list that may grow: values unknown to this version are valid. */
export const openEnum = <const Values extends readonly string[]>(values: Values) =>
  z.string().meta({ examples: [...values] }) as z.ZodType<Values[number] | (string & {})>

/** An email address in a request: `ana@example.com` or `Ana <ana@example.com>`. */
export const addressInput = z
  .string()
  .min(3)
  .max(400)
  .meta({ description: 'An address, with or without a name: `ana@example.com`, `Ana <ana@example.com>`.' })

/** Name of a consumer, unique in its account and chosen by the caller. */
export const consumerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, underscores or hyphens')
  .meta({ example: 'support-bot' })

/** A position in the event log of an account: 0 is before the first event. */
export const seq = z.int().min(0)

/** Longest time, in ms, that a request may wait for news. */
export const maxWaitMs = 55_000
/** Returns the field for the time, in ms, that a request waits, in a query or a body: bounds and default. */
export const waitMs = <Schema extends z.ZodNumber | z.ZodCoercedNumber<number>>(schema: Schema) =>
  schema
    .int()
    .min(0)
    .max(maxWaitMs)
    .default(0)
    .meta({
      description: `How long to wait where there is nothing yet, in milliseconds: up to ${maxWaitMs}. Left out, it does not wait.`,
    })

/** Query of every list: `limit` records (1 to 100, default 25) from an opaque `cursor`. */
export const pageQuery = {
  limit: z.coerce.number<number>().int().min(1).max(100).default(25),
  cursor: z.string().min(1).max(512).optional().meta({ description: '`next_cursor` of the page before.' }),
}

/** Field of every list's response beside its records; null at the end. */
export const pageAnswer = {
  next_cursor: z
    .string()
    .nullable()
    .meta({ description: 'The `cursor` of the next page; null on the last one.' }),
}

/** Response of an operation without content (204). */
export const noContent = z.undefined()

/** Body of every refusal. `message` says how to fix it. */
export const errorBody = z
  .looseObject({ error: z.string(), message: z.string().optional(), details: z.unknown().optional() })
  .meta({ id: 'Error' })
/** Body of a refusal: its code, a message that says how to fix it, and details. */
export type ErrorBody = z.infer<typeof errorBody>
