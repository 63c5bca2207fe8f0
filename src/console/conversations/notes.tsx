import { useSignal } from '@preact/signals'
import type { Note } from '../../protocol/records/desk/note'
import { call, readAll } from '../core/ask'
import { nameOf } from '../core/shown'
import { fullTime } from '../core/times'
import { Button, Field, Form } from '../parts/button'
import { useFocus } from '../parts/dialog'
import { useReading } from '../parts/reading'
import { LinkedText } from './linked-text'

interface NoteFormProps {
  onAdd: (text: string, forAgent: boolean, key: string) => Promise<void>
  onDone: () => void
}

function NoteForm({ onAdd, onDone }: NoteFormProps) {
  return (
    <div ref={useFocus<HTMLDivElement>()}>
      <Form
        submit="Add note"
        onSubmit={async (data, key) => {
          await onAdd(String(data.get('text')), data.has('agent'), key)
          onDone()
        }}
        onCancel={onDone}
      >
        <Field label="Note" hint="Notes are never sent.">
          <textarea name="text" rows={3} required maxLength={10_000} />
        </Field>
        <label class="check">
          <input type="checkbox" name="agent" aria-describedby="agent-note" /> For the agent
        </label>
        <p id="agent-note" class="small soft">
          The agent reads it as your words. The flow rule does not count it: an address in a note is not one
          that the agent may write to.
        </p>
      </Form>
    </div>
  )
}

/** Shows the notes of a conversation, and adds one. */
export function Notes({ account, threadId }: { account: string; threadId: string }) {
  const path = `/threads/${threadId}/notes`
  const { value, again } = useReading(path, () => readAll<Note>(path, 'notes', account))
  const adding = useSignal(false)
  const add = async (text: string, for_agent: boolean, key: string) => {
    await call(path, { method: 'POST', account, body: { text, for_agent }, key })
    await again()
  }
  return (
    <section class="stack" aria-label="Notes">
      {(value.value ?? []).map(({ id, by, text, for_agent, created_at }) => (
        <div key={id} class="note">
          <p class="small faint">
            Note by {nameOf(by)}, {fullTime(created_at)} {for_agent && <span class="tag">For the agent</span>}
          </p>
          <LinkedText text={text} />
        </div>
      ))}
      {adding.value ? (
        <NoteForm onAdd={add} onDone={() => (adding.value = false)} />
      ) : (
        <div>
          <Button onPress={() => (adding.value = true)}>Add note</Button>
        </div>
      )}
    </section>
  )
}
