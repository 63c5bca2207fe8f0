import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Message } from '../../mailbox/records/message'
import type { DraftWithContent } from '../../protocol/records/draft'
import { Refused } from '../core/ask'
import { tell, tellError } from '../core/notices'
import { shownLine } from '../core/shown'
import { keepWriting, useTyping } from '../mail/presence'
import { Suggestions, sendSuggestion } from '../mail/suggestions'
import { Button, Field, Form } from '../parts/button'
import { useFocus } from '../parts/dialog'
import { DraftKeeper, type KeptFile, type Purpose, undoMs, type Written } from './draft-keeper'
import { Files } from './files'

/** What is written: a reply to a message, a forward of one, or a new message. */
export type Task = { kind: 'reply' | 'forward'; message: Message } | { kind: 'new'; inboxId: string }

const titles = { reply: 'Reply', forward: 'Forward', new: 'New message' }
/** Time after the last key in which the draft is saved. */
const saveAfterMs = 800

const purposeOf = (task: Task): Purpose => {
  if (task.kind === 'new') return { inbox_id: task.inboxId }
  const { id, record } = task.message
  const field = task.kind === 'reply' ? 'reply_to_message_id' : 'forward_message_id'
  return { inbox_id: record.inbox_id, [field]: id }
}

const addressesOf = (text: string): string[] =>
  text
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter(Boolean)

const writtenIn = (form: HTMLFormElement, task: Task, files: readonly KeptFile[]): Written => {
  const data = new FormData(form)
  const text = String(data.get('text'))
  if (task.kind === 'reply') return { text, files, reply_all: data.has('all') }
  const to = addressesOf(String(data.get('to')))
  return { text, files, to, ...(task.kind === 'new' && { subject: String(data.get('subject')) }) }
}

/** Saves the draft a moment after the last change. Returns functions that note a change, and that cancel. */
function useSaving(keeper: DraftKeeper, read: () => Written) {
  const state = useSignal('')
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const cancel = () => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  const save = () => {
    cancel()
    const written = read()
    keeper.save(written).then(
      () => (state.value = 'Draft saved.'),
      () => (state.value = 'The draft is not saved: an address may be incomplete.'),
    )
  }
  useEffect(
    () => () => {
      if (timer.current !== undefined) save()
    },
    [],
  )
  const note = () => {
    cancel()
    state.value = ''
    timer.current = setTimeout(save, saveAfterMs)
  }
  return { state, note, cancel }
}

function Recipients({ task }: { task: Task }) {
  if (task.kind === 'reply') {
    const { to, cc, automatic } = task.message
    return (
      <>
        {to.length + cc.length > 1 && (
          <label class="check">
            <input type="checkbox" name="all" /> Reply to all recipients
          </label>
        )}
        {automatic && <p class="note warn">A program wrote this message, and may reply to yours.</p>}
      </>
    )
  }
  return (
    <>
      <Field label="To" hint="Separate several addresses by commas.">
        <input name="to" required maxLength={2_000} />
      </Field>
      {task.kind === 'new' && (
        <Field label="Subject">
          <input name="subject" maxLength={900} />
        </Field>
      )}
    </>
  )
}

/** Fills the form with a draft. */
function fill(form: HTMLFormElement, { to, subject, text, reply_all }: Written): void {
  const set = (name: string, value: string | undefined) => {
    const field = form.elements.namedItem(name) as HTMLInputElement | null
    if (field && value) field.value = value
  }
  set('to', to?.join(', '))
  set('subject', subject)
  set('text', text)
  const all = form.elements.namedItem('all') as HTMLInputElement | null
  if (all && reply_all !== undefined) all.checked = reply_all
}

interface ComposeProps {
  account: string
  task: Task
  onDone: () => void
}

interface Sending {
  account: string
  task: Task
  keeper: DraftKeeper
  used: DraftWithContent | null
  isHandedBack: boolean
}

/** Sends what is written: later with an undo; now for a suggestion, or to hand the conversation back. */
async function send({ account, task, keeper, used, isHandedBack }: Sending, written: Written) {
  if (used) {
    if (written.files.length > 0)
      throw new Refused(
        '',
        'A suggested reply is sent without files: remove them, or dismiss it and write your own.',
      )
    await sendSuggestion(account, used, written.text)
    await keeper.discard()
    if (isHandedBack && task.kind === 'reply') await (await task.message.thread()).release()
    tell('The suggested reply is on its way.')
  } else if (isHandedBack && task.kind === 'reply') {
    await keeper.sendNow(written)
    await (await task.message.thread()).release()
    tell('Your reply is on its way, and the agent has the conversation again.')
  } else {
    const takeBack = await keeper.sendLater(written)
    if (task.kind === 'reply') keepWriting(task.message.threadId, undoMs + 5_000)
    const undo = () =>
      takeBack().then(() => tell('Not sent. The draft is kept; open it to go on.'), tellError)
    tell(`Sending in ${undoMs / 1000} seconds.`, { undo, ms: undoMs })
  }
}

