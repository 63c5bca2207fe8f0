import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Brings the focus to the first field of a part of the page when it comes, and back to where it was when it goes. */
export function useFocus<E extends HTMLElement>(): RefObject<E | null> {
  const part = useRef<E | null>(null)
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null
    const element = part.current!
    element.querySelector<HTMLElement>('input, textarea')?.focus()
    return () => {
      const now = document.activeElement
      // Who went elsewhere meanwhile stays there.
      if (now === document.body || element.contains(now)) before?.focus()
    }
  }, [])
  return part
}
