import type { WaitingDraftWithContent } from '../../protocol/records/draft'
import { call } from '../core/ask'
import { shownWhole } from '../core/shown'
import { Button } from '../parts/button'
import { Dialog } from '../parts/dialog'
import { useReading } from '../parts/reading'
import { Failed, Loading } from '../parts/states'
import { approve, type Decided, forEach } from './decide'
import { DraftContent } from './draft-content'

interface ApproveProps {
  accountId: string
  drafts: readonly Decided[]
  onDone: (news: string) => Promise<void>
  onClose: () => void
}

/** Shows several drafts in full and approves exactly these versions. */
export function ApproveDialog({ accountId, drafts, onDone, onClose }: ApproveProps) {
  const { value, error, again } = useReading(drafts.map(({ id }) => id).join(), () =>
    Promise.all(
      drafts.map(({ id }) => call<WaitingDraftWithContent>(`/console/accounts/${accountId}/drafts/${id}`)),
    ),
  )
  const shown = value.value
  const approveAll = async (key: string) => {
    const { done, failures } = await forEach(shown!, (draft) =>
      approve(accountId, draft, `${key}-${draft.id}`),
    )
    onClose()
    await onDone(
      failures[0]
        ? `${done} approved, ${failures.length} not: ${failures[0].message}`
        : `${done} approved. They are being sent.`,
    )
  }
  return (
    <Dialog title={`Approve ${drafts.length} messages?`} onClose={onClose} wide>
      {error.value && <Failed error={error.value} again={again} />}
      {!shown && !error.value && <Loading />}
      {shown && (
        <>
          {shown.map((draft) => (
            <article key={draft.id} class="draft" aria-label={shownWhole(draft.subject)}>
              <h3>{shownWhole(draft.subject) || '(no subject)'}</h3>
              {draft.approval_reason !== null && (
                <p class="note warn">
                  The agent asks for your approval, since <bdi>{shownWhole(draft.approval_reason)}</bdi>.
                </p>
              )}
              <DraftContent draft={draft} />
            </article>
          ))}
          <div class="row decide">
            <Button kind="primary" onPress={approveAll}>
              Approve all {drafts.length}
            </Button>
            <Button kind="quiet" onPress={onClose}>
              Cancel
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
