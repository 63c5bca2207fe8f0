/** Piece of a `macro-string`: literal text, or a macro (RFC 7208 section 7). */
export type MacroToken = { text: string } | { letter: string; parts: number; isReversed: boolean; by: string }

const piece = /%\{([slodiphv])(\d*)(r?)([-.+,/_=]*)\}|%([%_-])|([\x21-\x24\x26-\x7e]+)/iy
const literals: Record<string, string> = { '%': '%', _: ' ', '-': '%20' }

/** Returns whether a text ends with a top-level domain: `toplabel` of RFC 7208 section 7.1. */
function endsWithTopLabel(text: string): boolean {
  const name = text.endsWith('.') ? text.slice(0, -1) : text
  const dot = name.lastIndexOf('.')
  const label = name.slice(dot + 1)
  return dot >= 0 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(label) && /[a-z-]/i.test(label)
}

/** Reads a `macro-string`; null if malformed. Letters of explanations (`c r t`) are not allowed in names. */
export function readMacros(text: string): MacroToken[] | null {
  const tokens: MacroToken[] = []
  piece.lastIndex = 0
  while (piece.lastIndex < text.length) {
    const found = piece.exec(text)
    if (!found) return null
    const [, letter, digits, reversed, by, escaped, literal] = found
    if (letter === undefined) tokens.push({ text: literal ?? literals[escaped!]! })
    else if (digits && Number(digits) === 0) return null
    else tokens.push({ letter, parts: Number(digits) || 0, isReversed: Boolean(reversed), by: by || '.' })
  }
  return tokens
}

/** Reads a `domain-spec`: a `macro-string` that ends with a macro or a top-level domain. */
export function readDomainSpec(text: string): MacroToken[] | null {
  const tokens = readMacros(text)
  if (!tokens?.length) return null
  const endsWithMacro = /%(?:[%_-]|\{[^{}]*\})$/.test(text) && !isLiteral(tokens.at(-1)!, text)
  return endsWithMacro || endsWithTopLabel(text) ? tokens : null
}

const isLiteral = (token: MacroToken, text: string) =>
  'text' in token && token.text.length > 1 && text.endsWith(token.text) && token.text !== '%20'

/** Values of the letters; `p` is resolved only if it is used. */
export interface MacroValues {
  s: string
  l: string
  o: string
  d: string
  i: string
  h: string
  v: string
  p(): Promise<string>
}

const urlEscaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

async function textOf(token: MacroToken, values: MacroValues): Promise<string> {
  if ('text' in token) return token.text
  const letter = token.letter.toLowerCase() as keyof MacroValues
  const value = letter === 'p' ? await values.p() : (values[letter] as string)
  const marks = new Set(token.by)
  let parts = [...value].reduce<string[]>(
    (found, character) => {
      if (marks.has(character)) found.push('')
      else found[found.length - 1] += character
      return found
    },
    [''],
  )
  if (token.isReversed) parts = parts.reverse()
  if (token.parts > 0) parts = parts.slice(-token.parts)
  const joined = parts.join('.')
  return token.letter === letter ? joined : urlEscaped(joined)
}

const maxNameLength = 253

/** Expands a `domain-spec` to a name without a final dot; too long a name loses labels on the left. */
export async function expandMacros(tokens: readonly MacroToken[], values: MacroValues): Promise<string> {
  let name = ''
  for (const token of tokens) name += await textOf(token, values)
  name = name.replace(/\.$/, '')
  while (name.length > maxNameLength) {
    const dot = name.indexOf('.')
    if (dot < 0) return name
    name = name.slice(dot + 1)
  }
  return name
}
