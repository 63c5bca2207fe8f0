import { parseMail } from '../../src/mail/parse'
import type { ParsedMail } from '../../src/mail/parsed-mail'
import { corpusFiles, corpusText } from '../../test/mail/corpora'
import { count, type Row, squeezed } from './row'

interface Entry {
  // biome-ignore lint/suspicious/noExplicitAny: another parser's output
  [key: string]: any
}

/** Mails that we read otherwise than that parser, and why. */
const differences: Record<string, string> = {
  'mime/malformed/004 text':
    'a text part that the end of the mail ends is the text; that parser makes a file of it',
  'mime/malformed/006 text': 'the same',
  'mime/malformed/008 text': 'the same: the second text belongs to the body',
  'mime/malformed/012 files': 'a message that the end of the mail ends is a file like those before it',
  'mime/malformed/016 text':
    'a line is a boundary only as a whole; that parser takes any that begins like one, and all later lines of dashes',
  'mime/malformed/020 text': 'of two Content-Type fields the first counts, so that the HTML is found',
}

const folders = ['mime/rfc', 'mime/legacy', 'mime/malformed']

const mailboxes = (value: Entry | undefined): string => {
  const groups: Entry[] = value?.Address?.Group ?? [{ addresses: value?.Address?.List ?? [] }]
  return groups
    .flatMap(({ addresses }) => addresses as Entry[])
    .filter(({ address }) => address?.includes('@'))
    .map(({ name, address }) => `${name ?? ''} <${String(address).toLowerCase()}>`)
    .join()
}

const written = (list: readonly { name: string | null; address: string }[]) =>
  list.map(({ name, address }) => `${name ?? ''} <${address.toLowerCase()}>`).join()

const fieldOf = (part: Entry | undefined, name: string): Entry | undefined =>
  part?.headers.findLast((header: Entry) => header.name === name)?.value

function fileOf(part: Entry): string {
  const type = fieldOf(part, 'content_type')?.ContentType
  const disposition = fieldOf(part, 'content_disposition')?.ContentType
  const attribute = (field: Entry | undefined, name: string) =>
    (field?.attributes as Entry[] | null | undefined)?.find((one) => one.name === name)?.value
  const mediaType = type ? `${type.c_type}/${type.c_subtype ?? ''}`.toLowerCase() : 'message/rfc822'
  return `${mediaType} ${attribute(disposition, 'filename') ?? attribute(type, 'name') ?? ''}`
}

/**
 * Puts what that parser read beside what we read, field by field; where it lost characters there is nothing to compare.
 */
function fieldsOf(expected: Entry, mail: ParsedMail): [field: string, theirs: string, ours: string][] {
  const top = expected.parts[0] as Entry | undefined
  const bodies = (indexes: number[], kind: 'Text' | 'Html') =>
    indexes.map((index) => expected.parts[index].body[kind]).filter((body) => body !== undefined)
  const texts = bodies(expected.text_body, 'Text')
  const pages = bodies(expected.html_body, 'Html')
  const files = (expected.attachments as number[]).map((index) => fileOf(expected.parts[index]))
  const id = fieldOf(top, 'message_id')?.Text
  const fields: [string, string, string][] = [
    ['from', mailboxes(fieldOf(top, 'from')).split(',')[0]!, written(mail.from ? [mail.from] : [])],
    ['to', mailboxes(fieldOf(top, 'to')), written(mail.to)],
    ['cc', mailboxes(fieldOf(top, 'cc')), written(mail.cc)],
    ['subject', squeezed(fieldOf(top, 'subject')?.Text ?? ''), squeezed(mail.subject)],
    ['id', id ? `<${id}>` : '', mail.messageId ?? ''],
    ['text', squeezed(texts.join(' ')), squeezed(mail.text)],
    ['html', squeezed(pages.join(' ')), squeezed(mail.html ?? '')],
    [
      'files',
      files.join(),
      mail.attachments.map(({ contentType, filename }) => `${contentType} ${filename ?? ''}`).join(),
    ],
  ]
  const hasUnclosedEnd = files.some((file) => /^(?:text|multipart)\/\S+ $/.test(file))
  return fields.filter(
    ([field, theirs]) =>
      theirs !== '' && !theirs.includes('\ufffd') && !(field === 'files' && hasUnclosedEnd),
  )
}

/** Counts how far we agree with Stalwart's mail-parser. */
export async function stalwartRows(): Promise<Row[]> {
  const rows: Row[] = []
  for (const folder of folders) {
    const found: boolean[] = []
    let meant = 0
    for (const { name, raw } of corpusFiles(folder, '.eml')) {
      const expected = corpusText(`${folder}/${name.replace(/\.eml$/, '.json')}`)
      if (!expected) continue
      for (const [field, theirs, ours] of fieldsOf(JSON.parse(expected), await parseMail(raw))) {
        if (differences[`${folder}/${name.replace(/\.eml$/, '')} ${field}`]) meant++
        else found.push(theirs === ours)
      }
    }
    rows.push([
      `${folder}: fields as Stalwart's parser reads them`,
      found.length,
      count(found, Boolean),
      meant > 0 ? `and ${meant} otherwise on purpose` : '',
    ])
  }
  return rows
}

/** The list of what we read otherwise. */
export const differencesText = (): string =>
  Object.entries(differences)
    .map(([where, why]) => `- ${where}: ${why}`)
    .join('\n')
