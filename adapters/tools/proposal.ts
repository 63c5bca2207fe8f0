import {
  bodyWarnings,
  forwardSubject,
  type Message,
  replyRecipients,
  replySubject,
  untrustedField,
} from 'restante'
import { chooseAttachment } from './files'
import type { ToolSession } from './tool-session'

/** Message that a proposed message answers or passes on. */
export interface ProposedFor {
  readonly what: 'answers' | 'passes on'
  readonly id: string
  readonly handle: string
  readonly from: string
  readonly subject: string
  readonly receivedAt: Date
  /** Text of the message; the full text if it is passed on. */
  readonly text: string
}

/**
 * Message that a tool would send, as shown to an approver: its recipients and its whole content. It is built
 * from the call and the service's data, so every process shows the same.
 */
export interface ProposedMail {
  /** Inbox that sends it; null if the mailbox has several and none was named. */
  readonly from: string | null
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  /** Addresses that answers go to, in place of `from`. */
  readonly replyTo: readonly string[]
  readonly subject: string
  readonly text: string
  /** HTML of a draft, if it has any: most recipients will see it in place of the text. */
  readonly html: string | null
  /** Differences between HTML and text, and hidden content, which an approver could miss. */
  readonly warnings: readonly string[]
  /** Names of files. */
  readonly attachments: readonly string[]
  /** Requested time of sending; null for now. */
  readonly sendAt: string | null
  readonly message: ProposedFor | null
  /** Reasons why it breaks the flow rule, such as a recipient who was not part of everything read. */
  readonly reasons: readonly string[]
}

interface Given {
  to?: string | readonly string[] | undefined
  cc?: string | readonly string[] | undefined
  bcc?: string | readonly string[] | undefined
  subject?: string | undefined
  text?: string | undefined
  inbox?: string | undefined
  send_at?: string | undefined
  reply_all?: boolean | undefined
  attachments?: readonly FileGiven[] | undefined
}
interface FileGiven {
  message?: string | undefined
  attachment?: string | number | undefined
  filename?: string | undefined
}

const nameOf = (filename: string | null | undefined, at: number) => filename ?? `attachment-${at}`

const namesOf = async (session: ToolSession, files: readonly FileGiven[] = []): Promise<string[]> => {
  const names: string[] = []
  for (const { message, attachment: wanted, filename } of files) {
    if (message === undefined) names.push(nameOf(filename, names.length + 1))
    else {
      const { attachment, number } = chooseAttachment(await session.message(message), wanted)
      names.push(nameOf(filename ?? attachment.filename, number))
    }
  }
  return names
}

const about = async (what: ProposedFor['what'], message: Message): Promise<ProposedFor> => {
  const { id, handle, from, subject, receivedAt } = message
  const text = what === 'answers' ? message.text : (await message.body()).text
  return { what, id, handle, from: from.address, subject, receivedAt, text }
}

const addressOf = ({ mailbox: { inboxes } }: ToolSession, id: string | undefined): string | null => {
  const [only] = inboxes.length === 1 ? inboxes : []
  return (inboxes.find((inbox) => inbox.id === id) ?? only)?.address ?? null
}

/** Returns the recipients of a message, each once, in the first field that names it. */
const namedOnce = (session: ToolSession, { to, cc, bcc }: Given) => {
  const seen = new Set<string>()
  const fresh = (list: Given['to']) =>
    session.addresses(list).filter((one) => !seen.has(one.toLowerCase()) && seen.add(one.toLowerCase()))
  return { to: fresh(to), cc: fresh(cc), bcc: fresh(bcc) }
}

/** Proposes the message that `send_mail` would send. */
export const proposeMail = async (session: ToolSession, given: Given): Promise<ProposedMail> => ({
  ...namedOnce(session, given),
  from: addressOf(session, session.inboxId(given.inbox)),
  replyTo: [],
  subject: given.subject ?? '',
  text: given.text ?? '',
  html: null,
  warnings: [],
  attachments: await namesOf(session, given.attachments),
  sendAt: given.send_at ?? null,
  message: null,
  reasons: [],
})