interface ButtonsProps {
  isReply: boolean
  onHandBack: () => void
  onClose: () => void
  onDiscard: () => Promise<void>
}

function Buttons({ isReply, onHandBack, onClose, onDiscard }: ButtonsProps) {
  return (
    <>
      {isReply && (
        <button type="submit" class="button" onClick={onHandBack}>
          Send and hand back
        </button>
      )}
      <Button kind="quiet" onPress={onClose}>
        Close
      </Button>
      <Button kind="quiet" onPress={onDiscard}>
        Discard draft
      </Button>
    </>
  )
}

/** Restores the draft into the form when it opens. */
function useRestored(
  keeper: DraftKeeper,
  part: RefObject<HTMLDivElement | null>,
  put: (written: Written) => void,
) {
  useEffect(() => {
    keeper.restore().then((written) => {
      const form = part.current?.querySelector('form')
      if (!written || !form) return
      fill(form, written)
      put(written)
    }, tellError)
  }, [])
}

/** Returns a check for messages that came since the form was opened, or since the last check. */
function useNewer(task: Task): () => Promise<boolean> {
  const seen = useRef<string | undefined>(undefined)
  const look = async () => {
    if (task.kind !== 'reply') return false
    const before = seen.current
    seen.current = (await task.message.thread()).messages.at(-1)?.id
    return before !== undefined && before !== seen.current
  }
  useEffect(() => void look().catch(() => {}), [])
  return look
}

/** State and actions of the form. */
function useCompose({ account, task, onDone }: ComposeProps) {
  const keeper = useMemo(() => new DraftKeeper(account, purposeOf(task)), [])
  const files = useSignal<readonly KeptFile[]>([])
  const used = useSignal<DraftWithContent | null>(null)
  const isWarned = useSignal(false)
  const releases = useRef(false)
  const part = useFocus<HTMLDivElement>()
  const form = () => part.current!.querySelector('form')!
  const saving = useSaving(keeper, () => writtenIn(form(), task, files.value))
  const noteText = useTyping(account, task.kind === 'new' ? null : task.message.threadId)
  const hasNewer = useNewer(task)
  const change = () => {
    saving.note()
    noteText(String(new FormData(form()).get('text')))
  }
  useRestored(keeper, part, (written) => {
    files.value = written.files
    saving.state.value = 'Draft restored.'
    noteText(written.text)
  })
  const submit = async () => {
    saving.cancel()
    const isHandedBack = releases.current
    releases.current = false
    isWarned.value = await hasNewer()
    if (isWarned.value) return
    const written = writtenIn(form(), task, files.value)
    await send({ account, task, keeper, used: used.value, isHandedBack }, written)
    onDone()
  }
  const use = (draft: DraftWithContent) => {
    used.value = draft
    fill(form(), { text: draft.text ?? '', files: [] })
    noteText(draft.text ?? '')
  }
  const discard = async () => {
    saving.cancel()
    await keeper.discard()
    onDone()
  }
  const handBack = () => {
    // The browser submits no form with an empty field.
    releases.current = form().checkValidity()
  }
  return { part, files, isWarned, state: saving.state, change, submit, use, discard, handBack }
}

/** Writes a message. What is written is saved as a draft of the service. */
export function ComposeBox(props: ComposeProps) {
  const { account, task, onDone } = props
  const { part, files, isWarned, state, change, submit, use, discard, handBack } = useCompose(props)
  const isReply = task.kind === 'reply'
  return (
    <section class="reply" aria-label={titles[task.kind]}>
      {isReply && <Suggestions account={account} threadId={task.message.threadId} onUse={use} />}
      <div ref={part} onInput={change}>
        <Form
          submit={isWarned.value ? 'Send anyway' : 'Send'}
          onSubmit={submit}
          more={<Buttons isReply={isReply} onHandBack={handBack} onClose={onDone} onDiscard={discard} />}
        >
          {!isReply && <Recipients task={task} />}
          <Field label={isReply ? `Reply to ${shownLine(task.message.record.from_addr)}` : 'Text'}>
            <textarea name="text" rows={7} required={task.kind !== 'forward'} />
          </Field>
          {isReply && <Recipients task={task} />}
          <Files account={account} files={files} onChange={change} />
          {isWarned.value && (
            <p class="note warn" role="alert">
              Not sent: the conversation has newer messages. Read them, then send again.
            </p>
          )}
          <p class="small faint" role="status">
            {state.value}
          </p>
        </Form>
      </div>
    </section>
  )
}
