/** A property and its value. */
export interface Declaration {
  /** In lower case; a custom property as written. */
  property: string
  /** In lower case, without comments and escapes. */
  value: string
  isImportant: boolean
  /**
   * Set if it is unknown whether it applies; declarations with the same number apply together or not at all.
   */
  doubt?: number
}

/** A rule of a style sheet: `prelude { … }`. */
export interface StyleBlock {
  prelude: string
  /** Rules around it, such as `@media print`, the outermost first. */
  around: readonly string[]
  declarations: readonly Declaration[]
}

/** A text up to a structural sign of CSS; the last has none. */
interface Piece {
  text: string
  end: ';' | '{' | '}' | ''
}

const maxValue = 1_000
const maxNesting = 32
const address = /\burl\((?:"[^"]*"|'[^']*'|[^"'()]*)\)/gi
const structure = /\/\*|[\\"'()[\];{}]/g
const escapePattern = /\\(?:([0-9a-f]{1,6})(?:\r\n|[ \t\r\n\f])?|(\r\n|[\n\r\f])|([\s\S]))/gi

/** Replaces the escapes of CSS by their characters. */
export const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replace(escapePattern, (_all, hex: string | undefined, _line, one: string | undefined) => {
        if (hex === undefined) return one ?? ''
        const code = Number.parseInt(hex, 16)
        const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        return isCharacter ? String.fromCodePoint(code) : '\ufffd'
      })
    : text

/** Returns whether a value worked only in old browsers. */
export const isOfOld = (value: string): boolean => old.test(value)
const old = /^(?:-(?:moz|ms|o)-|alpha\((?!\s*from\b))|progid\b|expression\(/

/** Parses the value of a `style` attribute. Linear time. */
export function readDeclarations(css: string): Declaration[] {
  const found: Declaration[] = []
  let nesting = 0
  for (const { text, end } of piecesOf(css)) {
    const declaration = nesting === 0 && end !== '{' ? readDeclaration(text) : null
    if (declaration) found.push(declaration)
    if (end === '{') nesting++
    else if (end === '}') nesting = Math.max(0, nesting - 1)
  }
  return found
}

/**
 * Parses a style sheet, including nested rules. Linear time; beyond the nesting limit, `around` lacks the
 * outermost rules. A rule after a stray `;` or `}` gets an empty prelude, since browsers drop it.
 */
export function* readStyleSheet(css: string): Generator<StyleBlock> {
  const open: { prelude: string; declarations: Declaration[] | null }[] = []
  let isSpoiled = false
  for (const { text, end } of piecesOf(css)) {
    const block = open.at(-1)
    if (!block) {
      const prelude = text.replace(/^(?:\s|<!--|-->)+/, '').trim()
      if (end === '{') open.push({ prelude: isSpoiled ? '' : prelude, declarations: null })
      // At a `;`, only an at-rule ends.
      isSpoiled = end !== '{' && (isSpoiled || end === '}' || !prelude.startsWith('@'))
      continue
    }
    if (end === '{') {
      open.push({ prelude: text.trim(), declarations: null })
      continue
    }
    const declaration = readDeclaration(text)
    if (declaration) {
      // Created late: a hostile sheet opens half a million rules without declarations.
      block.declarations ??= []
      block.declarations.push(declaration)
    }
    if (end !== '}') continue
    open.pop()
    if (block.declarations)
      yield { prelude: block.prelude, declarations: block.declarations, around: preludesOf(open) }
  }
  // The end of the sheet closes all open rules.
  for (let block = open.pop(); block; block = open.pop())
    if (block.declarations)
      yield { prelude: block.prelude, declarations: block.declarations, around: preludesOf(open) }
}

const preludesOf = (open: readonly { prelude: string }[]): string[] =>
  open.slice(-maxNesting).map(({ prelude }) => prelude)

/** Mark after the value of a declaration. */
const markPattern = /!([^!"'()]*)$/
/** A value that no property accepts, so that it counts as unknown. */
const tooLong = 'too-long()'

function readDeclaration(text: string): Declaration | null {
  const colon = text.indexOf(':')
  if (colon < 1) return null
  const name = unescaped(text.slice(0, colon).trim())
  const written = text.slice(colon + 1).trim()
  const mark = markPattern.exec(written)
  const isImportant = mark !== null && /^\s*important\s*$/i.test(unescaped(mark[1]!))
  // Browsers drop declarations with any other mark.
  if (mark && !isImportant) return null
  // Runs of white space would make patterns on values quadratic.
  const whole = (mark ? written.slice(0, mark.index) : written).trim().replace(/\s+/g, ' ')
  const value = unescaped(whole.length > maxValue ? whole.replace(address, 'url()') : whole)
  if (!/^-{0,2}[\w-]{1,60}$/.test(name)) return null
  return {
    property: name.startsWith('--') ? name : name.toLowerCase(),
    value: value.length > maxValue ? tooLong : value.toLowerCase(),
    isImportant,
  }
}

/** Splits CSS at its structural signs outside strings, brackets and comments. */
function* piecesOf(css: string): Generator<Piece> {
  let text = ''
  let start = 0
  let brackets = 0
  let at = 0
  while (at < css.length) {
    structure.lastIndex = at
    const found = structure.exec(css)
    if (!found) break
    const sign = found[0]
    at = found.index + sign.length
    if (sign === '\\') at++
    else if (sign === '/*') {
      // A comment separates words like white space.
      text += `${css.slice(start, found.index)} `
      const end = css.indexOf('*/', at)
      start = at = end === -1 ? css.length : end + 2
    } else if (sign === '"' || sign === "'") at = endOfString(css, at, sign)
    else if (sign === '(' || sign === '[') brackets++
    else if (sign === ')' || sign === ']') brackets = Math.max(0, brackets - 1)
    else if (brackets === 0) {
      yield { text: text + css.slice(start, found.index), end: sign as Piece['end'] }
      text = ''
      start = at
    }
  }
  yield { text: text + css.slice(start), end: '' }
}

/** Finds the end of a string, or of the line if it is not closed there. */
function endOfString(css: string, from: number, quote: string): number {
  for (let at = from; at < css.length; at++) {
    const one = css[at]
    if (one === '\\') at++
    else if (one === quote || one === '\n') return at + 1
  }
  return css.length
}

/** Splits a text at a sign outside brackets and strings. Linear time. */
export function splitOutside(text: string, sign: string): string[] {
  const parts: string[] = []
  let start = 0
  let brackets = 0
  for (let at = 0; at < text.length; at++) {
    const one = text[at] as string
    if (one === '\\') at++
    else if (one === '"' || one === "'") at = endOfString(text, at + 1, one) - 1
    else if (one === '(' || one === '[') brackets++
    else if (one === ')' || one === ']') brackets = Math.max(0, brackets - 1)
    else if (one === sign && brackets === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

/** Returns the set of these words, separated by single spaces. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Splits a value at white space outside brackets. */
export const wordsOf = (value: string): string[] =>
  value.match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\)?)+/g) ?? []
