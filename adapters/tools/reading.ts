import { type Message, type ThreadSummary, UsageError, untrustedField, untrustedText } from 'restante'
import { z } from 'zod'
import { defineTool } from './define'
import type { Desk } from './desk'
import { chooseAttachment } from './files'
import {
  attachmentRef,
  cursor,
  inbox,
  limit,
  mailOutput,
  messageRef,
  statusOutput,
  threadRef,
} from './schemas'
import { readTime } from './time'

const rowOfThread = ({
  handle,
  messageCount,
  lastMessageAt,
  subject,
  participants,
  preview,
}: ThreadSummary) =>
  `${handle}; ${messageCount} messages; last ${lastMessageAt.toISOString()}; subject ${untrustedField(subject, 150)}; between ${participants
    .slice(0, 4)
    .map((one) => untrustedField(one, 80))
    .join(', ')}; newest begins ${untrustedField(preview, 100)}`

const rowOfMessage = (message: Message) => {
  const { handle, receivedAt, direction, verified, from, subject, preview, attachments } = message
  const proof = direction === 'outbound' ? 'sent from here' : verified ? 'sender proven' : 'SENDER NOT PROVEN'
  const files = attachments.length > 0 ? `; ${attachments.length} attachments` : ''
  return `${handle}; ${receivedAt.toISOString()}; ${proof}${files}; from ${untrustedField(from.address, 80)}; subject ${untrustedField(subject, 150)}; begins ${untrustedField(preview, 100)}`
}

const page = (desk: Desk, what: string, rows: readonly string[], nextCursor: string | null) => {
  if (rows.length === 0) return { status: 'ok' as const, mail: `No ${what} found.` }
  const list = untrustedText(rows, {
    introduction: `${rows.length} ${what}, one on a line.`,
    maxTokens: desk.budget,
  })
  const isWhole = list.shown === list.total
  const mail = isWhole ? list.text : `${list.text} Ask again with limit ${Math.max(1, list.shown)}.`
  return { status: 'ok' as const, mail, next_cursor: (isWhole && nextCursor) || undefined }
}

const listThreads = defineTool({
  name: 'list_threads',
  description: 'Lists conversations, the last active first.',
  risk: 'read',
  input: z.object({ label: z.string().max(100).optional(), inbox, limit, cursor }),
  output: mailOutput,
  run: async (mailbox, { limit: most = 10, ...where }, { desk, signal }) => {
    const { items, nextCursor } = await mailbox.threads.list({ ...where, limit: most, signal })
    return page(desk, 'threads', items.map(rowOfThread), nextCursor)
  },
})

const date = z.string().max(40).optional()
const words = z.string().min(1).max(300).optional()
const searchMail = defineTool({
  name: 'search_mail',
  description:
    'Finds messages, newest first. Every filter narrows further; without any it lists all messages.',
  risk: 'read',
  input: z.object({
    query: words.describe('Words that the message has, all of them; invoic* is a beginning'),
    from: words.describe('Address, domain or name of the sender'),
    to: words.describe('Address, domain or name of a recipient'),
    subject: words.describe('Words of the subject'),
    label: words,
    direction: z.enum(['inbound', 'outbound']).optional(),
    after: date.describe('Date such as 2026-01-31'),
    before: date,
    has_attachment: z.boolean().optional(),
    ...{ inbox, limit, cursor },
  }),
  output: mailOutput,
  run: async (mailbox, { limit: most = 10, has_attachment, after, before, ...where }, { desk, signal }) => {
    const { items, nextCursor } = await mailbox.messages.list({
      ...where,
      hasAttachment: has_attachment,
      after: after === undefined ? undefined : readTime(after, 'after'),
      before: before === undefined ? undefined : readTime(before, 'before'),
      limit: most,
      signal,
    })
    return page(desk, 'messages', items.map(rowOfMessage), nextCursor)
  },
})

const readMessage = defineTool({
  name: 'read_message',
  description: 'Reads one message.',
  risk: 'read',
  input: z.object({ message: messageRef }),
  output: mailOutput,
  run: async (_mailbox, { message }, { desk, signal }) => {
    const found = await desk.message(message, signal)
    return { status: 'ok' as const, mail: await found.toPrompt({ maxTokens: desk.budget, signal }) }
  },
})

const readThread = defineTool({
  name: 'read_thread',
  description: 'Reads a conversation, its newest messages first where there is not room for all.',
  risk: 'read',
  input: z.object({ thread: threadRef }),
  output: mailOutput,
  run: async (_mailbox, { thread }, { desk, signal }) => {
    const found = await desk.thread(thread, signal)
    return { status: 'ok' as const, mail: await found.toPrompt({ maxTokens: desk.budget, signal }) }
  },
})

const readAttachment = defineTool({
  name: 'read_attachment',
  description: 'Reads the text of a file that came with a message: text, HTML, JSON, XML, CSV.',
  risk: 'read',
  input: z.object({
    message: messageRef,
    attachment: attachmentRef.optional(),
  }),
  output: mailOutput,
  run: async (_mailbox, { message, attachment: wanted }, { desk, signal }) => {
    const found = await desk.message(message, signal)
    const { attachment, number } = chooseAttachment(found, wanted)
    const introduction = `Attachment ${number} of message ${found.handle}.`
    const written = await attachment.text({ signal }).catch((error) => {
      if (error?.code !== 'not_text') throw error
      throw new UsageError(
        'not_text',
        `attachment ${number} of ${found.handle} is not text that can be read here (${attachment.size} bytes): say so, or forward the message to somebody who can open it`,
      )
    })
    const named = `Name: ${untrustedField(attachment.filename ?? 'unnamed', 100)}\n\n${written}`
    return {
      status: 'ok' as const,
      mail: untrustedText(named, { introduction, maxTokens: desk.budget }).text,
    }
  },
})

const accountStatus = defineTool({
  name: 'account_status',
  description: 'Tells which addresses you have and whether you may send.',
  risk: 'read',
  input: z.object({}),
  output: statusOutput,
  run: async (mailbox, _input, { signal }) => {
    const { capabilities, sending_status, onboarding_state } = await mailbox.account({ signal })
    const { read, send, manage } = capabilities
    return {
      status: 'ok' as const,
      addresses: mailbox.inboxes.map(({ address }) => address),
      may: { read, send, manage },
      sending: sending_status,
      claimed: onboarding_state === 'claimed',
    }
  },
})

export const readingTools = {
  list_threads: listThreads,
  search_mail: searchMail,
  read_message: readMessage,
  read_thread: readThread,
  read_attachment: readAttachment,
  account_status: accountStatus,
}
