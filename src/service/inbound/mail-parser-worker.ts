import type { CalendarSeries, CalendarWindow } from '../../mail/calendar'
import { findCodes } from '../../mail/codes'
import { parseHeadersOnly } from '../../mail/head-only'
import { htmlToText } from '../../mail/html/html-to-text'
import { type AttachmentContent, parseMail, readAttachments } from '../../mail/parse'
import { loadLater } from '../base/load-later'
import type { Findings, PostedMail, PostingProvider, SearchedMail, SignatureTask } from '../ports'
import { verifySignatures } from './authentication/verify-signatures'
import { type EncodedMail, encodeMail } from './encoded-mail'
import { postedMail } from './http/providers/posted-mail'

const loadMarkdown = loadLater(() => import('#markdown'))
const loadCalendars = loadLater(() => import('../invitations/calendar-tasks'))
// Its list of public suffixes takes ten megabytes of memory.
const loadLinks = loadLater(() => import('../../mail/links'))

/** Task for the thread. Messages are concatenated in one buffer, which is moved and not copied. */
export type ParserTask =
  | { kind: 'parse'; bytes: Uint8Array; mails: { length: number; mailFrom: string | undefined }[] }
  | { kind: 'header'; bytes: Uint8Array; flaw: string }
  | { kind: 'attachments'; bytes: Uint8Array; indexes: readonly number[] }
  | { kind: 'markdown'; bytes: Uint8Array }
  | { kind: 'html'; bytes: Uint8Array }
  | { kind: 'posted'; bytes: Uint8Array; provider: PostingProvider; contentType: string }
  | { kind: 'findings'; bytes: Uint8Array; mail: SearchedMail }
  | { kind: 'calendar'; bytes: Uint8Array; index: number }
  | { kind: 'occurrences'; bytes: Uint8Array; series: readonly CalendarSeries[]; window: CalendarWindow }
  | { kind: 'verify'; bytes: Uint8Array; task: SignatureTask }

/** Result of the thread: attachments, a text, or else JSON, which crosses threads faster than objects. */
export type ParserResult = string | (AttachmentContent | null)[] | PostedMail

/** Runs one task, in a thread of `createMailParser`. */
export default async function run(task: ParserTask): Promise<ParserResult> {
  if (task.kind === 'header') return JSON.stringify(encodeMail(parseHeadersOnly(task.bytes, task.flaw)))
  if (task.kind === 'attachments') return readAttachments(task.bytes, task.indexes)
  if (task.kind === 'markdown') {
    const { markdownToHtml } = await loadMarkdown()
    const html = markdownToHtml(new TextDecoder().decode(task.bytes))
    return JSON.stringify({ html, text: htmlToText(html) })
  }
  if (task.kind === 'html') return htmlToText(new TextDecoder().decode(task.bytes))
  if (task.kind === 'posted') return postedMail(task.provider, task.bytes, task.contentType)
  if (task.kind === 'findings') return JSON.stringify(await findingsIn(task.mail))
  if (task.kind === 'calendar')
    return JSON.stringify(await (await loadCalendars()).calendarAt(task.bytes, task.index))
  if (task.kind === 'occurrences')
    return JSON.stringify((await loadCalendars()).occurrencesOf(task.series, task.window))
  if (task.kind === 'verify') return JSON.stringify(await verifySignatures(task.bytes, task.task))
  const mails: EncodedMail[] = []
  let start = 0
  for (const { length, mailFrom } of task.mails) {
    mails.push(encodeMail(await parseMail(task.bytes.subarray(start, start + length), {}, mailFrom)))
    start += length
  }
  return JSON.stringify(mails)
}

async function findingsIn({ subject, text, html, senderDomain }: SearchedMail): Promise<Findings> {
  const { findLinks } = await loadLinks()
  return { codes: findCodes(subject, text), links: findLinks(text, html, senderDomain) }
}
