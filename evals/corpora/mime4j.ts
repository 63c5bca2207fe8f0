import { readHeaders } from '../../src/mail/headers/header-reader'
import type { MimePart } from '../../src/mail/mime/mime-part'
import { readPartTree } from '../../src/mail/mime/part-tree'
import { corpusFiles, corpusText } from '../../test/mail/corpora'
import { count, type Row, squeezed } from './row'

const folder = 'mime/mime4j'

/** Mails that we read otherwise than that parser, and why. */
const differences: Record<string, string> = {
  'testmsgs-very-very-long-boundary.msg':
    'a boundary of 7,000 characters (RFC 2046 allows 70) is none: the whole body is given as text',
}

const unescaped = (xml: string) =>
  xml
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** The tree of an expected structure: `(t(tb))` for a multipart with a text and a multipart of a text and a file. */
function shapeExpected(xml: string): string {
  const tags = xml.match(/<\/?(?:multipart|message)>|<(?:text|binary)-body/g) ?? []
  let depth = 0
  let shape = ''
  for (const tag of tags) {
    // Of a message within the mail only that it is there.
    if (tag === '<message>' && depth++ > 0 && depth === 2) shape += 'm'
    if (tag === '</message>') depth--
    if (depth > 1 || tag.endsWith('message>')) continue
    if (tag === '<multipart>') shape += '('
    else if (tag === '</multipart>') shape += ')'
    else shape += tag.startsWith('<text') ? 't' : 'b'
  }
  return shape
}

function shapeOf(part: MimePart): string {
  if (part.parts.length > 0 || part.type.startsWith('multipart/'))
    return `(${part.parts.map(shapeOf).join('')})`
  if (part.type === 'message/rfc822') return 'm'
  return part.type.startsWith('text/') ? 't' : 'b'
}

/** Counts how far we agree with Apache James mime4j: the fields at the top, and the tree. */
export function mime4jRows(): Row[] {
  const fields: boolean[] = []
  const shapes: boolean[] = []
  let meant = 0
  for (const { name, raw } of corpusFiles(folder, '.msg')) {
    const xml = corpusText(`${folder}/${name.replace(/\.msg$/, '_decoded.xml')}`)
    if (!xml) continue
    const top = /<header>([\s\S]*?)<\/header>/.exec(xml)?.[1] ?? ''
    const headers = readHeaders(raw, 1024 * 1024)
    for (const [, field] of top.matchAll(/<field>([\s\S]*?)<\/field>/g)) {
      const text = unescaped(field!).trim()
      const at = text.indexOf(':')
      const value = squeezed(text.slice(at + 1))
      const ours = headers.fields.filter(
        (one) => one.name.toLowerCase() === text.slice(0, at).trim().toLowerCase(),
      )
      const isSame = value.includes('\ufffd') || ours.some((one) => squeezed(one.value) === value)
      fields.push(isSame)
    }
    const [expected, ours] = [shapeExpected(xml), shapeOf(readPartTree(raw, 30, headers).root)]
    if (differences[name]) meant++
    else shapes.push(expected === ours)
  }
  return [
    [
      "mime/mime4j: fields at the top as James mime4j's parser reads them",
      fields.length,
      count(fields, Boolean),
    ],
    [
      "mime/mime4j: trees of parts as James mime4j's parser reads them",
      shapes.length,
      count(shapes, Boolean),
      meant > 0 ? `and ${meant} otherwise on purpose` : '',
    ],
  ]
}

/** The list of what we read otherwise. */
export const mime4jDifferences = (): string =>
  Object.entries(differences)
    .map(([where, why]) => `- ${folder}/${where}: ${why}`)
    .join('\n')
