import type { WaitingDraftWithContent } from '../../protocol/records'
import { call, Refused } from '../core'
import { textToHtml } from './warnings'

/** A draft as it was shown: what was changed since is not decided on. */
export interface Decided {
  id: string
  seq: number
}

const pathOf = (accountId: string, { id }: Decided) => `/console/accounts/${accountId}/drafts/${id}`

/** Sends a draft exactly as it was shown. */
export const approve = (accountId: string, draft: Decided, key: string): Promise<unknown> =>
  call(`${pathOf(accountId, draft)}/approve`, { method: 'POST', body: { seq: draft.seq }, key })

/** Sends a draft that nobody was asked about, exactly as it was shown. */
export const sendNow = (account: string, draft: Decided, key: string): Promise<unknown> =>
  call(`/drafts/${draft.id}/send`, { method: 'POST', body: { expect_seq: draft.seq }, account, key })

/** Deletes a draft exactly as it was shown. */
export const deleteDraft = (account: string, draft: Decided): Promise<unknown> =>
  call(`/drafts/${draft.id}?expect_seq=${draft.seq}`, { method: 'DELETE', account })

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

const fields = [
  ...(['to', 'cc', 'bcc', 'subject', 'text', 'html', 'reply_to'] as const),
  ...(['reply_to_message_id', 'headers', 'attachments'] as const),
] satisfies (keyof WaitingDraftWithContent)[]

/** The whole mail of a draft, to compare. */
const mailOf = (draft: Pick<WaitingDraftWithContent, (typeof fields)[number]>): string =>
  JSON.stringify(fields.map((field) => draft[field]))

/**
 * Changes a draft. If the service did so before and its answer was lost, the draft is as wanted, and perhaps sent: then it is
 * returned as it is.
 */
async function change(
  account: string,
  draft: WaitingDraftWithContent,
  wanted: Changes & { html?: string },
): Promise<Pick<WaitingDraftWithContent, 'status' | 'seq'>> {
  try {
    const body = { ...wanted, expect_seq: draft.seq }
    return await call(`/drafts/${draft.id}`, { method: 'PATCH', body, account })
  } catch (error) {
    if (!(error instanceof Refused) || !['draft_changed', 'draft_sent'].includes(error.code)) throw error
    const now = await call<WaitingDraftWithContent>(pathOf(account, draft))
    if (mailOf(now) !== mailOf({ ...draft, ...wanted })) throw error
    return now
  }
}

/** Changes a draft and sends it, unless it sends itself later. If it has HTML, that is made again from the text. */
export async function sendChanged(
  account: string,
  draft: WaitingDraftWithContent,
  changes: Changes,
  key: string,
): Promise<void> {
  const html = draft.html === null ? {} : { html: textToHtml(changes.text) }
  const { status, seq } = await change(account, draft, { ...changes, ...html })
  if (status === 'scheduled' || status === 'sent') return
  const body = { expect_seq: seq }
  await call(`/drafts/${draft.id}/send`, { method: 'POST', body, account, key })
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
