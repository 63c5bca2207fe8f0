import type { Message } from '../../protocol/records/message'
import { call, Refused } from '../core/ask'
import { hrefOf } from '../core/location'
import { senderOf, subjectOf } from '../core/shown'
import { fullTime } from '../core/times'
import { useReading } from '../parts/reading'
import { Failed, Loading } from '../parts/states'

/** Message that the agent had read, or only its id if it was deleted since. */
type Read = Message | string

const readOne = (account: string, id: string): Promise<Read> =>
  call<Message>(`/messages/${id}`, { account }).catch((error) => {
    if (error instanceof Refused && error.code === 'not_found') return id
    throw error
  })

function One({ accountId, message }: { accountId: string; message: Read }) {
  if (typeof message === 'string') return <li class="faint">{message}, deleted since</li>
  const { id, direction, received_at, created_at } = message
  return (
    <li class="row">
      <a href={hrefOf('/messages', { account: accountId, view: 'all', message: id })}>{subjectOf(message)}</a>
      <span class="soft">{direction === 'outbound' ? 'sent from this account' : senderOf(message)}</span>
      <time class="small faint">{fullTime(received_at ?? created_at)}</time>
    </li>
  )
}

function List({ accountId, messageIds }: ReadBeforeProps) {
  const { value, error, again } = useReading(messageIds.join(), () =>
    Promise.all(messageIds.map((id) => readOne(accountId, id))),
  )
  if (error.value) return <Failed error={error.value} again={again} />
  if (!value.value) return <Loading />
  return (
    <ul>
      {value.value.map((message) => (
        <One
          key={typeof message === 'string' ? message : message.id}
          accountId={accountId}
          message={message}
        />
      ))}
    </ul>
  )
}

interface ReadBeforeProps {
  accountId: string
  messageIds: readonly string[]
}

/** Lists the messages that the agent had read before it wrote a draft. */
export function ReadBefore({ accountId, messageIds }: ReadBeforeProps) {
  return (
    <section class="answered stack">
      <h3>Messages that the agent had read</h3>
      {messageIds.length === 0 ? (
        <p class="small faint">The agent did not report which messages it had read before it wrote this.</p>
      ) : (
        <List accountId={accountId} messageIds={messageIds} />
      )}
    </section>
  )
}
