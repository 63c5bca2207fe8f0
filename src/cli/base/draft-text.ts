import type { DraftWithContent } from '../../protocol/records'
import { fields, fileSize, localTime, paint, printable, printableLines } from './output'

const longestLine = 10_000

/** A draft as a person reads it to decide on it: all of it, and nothing that a terminal would obey. */
export function draftText(draft: DraftWithContent & { from_addr?: string; tenant_id?: string }): string {
  const { id, seq, status, from_addr, tenant_id, to = [], cc = [], bcc = [], attachments = [] } = draft
  const files = attachments.map(
    ({ filename, size }) => `${printable(filename ?? 'unnamed', 200)} (${fileSize(size)})`,
  )
  const headers = Object.entries(draft.headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  const head = fields({
    Draft: `${id} (seq ${seq}, ${status})`,
    Account: tenant_id,
    From: from_addr,
    To: printable(to.join(', '), 2_000),
    Cc: printable(cc.join(', '), 2_000),
    Bcc: printable(bcc.join(', '), 2_000),
    Subject: paint('bold', printable(draft.subject, 1_000)),
    Answers: draft.reply_to_message_id ?? undefined,
    'Goes out': draft.scheduled_at === null ? undefined : localTime(draft.scheduled_at),
    Files: files.join(', '),
    Headers: printable(headers.join(', '), 2_000),
    Why: draft.error === null ? undefined : printable(draft.error.message, 1_000),
  })
  const parts = [draft.text, draft.html && `As HTML:\n${draft.html}`].filter((part) => part)
  return [head, ...parts.map((part) => printableLines(String(part).trimEnd(), longestLine))].join('\n\n')
}
