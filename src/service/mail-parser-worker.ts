import { parseMail, readAttachment } from '../mail/parse'
import type { AttachmentContent, ParsedMail } from '../mail/parsed-mail'
import { usePlainBlob } from './plain-blob'

usePlainBlob()

/** Work for the thread: mails one after the other in one buffer, which is moved and not copied. */
export type ParserTask =
  | { kind: 'parse'; bytes: Uint8Array; lengths: number[] }
  | { kind: 'attachment'; bytes: Uint8Array; index: number }

/** What the thread answers: parsed mails as JSON, which crosses threads faster than objects do. */
export type ParserResult = string | AttachmentContent | null

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
