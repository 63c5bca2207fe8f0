import { blocksOf, type TextBlock, type TextList, tightened } from './text-lists'

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const link = /\bhttps?:\/\/[^\s<>"'`\\{}|^]{1,2000}/gi
const tabStop = 8
/** Blanks that are kept in one place; each is six bytes of HTML. */
const maxBlanks = 200
const closing = '.,;:!?)]}*_'

/** Escapes a text for HTML content and attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] as string)
}

/**
 * Turns plain text into HTML. Empty lines separate paragraphs, other line breaks become `<br>`, `http(s)`
 * addresses become links, and bulleted or numbered lines become lists. Keeps indentation and columns. Escapes
 * everything else, so that no markup of the text survives.
 */
export function textToHtml(text: string): string {
  return tightened(text.replace(/\r\n?/g, '\n').split('\n'))
    .join('\n')
    .split(/\n[\t ]*\n/)
    .map((paragraph) => paragraph.replace(/^\n+/, '').trimEnd())
    .filter((paragraph) => paragraph.trim())
    .flatMap((paragraph) => blocksOf(paragraph.split('\n')).map(htmlOfBlock))
    .join('\n')
}

const htmlOfBlock = (block: TextBlock): string =>
  'list' in block ? htmlOfList(block.list) : `<p>${broken(block.lines)}</p>`

function htmlOfList({ first, items }: TextList): string {
  const name = first === null ? 'ul' : 'ol'
  const start = first === null || first === 1 ? '' : ` start="${first}"`
  const written = items.map(({ lines, lists }) => {
    const within = lists.map((list) => `\n${htmlOfList(list)}\n`).join('')
    return `<li>${broken(lines)}${within}</li>`
  })
  return `<${name}${start}>\n${written.join('\n')}\n</${name}>`
}

const broken = (lines: readonly string[]): string =>
  linked(lines.map(spaced).join('\n')).replaceAll('\u00a0', '&nbsp;').replaceAll('\n', '<br>\n')

/**
 * Keeps blanks that indent a line or align its columns, which HTML would join: Outlook ignores `white-space`.
 */
const spaced = (line: string): string =>
  expanded(line)
    .replace(/^ +/, (blanks) => '\u00a0'.repeat(Math.min(blanks.length, maxBlanks)))
    .replace(/ {2,}/g, (blanks) => `${'\u00a0'.repeat(Math.min(blanks.length, maxBlanks) - 1)} `)

/** Replaces each tab by blanks up to the next tab stop. */
function expanded(line: string): string {
  const cells = line.split('\t')
  const last = cells.pop()!
  return cells.map((cell) => cell + ' '.repeat(tabStop - (cell.length % tabStop))).join('') + last
}

function linked(text: string): string {
  let html = ''
  let end = 0
  for (const match of text.matchAll(link)) {
    const url = withoutClosing(match[0])
    html += escapeHtml(text.slice(end, match.index))
    html += `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
    end = match.index + url.length
  }
  return html + escapeHtml(text.slice(end))
}

// Punctuation after a link belongs to the sentence, except a bracket that the link itself opened.
function withoutClosing(url: string): string {
  const opened = url.indexOf('(')
  let end = url.length
  while (end > 0 && closing.includes(url.charAt(end - 1))) {
    if (url[end - 1] === ')' && opened !== -1 && opened < end) break
    end--
  }
  return url.slice(0, end)
}
