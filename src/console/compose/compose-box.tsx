import { type Signal, useSignal } from '@preact/signals'
import type { ComponentType, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { variablesIn } from '../../protocol/records/desk/reply-variables'
import type { WaitingDraftWithContent } from '../../protocol/records/draft'
import { Refused } from '../core/ask'
import { tell, tellError } from '../core/notices'
import { Button, Field, Form } from '../parts/button'
import { useFocus } from '../parts/dialog'
import { Failed } from '../parts/states'
import { DraftKeeper, isChangedElsewhere, type KeptFile, undoMs, type Written } from './draft-keeper'
import { fill, labelOf, purposeOf, Recipients, type Task, writtenIn } from './fields'
import { Files } from './files'
import { keepWriting, useTyping } from './presence'
import { sendSuggestion } from './suggestions'

const titles = { reply: 'Reply', forward: 'Forward', new: 'New message' }
/** Time after the last key in which the draft is saved. */
const saveAfterMs = 800

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
  return { state, isChanged, latest, note, save, flush, cancel }
}

interface ComposeProps {
  account: string
  task: Task
  /** Suggestion that the operator uses, if the task is a reply or a forward. */
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
        'A suggestion is sent without more files: remove them, or dismiss it and write your own.',
      )
    await sendSuggestion(account, used, written.text, key)
    if (isHandedBack) await release(task)
    tell(`The suggested ${task.kind} is on its way.`)
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
  // At once: an effect could come after the first key.
  useLayoutEffect(() => {
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
  form: () => HTMLFormElement
  task: Task
  files: Signal<readonly KeptFile[]>
  used: Signal<WaitingDraftWithContent | null> | undefined
  restored: ReturnType<typeof useRestored>
  saving: ReturnType<typeof useSaving>
  put: (written: Written) => void
}

/** Goes on with the operator's draft as it is now, or with what was written here. A suggestion leaves the box. */
async function goOn(going: Going, isTheirs: boolean): Promise<void> {
  const { form, task, files, used, restored, saving, put } = going
  const written = (used?.value && saving.latest.current) || writtenIn(form(), task, files.value)
  const isThere = await restored.restore()
  if (restored.error.value) return
  saving.isChanged.value = false
  if (used) used.value = null
  if (!isTheirs) {
    put(written)
    saving.note()
    saving.save()
  } else if (!isThere) tell('The draft was sent or discarded. What you wrote here is not saved.')
}

/** Returns the variables that a text still has, such as `{{name}}, {{subject}}`. */
const unfilledIn = (text: string): string =>
  variablesIn(text)
    .map((name) => `{{${name}}}`)
    .join(', ')

/** Reasons why the last press of Send sent nothing. The next press sends, unless files are still uploaded. */
function useWarnings(task: Task, uploads: Signal<number>) {
  const isEarly = useSignal(false)
  const isMoved = useSignal(false)
  const unfilled = useSignal('')
  const hasNewer = useNewer(task)
  /** Returns whether the text may be sent now. */
  const check = async ({ text }: Written) => {
    isEarly.value = uploads.value > 0
    if (isEarly.value) return false
    const left = unfilledIn(text)
    const isKnown = left === '' || left === unfilled.value
    unfilled.value = left
    isMoved.value = await hasNewer()
    return isKnown && !isMoved.value
  }
  return { uploads, isEarly, isMoved, unfilled, check }
}

/** Puts a saved reply into the text, in place of what is selected. */
function insertInto(form: HTMLFormElement, text: string): void {
  const area = form.querySelector('textarea')!
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
  area.dispatchEvent(new Event('input', { bubbles: true }))
  // The dialog that closes restores the focus before.
  requestAnimationFrame(() => area.focus())
  const unfilled = unfilledIn(text)
  if (unfilled !== '') tell(`No value for ${unfilled}. Replace it in the text before you send.`)
}

/** State and actions of the form. */
function useCompose({ account, task, used, onDone }: ComposeProps) {
  const keeper = useMemo(() => new DraftKeeper(account, purposeOf(task)), [])
  const files = useSignal<readonly KeptFile[]>([])
  const uploads = useSignal(0)
  const part = useFocus<HTMLDivElement>()
  const form = () => part.current!.querySelector('form')!
  const handingBack = useHandingBack(form)
  const saving = useSaving(keeper, () => writtenIn(form(), task, files.value))
  const noteText = useTyping(account, task.kind === 'new' ? null : task.message.threadId)
  const warnings = useWarnings(task, uploads)
  const suggestion = used?.value ?? null
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
  useSuggestion({ part, isReady: restored.isReady.value, suggestion, flush: saving.flush, noteText })
  const submit = async (_data: FormData, key: string) => {
    saving.cancel()
    const isHandedBack = handingBack.take()
    const written = writtenIn(form(), task, files.value)
    const sending = { account, task, keeper, used: suggestion, isHandedBack, key }
    let isSent = false
    try {
      // A message that may have been sent is in the conversation already.
      const isReady = keeper.mayBeSent(written) || (await warnings.check(written))
      isSent = isReady && (await isDone(send(sending, written), saving.isChanged))
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
  const resolve = (isTheirs: boolean) => goOn({ form, task, files, used, restored, saving, put }, isTheirs)
  const inboxId = keeper.inboxId
  const draft = { saving, restored, inboxId, discard, resolve }
  return { part, form, files, uploads, warnings, draft, change, submit, handingBack }
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

function Warnings({ warnings }: { warnings: ReturnType<typeof useWarnings> }) {
  const { uploads, isEarly, isMoved, unfilled } = warnings
  return (
    <>
      {isEarly.value && uploads.value > 0 && (
        <p class="note warn" role="alert">
          Not sent: a file is still being uploaded. Send again once it is attached.
        </p>
      )}
      {isMoved.value && (
        <p class="note warn" role="alert">
          Not sent: the conversation has newer messages. Read them, then send again.
        </p>
      )}
      {unfilled.value !== '' && (
        <p class="note warn" role="alert">
          Not sent: the text has {unfilled.value}. Replace it, or send it as it is.
        </p>
      )}
    </>
  )
}

type Dialogs = typeof import('./saved-replies')

interface SavedProps {
  account: string
  task: Task
  form: () => HTMLFormElement
}

/** Returns a button that opens the saved replies, and their dialog once it is open. */
function useSavedReplies({ account, task, form }: SavedProps) {
  const shown = useSignal<ComponentType<Parameters<Dialogs['SavedReplies']>[0]> | null>(null)
  const open = async () => {
    shown.value = (await import('./saved-replies')).SavedReplies
  }
  const close = () => {
    shown.value = null
  }
  const insert = (text: string) => {
    close()
    insertInto(form(), text)
  }
  const fields = () => {
    const data = new FormData(form())
    return { to: String(data.get('to') ?? ''), subject: String(data.get('subject') ?? '') }
  }
  const SavedReplies = shown.value
  return {
    button: <Button onPress={open}>Saved replies</Button>,
    dialog: SavedReplies && (
      <SavedReplies account={account} task={task} fields={fields()} onInsert={insert} onClose={close} />
    ),
  }
}

/** Writes a message. What is written is saved as a draft of the service. */
export function ComposeBox(props: ComposeProps) {
  const { account, task, onDone } = props
  const { part, form, files, uploads, warnings, draft, change, submit, handingBack } = useCompose(props)
  const { saving, restored, inboxId, discard, resolve } = draft
  const saved = useSavedReplies({ account, task, form })
  const isReply = task.kind === 'reply'
  const suggestion = props.used?.value ?? null
  const isWarned = warnings.isMoved.value || warnings.unfilled.value !== ''
  const recipients = (
    // A suggestion has its own recipients.
    <fieldset class="recipients" hidden={suggestion !== null} disabled={suggestion !== null}>
      <Recipients task={task} inboxId={inboxId} />
    </fieldset>
  )
  return (
    <section class="reply" aria-label={titles[task.kind]}>
      {restored.error.value && <Failed error={restored.error.value} again={restored.restore} />}
      <div ref={part} onInput={change}>
        <fieldset disabled={!restored.isReady.value}>
          <Form
            submit={isWarned ? 'Send anyway' : 'Send'}
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
            {!isReply && recipients}
            <Field label={labelOf(task, suggestion)}>
              <textarea name="text" rows={7} required={task.kind !== 'forward'} />
            </Field>
            <div class="row">{saved.button}</div>
            {isReply && recipients}
            <Files account={account} files={files} uploads={uploads} onChange={change} />
            <Warnings warnings={warnings} />
            {saving.isChanged.value && <ChangedElsewhere onResolve={resolve} />}
            <p class="small faint" role="status">
              {saving.state.value}
            </p>
          </Form>
        </fieldset>
      </div>
      {saved.dialog}
    </section>
  )
}
