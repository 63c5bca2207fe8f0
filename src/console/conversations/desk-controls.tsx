import type { Thread } from '../../mailbox/records/message'
import type { AccountOperator } from '../../protocol/records/console'
import type { ConsumerState } from '../../protocol/records/consumer'
import { call } from '../core/ask'
import { tellError } from '../core/notices'
import { operator } from '../core/session'
import { shownLine } from '../core/shown'
import { fullTime } from '../core/times'
import { Button } from '../parts/button'
import { useReading } from '../parts/reading'

interface ControlsProps {
  account: string
  thread: Thread
  onChange: () => Promise<unknown>
}

/** Returns the times that a conversation can be snoozed until. */
function snoozeTimes(): [string, Date][] {
  const at = (days: number) => {
    const date = new Date()
    date.setDate(date.getDate() + days)
    date.setHours(9, 0, 0, 0)
    return date
  }
  return [
    ['For 1 hour', new Date(Date.now() + 3_600_000)],
    ['Until tomorrow, 9:00', at(1)],
    ['For a week', at(7)],
  ]
}

/** Reads who can have a conversation. */
async function readAssignees(account: string) {
  const [{ operators }, { consumers }] = await Promise.all([
    call<{ operators: AccountOperator[] }>(`/console/accounts/${account}/operators`),
    call<{ consumers: ConsumerState[] }>('/consumers', { account }),
  ])
  return { operators, consumers }
}

function Assignee({ account, thread, onChange }: ControlsProps) {
  const found = useReading(`assignees of ${account}`, () => readAssignees(account))
  const { assignee } = thread.record
  const assign = async (value: string) => {
    const [kind, ...rest] = value.split(':')
    const id = rest.join(':')
    await thread.assign(value === '' ? null : { kind: kind as 'operator' | 'consumer', id })
    await onChange()
  }
  const { operators = [], consumers = [] } = found.value.value ?? {}
  return (
    <label class="row">
      <span class="faint wide">Assignee</span>
      <select
        class="input"
        aria-label="Assignee"
        key={`${assignee?.id} ${operators.length} ${consumers.length}`}
        value={assignee ? `${assignee.kind}:${assignee.id}` : ''}
        onChange={(event) => void assign(event.currentTarget.value).catch(tellError)}
      >
        <option value="">Nobody</option>
        {operators.map(({ id, name }) => (
          <option key={id} value={`operator:${id}`}>
            {id === operator.value?.id ? 'Me' : shownLine(name)}
          </option>
        ))}
        {consumers.map(({ name }) => (
          <option key={name} value={`consumer:${name}`}>
            Agent {shownLine(name)}
          </option>
        ))}
      </select>
    </label>
  )
}

function Snooze({ thread, onChange }: Omit<ControlsProps, 'account'>) {
  const snooze = async (at: number) => {
    await thread.snooze(snoozeTimes()[at]![1])
    await onChange()
  }
  return (
    <select
      class="input"
      aria-label="Snooze"
      value=""
      onChange={(event) => void snooze(Number(event.currentTarget.value)).catch(tellError)}
    >
      <option value="" disabled>
        Snooze…
      </option>
      {snoozeTimes().map(([words], at) => (
        <option key={words} value={at}>
          {words}
        </option>
      ))}
    </select>
  )
}

/** Assigns, snoozes, closes and opens a conversation. */
export function DeskControls({ account, thread, onChange }: ControlsProps) {
  const { status, snoozed_until } = thread.record
  const isOpen = status === undefined || status === 'open'
  const change = (work: () => Promise<unknown>) => async () => {
    await work()
    await onChange()
  }
  return (
    <section class="row desk" aria-label="Assignment and status">
      <Assignee account={account} thread={thread} onChange={onChange} />
      {isOpen && <Snooze thread={thread} onChange={onChange} />}
      {isOpen ? (
        <Button onPress={change(() => thread.close())} title="Archive (e)">
          Archive
        </Button>
      ) : (
        <Button onPress={change(() => thread.reopen())}>Reopen</Button>
      )}
      {status === 'snoozed' && snoozed_until && (
        <span class="tag">Snoozed until {fullTime(snoozed_until)}</span>
      )}
      {status === 'closed' && <span class="tag">Closed</span>}
    </section>
  )
}
