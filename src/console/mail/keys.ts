import { useEffect, useRef } from 'preact/hooks'

/** Keyboard shortcuts and their descriptions. */
export const keyWords: readonly [string, string][] = [
  ['j', 'next message'],
  ['k', 'previous message'],
  ['o', 'open the selected message'],
  ['x', 'select or deselect'],
  ['e', 'archive, or move to the inbox'],
  ['#', 'move to the trash, or restore'],
  ['u', 'mark as unread or read'],
  ['Shift u', 'mark as unread, and close'],
  ['!', 'mark as spam, or not spam'],
  ['z', 'undo the last action'],
  ['r', 'reply in the conversation'],
  ['/', 'search'],
  ['Home', 'newest message'],
  ['End', 'oldest message'],
  ['Esc', 'close'],
  ['?', 'show these shortcuts'],
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
