import {
  type Draft,
  isRestanteError,
  isServiceError,
  type Message,
  replyRecipients,
  type SentMessage,
  UsageError,
} from 'restante'
import * as z from 'zod'
import { defineTool, type ToolContext } from './define'
import { contextOf, decidedDraft } from './drafting'
import { type ChosenFile, readFiles, sourcesOf } from './files'
import { isHidingLabel } from './flow'
import { readFutureTime, toolInput, words } from './input'
import { proposeDraft, proposedReply, proposeForward, proposeMail, proposeReply } from './proposal'
import {
  addresses,
  because,
  doneOutput,
  draftOutput,
  draftRef,
  files,
  inbox,
  messageRef,
  sendAt,
  sentOutput,
  seq,
  text,
} from './schemas'
import type { ToolSession } from './tool-session'

const hex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Derives the client id from the call id and the content. Call ids are not unique everywhere, since a
 * framework may number them from 1 in every run. For a reply, the content includes the message id.
 */
const clientIdOf = async (
  name: string,
  resolved: object,
  { callId }: ToolContext,
): Promise<string | undefined> => {
  if (callId === undefined) return undefined
  const written = new TextEncoder().encode(JSON.stringify([name, callId, resolved]))
  return `tool:${hex(await crypto.subtle.digest('SHA-256', written)).slice(0, 40)}`
}

/** Error codes if the slot has another answer already. */
const taken: ReadonlySet<string> = new Set(['already_replied', 'already_drafted', 'already_forwarded'])

/**
 * Sends again under an id of its own if the model asks for one more answer, and an earlier run without a
 * consumer has used that slot.
 */
const onceMore =
  <T>(isAgain: boolean, send: (key: string | undefined, unique?: string) => Promise<T>) =>
  (key: string | undefined): Promise<T> =>
    send(key).catch((error: unknown) => {
      if (isAgain && isRestanteError(error) && taken.has(error.code)) return send(key, crypto.randomUUID())
      throw error
    })

/** Builds the result for a sent message. It must not fail, since the message was sent. */
export const sent = async (session: ToolSession, message: SentMessage, note?: string) =>
  message.suggested ? suggested(message) : sentNow(session, message, note)

/** Builds the result for a message that people get as a suggestion. */
const suggested = ({ id }: SentMessage) => ({
  status: 'waiting_for_approval' as const,
  draft: id,
  note: 'Nothing was sent: a person decides on it as your suggestion. Do not write it again another way.',
})

const sentNow = async ({ mailbox }: ToolSession, { id }: SentMessage, note?: string) => ({
  status: 'sent' as const,
  message: await mailbox.messages.get(id).then(
    ({ handle }) => handle,
    () => id,
  ),
  ...(note !== undefined && { note }),
})

/** Builds the result for a message that is now a draft. */
const drafted = ({ id, status, scheduledAt }: Draft, { notes }: ToolContext) =>
  status === 'scheduled'
    ? {
        status: 'scheduled' as const,
        draft: id,
        note: `It goes out at ${scheduledAt?.toISOString()}. Do not send it again.`,
      }
    : {
        status: 'waiting_for_approval' as const,
        draft: id,
        note: `Nothing was sent: a human has to approve this draft${notes.length > 0 ? `, since ${because(notes)}` : ''}. Do not write it again another way.`,
      }

/** Builds the result for a draft that this run wrote. */
const draftedHere = (draft: Draft, context: ToolContext) => {
  context.session.guard.wrote(draft, context.material)
  return drafted(draft, context)
}

/** Sends a message. If the key lacks the scope `send`, it becomes a draft that an operator is asked about. */
const sendOrAsk = <Sent>(
  send: () => Promise<Sent>,
  write: () => Promise<Draft>,
  context: ToolContext,
): Promise<Sent | ReturnType<typeof drafted> | Awaited<ReturnType<typeof sent>>> =>
  send().catch(async (error: unknown) => {
    if (!isServiceError(error, 'insufficient_scope')) throw error
    const { session, signal } = context
    const became = await (await write()).send({ ...contextOf(context), signal })
    return became.status === 'sent' ? sent(session, became) : draftedHere(became.draft, context)
  })

const attachmentsOf = (chosen: readonly ChosenFile[]) =>
  chosen.length > 0 ? chosen.map(({ file }) => file) : undefined
const identitiesOf = (chosen: readonly ChosenFile[]) => chosen.map(({ identity }) => identity)

