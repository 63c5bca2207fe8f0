import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  title: string
  onClose: () => void
  /** Whether it shows whole messages, and takes the room for them. */
  wide?: boolean
  children: ComponentChildren
}

/** A question above the page: Escape and a click beside it put it away. */
export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = element.current!
    dialog.showModal()
    // One that is only taken away gives the focus back to nobody.
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
