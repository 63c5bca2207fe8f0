import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Message } from '../../mailbox/records/message'
import { provenView } from '../../protocol/proven-view'
import type { WaitingDraftWithContent } from '../../protocol/records/draft'
import { Refused } from '../core/ask'
import { tell, tellError } from '../core/notices'
import { shownLine } from '../core/shown'
import { Button, Field, Form } from '../parts/button'
import { useFocus } from '../parts/dialog'
import { Failed } from '../parts/states'
import {
  DraftKeeper,
  isChangedElsewhere,
  type KeptFile,
  type Purpose,
  undoMs,
  type Written,
} from './draft-keeper'
import { Files } from './files'
import { keepWriting, useTyping } from './presence'
import { sendSuggestion } from './suggestions'

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

/** Saves the draft a moment after the last change, unless it was changed elsewhere. */
function useSaving(keeper: DraftKeeper, read: () => Written) {
  const state = useSignal('')
  const isChanged = useSignal(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const cancel = () => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  // When the form closes, its elements are gone before what was written is saved.
  const latest = useRef<Written | undefined>(undefined)
  const save = () => {
    cancel()
    keeper.save(latest.current!).then(
      () => (state.value = 'Draft saved.'),
      (error) => {
        isChanged.value = isChangedElsewhere(error)
        if (!isChanged.value) state.value = 'The draft is not saved: an address may be incomplete.'
      },
    )
  }
  const flush = () => {
    if (timer.current !== undefined) save()
  }
  useEffect(() => flush, [])
  const note = () => {
    cancel()
    latest.current = read()
    state.value = ''
    timer.current = setTimeout(save, saveAfterMs)
  }
  return { state, isChanged, note, save, flush, cancel }
}

/** Returns the people whom a reply reaches. */
function peopleOf({ record }: Message): string {
  const { reply_to, from_addr } = provenView(record)
  return reply_to.length > 0 ? reply_to.slice(0, 3).map(shownLine).join(', ') : from_addr
}

/** Returns the label of the text: it names the people whom the message reaches. */
function labelOf(task: Task, suggestion: WaitingDraftWithContent | null): string {
  if (task.kind !== 'reply') return 'Text'
  if (!suggestion) return `Reply to ${peopleOf(task.message)}`
  const { to, cc, bcc } = suggestion
  return `Suggested reply to ${[...to, ...cc, ...bcc].map(shownLine).join(', ')}`
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
    if (field && value !== undefined) field.value = value
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
  /** Suggestion that the operator uses, if the task is a reply. */
  used?: Signal<WaitingDraftWithContent | null>
  onDone: () => void
}

interface Sending {
  account: string
  task: Task
  keeper: DraftKeeper
  used: WaitingDraftWithContent | null
  isHandedBack: boolean
  /** Makes retries of the request safe. */
  key: string
}

/** Hands a conversation back to the agent. A failure is shown: the message is sent already. */
async function release(task: Task): Promise<boolean> {
  if (task.kind === 'new') return false
  try {
    await (await task.message.thread()).release()
    return true
  } catch (error) {
    tellError(error)
    return false
  }
}

/** Sends what is written: later with an undo; now for a suggestion, or to hand the conversation back. */
async function send({ account, task, keeper, used, isHandedBack, key }: Sending, written: Written) {
  if (used) {
    if (written.files.length > 0)
      throw new Refused(
        '',
        'A suggested reply is sent without files: remove them, or dismiss it and write your own.',
      )
    await sendSuggestion(account, used, written.text, key)
    if (isHandedBack) await release(task)
    tell('The suggested reply is on its way.')
  } else if (isHandedBack && task.kind === 'reply') {
    await keeper.sendNow(written, key)
    if (await release(task)) tell('Your reply is on its way, and the agent has the conversation again.')
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

/** Restores the draft when the form opens. Until then, nobody can edit the form. */
function useRestored(keeper: DraftKeeper, put: (written: Written) => void) {
  const isReady = useSignal(!keeper.isKept)
  const error = useSignal<Error | null>(null)
  const restore = async () => {
    error.value = null
    try {
      const written = await keeper.restore()
      if (written) put(written)
      isReady.value = true
      return written !== null
    } catch (caught) {
      error.value = caught as Error
      return false
    }
  }
  useEffect(() => {
    if (!isReady.value) void restore()
  }, [])
  return { isReady, error, restore }
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

/** Runs an action on the draft. Returns false, and notes it, if the draft was changed elsewhere. */
async function isDone(work: Promise<unknown>, isChanged: Signal<boolean>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    isChanged.value = isChangedElsewhere(error)
    if (!isChanged.value) throw error
    return false
  }
}

interface Filling {
  part: RefObject<HTMLDivElement | null>
  isReady: boolean
  suggestion: WaitingDraftWithContent | null
  flush: () => void
  noteText: (text: string) => void
}

/** Puts a used suggestion into the form, and the focus, once it can be edited. */
function useSuggestion({ part, isReady, suggestion, flush, noteText }: Filling): void {
  useEffect(() => {
    const form = part.current?.querySelector('form')
    if (!isReady || !form) return
    if (suggestion) {
      // The text of the operator stays in the operator's draft.
      flush()
      fill(form, { text: suggestion.text ?? '', files: [] })
      noteText(suggestion.text ?? '')
    }
    if (!form.contains(document.activeElement)) form.querySelector('textarea')?.focus()
  }, [suggestion, isReady])
}

/** Remembers that "Send and hand back" was pressed, until the form is submitted. */
function useHandingBack(form: () => HTMLFormElement) {
  const isPressed = useRef(false)
  // The browser submits no form with an empty field.
  const press = () => {
    isPressed.current = form().checkValidity()
  }
  const take = () => {
    const was = isPressed.current
    isPressed.current = false
    return was
  }
  return { press, take }
}

interface Going {
  restored: ReturnType<typeof useRestored>
  saving: ReturnType<typeof useSaving>
  put: (written: Written) => void
}

/** Goes on with the draft as it is now, or with what is written here. */
async function goOn({ restored, saving, put }: Going, written: Written, isTheirs: boolean): Promise<void> {
  const isThere = await restored.restore()
  if (restored.error.value) return
  saving.isChanged.value = false
  if (!isTheirs) {
    put(written)
    saving.note()
    saving.save()
  } else if (!isThere) tell('The draft was sent or discarded. What you wrote here is not saved.')
}

/** State and actions of the form. */
function useCompose({ account, task, used, onDone }: ComposeProps) {
  const keeper = useMemo(() => new DraftKeeper(account, purposeOf(task)), [])
  const files = useSignal<readonly KeptFile[]>([])
  const isWarned = useSignal(false)
  const part = useFocus<HTMLDivElement>()
  const form = () => part.current!.querySelector('form')!
  const handingBack = useHandingBack(form)
  const saving = useSaving(keeper, () => writtenIn(form(), task, files.value))
  const noteText = useTyping(account, task.kind === 'new' ? null : task.message.threadId)
  const hasNewer = useNewer(task)
  const change = () => {
    // A suggestion is a draft of the agent: it replaces none of the operator's.
    if (!suggestion) saving.note()
    noteText(String(new FormData(form()).get('text')))
  }
  const put = (written: Written) => {
    fill(form(), written)
    files.value = written.files
    saving.state.value = 'Draft restored.'
    noteText(written.text)
  }
  const restored = useRestored(keeper, put)
  const suggestion = used?.value ?? null
  useSuggestion({ part, isReady: restored.isReady.value, suggestion, flush: saving.flush, noteText })
  const submit = async (_data: FormData, key: string) => {
    saving.cancel()
    const isHandedBack = handingBack.take()
    const written = writtenIn(form(), task, files.value)
    const sending = { account, task, keeper, used: suggestion, isHandedBack, key }
    let isSent = false
    try {
      // A message that may have been sent is in the conversation already.
      isWarned.value = !keeper.mayBeSent(written) && (await hasNewer())
      isSent = !isWarned.value && (await isDone(send(sending, written), saving.isChanged))
    } finally {
      // What was not sent is saved as a draft.
      if (!isSent && !suggestion) saving.note()
    }
    if (isSent) onDone()
  }
  const discard = async () => {
    saving.cancel()
    if (await isDone(keeper.discard(), saving.isChanged)) onDone()
  }
  const resolve = (isTheirs: boolean) =>
    goOn({ restored, saving, put }, writtenIn(form(), task, files.value), isTheirs)
  return { part, files, isWarned, saving, restored, change, submit, discard, handingBack, resolve }
}

function ChangedElsewhere({ onResolve }: { onResolve: (isTheirs: boolean) => Promise<void> }) {
  return (
    <div class="note warn stack" role="alert">
      <p>Not saved: this draft was changed, sent or discarded elsewhere, perhaps in another tab.</p>
      <div class="row">
        <Button onPress={() => onResolve(true)}>Load the other version</Button>
        <Button onPress={() => onResolve(false)}>Keep this version</Button>
      </div>
    </div>
  )
}

/** Writes a message. What is written is saved as a draft of the service. */
export function ComposeBox(props: ComposeProps) {
  const { account, task, onDone } = props
  const { part, files, isWarned, saving, restored, change, submit, discard, handingBack, resolve } =
    useCompose(props)
  const isReply = task.kind === 'reply'
  const suggestion = props.used?.value ?? null
  return (
    <section class="reply" aria-label={titles[task.kind]}>
      {restored.error.value && <Failed error={restored.error.value} again={restored.restore} />}
      <div ref={part} onInput={change}>
        <fieldset disabled={!restored.isReady.value}>
          <Form
            submit={isWarned.value ? 'Send anyway' : 'Send'}
            onSubmit={submit}
            more={
              <Buttons
                isReply={isReply}
                onHandBack={handingBack.press}
                onClose={onDone}
                onDiscard={discard}
              />
            }
          >
            {!isReply && <Recipients task={task} />}
            <Field label={labelOf(task, suggestion)}>
              <textarea name="text" rows={7} required={task.kind !== 'forward'} />
            </Field>
            {isReply && !suggestion && <Recipients task={task} />}
            <Files account={account} files={files} onChange={change} />
            {isWarned.value && (
              <p class="note warn" role="alert">
                Not sent: the conversation has newer messages. Read them, then send again.
              </p>
            )}
            {saving.isChanged.value && <ChangedElsewhere onResolve={resolve} />}
            <p class="small faint" role="status">
              {saving.state.value}
            </p>
          </Form>
        </fieldset>
      </div>
    </section>
  )
}
