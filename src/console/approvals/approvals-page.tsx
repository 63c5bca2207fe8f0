import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { WaitingDraft } from '../../protocol/records/draft'
import { query, setQuery } from '../core/location'
import { tell } from '../core/notices'
import { shownLine, subjectOf } from '../core/shown'
import { shortTime } from '../core/times'
import { draftsVersion, readWaiting, waitingIn } from '../core/waiting'
import { Button } from '../parts/button'
import { Icon } from '../parts/icon'
import { type PageProps, useReading } from '../parts/reading'
import { Empty, Failed, Loading } from '../parts/states'
import { ApproveDialog } from './approve-dialog'
import { DraftView } from './draft-view'
import { RejectDialog } from './reject-dialog'
import { UnsentDrafts } from './unsent-drafts'

interface ListProps {
  drafts: readonly WaitingDraft[]
  open: string | undefined
  chosen: ReadonlySet<string>
  onChoose: (id: string) => void
}

function List({ drafts, open, chosen, onChoose }: ListProps) {
  return (
    <ul class="waiting">
      {drafts.map(({ id, subject, to, updated_at }) => (
        <li key={id} class={id === open ? 'open' : ''}>
          <input
            type="checkbox"
            aria-label={`Select ${subjectOf({ subject })}`}
            checked={chosen.has(id)}
            onChange={() => onChoose(id)}
          />
          <button type="button" aria-current={id === open} onClick={() => setQuery({ draft: id })}>
            <span class="spread">
              <strong class="cut">{shownLine(to.join(', ')) || 'no recipient yet'}</strong>
              <time class="faint small nowrap">{shortTime(updated_at)}</time>
            </span>
            <span class="cut soft">{subjectOf({ subject })}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface ManyProps {
  accountId: string
  drafts: readonly WaitingDraft[]
  onDone: (news: string) => Promise<void>
}

function Many({ accountId, drafts, onDone }: ManyProps) {
  const rejecting = useSignal(false)
  const approving = useSignal(false)
  return (
    <div class="row many">
      <strong>{drafts.length} selected</strong>
      <Button onPress={() => (approving.value = true)}>Review and approve</Button>
      <Button kind="danger" onPress={() => (rejecting.value = true)}>
        Reject
      </Button>
      {approving.value && (
        <ApproveDialog
          accountId={accountId}
          drafts={drafts}
          onClose={() => (approving.value = false)}
          onDone={onDone}
        />
      )}
      {rejecting.value && (
        <RejectDialog
          accountId={accountId}
          drafts={drafts}
          onClose={() => (rejecting.value = false)}
          onDone={onDone}
        />
      )}
    </div>
  )
}

/** Keeps the mailbox of the account open, which reports changes of drafts. */
function useLive(account: string): void {
  useEffect(() => {
    // If this fails, the page keeps the drafts that it read when it was opened.
    void import('../mail/mailbox').then(({ mailboxOf }) => mailboxOf(account)).catch(() => {})
  }, [account])
}

/** Lists the drafts that wait for the operator's approval. */
export function Page({ account }: PageProps) {
  const id = account.tenant_id
  const { error, again } = useReading(id, () => readWaiting(id))
  useLive(id)
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const drafts = waitingIn(id)
  if (error.value) return <Failed error={error.value} again={again} />
  if (!drafts) return <Loading />
  const done = async (news: string) => {
    chosen.value = new Set()
    setQuery({ draft: null })
    await again()
    tell(news)
  }
  const choose = (one: string) => {
    const next = new Set(chosen.value)
    if (!next.delete(one)) next.add(one)
    chosen.value = next
  }
  const wanted = query.value.get('draft')
  const open = wanted ?? drafts[0]?.id
  return (
    <div class={`approvals ${wanted ? 'reading' : ''}`}>
      <section class="left" aria-label="Waiting">
        <header class="spread">
          <h1>Approvals</h1>
          <span class="faint">{drafts.length} waiting</span>
        </header>
        {chosen.value.size > 0 && (
          <Many accountId={id} drafts={drafts.filter((one) => chosen.value.has(one.id))} onDone={done} />
        )}
        <List drafts={drafts} open={open} chosen={chosen.value} onChoose={choose} />
        {drafts.length === 0 && (
          <Empty title="Nothing to approve">
            <p>Drafts appear here when an agent’s key may not send. Approve or reject each one.</p>
          </Empty>
        )}
        <UnsentDrafts accountId={id} version={draftsVersion.value} open={open} />
      </section>
      <section class="right" aria-label="Draft">
        <div class="back">
          <Button kind="quiet" onPress={() => setQuery({ draft: null })}>
            <Icon name="back" /> All approvals
          </Button>
        </div>
        {open && <DraftView key={open} accountId={id} draftId={open} onDone={done} />}
      </section>
    </div>
  )
}
