import type { MessageSummary } from '../../protocol/records/message'
import type { Thread } from '../../protocol/records/thread'
import { nameOf, shownLine, subjectOf } from '../core/shown'
import { ageOf, shortTime } from '../core/times'
import { Button } from '../parts/button'
import type { ThreadList } from './thread-list'

const maxPeople = 3

interface PeopleProps {
  participants: readonly string[]
  /** Addresses of the account. */
  own: ReadonlySet<string>
}

function People({ participants: all, own }: PeopleProps) {
  const others = all.filter((address) => !own.has(address))
  const participants = others.length > 0 ? others : all
  const more = participants.length - maxPeople
  return (
    <span class="who cut" title={participants.slice(0, 20).map(shownLine).join(', ')}>
      {participants.slice(0, maxPeople).map(shownLine).join(', ')}
      {more > 0 && ` +${more}`}
    </span>
  )
}

/** State of a conversation in short: hold, assignee, status, who answered. */
function Tags({ thread, newest }: { thread: Thread; newest: MessageSummary | undefined }) {
  const { hold, assignee, status, snoozed_until, labels } = thread
  const answered = newest?.direction === 'outbound' ? newest.sent_by : null
  return (
    <span class="tags">
      {hold && (
        <span class="tag warn">
          Held by {nameOf(hold.by)} · {ageOf(hold.since)}
        </span>
      )}
      {assignee && <span class="tag">Assigned to {nameOf(assignee)}</span>}
      {status === 'snoozed' && snoozed_until && <span class="tag">Until {shortTime(snoozed_until)}</span>}
      {status === 'closed' && <span class="tag">Closed</span>}
      {answered && (
        <span class="tag good">
          {thread.message_count > 1 ? 'Answered' : 'Sent'} by {nameOf(answered)}
        </span>
      )}
      {labels
        .filter((name) => !['archived', 'trash', 'unread'].includes(name))
        .map((name) => (
          <span key={name} class={`tag ${name === 'spam' ? 'warn' : ''}`}>
            {shownLine(name)}
          </span>
        ))}
    </span>
  )
}

interface RowProps {
  thread: Thread
  newest: MessageSummary | undefined
  own: ReadonlySet<string>
  isOpen: boolean
  isChosen: boolean
  onOpen: () => void
  onChoose: (range: boolean) => void
}

function Row({ thread, newest, own, isOpen, isChosen, onOpen, onChoose }: RowProps) {
  const title = subjectOf(thread)
  const isUnread = newest?.labels.includes('unread')
  return (
    <li class={`thread ${isOpen ? 'open' : ''} ${isChosen ? 'chosen' : ''} ${isUnread ? 'unread' : ''}`}>
      <input
        type="checkbox"
        aria-label={`Select ${title}`}
        checked={isChosen}
        onClick={(event) => onChoose(event.shiftKey)}
      />
      <button type="button" class="what" aria-current={isOpen} onClick={onOpen}>
        <span class="spread">
          <People participants={thread.participants} own={own} />
          <time class="small faint nowrap">{shortTime(thread.last_message_at)}</time>
        </span>
        <span class="line">
          <span class="subject cut">{title}</span>
          {thread.message_count > 1 && (
            <span class="small faint nowrap">
              {thread.message_count}
              <span class="hidden"> messages</span>
            </span>
          )}
        </span>
        <span class="preview cut small">{shownLine(thread.preview)}</span>
        <Tags thread={thread} newest={newest} />
      </button>
    </li>
  )
}

interface RowsProps {
  list: ThreadList
  /** Addresses of the account. */
  own: ReadonlySet<string>
  open: string | null
  chosen: ReadonlySet<string>
  onOpen: (thread: Thread) => void
  onChoose: (id: string, range: boolean) => void
}

/** Lists conversations. The browser lays out only the visible ones. */
export function ThreadRows({ list, own, open, chosen, onOpen, onChoose }: RowsProps) {
  return (
    <div class="threads">
      <ul aria-label="Conversations">
        {list.rows.value.map((thread) => (
          <Row
            key={thread.id}
            thread={thread}
            own={own}
            newest={list.newest.value.get(thread.id)}
            isOpen={thread.id === open}
            isChosen={chosen.has(thread.id)}
            onOpen={() => onOpen(thread)}
            onChoose={(range) => onChoose(thread.id, range)}
          />
        ))}
      </ul>
      {!list.isWhole.value && list.rows.value.length > 0 && (
        <div class="end">
          <Button onPress={() => list.more()}>Show more</Button>
        </div>
      )}
    </div>
  )
}
