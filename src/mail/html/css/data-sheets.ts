import { unescaped } from './syntax'

/** A style sheet inside an address (`data:text/css,…`), which browsers read as one of the page. */
const data = /^data:text\/css([^,]*),([\s\S]*)$/i
/** A rule allowed before the others of a sheet; only there are further sheets imported. */
const before = /@(?:charset|layer|import)\b(?:"[^"]*"|'[^']*'|\([^)]*\)|[^;"'({]+)*;?/iy
/**
 * White space and HTML comment marks between such rules. CSS comments are found by their end, without a
 * pattern.
 */
const emptyPattern = /\s+|<!--|-->/y
const addressPattern = /@import\s*(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^"')\s]+))/i
const maxImports = 50

/** Returns the style sheets that a sheet imports from `data:` addresses. Linear time. */
export function importedSheets(sheet: string): string[] {
  if (!/@import/i.test(sheet) && !/@[^{]{0,40}\\/.test(sheet)) return []
  const written = unescaped(sheet)
  const found: string[] = []
  for (let at = 0; found.length < maxImports; at = before.lastIndex) {
    before.lastIndex = endOfEmpty(written, at)
    const [rule] = before.exec(written) ?? []
    if (rule === undefined) break
    const [, double, single, bare] = addressPattern.exec(rule) ?? []
    found.push(sheetIn(double ?? single ?? bare ?? ''))
  }
  return found.filter(Boolean)
}

function endOfEmpty(css: string, start: number): number {
  let at = start
  while (at < css.length) {
    if (css.startsWith('/*', at)) {
      const end = css.indexOf('*/', at + 2)
      at = end === -1 ? css.length : end + 2
      continue
    }
    emptyPattern.lastIndex = at
    const [empty] = emptyPattern.exec(css) ?? []
    if (empty === undefined) break
    at += empty.length
  }
  return at
}

/** Returns the style sheet inside an address; empty for none. */
export function sheetIn(address: string): string {
  // Line breaks in an address do not count.
  const [, kind = '', text = ''] = data.exec(address.replace(/[\t\r\n]+/g, '').trim()) ?? []
  try {
    return /;\s*base64/i.test(kind) ? atob(text) : decodeURIComponent(text)
  } catch {
    return text
  }
}
