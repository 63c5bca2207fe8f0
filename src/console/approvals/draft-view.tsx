import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { WaitingDraftWithContent } from '../../protocol/records/draft'
import { call } from '../core/ask'
import { hrefOf } from '../core/location'
import { shownWhole } from '../core/shown'
import { Button } from '../parts/button'
import { useReading } from '../parts/reading'
import { Failed, Loading } from '../parts/states'
import { Answered } from './answered'
import { approve, deleteDraft, sendChanged, sendNow } from './decide'
import { DraftContent } from './draft-content'
import { EditDraft } from './edit-draft'
import { keptEdit } from './kept-edit'
import { ReadBefore } from './read-before'
import { RejectDialog } from './reject-dialog'

interface DraftViewProps {
  accountId: string
  draftId: string
  /** Called after the draft was approved, rejected, sent or deleted. */
  onDone: (news: string) => Promise<void>
}

/** Texts for drafts that no longer wait, by status. */
const outcomes: Record<string, string> = {
  draft: 'This is a draft. The agent has not asked to send it.',
  rejected: 'Rejected',
  scheduled: 'The service sends it at its scheduled time.',
  failed: 'Not sent',
  sending: 'It is being sent.',
  sent: 'It was sent.',
}

function Outcome({ draft: { status, error } }: { draft: WaitingDraftWithContent }) {
  const said = outcomes[status] ?? 'It no longer waits for approval.'
  return (
    <p class="note">
      {said}
      {(status === 'rejected' || status === 'failed') &&
        (error ? (
          <>
            : <bdi>{shownWhole(error.message)}</bdi>
          </>
        ) : (
          '.'
        ))}
    </p>
  )
}

/** Statuses of drafts that a person can send or delete without an approval request. */
const unsent = ['draft', 'scheduled', 'failed']

interface UnsentActionsProps extends DraftViewProps {
  draft: WaitingDraftWithContent
  again: () => Promise<void>
}

function UnsentActions({ accountId, draft, onDone, again }: UnsentActionsProps) {
  const act = async (work: typeof sendNow, news: string, key: string) => {
    try {
      await work(accountId, draft, key)
    } catch (failure) {
      // The draft may have changed: show the version that the next press decides on.
      await again()
      throw failure
    }
    await onDone(news)
  }
  return (
    <div class="row decide">
      <Button kind="primary" onPress={(key) => act(sendNow, 'The draft is being sent.', key)}>
        Send now
      </Button>
      <Button kind="danger" onPress={(key) => act(deleteDraft, 'Draft deleted.', key)}>
        {draft.status === 'scheduled' ? 'Cancel and delete' : 'Delete'}
      </Button>
    </div>
  )
}

function Explanation({ draft }: { draft: WaitingDraftWithContent }) {
  return (
    <>
      {draft.approval_reason !== null && (
        <p class="note warn">
          The agent asks for your approval, since <bdi>{shownWhole(draft.approval_reason)}</bdi>.
        </p>
      )}
      {draft.status === 'pending_approval' ? (
        <p class="note">
          The agent’s key may write drafts, but not send them. If you approve, the service sends exactly this
          version. If the agent changes it first, your approval is refused.
        </p>
      ) : (
        <Outcome draft={draft} />
      )}
    </>
  )
}

/** Messages that the draft is about. */
function Related({ accountId, draft }: { accountId: string; draft: WaitingDraftWithContent }) {
  return (
    <>
      {draft.reply_to_message_id !== null && (
        <Answered accountId={accountId} messageId={draft.reply_to_message_id} />
      )}
      {draft.forward_message_id !== null && (
        <p>
          <a href={hrefOf('/messages', { account: accountId, message: draft.forward_message_id })}>
            Open the forwarded message
          </a>
        </p>
      )}
      <ReadBefore accountId={accountId} messageIds={draft.read_message_ids} />
    </>
  )
}

interface DecisionProps {
  onSend: (key: string) => Promise<void>
  onEdit: () => void
  onReject: () => void
}

function Decision({ onSend, onEdit, onReject }: DecisionProps) {
  return (
    <div class="row decide">
      <Button kind="primary" onPress={onSend}>
        Approve and send
      </Button>
      <Button onPress={onEdit}>Edit</Button>
      <Button kind="danger" onPress={onReject}>
        Reject
      </Button>
    </div>
  )
}

interface Approval extends Pick<DraftViewProps, 'accountId' | 'onDone'> {
  draft: WaitingDraftWithContent
  /** Makes retries of the request safe. */
  key: string
  again: () => Promise<void>
}

/** Approves the version that is shown. */
async function approveShown({ accountId, draft, key, again, onDone }: Approval): Promise<void> {
  try {
    await approve(accountId, draft, key)
  } catch (failure) {
    // The draft may have changed: show the version that the next press decides on.
    await again()
    throw failure
  }
  await onDone(
    draft.scheduled_at === null
      ? 'Approved. It is being sent.'
      : 'Approved. It is sent at its scheduled time.',
  )
}

/** Shows a draft in full, next to the message that it answers. */
export function DraftView({ accountId, draftId, onDone }: DraftViewProps) {
  const path = `/console/accounts/${accountId}/drafts/${draftId}`
  const { value, error, again } = useReading(path, () => call<WaitingDraftWithContent>(path))
  const editing = useSignal(false)
  const rejecting = useSignal(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const draft = value.value
  if (error.value) return <Failed error={error.value} again={again} />
  if (!draft) return <Loading />
  const isWaiting = draft.status === 'pending_approval'
  const send = (key: string) => approveShown({ accountId, draft, key, again, onDone })
  return (
    <article class="draft">
      <header class="stack">
        <h2 ref={heading} tabIndex={-1}>
          {shownWhole(draft.subject) || '(no subject)'}
        </h2>
        <Explanation draft={draft} />
      </header>
      {isWaiting && (editing.value || keptEdit(draft)) ? (
        <EditDraft
          draft={draft}
          onCancel={() => {
            editing.value = false
            // The button that opened the form is gone, so it cannot get the focus back.
            heading.current?.focus()
          }}
          onSend={async (changes, key) => {
            await sendChanged(accountId, draft, changes, key)
            await onDone('Your edited version is being sent.')
          }}
        />
      ) : (
        <>
          <DraftContent draft={draft} />
          {unsent.includes(draft.status) && (
            <UnsentActions {...{ accountId, draftId, draft, onDone, again }} />
          )}
          {isWaiting && (
            <Decision
              onSend={send}
              onEdit={() => (editing.value = true)}
              onReject={() => (rejecting.value = true)}
            />
          )}
        </>
      )}
      <Related accountId={accountId} draft={draft} />
      {rejecting.value && (
        <RejectDialog
          accountId={accountId}
          drafts={[draft]}
          onClose={() => (rejecting.value = false)}
          onDone={onDone}
        />
      )}
    </article>
  )
}
