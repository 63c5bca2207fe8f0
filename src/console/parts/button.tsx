import { useSignal } from '@preact/signals'
import type { ComponentChildren, TargetedSubmitEvent } from 'preact'
import { useRef } from 'preact/hooks'
import { randomKey } from '../core/ask'
import { tellError } from '../core/notices'

/** Returns true if the key was used with other content: the person has changed it, so it is a new action. */
const isUsed = (error: unknown) => (error as { code?: unknown }).code === 'client_id_conflict'

/**
 * Keeps one key from the first press until the action succeeds, so that the service recognises a repeat after
 * a second press or a lost answer.
 */
function useFormKey(): (action: (key: string) => unknown) => Promise<void> {
  const key = useRef<string | undefined>(undefined)
  return (action) => {
    key.current ??= randomKey()
    const renew = () => {
      key.current = undefined
    }
    return Promise.resolve(action(key.current)).then(renew, (error) => {
      if (isUsed(error)) renew()
      throw error
    })
  }
}

interface ButtonProps {
  /** `primary` is the main action of its place. */
  kind?: 'primary' | 'plain' | 'quiet' | 'danger' | 'link'
  /** Action. Errors are shown, and it runs once at a time. The key stays the same until it succeeds. */
  onPress: (key: string) => unknown
  disabled?: boolean
  title?: string
  label?: string
  pressed?: boolean
  children: ComponentChildren
}

export function Button({ kind = 'plain', onPress, disabled, title, label, pressed, children }: ButtonProps) {
  const busy = useSignal(false)
  const keyed = useFormKey()
  const press = async () => {
    if (busy.value) return
    busy.value = true
    try {
      await keyed(onPress)
    } catch (error) {
      tellError(error)
    } finally {
      busy.value = false
    }
  }
  return (
    <button
      type="button"
      class={kind === 'link' ? 'link' : `button ${kind}`}
      disabled={disabled}
      // A disabled button would lose the focus.
      aria-disabled={busy.value}
      title={title}
      aria-label={label}
      aria-pressed={pressed}
      onClick={() => void press()}
    >
      {children}
    </button>
  )
}

interface FormProps {
  /** Text of the submit button. */
  submit: string
  /** The key stays the same from the first press until it succeeds. */
  onSubmit: (data: FormData, key: string) => unknown
  /** Adds a button to cancel. */
  onCancel?: () => unknown
  /** Content beside the buttons. */
  more?: ComponentChildren
  children: ComponentChildren
}

/** Shows a form, with errors above its button. */
export function Form({ submit, onSubmit, onCancel, more, children }: FormProps) {
  const busy = useSignal(false)
  const keyed = useFormKey()
  const wrong = useSignal('')
  const send = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy.value) return
    busy.value = true
    wrong.value = ''
    const data = new FormData(event.currentTarget)
    try {
      await keyed((key) => onSubmit(data, key))
    } catch (error) {
      wrong.value = (error as Error).message
    } finally {
      busy.value = false
    }
  }
  return (
    <form class="stack" onSubmit={(event) => void send(event)}>
      {children}
      {wrong.value && (
        <p class="note bad" role="alert">
          {wrong.value}
        </p>
      )}
      <div class="row">
        <button type="submit" class="button primary" aria-disabled={busy.value}>
          {submit}
        </button>
        {onCancel && (
          <Button kind="quiet" onPress={onCancel}>
            Cancel
          </Button>
        )}
        {more}
      </div>
    </form>
  )
}

interface FieldProps {
  label: string
  hint?: string
  children: ComponentChildren
}

/** Shows a field with its label. */
export function Field({ label, hint, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class="field">
      <span>{label}</span>
      {children}
      {hint && <span class="hint">{hint}</span>}
    </label>
  )
}
