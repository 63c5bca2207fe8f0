import type { WaitingDraftWithContent } from '../../protocol/records/draft'
import { call, Refused } from '../core/ask'
import { textToHtml } from './warnings'

/** Draft in the version that was shown. The service refuses a decision on any other version. */
export interface Decided {
  id: string
  seq: number
}

const pathOf = (accountId: string, { id }: Decided) => `/console/accounts/${accountId}/drafts/${id}`

/** Approves a draft, which sends exactly the version that was shown. */
export const approve = (accountId: string, draft: Decided, key: string): Promise<unknown> =>
  call(`${pathOf(accountId, draft)}/approve`, { method: 'POST', body: { seq: draft.seq }, key })

/** Sends a draft that needs no approval, exactly in the version that was shown. */
export const sendNow = (account: string, draft: Decided, key: string): Promise<unknown> =>
  call(`/drafts/${draft.id}/send`, { method: 'POST', body: { expect_seq: draft.seq }, account, key })

/** Deletes a draft, if it is still the version that was shown. */
export const deleteDraft = (account: string, draft: Decided): Promise<unknown> =>
  call(`/drafts/${draft.id}?expect_seq=${draft.seq}`, { method: 'DELETE', account })

/** Rejects a draft. The agent reads the reason. */
export const reject = (accountId: string, draft: Decided, reason: string): Promise<unknown> =>
  call(`${pathOf(accountId, draft)}/reject`, {
    method: 'POST',
    body: { seq: draft.seq, ...(reason.trim() !== '' && { reason }) },
  })

/** Fields of a draft that a person can change. */
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

/** Returns the whole content of a draft as one string, for comparison. */
const mailOf = (draft: Pick<WaitingDraftWithContent, (typeof fields)[number]>): string =>
  JSON.stringify(fields.map((field) => draft[field]))

/**
 * Changes a draft. If the service refuses because an earlier attempt already made the change and its answer
 * was lost, returns the current draft, which may be sent already.
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

/**
 * Changes a draft and sends it, unless it is scheduled. If it has HTML, generates that from the text.
 *
 * @param onChange gets the changed draft before it is sent
 */
export async function sendChanged(
  account: string,
  draft: WaitingDraftWithContent,
  changes: Changes,
  key: string,
  onChange: (draft: WaitingDraftWithContent) => void = () => {},
): Promise<void> {
  const { to, cc, bcc, subject, text } = changes
  const html = draft.html === null ? {} : { html: textToHtml(text) }
  const { status, seq } = await change(account, draft, { to, cc, bcc, subject, text, ...html })
  if (status === 'scheduled' || status === 'sent') return
  onChange({ ...draft, ...changes, ...html, seq })
  const body = { expect_seq: seq }
  await call(`/drafts/${draft.id}/send`, { method: 'POST', body, account, key })
}

/** Runs `work` for each draft. Returns the number of successes and the errors. */
export async function forEach(
  drafts: readonly Decided[],
  work: (draft: Decided) => Promise<unknown>,
): Promise<{ done: number; failures: Error[] }> {
  const failures: Error[] = []
  // One after the other: sending the first may be the reason why the second is refused.
  for (const draft of drafts) await work(draft).catch((error: Error) => failures.push(error))
  return { done: drafts.length - failures.length, failures }
}
