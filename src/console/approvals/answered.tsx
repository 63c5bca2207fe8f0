import { useSignal } from '@preact/signals'
import type { ListedMessage, Message } from '../../protocol/records/message'
import { call } from '../core/ask'
import { hrefOf } from '../core/location'
import { senderOf } from '../core/shown'
import { fullTime } from '../core/times'
import { HtmlBody } from '../html/html-body'
import { Letter } from '../parts/letter'
import { useReading } from '../parts/reading'
import { Loading } from '../parts/states'

interface Conversation {
  answered: Message
  /** Other messages of the thread, oldest first. */
  others: ListedMessage[]
}

const maxShown = 50

async function readConversation(account: string, messageId: string): Promise<Conversation> {
  const answered = await call<Message>(`/messages/${messageId}`, { account })
  const { messages } = await call<{ messages: ListedMessage[] }>(
    `/messages?thread_id=${answered.thread_id}&order=asc&limit=${maxShown}&include=spam`,
    { account },
  )
  return { answered, others: messages.filter(({ id }) => id !== messageId) }
}

function QuotedMessage({ message }: { message: ListedMessage | Message }) {
  const { from_addr, from_name, direction, authentication, received_at, created_at } = message
  const isProven = direction === 'outbound' || authentication?.from_verified === true
  return (
    <>
      <p class="row small">
        <strong>{senderOf(message)}</strong>
        {from_name !== null && <span class="faint">{from_addr}</span>}
        {!isProven && <span class="tag warn">not verified</span>}
        <time class="faint">{fullTime(received_at ?? created_at)}</time>
      </p>
      <Letter text={message.body_text ?? message.preview} />
    </>
  )
}

/** Shows the HTML of the message as its sender laid it out, on request. */
function LaidOut({ accountId, message }: { accountId: string; message: Message }) {
  const isOpen = useSignal(false)
  return (
    <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>Show HTML</summary>
      {isOpen.value && (
        <HtmlBody key={message.id} account={accountId} message={message} html={message.body_html} />
      )}
    </details>
  )
}

/** Shows the message that a draft answers, and the rest of its conversation. */
export function Answered({ accountId, messageId }: { accountId: string; messageId: string }) {
  const { value, error } = useReading(messageId, () => readConversation(accountId, messageId))
  if (error.value)
    return (
      <p class="note">
        The message that it replies to ({messageId}) cannot be shown: {error.value.message}
      </p>
    )
  const found = value.value
  if (!found) return <Loading />
  return (
    <section class="answered stack">
      <div class="spread">
        <h3>In reply to</h3>
        <a href={hrefOf('/messages', { account: accountId, message: messageId })}>Open the message</a>
      </div>
      <QuotedMessage message={found.answered} />
      {found.answered.body_html && <LaidOut accountId={accountId} message={found.answered} />}
      {found.others.length > 0 && (
        <details>
          <summary>
            Rest of the conversation: {found.others.length}
            {found.others.length + 1 >= maxShown && ' or more'}
          </summary>
          <div class="stack">
            {found.others.map((message) => (
              <QuotedMessage key={message.id} message={message} />
            ))}
          </div>
        </details>
      )}
    </section>
  )
}
