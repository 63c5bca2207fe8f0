import { lengthOf, VIEWPORT } from './css-values'

const EM = 16
const FEATURE = /^\(\s*([a-z-]+)\s*(?::\s*([^()]{1,40}?)\s*)?\)$/
const RANGE = /^\(\s*(width|height)\s*([<>]=?)\s*([^()<>]{1,40}?)\s*\)$/
const SAID: Readonly<Record<string, string>> = {
  'prefers-color-scheme': 'light',
  orientation: 'landscape',
  hover: 'hover',
  'any-hover': 'hover',
  pointer: 'fine',
  'any-pointer': 'fine',
  scripting: 'none',
  'prefers-reduced-motion': 'no-preference',
}
const SIZES: Readonly<Record<string, number>> = {
  width: VIEWPORT.width,
  'device-width': VIEWPORT.width,
  height: VIEWPORT.height,
  'device-height': VIEWPORT.height,
  '-webkit-device-pixel-ratio': 1,
  color: 8,
}

/**
 * Tells whether a media query fits a window on a desk, in light colours: what only telephones hide is seen there, and
 * what only telephones show is said twice. Queries that are not understood fit nothing.
 */
export const fitsMedia = (queries: string): boolean =>
  queries.trim() === '' || queries.toLowerCase().split(',').some(fitsQuery)

function fitsQuery(query: string): boolean {
  const [, not, rest = ''] = /^\s*(not\s+)?(?:only\s+)?([\s\S]*)$/.exec(query) ?? []
  const answers = rest
    .trim()
    .split(/\s+and\s+|\s+and(?=\()/)
    .map(fitsPart)
  if (answers.includes(null)) return false
  return answers.every(Boolean) === (not === undefined)
}

/** Null where it is not understood. */
function fitsPart(written: string): boolean | null {
  const part = written.trim()
  if (/^[a-z-]+$/.test(part)) return part === 'all' || part === 'screen'
  const range = RANGE.exec(part)
  if (range) return compare(SIZES[range[1]!]!, range[2]!, sizeOf(range[3]!))
  const [, name = '', value] = FEATURE.exec(part) ?? []
  if (name in SAID) return value === undefined || SAID[name] === value
  const [, bound, size = ''] = /^(?:-webkit-)?(min|max)-(.*)$/.exec(name) ?? []
  const own = SIZES[bound ? (name.startsWith('-webkit-') ? `-webkit-${size}` : size) : name]
  if (own === undefined) return null
  if (value === undefined) return true
  return compare(own, bound === 'min' ? '>=' : bound === 'max' ? '<=' : '=', sizeOf(value))
}

const sizeOf = (text: string): number | null =>
  lengthOf(text, { em: EM }) ?? (/^[\d.]+$/.test(text) ? Number(text) : null)

function compare(own: number, operator: string, other: number | null): boolean | null {
  if (other === null) return null
  if (operator === '=') return own === other
  if (operator.endsWith('=') && own === other) return true
  return operator.startsWith('<') ? own < other : own > other
}