/** Returns the time to send at. A message that waits for a human has none, or it would not wait. */
const timeOf = (send_at: string | undefined, held: boolean): Date | undefined => {
  const time = send_at === undefined ? undefined : readFutureTime(send_at, 'send_at')
  return held ? undefined : time
}

/** Returns the recipients of a reply. */
export const replyTargets = ({ record }: Message, all: boolean, target?: 'sender' | 'list'): string[] => {
  const { to, cc } = replyRecipients(record, { inbox: '', ours: [], all, to: target })
  return [...to, ...cc]
}

/** Describes where the answer to a list message went, and how to send it the other way. */
const wayOf = (message: Message, target?: 'sender' | 'list'): string | undefined => {
  const { list } = message
  if (!list?.post) return undefined
  const went = target ?? list.answers_go_to
  const other = went === 'list' ? 'its author alone: to sender' : 'all who read the list: to list'
  return `It answers ${went === 'list' ? 'the list' : 'its author, and not the list'}. To ${other}, and again.`
}

const copies = { cc: addresses.optional(), bcc: addresses.optional() }
const again = z.boolean().optional().describe('To send a second mail')
const replyTo = z
  .enum(['sender', 'list'])
  .optional()
  .describe('Mail of a list: to its author (usual) or all who read it')
const replyAll = z.boolean().optional().describe('Also to all others who got it, a list too')

const sendMail = defineTool({
  name: 'send_mail',
  description: 'Sends a mail that starts a conversation. To answer one use reply.',
  risk: 'send',
  input: toolInput({
    to: addresses,
    ...copies,
    subject: words(1_000),
    text,
    attachments: files,
    send_at: sendAt,
    inbox,
  }),
  output: sentOutput,
  flow: async (session, { to, cc, bcc, attachments }) => ({
    to: [to, cc, bcc].flatMap((list) => session.addresses(list)),
    material: await sourcesOf(session, attachments),
  }),
  propose: proposeMail,
  run: async (mailbox, input, context) => {
    const { session, signal, held } = context
    const { subject, inbox: from } = input
    const scheduledAt = timeOf(input.send_at, held)
    const [to, cc, bcc] = [input.to, input.cc, input.bcc].map((list) => session.addresses(list)) as [
      string[],
      string[],
      string[],
    ]
    const chosen = await readFiles(session, input.attachments, signal)
    const content = { to, cc, bcc, subject, ...session.body(input.text) }
    const clientId = await clientIdOf(
      held ? 'held_mail' : 'send_mail',
      { ...content, files: identitiesOf(chosen), scheduledAt, inbox: session.inboxId(from) },
      context,
    )
    const mail = { ...content, attachments: attachmentsOf(chosen), inbox: from, clientId, signal }
    const write = () => mailbox.drafts.create({ ...mail, ...contextOf(context), scheduledAt })
    if (held || scheduledAt) return draftedHere(await write(), context)
    return sendOrAsk(async () => sent(session, await mailbox.send(mail)), write, context)
  },
})

/** Returns the recipients of a draft that answers a list. @throws UsageError `no_recipients` */
const listPlaces = (
  session: ToolSession,
  message: Message,
  { replyAll = false, cc }: { replyAll?: boolean | undefined; cc: string[] },
) => {
  const goesTo = proposedReply(session, message, replyAll, 'list')
  if (goesTo.to.length === 0)
    throw new UsageError(
      'no_recipients',
      `${message.handle} came through no list that takes mail: leave to out`,
    )
  return { to: goesTo.to, cc: [...goesTo.cc, ...cc], replyAll: undefined }
}

