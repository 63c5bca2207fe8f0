import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Thread } from '../../mailbox/records/message'
import type { Present } from '../../protocol/records/desk/presence'
import type { Hold } from '../../protocol/records/thread'
import { isWritingIn, report } from '../compose/presence'
import { nameOf, shownLine } from '../core/shown'
import { ageOf, fullTime } from '../core/times'
import { Button } from '../parts/button'
import { useFocus } from '../parts/dialog'

const reportEveryMs = 60_000
const readerOf = ({ name }: Present): string => shownLine(name ?? '') || 'Another operator'

/** Lists the other operators who have the conversation open. */
function Others({ account, threadId }: { account: string; threadId: string }) {
  const others = useSignal<readonly Present[]>([])
  useEffect(() => {
    const look = () => {
      if (isWritingIn(threadId)) return
      report(account, threadId, 'reading').then(
        (present) => (others.value = present),
        () => {},
      )
    }
    look()
    const timer = setInterval(look, reportEveryMs)
    return () => {
      clearInterval(timer)
      if (!isWritingIn(threadId)) report(account, threadId, 'gone').catch(() => {})
    }
  }, [threadId])
  return (
    <>
      {others.value.map((one) => (
        <span key={one.operator_id} class="tag" role="status">
          {readerOf(one)} {one.state === 'writing' ? 'is writing' : 'is reading'}
        </span>
      ))}
    </>
  )
}

function Held({ hold, onRelease }: { hold: Hold; onRelease: () => Promise<unknown> }) {
  return (
    <div class="note spread" role="status">
      <p>
        <strong>Held by {nameOf(hold.by).replace(/^The/, 'the')}</strong> for {ageOf(hold.since)}
        {hold.until && `, until ${fullTime(hold.until)}`}. Agents get no messages of it and do not reply.
        {hold.reason && <span class="soft"> {shownLine(hold.reason)}</span>}
      </p>
      <Button onPress={onRelease}>Release</Button>
    </div>
  )
}

function HoldForm({ onHold, onDone }: { onHold: (reason: string) => Promise<unknown>; onDone: () => void }) {
  const reason = useSignal('')
  return (
    <div class="row adding" ref={useFocus<HTMLDivElement>()}>
      <input
        class="input"
        aria-label="Reason for the hold"
        placeholder="Reason (optional)"
        maxLength={1000}
        onInput={(event) => (reason.value = event.currentTarget.value)}
      />
      <Button kind="primary" onPress={() => onHold(reason.value.trim()).then(onDone)}>
        Hold
      </Button>
      <Button kind="quiet" onPress={onDone}>
        Cancel
      </Button>
    </div>
  )
}

interface HoldBarProps {
  account: string
  thread: Thread
  onChange: () => Promise<unknown>
}

/** Shows who has the conversation, and holds or releases it. */
export function HoldBar({ account, thread, onChange }: HoldBarProps) {
  const asking = useSignal(false)
  const { hold } = thread.record
  const take = async (reason: string) => {
    await thread.hold(reason ? { reason } : {})
    await onChange()
  }
  const release = async () => {
    await thread.release()
    await onChange()
  }
  return (
    <section class="hold" aria-label="Hold">
      {hold ? (
        <Held hold={hold} onRelease={release} />
      ) : asking.value ? (
        <HoldForm onHold={take} onDone={() => (asking.value = false)} />
      ) : (
        <Button title="Keep agents out of this conversation" onPress={() => (asking.value = true)}>
          Hold
        </Button>
      )}
      <Others account={account} threadId={thread.id} />
    </section>
  )
}
