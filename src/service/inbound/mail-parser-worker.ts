import { type AttachmentContent, type ParsedMail, parseMail, readAttachments } from '../../mail'
import { loadLater } from '../base'

const loadMarkdown = loadLater(() => import('#markdown'))

/** Work for the thread: mails one after the other in one buffer, which is moved and not copied. */
export type ParserTask =
  | { kind: 'parse'; bytes: Uint8Array; mails: { length: number; mailFrom: string | undefined }[] }
  | { kind: 'attachments'; bytes: Uint8Array; indexes: readonly number[] }
  | { kind: 'markdown'; bytes: Uint8Array }

/** The answer of the thread: HTML, or parsed mails as JSON, which crosses threads faster than objects do. */
export type ParserResult = string | (AttachmentContent | null)[]

/** Carries out one task, in a thread of `createMailParser`. */
export default async function run(task: ParserTask): Promise<ParserResult> {
  if (task.kind === 'attachments') return readAttachments(task.bytes, task.indexes)
  if (task.kind === 'markdown') {
    const { markdownToHtml } = await loadMarkdown()
    return markdownToHtml(new TextDecoder().decode(task.bytes))
  }
  const mails: ParsedMail[] = []
  let start = 0
  for (const { length, mailFrom } of task.mails) {
    mails.push(await parseMail(task.bytes.subarray(start, start + length), {}, mailFrom))
    start += length
  }
  return JSON.stringify(mails)
}
