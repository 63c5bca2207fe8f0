import { useSignal } from '@preact/signals'
import { provenView } from '../../mail/headers'
import type { Message } from '../../mailbox'
import { isServiceError } from '../../protocol/errors'
import { senderOf, shortTime, shownLine, shownWhole, tell } from '../core'
import { Button, Field, Form, useFocus } from '../parts'

interface ReplyProps {
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

/** Sends a reply in the agent's place. */
export function ReplyBox({ message, onDone }: ReplyProps) {
  const newer = useSignal<readonly Message[] | null>(null)
  const send = async (data: FormData, clientId: string) => {
    const text = String(data.get('text'))
    const replyAll = data.has('all')
    const onlyIfLatest = newer.value === null
    try {
      await message.reply({ text, replyAll, allowAutoReply: true, onlyIfLatest, clientId })
    } catch (error) {
      if (!isServiceError(error, 'thread_moved')) throw error
      const { messages } = await message.thread()
      newer.value = messages.slice(messages.findIndex(({ id }) => id === message.id) + 1)
      return
    }
    onDone()
    tell('Your reply is on its way.')
  }
  const { reply_to, from_addr } = provenView(message.record)
  const people = reply_to.length > 0 ? reply_to.slice(0, 3).map(shownLine).join(', ') : from_addr
  const others = message.to.length + message.cc.length > 1
  return (
    <section class="reply" aria-label="Reply" ref={useFocus<HTMLElement>()}>
      <Form
        submit={newer.value ? 'Send anyway' : 'Send'}
        onSubmit={send}
        more={
          <Button kind="quiet" onPress={onDone}>
            Cancel
          </Button>
        }
      >
        <Field label={`Reply to ${people} in the agent’s place`}>
          <textarea name="text" rows={7} required />
        </Field>
        {newer.value && <Meanwhile messages={newer.value} />}
        {others && (
          <label class="check">
            <input type="checkbox" name="all" /> Reply to all recipients
          </label>
        )}
        {message.automatic && <p class="note warn">A program wrote this message, and may reply to yours.</p>}
      </Form>
    </section>
  )
}
