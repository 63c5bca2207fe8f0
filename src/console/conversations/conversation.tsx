import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Mailbox } from '../../mailbox/mailbox'
import type { Message, Thread } from '../../mailbox/records/message'
import type { WaitingDraftWithContent } from '../../protocol/records/draft'
import { ComposeBox } from '../compose/compose-box'
import type { Task } from '../compose/fields'
import { Suggestions } from '../compose/suggestions'
import { query, setQuery } from '../core/location'
import { subjectOf } from '../core/shown'
import { useKeys } from '../mail/keys'
import type { HtmlViewer } from '../mail/sides'
import { Button } from '../parts/button'
import { Icon } from '../parts/icon'
import { useReading } from '../parts/reading'
import { Failed, Loading } from '../parts/states'
import { setUnread } from './bulk'
import { DeskControls } from './desk-controls'
import { HoldBar } from './hold-bar'
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

/** Opens the box for a reply to a message, or for its forward. The address keeps which. */
const write = (kind: 'reply' | 'forward', id: string) =>
  setQuery({ reply: null, forward: null, [kind]: id }, { replace: true })

/** Closes the box. What it has is saved as a draft. */
export const stopWriting = () => setQuery({ reply: null, forward: null }, { replace: true })

/** Returns what the address says is written. */
function taskIn({ messages }: Thread): Task | null {
  for (const kind of ['reply', 'forward'] as const) {
    const message = messages.find(({ id }) => id === query.value.get(kind))
    if (message) return { kind, message }
  }
  return null
}

interface MessagesProps {
  account: string
  viewer: HtmlViewer
  messages: readonly Message[]
  /** Newest message to reply to, which has its own button. */
  answered: Message | undefined
}

function Messages({ account, viewer, messages, answered }: MessagesProps) {
  return (
    <ol class="bubbles" aria-label="Messages">
      {messages.map((message, at) => (
        <li key={message.id}>
          <MessageCard
            account={account}
            viewer={viewer}
            message={message}
            isOpen={at >= messages.length - openAtFirst}
            onReply={
              message === answered || message.record.direction === 'outbound'
                ? undefined
                : () => write('reply', message.id)
            }
            onForward={() => write('forward', message.id)}
          />
        </li>
      ))}
    </ol>
  )
}

interface AnswerProps {
  account: string
  thread: Thread
  answered: Message | undefined
}

/** Shows what agents suggest, and the box in which the operator writes. */
function Answer({ account, thread, answered }: AnswerProps) {
  const used = useSignal<WaitingDraftWithContent | null>(null)
  const usedFor = useRef<string | undefined>(undefined)
  const task = taskIn(thread)
  const about = task && task.kind !== 'new' ? `${task.kind} ${task.message.id}` : undefined
  // Another box than that of the suggestion is a message of the operator's own.
  const isUsed = about !== undefined && about === usedFor.current
  useEffect(() => {
    if (!isUsed) used.value = null
  }, [isUsed])
  const use = (draft: WaitingDraftWithContent) => {
    const kind = draft.forward_message_id ? 'forward' : 'reply'
    const id = draft.forward_message_id ?? draft.reply_to_message_id ?? answered?.id
    if (id === undefined) return
    used.value = draft
    usedFor.current = `${kind} ${id}`
    write(kind, id)
  }
  const close = () => {
    used.value = null
    usedFor.current = undefined
    stopWriting()
  }
  return (
    <>
      <Suggestions account={account} threadId={thread.id} used={used.value} onUse={use} />
      {task && (
        <ComposeBox
          key={about}
          account={account}
          task={task}
          used={isUsed ? used : undefined}
          onDone={close}
        />
      )}
    </>
  )
}

interface ConversationProps {
  account: string
  mailbox: Mailbox
  viewer: HtmlViewer
  id: string
}

/** Shows a conversation with all its messages, and what can be done with it. */
export function Conversation({ account, mailbox, viewer, id }: ConversationProps) {
  const { value, error, again } = useThread(mailbox, id)
  const thread = value.value
  const answered = thread?.messages.findLast(({ record }) => record.direction === 'inbound')
  const reply = () => answered && write('reply', answered.id)
  useKeys({ r: reply })
  useEffect(() => {
    if (thread) setUnread(mailbox, thread.messages, false).catch(() => {})
  }, [thread?.messages.length])
  if (error.value && !thread) return <Failed error={error.value} again={again} />
  if (!thread) return <Loading what="Opening the conversation" />
  return (
    <article class="mail" aria-label={subjectOf(thread.record)}>
      <div class="bar">
        <div class="back">
          <Button kind="quiet" label="Back to the list" onPress={() => setQuery({ thread: null })}>
            <Icon name="back" />
          </Button>
        </div>
        {answered && (
          <Button onPress={reply} title="Reply (r)">
            <Icon name="reply" /> Reply
          </Button>
        )}
        <DeskControls account={account} thread={thread} onChange={again} />
      </div>
      <h2>{subjectOf(thread.record)}</h2>
      <HoldBar account={account} thread={thread} onChange={again} />
      <Messages account={account} viewer={viewer} messages={thread.messages} answered={answered} />
      <Answer account={account} thread={thread} answered={answered} />
      <Notes account={account} threadId={id} />
    </article>
  )
}
