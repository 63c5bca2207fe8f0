import type { Message } from '../../mailbox/records/message'
import { provenView } from '../../protocol/proven-view'
import type { WaitingDraftWithContent } from '../../protocol/records/draft'
import { shownLine } from '../core/shown'
import { Field } from '../parts/button'
import type { KeptFile, Purpose, Written } from './draft-keeper'

/** Inbox that a new message can be written from. */
interface From {
  id: string
  address: string
}

/** What is written: a reply to a message, a forward of one, or a new message. */
export type Task =
  | { kind: 'reply' | 'forward'; message: Message }
  | { kind: 'new'; inboxId: string; inboxes: readonly From[] }

/** Returns the fields of the draft that stay as they are. */
export const purposeOf = (task: Task): Purpose => {
  if (task.kind === 'new') return { inbox_id: task.inboxId }
  const { id, record } = task.message
  const field = task.kind === 'reply' ? 'reply_to_message_id' : 'forward_message_id'
  return { inbox_id: record.inbox_id, [field]: id }
}

const addressesOf = (text: string): string[] =>
  text
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter(Boolean)

/** Returns the content of the form. */
export const writtenIn = (form: HTMLFormElement, task: Task, files: readonly KeptFile[]): Written => {
  const data = new FormData(form)
  const text = String(data.get('text'))
  if (task.kind === 'reply') return { text, files, reply_all: data.has('all') }
  const to = addressesOf(String(data.get('to') ?? ''))
  return { text, files, to, ...(task.kind === 'new' && { subject: String(data.get('subject')) }) }
}

/** Fills the form with a draft. */
export function fill(form: HTMLFormElement, { to, subject, text, reply_all }: Written): void {
  const set = (name: string, value: string | undefined) => {
    const field = form.elements.namedItem(name) as HTMLInputElement | null
    if (field && value !== undefined) field.value = value
  }
  set('to', to?.join(', '))
  set('subject', subject)
  set('text', text)
  const all = form.elements.namedItem('all') as HTMLInputElement | null
  if (all && reply_all !== undefined) all.checked = reply_all
}

/** Returns the people whom a reply reaches. */
function peopleOf({ record }: Message): string {
  const { reply_to, from_addr } = provenView(record)
  return reply_to.length > 0 ? reply_to.slice(0, 3).map(shownLine).join(', ') : from_addr
}

/** Returns the label of the text: it names the people whom the message reaches. */
export function labelOf(task: Task, suggestion: WaitingDraftWithContent | null): string {
  if (suggestion) {
    const { to, cc, bcc } = suggestion
    return `Suggested ${task.kind} to ${[...to, ...cc, ...bcc].map(shownLine).join(', ')}`
  }
  return task.kind === 'reply' ? `Reply to ${peopleOf(task.message)}` : 'Text'
}

/** Shows the inbox that a new message is written from: that of its draft, if it has one. */
function FromField({ inboxes, inboxId }: { inboxes: readonly From[]; inboxId: string }) {
  const from = inboxes.find(({ id }) => id === inboxId)
  return from ? <p class="small soft">From {from.address}</p> : null
}

/** Fields for the recipients of a message. */
export function Recipients({ task, inboxId }: { task: Task; inboxId: string }) {
  if (task.kind === 'reply') {
    const { to, cc, automatic } = task.message
    return (
      <>
        {to.length + cc.length > 1 && (
          <label class="check">
            <input type="checkbox" name="all" /> Reply to all recipients
          </label>
        )}
        {automatic && <p class="note warn">A program wrote this message, and may reply to yours.</p>}
      </>
    )
  }
  return (
    <>
      {task.kind === 'new' && <FromField inboxes={task.inboxes} inboxId={inboxId} />}
      <Field label="To" hint="Separate several addresses by commas.">
        <input name="to" required maxLength={2_000} />
      </Field>
      {task.kind === 'new' && (
        <Field label="Subject">
          <input name="subject" maxLength={900} />
        </Field>
      )}
    </>
  )
}