const reply = defineTool({
  name: 'reply',
  description:
    'Answers the author of a message (or its Reply-To), in its thread. A second answer is refused.',
  risk: 'send',
  input: toolInput({
    message: messageRef,
    text,
    attachments: files,
    to: replyTo,
    reply_all: replyAll,
    cc: addresses.optional(),
    send_at: sendAt,
    again,
  }),
  output: sentOutput,
  flow: async (session, { message: ref, to, reply_all = false, cc, attachments }) => {
    const message = await session.message(ref)
    return {
      to: [...session.addresses(cc), ...replyTargets(message, reply_all, to)],
      material: [message, ...(await sourcesOf(session, attachments))],
    }
  },
  propose: (session, { message, to, ...given }) => proposeReply(session, message, given, to),
  run: async (_mailbox, input, context) => {
    const { session, signal, held } = context
    const message = await session.message(input.message, signal)
    const scheduledAt = timeOf(input.send_at, held)
    const chosen = await readFiles(session, input.attachments, signal)
    const content = {
      ...session.body(input.text),
      to: input.to,
      replyAll: input.reply_all,
      cc: session.addresses(input.cc),
    }
    const isAgain = input.again ?? false
    return session.once(
      'replied',
      message,
      isAgain,
      onceMore(isAgain, async (key, unique) => {
        const clientId = session.isInConversation(message)
          ? unique
          : ((await clientIdOf(
              held ? 'held_reply' : 'reply',
              {
                ...content,
                message: message.id,
                files: identitiesOf(chosen),
                scheduledAt,
                again: input.again,
              },
              context,
            )) ?? crypto.randomUUID())
        const options = { ...content, attachments: attachmentsOf(chosen), key, clientId, signal }
        const write = async () => {
          const places = input.to === 'list' ? listPlaces(session, message, content) : { to: undefined }
          return message.draft({ ...options, ...places, ...contextOf(context), scheduledAt })
        }
        if (held || scheduledAt) return draftedHere(await write(), context)
        return sendOrAsk(
          async () => sent(session, await message.reply(options), wayOf(message, input.to)),
          write,
          context,
        )
      }),
    )
  },
})

const forward = defineTool({
  name: 'forward',
  description: 'Passes a message on, with its attachments.',
  risk: 'send',
  input: toolInput({
    message: messageRef,
    to: addresses,
    cc: addresses.optional(),
    text: text.optional(),
    again,
  }),
  output: sentOutput,
  flow: async (session, { message, to, cc }) => ({
    to: [to, cc].flatMap((list) => session.addresses(list)),
    material: [await session.message(message)],
  }),
  propose: (session, { message, ...given }) => proposeForward(session, message, given),
  run: async (mailbox, input, context) => {
    const { session, signal, held } = context
    const message = await session.message(input.message, signal)
    const [to, cc] = [session.addresses(input.to), session.addresses(input.cc)]
    const content = { to, cc, ...session.body(input.text) }
    const isAgain = input.again ?? false
    return session.once(
      'forwarded',
      message,
      isAgain,
      onceMore(isAgain, async (suffix = '', unique) => {
        const { again } = input
        const derived = () =>
          clientIdOf(held ? 'held_forward' : 'forward', { ...content, message: message.id, again }, context)
        const clientId = session.isInConversation(message)
          ? unique
          : ((await derived()) ?? crypto.randomUUID())
        const options = { ...content, clientId, key: `${message.id}${suffix}`, signal }
        const write = () => mailbox.drafts.create({ ...options, ...contextOf(context), forward: message })
        if (held) return draftedHere(await write(), context)
        const send = async () => sent(session, await message.forward(options))
        return sendOrAsk(send, write, context)
      }),
    )
  },
})

const createDraft = defineTool({
  name: 'create_draft',
  description: 'Writes a mail without sending it; with reply_to an answer.',
  risk: 'write',
  input: toolInput({
    to: addresses.optional(),
    ...copies,
    subject: words(1_000).optional(),
    text,
    attachments: files,
    reply_to: messageRef.optional(),
    reply_all: replyAll,
    inbox,
  }),
  output: draftOutput,
  // Nothing is sent yet: the content is checked when the draft is sent.
  flow: async (session, { reply_to, attachments }) => ({
    to: [],
    material: [
      ...(reply_to === undefined ? [] : [await session.message(reply_to)]),
      ...(await sourcesOf(session, attachments)),
    ],
  }),
  propose: (session, { reply_to, ...given }) =>
    reply_to === undefined ? proposeMail(session, given) : proposeReply(session, reply_to, given),
  run: async (mailbox, input, context) => {
    const { session, signal } = context
    const answered = input.reply_to === undefined ? undefined : await session.message(input.reply_to, signal)
    const list = (given: typeof input.to) => (given === undefined ? undefined : session.addresses(given))
    const chosen = await readFiles(session, input.attachments, signal)
    const content = {
      to: list(input.to),
      cc: list(input.cc),
      bcc: list(input.bcc),
      subject: input.subject,
      ...session.body(input.text),
      inReplyTo: answered?.id,
      replyAll: input.reply_all,
      inbox: answered?.inboxId ?? session.inboxId(input.inbox) ?? input.inbox,
    }
    const draft = await mailbox.drafts.create({
      ...content,
      ...contextOf(context),
      attachments: attachmentsOf(chosen),
      clientId: await clientIdOf('create_draft', { ...content, files: identitiesOf(chosen) }, context),
      signal,
    })
    session.guard.wrote(draft, context.material)
    return { status: 'drafted' as const, draft: draft.id, seq: draft.record.seq }
  },
})

