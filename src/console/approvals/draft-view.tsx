import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { WaitingDraftWithContent } from '../../protocol/records'
import { call, hrefOf, shownWhole } from '../core'
import { Button, Failed, Loading, useReading } from '../parts'
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
      {status === 'rejected' || status === 'failed'
        ? `${said}${error ? `: ${shownWhole(error.message)}` : '.'}`
        : said}
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
  const send = async (key: string) => {
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
  return (
    <article class="draft">
      <header class="stack">
        <h2 ref={heading} tabIndex={-1}>
          {shownWhole(draft.subject) || '(no subject)'}
        </h2>
        {draft.approval_reason !== null && (
          <p class="note warn">
            The agent asks for your approval, since {shownWhole(draft.approval_reason)}.
          </p>
        )}
        {isWaiting ? (
          <p class="note">
            The agent’s key may write drafts, but not send them. If you approve, the service sends exactly
            this version. If the agent changes it first, your approval is refused.
          </p>
        ) : (
          <Outcome draft={draft} />
        )}
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
            <div class="row decide">
              <Button kind="primary" onPress={send}>
                Approve and send
              </Button>
              <Button onPress={() => (editing.value = true)}>Edit</Button>
              <Button kind="danger" onPress={() => (rejecting.value = true)}>
                Reject
              </Button>
            </div>
          )}
        </>
      )}
      {draft.reply_to_message_id !== null && (
        <Answered accountId={accountId} messageId={draft.reply_to_message_id} />
      )}
      {draft.forward_message_id !== null && (
        <p>
          <a href={hrefOf('/mail', { account: accountId, message: draft.forward_message_id })}>
            Open the forwarded message
          </a>
        </p>
      )}
      <ReadBefore accountId={accountId} messageIds={draft.read_message_ids} />
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
