import { type Draft, UsageError, untrustedField, untrustedText } from 'restante'
import * as z from 'zod'
import { defineTool, type ToolContext } from './define'
import type { FlowGuard } from './guard'
import { toolInput, words } from './input'
import {
  addresses,
  because,
  cursor,
  doneOutput,
  draftOutput,
  draftRef,
  inbox,
  limit,
  mailOutput,
  seq,
  text,
} from './schemas'
import type { ToolSession } from './tool-session'

/** Maximum number of messages that a draft names as read. */
const maxRead = 50
const maxReason = 1_000

/** Returns the context of a draft for its approver: the last messages shown, and why it is held. */
export const contextOf = ({ session: { guard }, reasons }: ToolContext) => {
  const { shown } = guard
  const ids = shown === 'everything' ? [] : shown.filter((one) => one.startsWith('msg_'))
  return {
    ...(ids.length > 0 && { readMessageIds: ids.slice(-maxRead) }),
    ...(reasons.length > 0 && { approvalReason: because(reasons).slice(0, maxReason) }),
  }
}

const isUnsent = ({ record }: Draft): boolean => record.sent_message_id === null

/**
 * Returns a draft as decided about, or as sent.
 *
 * @throws UsageError `draft_changed`, `unknown_draft`
 */
export const decidedDraft = async (
  session: ToolSession,
  id: string,
  seq: number,
  signal?: AbortSignal,
): Promise<Draft> => {
  const draft = await session.draft(id, signal)
  const { record } = draft
  if (record.seq === seq || record.sent_message_id !== null) return draft
  throw new UsageError(
    'draft_changed',
    `${id} was changed, and nothing was sent: its seq is ${record.seq}, not ${seq}. Give that seq only to send it as it is now`,
  )
}

/**
 * Returns why a human is asked before a draft is changed or deleted: this run did not write it, and a message
 * may have suggested the call.
 */
const whyForeign = ({ guard }: ToolSession, draft: Draft): string[] =>
  guard.materialOf(draft) === null ? ['this run did not write that draft'] : []

/** Formats a draft as a line. The mark of another run's draft lets a transcript show that it was read. */
const rowOfDraft = (draft: Draft, isForeign: boolean): string => {
  const { id, status, scheduledAt, subject, record } = draft
  const { to = [], cc = [], bcc = [], text = '' } = record
  const people = [...to, ...cc, ...bcc].slice(0, 5).map((one) => untrustedField(one, 80))
  const time = scheduledAt ? ` at ${scheduledAt.toISOString()}` : ''
  return `${isForeign ? 'written elsewhere: ' : ''}${id}; seq ${record.seq}; ${status}${time}; to ${people.join(', ') || 'nobody'}; subject ${untrustedField(subject, 150)}; begins ${untrustedField(text ?? '', 100)}`
}

/**
 * Returns the drafts that may be shown. While a message is answered, these are the drafts of this run without
 * content of hidden messages.
 */
const visibleDrafts = async (guard: FlowGuard, drafts: readonly Draft[], signal?: AbortSignal) => {
  if (guard.viewers.length === 0) return drafts
  const visible: Draft[] = []
  for (const draft of drafts) {
    const material = guard.materialOf(draft)
    if (material !== null && (await guard.sight(material, signal)).hidden === 0) visible.push(draft)
  }
  return visible
}

/**
 * The sources of other runs' drafts are unknown. While a message is answered, such drafts are only counted.
 * Otherwise their content counts as shown, and may go to nobody without approval.
 */
const listDrafts = defineTool({
  name: 'list_drafts',
  description: 'Lists drafts, with those that go out later or wait for a human.',
  risk: 'read',
  input: toolInput({
    status: z.enum(['draft', 'scheduled', 'pending_approval', 'rejected', 'failed']).optional(),
    inbox,
    limit,
    cursor,
  }),
  output: mailOutput,
  run: async (mailbox, { status, inbox, limit = 10, cursor }, { session, signal }) => {
    const { guard, maxTokens } = session
    const page = await mailbox.drafts.list({ status, inbox, limit, cursor, signal })
    const listed = page.items.filter(isUnsent)
    const shown = await visibleDrafts(guard, listed, signal)
    const drafts = await Promise.all(shown.map(({ id }) => session.draft(id, signal)))
    const isForeign = (one: Draft) => guard.materialOf(one) === null
    guard.showDrafts(drafts.filter(isForeign))
    guard.show(drafts.flatMap((one) => [...(guard.materialOf(one) ?? [])]))
    const hidden = listed.length - shown.length
    const more = hidden > 0 ? ` ${hidden} more that this run did not write.` : ''
    const next_cursor = page.nextCursor ?? undefined
    if (drafts.length === 0) return { status: 'ok' as const, mail: `No drafts to show.${more}`, next_cursor }
    const introduction = `${drafts.length} drafts, one on a line.`
    const rows = drafts.map((one) => rowOfDraft(one, isForeign(one)))
    const list = untrustedText(rows, { introduction, maxTokens })
    return { status: 'ok' as const, mail: `${list.text}${more}`, next_cursor }
  },
})

const changeDraft = defineTool({
  name: 'change_draft',
  description: 'Changes a draft. It goes out no more by itself then: send_draft sends it, or says when.',
  risk: 'write',
  input: toolInput({
    draft: draftRef,
    seq,
    to: addresses.optional(),
    cc: addresses.optional(),
    subject: words(1_000).optional(),
    text: text.optional(),
  }),
  output: draftOutput,
  flow: async (session, { draft: id, seq }) => ({
    to: [],
    material: [],
    reasons: whyForeign(session, await decidedDraft(session, id, seq)),
  }),
  run: async (_mailbox, { draft: id, seq, ...given }, context) => {
    const { session, signal } = context
    const draft = await decidedDraft(session, id, seq, signal)
    const written = session.guard.materialOf(draft)
    const list = (one: typeof given.to) => (one === undefined ? undefined : session.addresses(one))
    const changed = await draft.update({
      to: list(given.to),
      cc: list(given.cc),
      subject: given.subject,
      // HTML of the draft repeats the old text.
      ...(given.text !== undefined && {
        html: session.options.markdown ? undefined : null,
        ...session.body(given.text),
      }),
      // The new text was not checked against its recipients: `send_draft` does that.
      scheduledAt: null,
      expectSeq: seq,
      signal,
      ...contextOf(context),
    })
    if (written) session.guard.wrote(changed, written)
    else session.guard.showDrafts([changed])
    return { status: 'drafted' as const, draft: changed.id, seq: changed.record.seq }
  },
})

const deleteDraft = defineTool({
  name: 'delete_draft',
  description: 'Deletes a draft; one that would go out later is cancelled.',
  risk: 'write',
  input: toolInput({ draft: draftRef, seq }),
  output: doneOutput,
  flow: async (session, { draft: id, seq }) => ({
    to: [],
    material: [],
    reasons: whyForeign(session, await decidedDraft(session, id, seq)),
  }),
  run: async (_mailbox, { draft: id, seq }, { session, signal }) => {
    const draft = await decidedDraft(session, id, seq, signal)
    if (!isUnsent(draft)) throw new UsageError('draft_sent', `${id} was sent, and cannot be taken back`)
    await draft.delete({ expectSeq: seq, signal })
    return { status: 'done' as const }
  },
})

export const draftingTools = {
  list_drafts: listDrafts,
  change_draft: changeDraft,
  delete_draft: deleteDraft,
}
