import type { Message } from '../../mailbox'
import { shownLine, tell } from '../core'
import { Button, Field, Form, useFocus } from '../parts'

interface ReplyProps {
  message: Message
  onDone: () => void
}

/** Answers in the agent's place. */
export function ReplyBox({ message, onDone }: ReplyProps) {
  const send = async (data: FormData) => {
    const text = String(data.get('text'))
    await message.reply({ text, replyAll: data.has('all'), allowAutoReply: true })
    onDone()
    tell('Your answer is on its way, from the address of the agent.')
  }
  const { reply_to, from_addr } = message.record
  const people = reply_to.length > 0 ? reply_to.slice(0, 3).map(shownLine).join(', ') : from_addr
  const others = message.to.length + message.cc.length > 1
  return (
    <section class="reply" aria-label="Answer" ref={useFocus<HTMLElement>()}>
      <Form
        submit="Send"
        onSubmit={send}
        more={
          <Button kind="quiet" onPress={onDone}>
            Put it away
          </Button>
        }
      >
        <Field label={`Answer ${people}, in the agent’s place`}>
          <textarea name="text" rows={7} required />
        </Field>
        {others && (
          <label class="check">
            <input type="checkbox" name="all" /> Everybody who got it
          </label>
        )}
        {message.automatic && (
          <p class="note warn">A program wrote this mail. Programs may answer answers, on and on.</p>
        )}
      </Form>
    </section>
  )
}
