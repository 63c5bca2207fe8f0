import type { Draft, WaitingDraftWithContent } from '../../protocol/records/draft'
import { deleteDraft, sendChanged, sendNow } from '../approvals/decide'
import { call } from '../core/ask'
import { tell } from '../core/notices'
import { draftsVersion } from '../core/waiting'
import { Button } from '../parts/button'
import { useReading } from '../parts/reading'

/** Reads the replies that agents suggest in a thread, with their content and the component that shows it. */
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
export const sendSuggestion = (
  account: string,
  draft: WaitingDraftWithContent,
  text: string,
  key: string,
): Promise<unknown> =>
  text === (draft.text ?? '')
    ? sendNow(account, draft, key)
    : sendChanged(account, draft, { ...draft, text }, key)

interface SuggestionsProps {
  account: string
  threadId: string
  onUse: (draft: WaitingDraftWithContent) => void
}

/** Lists what agents suggest, with all that would be sent. A reply can be edited, a forward is sent as shown. */
export function Suggestions({ account, threadId, onUse }: SuggestionsProps) {
  const { value, again } = useReading(
    `suggestions in ${threadId}`,
    () => readSuggestions(account, threadId),
    draftsVersion.value,
  )
  if (!value.value) return null
  const { DraftContent, suggestions } = value.value
  const decide = async (work: Promise<unknown>) => {
    // It may have changed: show the version that the next press decides on.
    await work.finally(again)
  }
  return (
    <>
      {suggestions.map((draft) => {
        const isForward = draft.forward_message_id !== null
        const forward = (key: string) =>
          decide(sendNow(account, draft, key).then(() => tell('The suggested forward is on its way.')))
        return (
          <section
            key={draft.id}
            class="note stack"
            aria-label={isForward ? 'Suggested forward' : 'Suggested reply'}
          >
            <p class="small faint">Suggested by the agent</p>
            <DraftContent draft={draft} />
            <div class="row">
              {isForward ? (
                <Button onPress={forward}>Forward as shown</Button>
              ) : (
                <Button onPress={() => onUse(draft)}>Use</Button>
              )}
              <Button kind="quiet" onPress={() => decide(deleteDraft(account, draft))}>
                Dismiss
              </Button>
            </div>
          </section>
        )
      })}
    </>
  )
}
