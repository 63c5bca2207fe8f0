import type { Draft, DraftWithContent } from '../../protocol/records/draft'
import { call } from '../core/ask'
import { shownWhole } from '../core/shown'
import { draftsVersion } from '../core/waiting'
import { Button } from '../parts/button'
import { useReading } from '../parts/reading'

/** Reads the replies that agents suggest in a thread, with their content. */
async function readSuggestions(account: string, threadId: string): Promise<DraftWithContent[]> {
  const search = new URLSearchParams({ thread_id: threadId, suggestion: 'true', status: 'draft' })
  const { drafts } = await call<{ drafts: Draft[] }>(`/drafts?${search}`, { account })
  return Promise.all(
    drafts.map(({ id }) => call<DraftWithContent>(`/drafts/${id}?include=content`, { account })),
  )
}

/** Sends a suggestion with the text that the operator left it with, which holds nothing. */
export async function sendSuggestion(
  account: string,
  { id, text: before }: DraftWithContent,
  text: string,
): Promise<void> {
  if (text !== before) await call(`/drafts/${id}`, { method: 'PATCH', account, body: { text } })
  await call(`/drafts/${id}/send`, { method: 'POST', account, body: {} })
}

interface SuggestionsProps {
  account: string
  threadId: string
  onUse: (draft: DraftWithContent) => void
}

/** Lists the replies that agents suggest. */
export function Suggestions({ account, threadId, onUse }: SuggestionsProps) {
  const { value, again } = useReading(
    `suggestions in ${threadId}`,
    () => readSuggestions(account, threadId),
    draftsVersion.value,
  )
  const dismiss = async (id: string) => {
    await call(`/drafts/${id}`, { method: 'DELETE', account })
    await again()
  }
  return (
    <>
      {(value.value ?? []).map((draft) => (
        <section key={draft.id} class="note stack" aria-label="Suggested reply">
          <p class="small faint">Suggested by the agent</p>
          <pre class="letter">{shownWhole(draft.text ?? '')}</pre>
          <div class="row">
            <Button onPress={() => onUse(draft)}>Use</Button>
            <Button kind="quiet" onPress={() => dismiss(draft.id)}>
              Dismiss
            </Button>
          </div>
        </section>
      ))}
    </>
  )
}
