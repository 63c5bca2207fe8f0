import { type Signal, useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

/** What is read from the service for a page. */
export interface Reading<T> {
  readonly value: Signal<T | undefined>
  readonly error: Signal<Error | null>
  again(): Promise<void>
}

/** Reads something when a page comes, and anew whenever `key` is another; what was shown stays until then. */
export function useReading<T>(key: string, read: (signal: AbortSignal) => Promise<T>): Reading<T> {
  const value = useSignal<T | undefined>(undefined)
  const error = useSignal<Error | null>(null)
  const again = async (signal = new AbortController().signal) => {
    error.value = null
    try {
      const found = await read(signal)
      if (!signal.aborted) value.value = found
    } catch (caught) {
      if (!signal.aborted) error.value = caught as Error
    }
  }
  // At once: an effect would wait until the page is painted.
  useLayoutEffect(() => {
    const controller = new AbortController()
    value.value = undefined
    void again(controller.signal)
    return () => controller.abort()
  }, [key])
  return { value, error, again: () => again() }
}
