import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

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
