import type { ParsedAttachment } from '../../../mail/mime/attachment'
import { parseMail, readAttachments } from '../../../mail/parse'
import type { ParsedMail } from '../../../mail/parsed-mail'
import type { FileHints } from '../../ports'
import { messageText } from '../parts/message-text'

const maxDepth = 3
/** Messages within a message whose texts stand in its text. */
const maxInner = 10

const people = (list: readonly { name: string | null; address: string }[]): string =>
  list.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', ')

/** Returns the message that a file is, as RFC 5322; null for any other file. */
type MailIn = (bytes: Uint8Array, hints: FileHints) => Promise<Uint8Array | null>

/**
 * Reads a message that is attached: fields, text, and a list of its files. Messages within it follow, three
 * levels deep.
 */
export async function readNestedMessage(
  bytes: Uint8Array,
  mailIn: MailIn,
  depth = 1,
): Promise<{ text: string; files: ParsedAttachment[] }> {
  const mail = await parseMail(bytes)
  const text = messageText({
    fields: [
      ['From', mail.from ? people([mail.from]) : ''],
      ['To', people(mail.to)],
      ['Cc', people(mail.cc)],
      ['Date', mail.sentAt ?? ''],
      ['Subject', mail.subject],
    ],
    text: mail.text,
    files: mail.attachments.map(({ filename, size }) => ({ name: filename ?? 'unnamed', size })),
    inner: depth < maxDepth ? await innerTexts(bytes, mail, mailIn, depth) : [],
  })
  return { text, files: mail.attachments }
}

async function innerTexts(
  bytes: Uint8Array,
  mail: ParsedMail,
  mailIn: MailIn,
  depth: number,
): Promise<string[]> {
  const places = mail.attachments.map(({ index }) => index)
  const texts: string[] = []
  for (const found of places.length > 0 ? await readAttachments(bytes, places) : []) {
    if (texts.length >= maxInner) break
    // A damaged one is listed with the files.
    const message = found && (await mailIn(found.content, found).catch(() => null))
    if (message) texts.push((await readNestedMessage(message, mailIn, depth + 1)).text)
  }
  return texts
}
