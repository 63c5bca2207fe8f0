import { type Signal, useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

/** Value that a page reads from the service. */
export interface Reading<T> {
  readonly value: Signal<T | undefined>
  readonly error: Signal<Error | null>
  again(): Promise<void>
}

/**
 * Reads a value when the component appears and when `key` changes, which clears the old value. `again()`
 * keeps it until the new one is there.
 */
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
  // Starts at once; an effect would wait for the paint.
  useLayoutEffect(() => {
    const controller = new AbortController()
    value.value = undefined
    void again(controller.signal)
    return () => controller.abort()
  }, [key])
  return { value, error, again: () => again() }
}
