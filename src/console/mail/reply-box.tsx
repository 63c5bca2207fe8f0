import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Message } from '../../mailbox/records/message'
import { isServiceError } from '../../protocol/errors/error'
import { provenView } from '../../protocol/proven-view'
import type { DraftWithContent } from '../../protocol/records/draft'
import { tell } from '../core/notices'
import { senderOf, shownLine, shownWhole } from '../core/shown'
import { shortTime } from '../core/times'
import { Button, Field, Form } from '../parts/button'
import { useFocus } from '../parts/dialog'
import { useTyping } from './presence'
import { Suggestions, sendSuggestion } from './suggestions'

interface ReplyProps {
  account: string
  message: Message
  onDone: () => void
}

/** Lists messages of the thread that are newer than the one to answer. */
function Meanwhile({ messages }: { messages: readonly Message[] }) {
  return (
    <div class="note warn" role="alert">
      <p>Not sent: the conversation has newer messages. Read them first.</p>
      <ul>
        {messages.map((one) => (
          <li key={one.id}>
            <strong>{senderOf(one.record)}</strong>{' '}
            <time class="faint">{shortTime(one.record.created_at)}</time>
            <p>{shownWhole(one.text)}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Returns the people whom a reply reaches. */
function peopleOf({ record }: Message): string {
  const { reply_to, from_addr } = provenView(record)
  return reply_to.length > 0 ? reply_to.slice(0, 3).map(shownLine).join(', ') : from_addr
}

/** Buttons beside Send. */
function MoreButtons({ onHandBack, onCancel }: { onHandBack: () => void; onCancel: () => void }) {
  return (
    <>
      <button type="submit" class="button" onClick={onHandBack}>
        Send and hand back
      </button>
      <Button kind="quiet" onPress={onCancel}>
        Cancel
      </Button>
    </>
  )
}

/** Who else gets the reply, and whether a program does. */
function Recipients({ message }: { message: Message }) {
  return (
    <>
      {message.to.length + message.cc.length > 1 && (
        <label class="check">
          <input type="checkbox" name="all" /> Reply to all recipients
        </label>
      )}
      {message.automatic && <p class="note warn">A program wrote this message, and may reply to yours.</p>}
    </>
  )
}

/** Sends a reply in the agent's place. */
export function ReplyBox({ account, message, onDone }: ReplyProps) {
  const releases = useSignal(false)
  const used = useSignal<DraftWithContent | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const noteText = useTyping(account, message.threadId)
  const newer = useSignal<readonly Message[] | null>(null)
  const send = async (data: FormData, clientId: string) => {
    const text = String(data.get('text'))
    const isHandedBack = releases.value
    releases.value = false
    const replyAll = data.has('all')
    const onlyIfLatest = newer.value === null
    try {
      if (used.value) await sendSuggestion(account, used.value, text)
      else await message.reply({ text, replyAll, allowAutoReply: true, onlyIfLatest, clientId })
    } catch (error) {
      if (!isServiceError(error, 'thread_moved')) throw error
      const { messages } = await message.thread()
      newer.value = messages.slice(messages.findIndex(({ id }) => id === message.id) + 1)
      return
    }
    if (isHandedBack) await (await message.thread()).release()
    onDone()
    tell(
      isHandedBack
        ? 'Your reply is on its way, and the agent has the conversation again.'
        : 'Your reply is on its way.',
    )
  }
  const use = (draft: DraftWithContent) => {
    used.value = draft
    box.current!.value = draft.text ?? ''
    box.current!.focus()
    noteText(box.current!.value)
  }
  return (
    <section class="reply" aria-label="Reply">
      <Suggestions account={account} threadId={message.threadId} onUse={use} />
      <div ref={useFocus<HTMLDivElement>()}>
        <Form
          submit={newer.value ? 'Send anyway' : 'Send'}
          onSubmit={send}
          more={<MoreButtons onHandBack={() => (releases.value = true)} onCancel={onDone} />}
        >
          <Field label={`Reply to ${peopleOf(message)} in the agent’s place`}>
            <textarea
              ref={box}
              name="text"
              rows={7}
              required
              onInput={(event) => noteText(event.currentTarget.value)}
            />
          </Field>
          {newer.value && <Meanwhile messages={newer.value} />}
          <Recipients message={message} />
        </Form>
      </div>
    </section>
  )
}
