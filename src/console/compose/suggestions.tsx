import type { Draft, WaitingDraftWithContent } from '../../protocol/records/draft'
import { call, Refused } from '../core/ask'
import { editPrefix } from '../core/session'
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

const refusals: Record<string, string> = {
  draft_changed: 'Not sent: the agent changed its suggestion. Read it again, then use it again.',
  draft_sent: 'This suggestion was sent: read the conversation.',
  not_found: 'Not sent: this suggestion was dismissed or deleted.',
}

const keyOf = ({ id }: Draft) => `${editPrefix}suggestion.${id}`
/** Returns the text of a suggestion, as a field of a form has it. */
const textIn = ({ text }: WaitingDraftWithContent): string => (text ?? '').replace(/\r\n?/g, '\n')

/** Returns the text of a suggestion for the box: with the operator's edits of it, if this tab has some. */
export const editedText = (draft: WaitingDraftWithContent): string =>
  sessionStorage.getItem(keyOf(draft)) ?? textIn(draft)

/** Keeps the operator's edits of a suggestion for this tab, until it is sent, or its edits are discarded. */
export function keepEdits(draft: WaitingDraftWithContent, text: string): void {
  if (text === textIn(draft)) dropEdits(draft)
  else sessionStorage.setItem(keyOf(draft), text)
}

/** Drops the operator's edits of a suggestion. */
export const dropEdits = (draft: WaitingDraftWithContent): void => sessionStorage.removeItem(keyOf(draft))

/**
 * Sends a suggestion as it was shown, or with another text; HTML is then generated from it.
 *
 * @param onChange gets the suggestion with the other text, before it is sent
 */
export async function sendSuggestion(
  account: string,
  draft: WaitingDraftWithContent,
  text: string,
  key: string,
  onChange: (draft: WaitingDraftWithContent) => void,
): Promise<void> {
  const { sendChanged, sendNow } = await loadDecisions()
  try {
    if (text === textIn(draft)) await sendNow(account, draft, key)
    else await sendChanged(account, draft, { ...draft, text }, key, onChange)
  } catch (error) {
    if (!isChangedElsewhere(error)) throw error
    throw new Refused('', refusals[(error as Refused).code]!)
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
