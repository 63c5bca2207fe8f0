import { signal } from '@preact/signals'
import type { WaitingDraft } from '../../protocol/records'
import { readAll } from './ask'

/** How many drafts wait for the operator, in the account that is looked at. */
export const waitingCount = signal(0)

/** Reads it anew; where that fails, nothing is said of it. */
export async function readWaitingCount(accountId: string): Promise<void> {
  const drafts = await readAll<WaitingDraft>(`/console/accounts/${accountId}/drafts`, 'drafts').catch(
    () => [],
  )
  waitingCount.value = drafts.length
}
