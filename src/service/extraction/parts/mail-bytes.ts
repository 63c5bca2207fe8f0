import { formatAddress } from '../../../mail/headers/address'
import { singleLine } from '../../../mail/text/safe-text'

interface Person {
  name: string
  address: string
}

/** File of a message. */
export interface MailFile {
  name: string | null
  type: string
  contentId: string | null
  content: Uint8Array
}

/** Message in the parts that programs store. Nothing proves them. */
export interface FiledMail {
  /** Header in which it travelled; empty if the program stored none. */
  headers: string
  from: Person
  to: readonly Person[]
  cc: readonly Person[]
  /** As in a Date field; empty for none. */
  date: string
  subject: string
  messageId: string
  text: string
  html: string | null
  files: readonly MailFile[]
}

/** Characters of a stored header that are read. */
const maxHeaderLength = 200_000
/** Base64 has no hyphen, so that no content has these lines. */
const outer = '--outer'
const inner = '--inner'

/** Returns the fields of a stored header that describe no body. */
const travelledFields = (headers: string): string[] =>
  headers
    .slice(0, maxHeaderLength)
    .split(/\r?\n(?![ \t])/)
    .filter((field) => /^[\w-]{1,100}:/.test(field) && !/^(?:content-|mime-version)/i.test(field))

const base64Of = (content: string | Uint8Array): string => {
  const bytes =
    typeof content === 'string'
      ? Buffer.from(content)
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  return bytes.toString('base64')
}

const partOf = (type: string, content: string | Uint8Array, more: readonly string[] = []): string =>
  [`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', ...more, '', base64Of(content)].join('\r\n')

const joinedParts = (boundary: string, parts: readonly string[]): string =>
  [...parts.map((part) => `--${boundary}\r\n${part}\r\n`), `--${boundary}--\r\n`].join('')

function partOfFile({ name, type, contentId, content }: MailFile, html: string | null): string {
  const id = singleLine(contentId ?? '').replace(/[<>\s]/g, '')
  const isShown = id !== '' && html?.includes(`cid:${id}`) === true
  const quoted = singleLine(name ?? '').replace(/["\\]/g, '_')
  return partOf(type, content, [
    `Content-Disposition: ${isShown ? 'inline' : 'attachment'}${quoted && `; filename="${quoted}"`}`,
    ...(id === '' ? [] : [`Content-ID: <${id}>`]),
  ])
}

/** Writes a message as RFC 5322, so that one parser reads the messages of all programs. */
export function mailBytes(mail: FiledMail): Uint8Array {
  const travelled = travelledFields(mail.headers)
  const names = new Set(travelled.map((field) => field.slice(0, field.indexOf(':')).toLowerCase()))
  const people = (list: readonly Person[]) => list.map(formatAddress).filter((one) => one !== '')
  const known: [name: string, value: string][] = [
    ['From', people([mail.from]).join('')],
    ['To', people(mail.to).join(', ')],
    ['Cc', people(mail.cc).join(', ')],
    ['Date', mail.date],
    ['Subject', mail.subject],
    ['Message-ID', mail.messageId],
  ]
  const missing = known
    .map(([name, value]) => [name, singleLine(value)] as const)
    .filter(([name, value]) => value !== '' && !names.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`)
  const text = partOf('text/plain; charset=utf-8', mail.text)
  const both = (html: string) =>
    `Content-Type: multipart/alternative; boundary="${inner}"\r\n\r\n${joinedParts(inner, [text, partOf('text/html; charset=utf-8', html)])}`
  const body =
    mail.html === null
      ? text
      : mail.text === ''
        ? partOf('text/html; charset=utf-8', mail.html)
        : both(mail.html)
  const head = [
    ...travelled,
    ...missing,
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${outer}"`,
  ]
  const files = mail.files.map((file) => partOfFile(file, mail.html))
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${joinedParts(outer, [body, ...files])}`)
}
