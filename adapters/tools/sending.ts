import type { Draft, Mailbox, Message, SentMessage } from 'restante'
import { z } from 'zod'
import { defineTool, type ToolContext } from './define'
import type { Desk } from './desk'
import { filesOf, readFiles } from './files'
import {
  addresses,
  doneOutput,
  draftOutput,
  files,
  inbox,
  messageRef,
  sendAt,
  sentOutput,
  text,
} from './schemas'
import { readFutureTime } from './time'

const hex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Ids of calls are not unique everywhere: what is sent belongs to the id. */
const clientIdOf = async (name: string, { callId, given }: ToolContext): Promise<string | undefined> => {
  if (callId === undefined) return undefined
  const written = new TextEncoder().encode(JSON.stringify([name, callId, given]))
  return `tool:${hex(await crypto.subtle.digest('SHA-256', written)).slice(0, 40)}`
}

/** What the model is told of a mail that went out: whatever fails from here on, it was sent. */
const sent = async ({ mailbox }: Desk, { id }: SentMessage) => ({
  status: 'sent' as const,
  message: await mailbox.messages.get(id).then(
    ({ handle }) => handle,
    () => id,
  ),
})

/** What the model is told of a mail that is a draft now. */
const drafted = ({ id, status, scheduledAt }: Draft) =>
  status === 'scheduled'
    ? {
        status: 'scheduled' as const,
        draft: id,
        note: `It goes out at ${scheduledAt?.toISOString()}. Do not send it again.`,
      }
    : {
        status: 'waiting_for_approval' as const,
        draft: id,
        note: 'Nothing was sent: a human has to approve this draft. Do not write it again another way.',
      }

/** When a mail goes out by itself: one that waits for a human has no time, or it would not wait. */
const timeOf = (send_at: string | undefined, held: boolean): Date | undefined => {
  const time = send_at === undefined ? undefined : readFutureTime(send_at, 'send_at')
  return held ? undefined : time
}

/** Whom a reply goes to, as far as a stranger may have chosen it. */
const replyTargets = (message: Message, all: boolean): string[] => {
  const { direction, verified, from, to, cc, record } = message
  if (direction === 'outbound') return [...to, ...(all ? cc : [])]
  const targets = record.reply_to.length > 0 ? record.reply_to : [from.address]
  const chosen = [...targets, ...(all ? [...to, ...cc] : [])]
  // The sender may be answered; where it is proven, it may also say who else is.
  return verified ? [] : chosen.filter((address) => address.toLowerCase() !== from.address.toLowerCase())
}

const copies = { cc: addresses.optional(), bcc: addresses.optional() }
const again = z.boolean().optional().describe('True to send a second mail where one went out already')
const replyAll = z.boolean().optional().describe('Also to everybody else who got it')

const sendMail = defineTool({
  name: 'send_mail',
  description: 'Sends a mail that starts a conversation. To answer a mail use reply.',
  risk: 'send',
  input: z.object({
    to: addresses,
    ...copies,
    subject: z.string().max(1_000),
    text,
    attachments: files,
    send_at: sendAt,
    inbox,
  }),
  output: sentOutput,
  recipients: async (desk, { to, cc, bcc }) => [to, cc, bcc].flatMap((list) => desk.addresses(list)),
  run: async (mailbox, input, context) => {
    const { desk, signal, held } = context
    const { subject, text: written, inbox: from } = input
    const scheduledAt = timeOf(input.send_at, held)
    const [to, cc, bcc] = [input.to, input.cc, input.bcc].map((list) => desk.addresses(list)) as [
      string[],
      string[],
      string[],
    ]
    const clientId = await clientIdOf(held ? 'held_mail' : 'send_mail', context)
    const attachments = await readFiles(desk, input.attachments, signal)
    const mail = { to, cc, bcc, subject, text: written, attachments, inbox: from, clientId, signal }
    if (held || scheduledAt) return drafted(await mailbox.drafts.create({ ...mail, scheduledAt }))
    return sent(desk, await mailbox.send(mail))
  },
})

const reply = defineTool({
  name: 'reply',
  description: 'Answers a message, in its thread. Once: a second answer to the same message is refused.',
  risk: 'send',
  input: z.object({
    message: messageRef,
    text,
    attachments: files,
    reply_all: replyAll,
    cc: addresses.optional(),
    send_at: sendAt,
    again,
  }),
  output: sentOutput,
  recipients: async (desk, { message, reply_all = false, cc }) => [
    ...desk.addresses(cc),
    ...replyTargets(await desk.message(message), reply_all),
  ],
  run: async (_mailbox, input, context) => {
    const { desk, signal, held } = context
    const message = await desk.message(input.message, signal)
    const scheduledAt = timeOf(input.send_at, held)
    const attachments = await readFiles(desk, input.attachments, signal)
    return desk.once('replied', message, input.again ?? false, async (key) => {
      const clientId = desk.isDelivered(message)
        ? undefined
        : await clientIdOf(held ? 'held_reply' : 'reply', context)
      const cc = desk.addresses(input.cc)
      const { text: written, reply_all } = input
      const options = { text: written, attachments, replyAll: reply_all, key, clientId, signal }
      if (held || scheduledAt) return drafted(await message.draft({ ...options, cc, scheduledAt }))
      return sent(desk, await message.reply({ ...options, cc }))
    })
  },
})

