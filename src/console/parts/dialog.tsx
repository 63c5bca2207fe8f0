import type { ComponentChildren, RefObject } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

/** Focuses the first field of a part when it appears, and restores the focus when it disappears. */
export function useFocus<E extends HTMLElement>(): RefObject<E | null> {
  const part = useRef<E | null>(null)
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null
    const element = part.current!
    element.querySelector<HTMLElement>('input, textarea')?.focus()
    return () => {
      const now = document.activeElement
      // A focus that was moved elsewhere meanwhile stays there.
      if (now === document.body || element.contains(now)) before?.focus()
    }
  }, [])
  return part
}

interface DialogProps {
  title: string
  onClose: () => void
  /** True if it shows whole messages and needs the width for them. */
  wide?: boolean
  /** True if only its buttons close it, such as while it has an edited form. */
  stays?: boolean
  children: ComponentChildren
}

/** Shows a modal dialog. Escape and a click outside close it, unless it stays. */
export function Dialog({ title, onClose, wide = false, stays = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = element.current!
    dialog.showModal()
    // Removing the element without closing it would not restore the focus.
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={element}
      class={wide ? 'wide' : ''}
      aria-labelledby={id}
      onClose={onClose}
      // Chromium lets no page cancel a second Escape, but any key.
      onKeyDown={(event) => stays && event.key === 'Escape' && event.preventDefault()}
      onCancel={(event) => stays && event.preventDefault()}
      onClick={(event) => !stays && event.target === element.current && element.current?.close()}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

interface KeyHelpProps {
  /** Each key, and what it does. */
  keys: readonly (readonly [key: string, words: string])[]
  onClose: () => void
}

/** Lists the keyboard shortcuts of a page. */
export function KeyHelp({ keys, onClose }: KeyHelpProps) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="facts">
        {keys.map(([key, words]) => (
          <>
            <dt key={key}>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  )
}
