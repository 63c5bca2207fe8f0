import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  title: string
  onClose: () => void
  /** True if it shows whole messages and needs the width for them. */
  wide?: boolean
  children: ComponentChildren
}

/** Shows a modal dialog. Escape and a click outside close it. */
export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = element.current!
    dialog.showModal()
    // Removing the element without closing it would not restore the focus.
    return () => dialog.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={element}
      class={wide ? 'wide' : ''}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => event.target === element.current && element.current?.close()}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}
