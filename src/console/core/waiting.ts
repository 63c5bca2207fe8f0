import { computed, signal } from '@preact/signals'
import type { WaitingDraft } from '../../protocol/records/draft'
import { onSignedOut, readAll } from './ask'

const known = signal<{ account: string; drafts: readonly WaitingDraft[] } | undefined>(undefined)

/** Number of drafts that wait for the operator, in the current account. */
export const waitingCount = computed(() => known.value?.drafts.length ?? 0)

/** Grows whenever drafts of the account may have changed. */
export const draftsVersion = signal(0)

/** Returns the drafts of an account that wait for the operator; undefined until they are read. */
export const waitingIn = (account: string): readonly WaitingDraft[] | undefined =>
  known.value?.account === account ? known.value.drafts : undefined

let reads = 0
onSignedOut(() => {
  reads++
  known.value = undefined
})

/** Reads the drafts again. If several reads overlap, the one that began last counts. */
export async function readWaiting(account: string): Promise<void> {
  const read = ++reads
  const drafts = await readAll<WaitingDraft>(`/console/accounts/${account}/drafts`, 'drafts')
  if (read !== reads) return
  known.value = { account, drafts }
  draftsVersion.value++
}
