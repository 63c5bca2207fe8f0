import { bodyWarnings } from '../../mail/html/body-warnings'
import type { Draft, DraftWithContent } from '../../protocol/records/draft'
import type { SendResult } from '../../protocol/records/message'
import { fields, fileSize, localTime, paint, printable, printableLines, wrapped } from './output'

/** Describes the outcome of a send. */
export function outcomeOf(answer: SendResult | Draft): string {
  if ('message_id' in answer) return 'it is being sent'
  if (answer.status === 'scheduled') return `it will be sent at ${localTime(String(answer.scheduled_at))}`
  return `it waits as draft ${answer.id} until an operator approves it with restante approvals`
}

/** A person decides on this text, so nothing is cut. */
const whole = (text: string) => printable(text, Number.POSITIVE_INFINITY)

/** Marks each line of a message, so that it cannot imitate the output of the command. */
const marked = (text: string, width: number): string =>
  printableLines(text.trimEnd(), Number.POSITIVE_INFINITY)
    .split('\n')
    .flatMap((line) => wrapped(line, width - 2))
    // A terminal would break a long word into lines without a mark.
    .flatMap((line) => line.match(new RegExp(`.{1,${width - 2}}`, 'gu')) ?? [''])
    .map((line) => `│ ${line}`.trimEnd())
    .join('\n')

/** Formats a whole draft for a decision, without characters that a terminal would obey. */
export function draftText(draft: DraftWithContent & { from_addr?: string; tenant_id?: string }): string {
  const { to = [], cc = [], bcc = [], reply_to = [], attachments = [], headers = {} } = draft
  const width = Math.max(process.stdout.columns || 100, 40)
  /** Puts each value on its own line; continuation lines are indented. */
  const list = (values: string[]) =>
    values.map((value) => wrapped(whole(value), width - 16).join('\n  ')).join('\n')
  const head = fields({
    Draft: `${draft.id} (seq ${draft.seq}, ${draft.status})`,
    Account: draft.tenant_id,
    From: draft.from_addr && list([draft.from_addr]),
    To: list(to),
    Cc: list(cc),
    Bcc: list(bcc),
    'Reply to': list(reply_to),
    Subject: paint('bold', list([draft.subject])),
    Replies: draft.reply_to_message_id ?? undefined,
    Forwards: draft.forward_message_id ?? undefined,
    'Only if': draft.expect_last_message_id ? `${draft.expect_last_message_id} is the newest` : undefined,
    Scheduled: draft.scheduled_at === null ? undefined : localTime(draft.scheduled_at),
    Files: list(
      attachments.map(
        ({ filename, content_type, size }) => `${filename ?? 'unnamed'} (${content_type}, ${fileSize(size)})`,
      ),
    ),
    Headers: list(Object.entries(headers).map(([name, value]) => `${name}: ${value}`)),
    Approval: draft.approval_reason ? list([draft.approval_reason]) : undefined,
    'Read before': list(draft.read_message_ids ?? []),
    Warnings: list(bodyWarnings(draft)),
    Error: draft.error === null ? undefined : list([draft.error.message]),
  })
  const shown = [draft.text && marked(draft.text, width), draft.html && `HTML:\n${marked(draft.html, width)}`]
  return [head, ...shown.filter((part) => part)].join('\n\n')
}