/** A draft is not a forward yet: it holds what a forward would. */
const draftForward = async (
  mailbox: Mailbox,
  message: Message,
  { to, cc, text: written = '' }: { to: string[]; cc: string[]; text?: string | undefined },
  context: ToolContext,
): Promise<Draft> => {
  const { signal } = context
  const { text: original } = await message.body({ signal })
  return mailbox.drafts.create({
    ...{ to, cc, signal },
    inbox: message.inboxId,
    subject: `Fwd: ${message.subject}`,
    text: `${written}\n\nForwarded from ${message.from.address}:\n\n${original}`,
    attachments: await filesOf(message, signal),
    clientId: await clientIdOf('held_forward', context),
  })
}

const forward = defineTool({
  name: 'forward',
  description: 'Passes a message on, with its attachments.',
  risk: 'send',
  input: z.object({
    message: messageRef,
    to: addresses,
    cc: addresses.optional(),
    text: text.optional(),
    again,
  }),
  output: sentOutput,
  recipients: async (desk, { to, cc }) => [to, cc].flatMap((list) => desk.addresses(list)),
  run: async (mailbox, input, context) => {
    const { desk, signal, held } = context
    const message = await desk.message(input.message, signal)
    const [to, cc] = [desk.addresses(input.to), desk.addresses(input.cc)]
    return desk.once('forwarded', message, input.again ?? false, async (again = '') => {
      if (held) return drafted(await draftForward(mailbox, message, { ...input, to, cc }, context))
      const clientId = desk.isDelivered(message) ? undefined : await clientIdOf('forward', context)
      return sent(
        desk,
        await message.forward({
          ...{ to, cc, clientId, signal },
          text: input.text,
          key: `${message.id}${again}`,
        }),
      )
    })
  },
})

const createDraft = defineTool({
  name: 'create_draft',
  description: 'Writes a mail without sending it. With reply_to it is an answer in that thread.',
  risk: 'write',
  input: z.object({
    to: addresses.optional(),
    ...copies,
    subject: z.string().max(1_000).optional(),
    text,
    attachments: files,
    reply_to: messageRef.optional(),
    reply_all: replyAll,
    inbox,
  }),
  output: draftOutput,
  run: async (mailbox, input, context) => {
    const { desk, signal } = context
    const answered = input.reply_to === undefined ? undefined : await desk.message(input.reply_to, signal)
    const list = (given: typeof input.to) => (given === undefined ? undefined : desk.addresses(given))
    const { id } = await mailbox.drafts.create({
      ...{ to: list(input.to), cc: list(input.cc), bcc: list(input.bcc) },
      subject: input.subject,
      text: input.text,
      attachments: await readFiles(desk, input.attachments, signal),
      replyTo: answered?.id,
      replyAll: input.reply_all,
      inbox: answered?.inboxId ?? input.inbox,
      clientId: await clientIdOf('create_draft', context),
      signal,
    })
    return { status: 'drafted' as const, draft: id }
  },
})

const sendDraft = defineTool({
  name: 'send_draft',
  description: 'Sends a draft, once.',
  risk: 'send',
  input: z.object({ draft: z.string().min(1).max(64).describe('Id of the draft'), send_at: sendAt, again }),
  output: sentOutput,
  recipients: async (desk, { draft }) => {
    const { record } = await desk.draft(draft)
    const { to = [], cc = [], bcc = [], reply_to_message_id: replied } = record
    const written = [...to, ...cc, ...bcc]
    if (!replied || to.length > 0) return written
    return [...written, ...replyTargets(await desk.message(replied), true)]
  },
  run: async (_mailbox, { draft: id, send_at, again }, { desk, signal, held }) => {
    const draft = await desk.draft(id, signal)
    const scheduledAt = timeOf(send_at, held)
    const send = async () => {
      if (held) return drafted(draft)
      if (scheduledAt) return drafted(await draft.update({ scheduledAt, signal }))
      const became = await draft.send({ signal })
      return became.status === 'sent' ? sent(desk, became) : drafted(became.draft)
    }
    const { reply_to_message_id: replied } = draft.record
    return replied ? desk.once('replied', await desk.message(replied, signal), again ?? false, send) : send()
  },
})

const labelName = z.string().min(1).max(100)
const label = defineTool({
  name: 'label',
  description: 'Puts labels on a message and takes labels off.',
  risk: 'write',
  input: z.object({
    message: messageRef,
    add: z.array(labelName).max(20).optional(),
    remove: z.array(labelName).max(20).optional(),
  }),
  output: doneOutput,
  run: async (_mailbox, { message, add = [], remove = [] }, { desk, signal }) => {
    const found = await desk.message(message, signal)
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
