import { unescaped } from './syntax'

/** A style sheet that stands in an address (`data:text/css,…`), which browsers read as one of the page. */
const DATA = /^data:text\/css([^,]*),([\s\S]*)$/i
/** A rule that may stand before the others of a sheet, where alone further sheets are imported. */
const BEFORE = /@(?:charset|layer|import)\b(?:"[^"]*"|'[^']*'|\([^)]*\)|[^;"'({]+)*;?/iy
/** What shows nothing between such rules, but for comments: those are found by their end, which no pattern need guess. */
const EMPTY = /\s+|<!--|-->/y
const ADDRESS = /@import\s*(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^"')\s]+))/i
const MAX_IMPORTS = 50

/** Gives the style sheets that one imports from addresses in which they stand. Linear time. */
export function importedSheets(sheet: string): string[] {
  if (!/@import/i.test(sheet) && !/@[^{]{0,40}\\/.test(sheet)) return []
  const written = unescaped(sheet)
  const found: string[] = []
  for (let at = 0; found.length < MAX_IMPORTS; at = BEFORE.lastIndex) {
    BEFORE.lastIndex = endOfEmpty(written, at)
    const [rule] = BEFORE.exec(written) ?? []
    if (rule === undefined) break
    const [, double, single, bare] = ADDRESS.exec(rule) ?? []
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
    EMPTY.lastIndex = at
    const [empty] = EMPTY.exec(css) ?? []
    if (empty === undefined) break
    at += empty.length
  }
  return at
}

/** Gives the style sheet that stands in an address; nothing where none does. */
export function sheetIn(address: string): string {
  // An address is read without what breaks its lines.
  const [, kind = '', text = ''] = DATA.exec(address.replace(/[\t\r\n]+/g, '').trim()) ?? []
  try {
    return /;\s*base64/i.test(kind) ? atob(text) : decodeURIComponent(text)
  } catch {
    return text
  }
}
