import { parseMail, readAttachments } from '../../../mail/parse'
import type { ParsedMail } from '../../../mail/parsed-mail'
import { messageText } from '../parts/message-text'

const maxDepth = 3

const people = (list: readonly { name: string | null; address: string }[]): string =>
  list.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', ')

/**
 * Reads a message that is attached: fields, text, and a list of its files. Messages within it follow, three
 * levels deep.
 */
export async function readNestedMessage(bytes: Uint8Array, depth = 1): Promise<string> {
  const mail = await parseMail(bytes)
  return messageText({
    fields: [
      ['From', mail.from ? people([mail.from]) : ''],
      ['To', people(mail.to)],
      ['Cc', people(mail.cc)],
      ['Date', mail.sentAt ?? ''],
      ['Subject', mail.subject],
    ],
    text: mail.text,
    files: mail.attachments.map(({ filename, size }) => ({ name: filename ?? 'unnamed', size })),
    inner: depth < maxDepth ? await innerTexts(bytes, mail, depth) : [],
  })
}

async function innerTexts(bytes: Uint8Array, mail: ParsedMail, depth: number): Promise<string[]> {
  const inner = mail.attachments.filter(({ contentType }) => contentType === 'message/rfc822').slice(0, 10)
  if (inner.length === 0) return []
  const places = inner.map(({ index }) => index)
  const texts: string[] = []
  for (const found of await readAttachments(bytes, places))
    if (found) texts.push(await readNestedMessage(found.content, depth + 1))
  return texts
}
