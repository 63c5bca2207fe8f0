import { useRef } from 'preact/hooks'

const randomKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

/** Tells whether the key was used for other content, which the person has changed since: the next press is another action. */
const isUsed = (error: unknown) => (error as { code?: unknown }).code === 'client_id_conflict'

/**
 * Keeps one key from the first press until the action succeeds: the service
 * recognises what is sent again after a second press or a lost answer.
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
