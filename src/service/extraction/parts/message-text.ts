import { listingOf } from './markdown-writer'

/** Message that is a file, in the parts that a reader looks at. Nothing proves them. */
interface FiledMessage {
  /** Names and values; a field without a value is left out. */
  fields: readonly (readonly [name: string, value: string])[]
  text: string
  files: readonly { name: string; size: number | null }[]
  /** Texts of the messages within it. */
  inner?: readonly string[]
}

/** Formats a message: its fields, its text, a list of its files, and the messages within it. */
export function messageText({ fields, text, files, inner = [] }: FiledMessage): string {
  const head = fields.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`)
  const listing = files.length > 0 ? ['Attachments:', listingOf(files)] : []
  const attached = inner.flatMap((one) => ['Attached message:', one])
  return [head.join('\n'), text.trim(), ...listing, ...attached].filter((block) => block !== '').join('\n\n')
}
