import { type Signal, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Account } from '../../protocol/records/account'

/** Properties of every page. */
export interface PageProps {
  account: Account
}

/** State of a value that a page reads from the service. */
export interface Reading<T> {
  readonly value: Signal<T | undefined>
  readonly error: Signal<Error | null>
  again(): Promise<void>
}

/**
 * Reads a value when the page opens and whenever `key` or `version` changes. A new key clears the value at once; a new
 * version keeps it until the answer arrives. A late answer to an earlier reading is dropped.
 */
export function useReading<T>(
  key: string,
  read: (signal: AbortSignal) => Promise<T>,
  version: unknown = null,
): Reading<T> {
  const value = useSignal<T | undefined>(undefined)
  const error = useSignal<Error | null>(null)
  const current = useRef({ key, controller: new AbortController() }).current
  const again = async () => {
    current.controller.abort()
    current.controller = new AbortController()
    const { signal } = current.controller
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
    if (current.key !== key) value.value = undefined
    current.key = key
    void again()
    return () => current.controller.abort()
  }, [key, version])
  return { value, error, again }
}
