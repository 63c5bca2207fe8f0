import { UsageError } from 'restante'
import * as z from 'zod'

/** Other names that models use for fields, known from other tools. */
const otherNames: Record<string, readonly string[]> = {
  folder: ['label', 'inbox'],
  mailbox: ['inbox'],
  tag: ['label', 'add'],
  q: ['query'],
  search: ['query'],
  since: ['after'],
  until: ['before'],
  body: ['text'],
  content: ['text'],
  html: ['text'],
  markdown: ['text'],
  recipients: ['to'],
  recipient: ['to'],
  id: ['message', 'thread', 'draft'],
  in_reply_to: ['message', 'reply_to'],
  files: ['attachments'],
  file: ['attachment', 'attachments'],
  max: ['limit'],
  count: ['limit'],
  timeout: ['timeout_seconds'],
  wait: ['timeout_seconds'],
  schedule: ['send_at'],
  scheduled_at: ['send_at'],
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z]|ids?$|s$/g, '')

const nearTo = (key: string, names: readonly string[]): string[] => {
  const others = otherNames[key.toLowerCase()] ?? []
  const wanted = plain(key)
  return names.filter((name) => {
    const known = plain(name)
    return (
      others.includes(name) ||
      known === wanted ||
      (wanted.length > 2 && (known.includes(wanted) || wanted.includes(known)))
    )
  })
}

/** Left out to save tokens of the model: an unknown field is refused when it is used, see below. */
const unlisted = { $schema: undefined, additionalProperties: undefined }

/** Makes the schema of a tool's input. An unknown field is refused, and the error names similar fields. */
export const toolInput = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const names = Object.keys(shape)
  const input = z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined
      return issue.keys
        .slice(0, 5)
        .map((key) => {
          const near = nearTo(key, names)
          const asked = near.length > 0 ? `: did you mean ${near.join(' or ')}?` : '.'
          return `there is no ${JSON.stringify(key.slice(0, 40))}${asked} There is ${names.join(', ') || 'nothing to give'}`
        })
        .join('; ')
    },
  })
  return input.meta(unlisted)
}

/** Returns the same input, with its text described as Markdown. */
export const inMarkdown = (input: z.ZodType): z.ZodType => {
  if (!(input instanceof z.ZodObject) || !('text' in input.shape)) return input
  return input.extend({ text: (input.shape.text as z.ZodType).describe('Markdown') }).meta(unlisted)
}

/** Text of a limited length in characters. The limit hardly matters to a model, so the schema omits it. */
export const words = (max: number, min = 0) =>
  z.string().refine((text) => text.length >= min && (text.length <= max || Array.from(text).length <= max), {
    error: `${min} to ${max} characters`,
  })

const dateOrTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i

/** Parses a date or a time. Without a zone it is in UTC. @throws UsageError `invalid_date` */
export function readTime(text: string, name: string): Date {
  const [, date = '', time = '00:00', zone = 'Z'] = dateOrTime.exec(text.trim()) ?? []
  const read = new Date(`${date}T${time}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`)
  // V8 reads February 30 as March 2.
  const isDate = new Date(`${date}T00:00Z`).toJSON()?.startsWith(date)
  if (isDate && !Number.isNaN(read.getTime())) return read
  throw new UsageError('invalid_date', `${name} takes a date such as 2026-01-31 or 2026-01-31T12:00:00Z`)
}

/**
 * Parses a time in the future. A model that gives a past one has today's date wrong, and does not mean "now".
 *
 * @throws UsageError `invalid_date`, `time_passed`
 */
export function readFutureTime(text: string, name: string): Date {
  const time = readTime(text, name)
  const now = new Date()
  if (time > now) return time
  throw new UsageError(
    'time_passed',
    `${name} ${time.toISOString()} has passed, and nothing was sent: it is ${now.toISOString()} now. Give a later time, or leave it out to send at once`,
  )
}