/** Schedules a draft; if this run wrote it, it stays this run's draft. */
const putOff = async (draft: Draft, scheduledAt: Date, { session, signal }: ToolContext): Promise<Draft> => {
  const written = session.guard.materialOf(draft)
  const later = await draft.update({ scheduledAt, expectSeq: draft.record.seq, signal })
  if (written) session.guard.wrote(later, written)
  return later
}

/** Adds to a draft why it is held, for its approver. Content and the reason of another writer are kept. */
const noteHeld = async (draft: Draft, context: ToolContext): Promise<void> => {
  const { session, signal } = context
  const isOwn = session.guard.materialOf(draft) !== null
  if (draft.status !== 'draft' || !(isOwn || draft.record.approval_reason === null)) return
  await draft.update({ ...contextOf(context), expectSeq: draft.record.seq, signal })
}

const sendDraft = defineTool({
  name: 'send_draft',
  description: 'Sends a draft, once, as it was when you were told its seq.',
  risk: 'send',
  input: toolInput({
    draft: draftRef,
    seq,
    send_at: sendAt,
    again,
  }),
  output: sentOutput,
  flow: async (session, { draft: id, seq }) => {
    const draft = await decidedDraft(session, id, seq)
    const { record } = draft
    const { to = [], cc = [], bcc = [], reply_to_message_id: replied } = record
    const answered = replied && to.length === 0 ? replyTargets(await session.message(replied), true) : []
    const material = session.guard.materialOf(draft)
    const all = [...to, ...cc, ...bcc, ...answered]
    const isSent = record.sent_message_id !== null
    const isForeign = material === null && !isSent && session.guard.isBound(all)
    return {
      to: all,
      material: material ?? [],
      reasons: isForeign ? ['this run did not write that draft as it is now'] : [],
    }
  },
  propose: async (session, { draft, seq, send_at }) =>
    proposeDraft(session, await decidedDraft(session, draft, seq), send_at),
  run: async (_mailbox, { draft: id, seq, send_at, again }, context) => {
    const { session, signal, held } = context
    const draft = await decidedDraft(session, id, seq, signal)
    const scheduledAt = timeOf(send_at, held)
    const send = async () => {
      if (held) {
        await noteHeld(draft, context)
        return drafted(draft, context)
      }
      if (scheduledAt) return drafted(await putOff(draft, scheduledAt, context), context)
      const became = await draft.send({ ...contextOf(context), expectSeq: seq, signal })
      return became.status === 'sent' ? sent(session, became) : drafted(became.draft, context)
    }
    const { reply_to_message_id: replied } = draft.record
    return replied
      ? session.once('replied', await session.message(replied, signal), again ?? false, send)
      : send()
  },
})

const labelNames = z
  .array(words(100, 1))
  .refine((given) => given.length <= 20, { error: 'at most 20 labels' })
  .optional()
const label = defineTool({
  name: 'label',
  description: 'Labels a message, such as archived, unread, and trash, which is erased after 30 days.',
  risk: 'write',
  input: toolInput({
    message: messageRef,
    add: labelNames,
    remove: labelNames,
  }),
  output: doneOutput,
  flow: async (session, { message: ref, add = [], remove = [] }) => {
    const { guard } = session
    const found = await session.message(ref)
    return {
      to: [],
      material: [],
      reasons: [
        ...(guard.has(found) ? [] : ['this run has not read that mail']),
        ...(add.some((name) => guard.isPublicLabel(name)) ? ['that label lets anybody be told of it'] : []),
        ...([...add, ...remove].some(isHidingLabel) && found.id !== session.options.message?.id
          ? ['that label decides whether anybody sees the mail']
          : []),
      ],
    }
  },
  run: async (_mailbox, { message, add = [], remove = [] }, { session, signal }) => {
    const found = await session.message(message, signal)
    for (const name of add) await found.label(name, { signal })
    for (const name of remove) await found.unlabel(name, { signal })
    return { status: 'done' as const }
  },
})

export const sendingTools = {
  send_mail: sendMail,
  reply,
  forward,
  create_draft: createDraft,
  send_draft: sendDraft,
  label,
}
