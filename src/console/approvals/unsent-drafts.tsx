import type { Draft } from '../../protocol/records/draft'
import { readAll } from '../core/ask'
import { setQuery } from '../core/location'
import { subjectOf } from '../core/shown'
import { fullTime, shortTime } from '../core/times'
import { useReading } from '../parts/reading'
import { Failed } from '../parts/states'

/** Names of the draft statuses that wait for nobody's approval. */
const kinds = {
  scheduled: 'Scheduled',
  failed: 'Not sent',
  draft: 'Draft',
} as const

const maxShown = 200

async function readUnsent(account: string): Promise<Draft[]> {
  const lists = await Promise.all(
    Object.keys(kinds).map((status) => readAll<Draft>(`/drafts?status=${status}`, 'drafts', account)),
  )
  return lists.flat().slice(0, maxShown)
}

function Row({ draft, open }: { draft: Draft; open: boolean }) {
  const { id, subject, status, scheduled_at, updated_at } = draft
  return (
    <li class={open ? 'open' : ''}>
      <span />
      <button type="button" aria-current={open} onClick={() => setQuery({ draft: id })}>
        <span class="spread">
          <strong class="cut">{subjectOf({ subject })}</strong>
          <time class="faint small nowrap">{shortTime(updated_at)}</time>
        </span>
        <span class="cut soft">
          {draft.suggestion ? 'Suggestion of the agent' : (kinds[status as keyof typeof kinds] ?? status)}
          {scheduled_at !== null && status === 'scheduled' && ` for ${fullTime(scheduled_at)}`}
        </span>
      </button>
    </li>
  )
}

interface UnsentProps {
  accountId: string
  /** Changes whenever a draft of the account changes. */
  version: number
  open: string | undefined
}

/** Lists drafts that need no approval: unsent, scheduled and failed ones. */
export function UnsentDrafts({ accountId, version, open }: UnsentProps) {
  const { value, error, again } = useReading(accountId, () => readUnsent(accountId), version)
  if (error.value) return <Failed error={error.value} again={again} />
  const drafts = value.value
  if (!drafts || drafts.length === 0) return null
  return (
    <section aria-label="Other drafts">
      <header class="spread">
        <h2>Other drafts</h2>
        <span class="faint">{drafts.length}</span>
      </header>
      <ul class="waiting">
        {drafts.map((draft) => (
          <Row key={draft.id} draft={draft} open={draft.id === open} />
        ))}
      </ul>
    </section>
  )
}
