// The mails of a folder: each `.eml` a mail, each `.mbox` many.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'

/** Parts an mbox at its lines that begin with `From `, and takes the `>` off the lines that were quoted for it. */
function mailsOfMbox(raw) {
  return raw
    .toString('latin1')
    .split(/^From .*\r?\n/m)
    .filter((mail) => mail.trim() !== '')
    .map((mail) => Buffer.from(mail.replace(/^>(>*From )/gm, '$1'), 'latin1'))
}

/** Reads all mails of the folder and of those below it. */
export function* rawMails(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    if (!entry.isFile()) continue
    if (path.endsWith('.eml')) yield readFileSync(path)
    else if (path.endsWith('.mbox')) yield* mailsOfMbox(readFileSync(path))
  }
}

/** A Message-ID as it is compared: without brackets. */
export const idOf = (messageId) => (messageId ?? '').trim().replace(/^<|>$/g, '')

const textOfHtml = (html) => html.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')

/** What a library reads in a mail, for the searches that the service is compared with. */
export async function documentOf(raw, id) {
  const mail = await PostalMime.parse(raw).catch(() => ({}))
  const date = Date.parse(mail.date ?? '')
  return {
    id,
    messageId: idOf(mail.messageId),
    subject: mail.subject ?? '',
    from: `${mail.from?.name ?? ''} ${mail.from?.address ?? ''}`,
    text: mail.text ?? textOfHtml(mail.html ?? ''),
    date: Number.isNaN(date) ? 0 : date,
  }
}
