import { createTransport } from 'nodemailer'

/** A mail that somebody outside writes, with every field that a sender can choose. */
export interface WrittenMail {
  /** `ana@example.com` or `Ana <ana@example.com>`. */
  from: string
  to: readonly string[]
  cc?: readonly string[]
  subject?: string
  text?: string
  html?: string
  replyTo?: string
  /** Somebody else wrote it in this sender's name: nothing proves it. */
  forged?: boolean
  /** The fields that its sender signed, in lower case, where somebody else sends it again; default: all. */
  signed?: readonly string[]
  files?: readonly { name: string; content: string; type?: string }[]
  /** Message-IDs of the mails that it claims to follow, the last being the one it answers. */
  after?: readonly string[]
  /** Fields beside those that every mail has. */
  headers?: Record<string, string>
}

const transport = createTransport({ streamTransport: true, buffer: true })

/** The bytes of a mail. */
export async function compose(mail: WrittenMail, messageId: string, date: Date): Promise<Uint8Array> {
  const { from, to, cc, subject, text, html, replyTo, headers, files = [], after = [] } = mail
  const { message } = await transport.sendMail({
    ...{ from, to: [...to], cc: cc && [...cc], subject, text, html, replyTo, headers, messageId, date },
    ...(after.length > 0 && { inReplyTo: after.at(-1), references: [...after] }),
    attachments: files.map(({ name, content, type }) => ({ filename: name, content, contentType: type })),
  })
  return new Uint8Array(message as Buffer)
}

/** The address in `Ana <ana@example.com>`, in lower case. */
export const bare = (address: string): string => {
  const open = address.lastIndexOf('<')
  return (open < 0 ? address : address.slice(open + 1, address.lastIndexOf('>'))).trim().toLowerCase()
}
