import { parseMail, readAttachment } from '../mail/parse'
import type { AttachmentContent, ParsedMail } from '../mail/parsed-mail'

/** Work for the thread: mails one after the other in one buffer, which is moved and not copied. */
export type ParserTask =
  | { kind: 'parse'; bytes: Uint8Array; lengths: number[] }
  | { kind: 'attachment'; bytes: Uint8Array; index: number }

/** What the thread answers: parsed mails as JSON, which crosses threads faster than objects do. */
export type ParserResult = string | AttachmentContent | null

/**
 * Joins its parts at once. postal-mime makes a Blob of every line of a body, and Node's own reads each part of one
 * asynchronously: half of the time that a small mail takes, and 20 s for a million lines.
 */
class PlainBlob {
  readonly #parts: readonly (string | ArrayBuffer | Uint8Array)[]

  constructor(parts: readonly (string | ArrayBuffer | Uint8Array)[]) {
    this.#parts = parts
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const chunks = this.#parts.map((part) =>
      typeof part === 'string' ? encoded(part) : new Uint8Array(part),
    )
    return joined(chunks)
  }
}

const encoder = new TextEncoder()
const lineFeed = encoder.encode('\n')
const encoded = (text: string): Uint8Array => (text === '\n' ? lineFeed : encoder.encode(text))

function joined(chunks: readonly Uint8Array[]): ArrayBuffer {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes.buffer
}

Object.assign(globalThis, { Blob: PlainBlob })

/** What the threads of `createMailParser` run. */
export default async function run(task: ParserTask): Promise<ParserResult> {
  if (task.kind === 'attachment') return readAttachment(task.bytes, task.index)
  const mails: ParsedMail[] = []
  let start = 0
  for (const length of task.lengths) {
    mails.push(await parseMail(task.bytes.subarray(start, start + length)))
    start += length
  }
  return JSON.stringify(mails)
}
