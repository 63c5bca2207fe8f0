import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Mailbox } from '../../mailbox/mailbox'
import type { Message, Thread } from '../../mailbox/records/message'
import { ComposeBox, type Task } from '../compose/compose-box'
import { setQuery } from '../core/location'
import { subjectOf } from '../core/shown'
import { HoldBar } from '../mail/hold-bar'
import { Button } from '../parts/button'
import { Icon } from '../parts/icon'
import { useReading } from '../parts/reading'
import { Failed, Loading } from '../parts/states'
import { setUnread } from './bulk'
import { DeskControls } from './desk-controls'
import { MessageCard } from './message-card'
import { Notes } from './notes'

/** Number of messages at the end whose text is shown at first. */
const openAtFirst = 3

/** Reads a conversation, and again whenever it changes. */
function useThread(mailbox: Mailbox, id: string) {
  const reading = useReading(`thread ${id}`, () => mailbox.threads.get(id))
  useEffect(
    () =>
      mailbox.on('event', ({ type, data }) => {
        const isOfThread = data.thread_id === id && /^message\.(received|queued|deleted)$/.test(type)
        if (isOfThread || (data.id === id && type.startsWith('thread.'))) void reading.again()
      }),
    [id],
  )
  return reading
}

interface MessagesProps {
  account: string
  thread: Thread
  onForward: (message: Message) => void
}

function Messages({ account, thread: { messages }, onForward }: MessagesProps) {
  return (
    <ol class="bubbles" aria-label="Messages">
      {messages.map((message, at) => (
        <li key={message.id}>
          <MessageCard
            account={account}
            message={message}
            isOpen={at >= messages.length - openAtFirst}
            onForward={() => onForward(message)}
          />
        </li>
      ))}
    </ol>
  )
}

interface ConversationProps {
  account: string
  mailbox: Mailbox
  id: string
  answering: boolean
  onAnswer: (on: boolean) => void
}

/** Shows a conversation with all its messages, and what can be done with it. */
export function Conversation({ account, mailbox, id, answering, onAnswer }: ConversationProps) {
  const { value, error, again } = useThread(mailbox, id)
  const forwarded = useSignal<Message | null>(null)
  const thread = value.value
  useEffect(() => {
    if (thread) setUnread(mailbox, thread.messages, false).catch(() => {})
  }, [thread?.messages.length])
  if (error.value) return <Failed error={error.value} again={again} />
  if (!thread) return <Loading what="Opening the conversation" />
  const answered = thread.messages.findLast(({ record }) => record.direction === 'inbound')
  const task: Task | null = forwarded.value
    ? { kind: 'forward', message: forwarded.value }
    : answering && answered
      ? { kind: 'reply', message: answered }
      : null
  const close = () => {
    forwarded.value = null
    onAnswer(false)
  }
  return (
    <article class="mail" aria-label={subjectOf(thread.record)}>
      <div class="bar">
        <div class="back">
          <Button kind="quiet" label="Back to the list" onPress={() => setQuery({ thread: null })}>
            <Icon name="back" />
          </Button>
        </div>
        {answered && (
          <Button onPress={() => onAnswer(true)} title="Reply (r)">
            <Icon name="reply" /> Reply
          </Button>
        )}
      </div>
      <h2>{subjectOf(thread.record)}</h2>
      <DeskControls account={account} thread={thread} onChange={again} />
      <HoldBar account={account} thread={thread} onChange={again} />
      <Messages account={account} thread={thread} onForward={(message) => (forwarded.value = message)} />
      {task && (
        <ComposeBox
          key={`${forwarded.value ? 'forward' : 'reply'} ${(forwarded.value ?? answered)?.id}`}
          account={account}
          task={task}
          onDone={close}
        />
      )}
      <Notes account={account} threadId={id} />
    </article>
  )
}
