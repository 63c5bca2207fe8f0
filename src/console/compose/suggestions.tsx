import type { Draft, WaitingDraftWithContent } from '../../protocol/records/draft'
import { call, Refused } from '../core/ask'
import { draftsVersion } from '../core/waiting'
import { Button } from '../parts/button'
import { useReading } from '../parts/reading'
import { isChangedElsewhere } from './draft-keeper'

// It brings the converters of bodies, which few conversations need.
const loadDecisions = () => import('../approvals/decide')

/** Reads the replies and forwards that agents suggest in a thread, with their content and the component that shows it. */
async function readSuggestions(account: string, threadId: string) {
  const search = new URLSearchParams({ thread_id: threadId, suggestion: 'true', status: 'draft' })
  const { drafts } = await call<{ drafts: Draft[] }>(`/drafts?${search}`, { account })
  if (drafts.length === 0) return null
  const pathOf = ({ id }: Draft) => `/console/accounts/${account}/drafts/${id}`
  const [{ DraftContent }, ...suggestions] = await Promise.all([
    import('../approvals/draft-content'),
    ...drafts.map((draft) => call<WaitingDraftWithContent>(pathOf(draft))),
  ])
  return { DraftContent, suggestions }
}

/** Sends a suggestion as it was shown, or with another text; HTML is then generated from it. */
export async function sendSuggestion(
  account: string,
  draft: WaitingDraftWithContent,
  text: string,
  key: string,
): Promise<void> {
  const { sendChanged, sendNow } = await loadDecisions()
  try {
    // A field of a form has other line ends.
    if (text === (draft.text ?? '').replace(/\r\n?/g, '\n')) await sendNow(account, draft, key)
    else await sendChanged(account, draft, { ...draft, text }, key)
  } catch (error) {
    if (!isChangedElsewhere(error)) throw error
    throw new Refused(
      '',
      'Not sent: the agent changed its suggestion. Close this, read it again, and use it.',
    )
  }
}

interface SuggestionsProps {
  account: string
  threadId: string
  /** Suggestion in the box, in the version that was used. */
  used: WaitingDraftWithContent | null
  onUse: (draft: WaitingDraftWithContent) => void
}

/** Lists the replies and forwards that agents suggest, each with all that it would send. */
export function Suggestions({ account, threadId, used, onUse }: SuggestionsProps) {
  const { value, again } = useReading(
    `suggestions in ${threadId}`,
    () => readSuggestions(account, threadId),
    draftsVersion.value,
  )
  if (!value.value) return null
  const { DraftContent, suggestions } = value.value
  const dismiss = async (draft: WaitingDraftWithContent) => {
    // It may have changed: show the version that the next press dismisses.
    const { deleteDraft } = await loadDecisions()
    await deleteDraft(account, draft).finally(again)
  }
  return (
    <>
      {suggestions.map((draft) => (
        <section
          key={draft.id}
          class="note stack"
          aria-label={draft.forward_message_id ? 'Suggested forward' : 'Suggested reply'}
        >
          <p class="small faint">
            {draft.forward_message_id ? 'The agent suggests a forward' : 'The agent suggests a reply'}
          </p>
          {used?.id === draft.id && used.seq !== draft.seq && (
            <p class="note warn" role="status">
              This suggestion changed after you used it. Use it again before you send.
            </p>
          )}
          <DraftContent draft={draft} />
          <div class="row">
            <Button onPress={() => onUse(draft)}>Use</Button>
            <Button kind="quiet" onPress={() => dismiss(draft)}>
              Dismiss
            </Button>
          </div>
        </section>
      ))}
    </>
  )
}
