import MsgReaderModule, { type FieldsData } from '@kenjiuno/msgreader'
import { messageText } from '../parts/message-text'

// The package is CommonJS: some loaders put its default export one level deeper.
const MsgReader =
  'default' in MsgReaderModule ? (MsgReaderModule.default as typeof MsgReaderModule) : MsgReaderModule
const maxDepth = 3

const personOf = ({ name = '', smtpAddress, email }: FieldsData): string => {
  const address = smtpAddress ?? email ?? ''
  return address === '' || address === name ? name : `${name} <${address}>`
}

/** Formats a message of Outlook; messages within it follow, three levels deep. */
function describe(data: FieldsData, depth: number): string {
  const sender = data.senderSmtpAddress ?? data.senderEmail ?? ''
  const recipients = (data.recipients ?? []).slice(0, 1_000)
  const ofType = (type: string) => recipients.filter(({ recipType = 'to' }) => recipType === type)
  const date = new Date(data.messageDeliveryTime ?? data.clientSubmitTime ?? Number.NaN)
  const files = (data.attachments ?? []).slice(0, 1_000)
  const inner = files.flatMap(({ innerMsgContentFields: one }) => one ?? [])
  return messageText({
    fields: [
      ['From', personOf({ ...data, name: data.senderName ?? '', smtpAddress: sender } as FieldsData)],
      ['To', ofType('to').map(personOf).join(', ')],
      ['Cc', ofType('cc').map(personOf).join(', ')],
      ['Date', Number.isNaN(date.getTime()) ? '' : date.toISOString()],
      ['Subject', data.subject ?? ''],
    ],
    text: data.body ?? '',
    files: files.map((file) => ({
      name: file.fileName ?? file.name ?? 'unnamed',
      size: file.contentLength ?? null,
    })),
    inner: depth < maxDepth ? inner.map((one) => describe(one, depth + 1)) : [],
  })
}

/** Reads a message that Outlook saved as `.msg`: fields, text, and a list of its files. */
export function readOutlookMessage(bytes: Uint8Array): string {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  return describe(new MsgReader(buffer as ArrayBuffer).getFileData(), 1)
}
