import { Field, Form } from '../parts/button'
import { Dialog } from '../parts/dialog'
import { type Decided, forEach, reject } from './decide'

interface RejectProps {
  accountId: string
  drafts: readonly Decided[]
  onDone: (news: string) => Promise<void>
  onClose: () => void
}

/** Rejects drafts and asks for the reason, which the agent reads. */
export function RejectDialog({ accountId, drafts, onDone, onClose }: RejectProps) {
  const send = async (data: FormData) => {
    const reason = String(data.get('reason') ?? '')
    const { done, failures } = await forEach(drafts, (draft) => reject(accountId, draft, reason))
    if (done === 0 && failures[0]) throw failures[0]
    onClose()
    await onDone(
      failures[0]
        ? `${done} rejected, ${failures.length} not: ${failures[0].message}`
        : done === 1
          ? 'Rejected. It will not be sent.'
          : `${done} rejected. They will not be sent.`,
    )
  }
  return (
    <Dialog
      title={drafts.length === 1 ? 'Reject this message?' : `Reject ${drafts.length} messages?`}
      onClose={onClose}
    >
      <Form submit="Reject" onSubmit={send} onCancel={onClose}>
        <Field label="Reason" hint="Optional. The agent reads it, and can write a new version.">
          <textarea name="reason" rows={4} maxLength={1000} />
        </Field>
      </Form>
    </Dialog>
  )
}
