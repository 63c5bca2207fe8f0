import { useEffect, useRef } from 'preact/hooks'
import type { WaitingDraftWithContent } from '../../protocol/records/draft'
import { Button, Field, Form } from '../parts/button'
import { useFocus } from '../parts/dialog'
import type { Changes } from './decide'
import { changesOf, dropEdit, type Edited, keepEdit, keptEdit } from './kept-edit'
import { htmlToText } from './warnings'

interface EditProps {
  draft: WaitingDraftWithContent
  onSend: (changes: Changes, key: string) => Promise<void>
  onCancel: () => void
}

const asWritten = ({ to, cc, bcc, subject, text, html }: WaitingDraftWithContent): Edited => ({
  to: to.join(', '),
  cc: cc.join(', '),
  bcc: bcc.join(', '),
  subject,
  text: text ?? (html === null ? '' : htmlToText(html)),
})

const editedIn = (form: HTMLFormElement): Edited => {
  const data = new FormData(form)
  const value = (name: keyof Edited) => String(data.get(name) ?? '')
  return {
    to: value('to'),
    cc: value('cc'),
    bcc: value('bcc'),
    subject: value('subject'),
    text: value('text'),
  }
}

/** Asks before the tab is closed, since closing it deletes the edit from the session storage. */
function useAskBeforeClosing(isChanged: { current: boolean }): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isChanged.current) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
}

/** Shows the form in which a person changes a draft and sends it. */
export function EditDraft({ draft, onSend, onCancel }: EditProps) {
  const kept = keptEdit(draft)
  const first = useRef(kept ?? asWritten(draft)).current
  const isChanged = useRef(false)
  useAskBeforeClosing(isChanged)
  const place = useFocus<HTMLDivElement>()
  const keep = () => {
    const form = place.current?.querySelector('form')
    if (!form) return
    isChanged.current = true
    keepEdit(draft, editedIn(form))
  }
  const send = async (_data: FormData, key: string) => {
    await onSend(changesOf(editedIn(place.current!.querySelector('form')!)), key)
    isChanged.current = false
    dropEdit(draft)
  }
  const cancel = () => {
    dropEdit(draft)
    onCancel()
  }
  return (
    <div ref={place} onInput={keep}>
      <Form
        submit="Send edited version"
        onSubmit={send}
        more={
          <Button kind="quiet" onPress={cancel}>
            Discard changes
          </Button>
        }
      >
        {(['to', 'cc', 'bcc'] as const).map((name) => (
          <Field key={name} label={{ to: 'To', cc: 'Cc', bcc: 'Bcc' }[name]}>
            <input name={name} defaultValue={first[name]} />
          </Field>
        ))}
        <Field label="Subject">
          <input name="subject" defaultValue={first.subject} />
        </Field>
        <Field label="Text">
          <textarea name="text" rows={14} defaultValue={first.text} />
        </Field>
        {draft.html !== null && (
          <p class="note">
            The service generates new HTML from this text. The layout, images and text links of the first
            version are lost.
          </p>
        )}
      </Form>
    </div>
  )
}
