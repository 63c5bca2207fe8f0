const FLOWED = [...'flowed'].map((letter) => letter.charCodeAt(0))
const EQUALS = 0x3d
const QUOTE = 0x22
const MAX_HEADER_LENGTH = 1000
const MAX_CANDIDATES = 100

/**
 * Hides `format=flowed` (RFC 3676) in the Content-Type fields of a mail, in place, from the MIME parser, which joins
 * quoted lines with answers below them. `unflow` does it afterwards.
 *
 * @returns `deleteSpace` for DelSp=yes: the space at the end of a flowed line is not part of the text
 */
export function hideFlowed(bytes: Uint8Array): { isFlowed: boolean; deleteSpace: boolean } {
  const found = { isFlowed: false, deleteSpace: false }
  let candidates = 0
  for (let at = bytes.indexOf(EQUALS); at !== -1; at = bytes.indexOf(EQUALS, at + 1)) {
    const value = bytes[at + 1] === QUOTE ? at + 2 : at + 1
    if (!isFlowedAt(bytes, value)) continue
    if (++candidates > MAX_CANDIDATES) break
    const field = contentTypeAround(bytes, value)
    if (!field) continue
    bytes[value] = 0x78
    found.isFlowed = true
    found.deleteSpace ||= /delsp\s?=\s?"?yes/i.test(field)
  }
  return found
}

/**
 * Joins the flowed lines of a text (RFC 3676 §4). Lines of different quote depth are never joined; quote marks become
 * `> ` each. Linear time.
 */
export function unflow(text: string, deleteSpace: boolean): string {
  const result: string[] = []
  const paragraph: string[] = []
  let depth = 0
  for (const line of text.split(/\r\n|\r|\n/)) {
    const lineDepth = quoteDepth(line)
    const content = line.slice(line[lineDepth] === ' ' ? lineDepth + 1 : lineDepth)
    if (paragraph.length > 0 && lineDepth !== depth) result.push(quoted(paragraph.splice(0), depth))
    depth = lineDepth
    const isSoft = content.endsWith(' ') && content !== '-- '
    paragraph.push(isSoft && deleteSpace ? content.slice(0, -1) : content)
    if (!isSoft) result.push(quoted(paragraph.splice(0), depth))
  }
  if (paragraph.length > 0) result.push(quoted(paragraph, depth))
  return result.join('\n')
}

function isFlowedAt(bytes: Uint8Array, at: number): boolean {
  return FLOWED.every((letter, index) => ((bytes[at + index] ?? 0) | 0x20) === letter)
}

function quoteDepth(line: string): number {
  let depth = 0
  while (line[depth] === '>') depth++
  return depth
}

function quoted(paragraph: string[], depth: number): string {
  const text = paragraph.join('')
  return depth > 0 ? `${'>'.repeat(depth)} ${text}`.trimEnd() : text
}

// The field that holds the byte at `at`, folded lines included; null when it is no Content-Type.
function contentTypeAround(raw: Uint8Array, at: number): string | null {
  const from = Math.max(0, at - MAX_HEADER_LENGTH)
  const before = latin1(raw.subarray(from, at))
  const start = before.search(/(?:^|\n)content-type:(?:[^\n]|\n[ \t])*$/i)
  if (start === -1) return null
  const after = latin1(raw.subarray(at, at + MAX_HEADER_LENGTH))
  return before.slice(start) + (/^(?:[^\n]|\n[ \t])*/.exec(after)?.[0] ?? '')
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
