import { requireReadable } from '../core/account'
import { unauthorized } from '../core/keys'
import type { Call } from './handler'

/**
 * Does what may take long for as long as the caller is there and the key is good.
 *
 * @throws ServiceError `unauthorized`, `account_suspended` where the key was taken back meanwhile
 */
export async function whileHeld<T>(
  { core, scope, incoming }: Call<unknown>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController()
  const unwatch = core.revocations.watch(scope, (why) => ended.abort(why))
  const result = await work(AbortSignal.any([incoming.signal, ended.signal])).finally(unwatch)
  if (ended.signal.aborted) {
    await requireReadable(core, scope)
    throw unauthorized()
  }
  return result
}