/** Returns the recipients of the answer to a message. */
export const proposedReply = (
  session: ToolSession,
  message: Message,
  all: boolean,
  target?: 'sender' | 'list',
): { to: string[]; cc: string[] } => {
  const ours = session.mailbox.inboxes.map(({ address }) => address)
  const inbox = addressOf(session, message.inboxId) ?? ''
  return replyRecipients(message.record, { inbox, ours, all, to: target })
}

/** Proposes the answer to a message. */
export const proposeReply = async (
  session: ToolSession,
  reference: string,
  given: Given,
  target?: 'sender' | 'list',
): Promise<ProposedMail> => {
  const message = await session.message(reference)
  const from = addressOf(session, message.inboxId)
  const goesTo = proposedReply(session, message, given.reply_all ?? false, target)
  const named = given.to === undefined ? goesTo : { to: given.to, cc: [] }
  const cc = [...named.cc, ...session.addresses(given.cc)]
  const mail = await proposeMail(session, { ...given, to: named.to, cc })
  const subject = given.subject ?? replySubject(message.subject)
  return { ...mail, from, subject, message: await about('answers', message) }
}

/** Proposes the message that passes another on. */
export const proposeForward = async (
  session: ToolSession,
  reference: string,
  given: Given,
): Promise<ProposedMail> => {
  const message = await session.message(reference)
  return {
    ...(await proposeMail(session, given)),
    from: addressOf(session, message.inboxId),
    subject: forwardSubject(message.subject),
    attachments: message.attachments.map(({ filename }, at) => nameOf(filename, at + 1)),
    message: await about('passes on', message),
  }
}

/** Proposes a draft as it would be sent. */
export const proposeDraft = async (
  session: ToolSession,
  { inboxId, record }: Awaited<ReturnType<ToolSession['draft']>>,
  sendAt: string | undefined,
): Promise<ProposedMail> => {
  const { to = [], cc = [], bcc = [], reply_to: replyTo = [], subject, text, html, attachments = [] } = record
  const { reply_to_message_id: answered, scheduled_at } = record
  return {
    to,
    cc,
    bcc,
    replyTo,
    subject,
    from: addressOf(session, inboxId),
    text: text ?? '',
    html: html ?? null,
    warnings: await bodyWarnings({ text, html }),
    attachments: attachments.map(({ filename }, at) => nameOf(filename, at + 1)),
    sendAt: sendAt ?? scheduled_at,
    message: answered ? await about('answers', await session.message(answered)) : null,
    reasons: [],
  }
}

const list = (addresses: readonly string[]) => addresses.join(', ')

/**
 * Formats a proposed message as text for a human.
 *
 * @example
 * ```ts
 * import { createToolbox, proposalText } from 'restante/tools'
 *
 * const { tools } = createToolbox(mailbox, { approve: 'send' })
 * const mail = await tools.reply?.propose({ message: 'm1042-mxk', text: 'Yes.' })
 * if (mail) console.log(proposalText(mail))
 * ```
 */
export function proposalText(mail: ProposedMail): string {
  const { from, to, cc, bcc, replyTo, subject, attachments, sendAt, message, text, html, warnings, reasons } =
    mail
  const lines = [
    from && `From: ${from}`,
    `To: ${list(to)}`,
    cc.length > 0 && `Cc: ${list(cc)}`,
    bcc.length > 0 && `Bcc: ${list(bcc)}`,
    replyTo.length > 0 && `Answers go to: ${list(replyTo)}`,
    `Subject: ${untrustedField(subject, 1_000)}`,
    attachments.length > 0 && `Attachments: ${attachments.map((one) => untrustedField(one, 200)).join(', ')}`,
    sendAt && `Goes out: ${sendAt}`,
    message &&
      `It ${message.what} ${message.handle}: ${untrustedField(message.subject, 200)} from ${message.from}, ${message.receivedAt.toISOString()}`,
    ...reasons.map((reason) => `You are asked, since ${reason}.`),
    ...warnings.map((warning) => `Warning: ${untrustedField(warning, 2_000)}`),
  ]
  const body = [
    text,
    html && `As HTML, which most will see instead:\n${html}`,
    message?.what === 'passes on' && `What is passed on:\n${message.text}`,
  ].filter(Boolean)
  return [lines.filter(Boolean).join('\n'), ...body].join('\n\n')
}
