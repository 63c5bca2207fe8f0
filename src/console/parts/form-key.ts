import { useRef } from 'preact/hooks'

const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** Returns true if the key was used with other content: the person has changed it, so it is a new action. */
const isUsed = (error: unknown) => (error as { code?: unknown }).code === 'client_id_conflict'

/**
 * Keeps one key from the first press until the action succeeds, so that the service recognises a repeat after
 * a second press or a lost answer.
 */
export function useFormKey(): (action: (key: string) => unknown) => Promise<void> {
  const key = useRef<string | undefined>(undefined)
  return (action) => {
    key.current ??= randomKey()
    const renew = () => {
      key.current = undefined
    }
    return Promise.resolve(action(key.current)).then(renew, (error) => {
      if (isUsed(error)) renew()
      throw error
    })
  }
}
