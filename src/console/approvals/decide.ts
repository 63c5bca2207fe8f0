import type { WaitingDraftWithContent } from '../../protocol/records'
import { call } from '../core'

/** A draft as it was shown: what was changed since is not decided on. */
export interface Decided {
  id: string
  seq: number
}

const pathOf = (accountId: string, { id }: Decided) => `/console/accounts/${accountId}/drafts/${id}`

/** Sends a draft exactly as it was shown. */
export const approve = (accountId: string, draft: Decided): Promise<unknown> =>
  call(`${pathOf(accountId, draft)}/approve`, { method: 'POST', body: { seq: draft.seq } })

/** Sends a draft back to the agent, which reads the reason. */
export const reject = (accountId: string, draft: Decided, reason: string): Promise<unknown> =>
  call(`${pathOf(accountId, draft)}/reject`, {
    method: 'POST',
    body: { seq: draft.seq, ...(reason.trim() !== '' && { reason }) },
  })

/** The parts of a draft that a person changes. */
export interface Changes {
  to: string[]
  cc: string[]
  bcc: string[]
  subject: string
  text: string
}

/** Writes a draft anew and sends it, unless it sends itself later. Its HTML goes: it would say what stood there before. */
export async function sendChanged(
  account: string,
  draft: WaitingDraftWithContent,
  changes: Changes,
): Promise<void> {
  const body = { ...changes, expect_seq: draft.seq, ...(draft.html !== null && { html: null }) }
  const path = `/drafts/${draft.id}`
  const { status, seq } = await call<{ status: string; seq: number }>(path, {
    method: 'PATCH',
    body,
    account,
  })
  if (status === 'scheduled') return
  await call(`${path}/send`, { method: 'POST', body: { expect_seq: seq }, account })
}

/** Does something with each, and tells how many of them it did not work for, and why. */
export async function forEach(
  drafts: readonly Decided[],
  work: (draft: Decided) => Promise<unknown>,
): Promise<{ done: number; failures: Error[] }> {
  const failures: Error[] = []
  // One after the other: what the first sends may be what the second is refused for.
  for (const draft of drafts) await work(draft).catch((error: Error) => failures.push(error))
  return { done: drafts.length - failures.length, failures }
}
