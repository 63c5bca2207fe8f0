import { useEffect, useRef } from 'preact/hooks'

/** Keyboard shortcuts and their descriptions. */
export const keyWords: readonly [string, string][] = [
  ['j', 'the next message'],
  ['k', 'the one before'],
  ['o', 'open the message at hand'],
  ['x', 'select it, or not'],
  ['e', 'archive, or back to the inbox'],
  ['#', 'to the trash, or out of it'],
  ['u', 'unread, or read'],
  ['Shift u', 'unread, and back to the list'],
  ['!', 'spam, or not'],
  ['z', 'undo what was done last'],
  ['r', 'answer'],
  ['/', 'search'],
  ['Home', 'the newest'],
  ['End', 'the oldest'],
  ['Esc', 'close what is open'],
  ['?', 'these keys'],
]

const isWriting = (element: EventTarget | null) =>
  element instanceof HTMLElement &&
  (element.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(element.tagName) ||
    element.matches('input:not([type=checkbox])'))

/** Runs the action of a key, unless a dialog is open or a field has the focus; Escape leaves a field. */
export function useKeys(actions: Record<string, () => void>): void {
  const now = useRef(actions)
  now.current = actions
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return
      if (isWriting(event.target)) {
        if (event.key === 'Escape') (event.target as HTMLElement).blur()
        return
      }
      const action = now.current[event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
