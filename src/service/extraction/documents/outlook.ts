import { decompressRTF } from '@kenjiuno/decompressrtf'
import MsgReaderModule, { type FieldsData } from '@kenjiuno/msgreader'
import { charsetOfHtml, decodeText } from '../../../mail/charsets/charset'
import { typeOfFilename } from '../../../mail/mime/file-type'
import { readTnef } from '../../../mail/mime/tnef'
import { type FiledMail, type MailFile, mailBytes } from '../parts/mail-bytes'
import { Pages } from '../parts/pages'
import { readRtf } from './rtf'

// The package is CommonJS: some loaders put its default export one level deeper.
const MsgReader =
  'default' in MsgReaderModule ? (MsgReaderModule.default as typeof MsgReaderModule) : MsgReaderModule
const maxRecipients = 1_000
const maxFiles = 1_000

/** Returns the text of a body that is only rich text; empty if it cannot be read. */
function textOfRtf(compressed: Uint8Array | undefined): string {
  if (!compressed) return ''
  try {
    const pages = new Pages()
    readRtf(Uint8Array.from(decompressRTF([...compressed])), pages)
    return pages.texts.join('\n\n')
  } catch {
    return ''
  }
}

/** Decodes HTML, which programs store as text or as bytes. */
const htmlOf = (html: string | Uint8Array | undefined): string | null =>
  html instanceof Uint8Array ? decodeText(html, charsetOfHtml(html)) : (html ?? null)

const dateOf = (time: string | undefined): string => {
  const date = new Date(time ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? '' : date.toUTCString()
}

function fileOf(reader: InstanceType<typeof MsgReader>, file: FieldsData): MailFile {
  const { fileName, content } = reader.getAttachment(file)
  const name = fileName || file.name || null
  const type = file.innerMsgContent ? 'application/vnd.ms-outlook' : typeOfFilename(name ?? '')
  return { name, type: type ?? 'application/octet-stream', contentId: file.pidContentId ?? null, content }
}

/** Converts a message that Outlook saved as `.msg` to RFC 5322. Its inner messages become `.msg` files. */
export function mailOfOutlook(bytes: Uint8Array): Uint8Array {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const reader = new MsgReader(buffer as ArrayBuffer)
  const data = reader.getFileData()
  const address = data.senderSmtpAddress ?? data.creatorSMTPAddress ?? data.senderEmail ?? ''
  const recipients = (data.recipients ?? []).slice(0, maxRecipients)
  const ofType = (type: string) =>
    recipients
      .filter(({ recipType = 'to' }) => recipType === type)
      .map(({ name = '', smtpAddress, email }) => ({ name, address: smtpAddress ?? email ?? '' }))
  const html = htmlOf(data.bodyHtml ?? data.html)
  return mailBytes({
    headers: data.headers ?? '',
    from: { name: data.senderName ?? '', address },
    to: ofType('to'),
    cc: ofType('cc'),
    date: dateOf(data.messageDeliveryTime ?? data.clientSubmitTime),
    subject: data.subject ?? '',
    messageId: data.messageId ?? '',
    text: data.body ?? (html === null ? textOfRtf(data.compressedRtf) : ''),
    html,
    files: (data.attachments ?? []).slice(0, maxFiles).map((file) => fileOf(reader, file)),
  })
}

/** Converts a `winmail.dat` to RFC 5322. Its inner messages become files of the same kind. */
export function mailOfWinmail(bytes: Uint8Array): Uint8Array {
  const { html, rtf, text, files, ...fields } = readTnef(bytes)
  const page = htmlOf(html)
  const content: FiledMail = {
    ...{ ...fields, headers: '', html: page },
    text: text || (page === null ? textOfRtf(rtf) : ''),
    files: files.map(({ name, type, contentId, content }) => ({
      ...{ name, type, contentId, content },
    })),
  }
  return mailBytes(content)
}
