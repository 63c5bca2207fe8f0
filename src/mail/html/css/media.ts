import { own } from '../../../protocol/own'
import { lengthOf, viewport } from './lengths'
import { splitOutside } from './syntax'

const emPixels = 16
/** Characters of a query; real ones are shorter. */
const maxQuery = 1_000
const feature = /^\(\s*([a-z-]+)\s*(?::\s*([^()]{1,40}?)\s*)?\)$/
const rangePattern = /^\(\s*(width|height)\s*([<>]=?)\s*([^()<>]{1,40}?)\s*\)$/
const mediaAnswers: Readonly<Record<string, string>> = {
  'prefers-color-scheme': 'light',
  orientation: 'landscape',
  hover: 'hover',
  'any-hover': 'hover',
  pointer: 'fine',
  'any-pointer': 'fine',
  scripting: 'none',
  'prefers-reduced-motion': 'no-preference',
}
const sizes: Readonly<Record<string, number>> = {
  width: viewport.width,
  'device-width': viewport.width,
  height: viewport.height,
  'device-height': viewport.height,
  'aspect-ratio': viewport.width / viewport.height,
  'device-aspect-ratio': viewport.width / viewport.height,
  '-webkit-device-pixel-ratio': 1,
  resolution: 1,
  color: 8,
}
/** Features that browsers know, with unknown values here. */
const unsaid =
  /\b(?:scan|grid|update|overflow-(?:block|inline)|color-index|monochrome|color-gamut|inverted-colors|prefers-[a-z-]+|forced-colors|(?:video-)?dynamic-range|video-color-gamut|display-mode|environment-blending|nav-controls|device-posture|(?:horizontal|vertical)-viewport-segments|(?:any-)?(?:hover|pointer)|scripting|-webkit-(?:transform|animation|transition)[a-z\d-]*)\b/
/** Features with numbers. */
const measures = /width|height|color|aspect|resolution|pixel/
/** Words that join features otherwise than by `and`. */
const joined = /\bor\b|\(\s*(?:\(|not\b)|\bnot\s*\(|[<>].*[<>]|\w\(/

/**
 * Returns whether a media query matches a desktop window in light colours. Text hidden only on phones is
 * visible there; text shown only on phones is a repetition. False if browsers do not understand the query;
 * null if only this code does not.
 */
export function fitsMedia(queries: string): boolean | null {
  if (queries.trim() === '') return true
  const answers = splitOutside(queries.toLowerCase().replace(/\s+/g, ' '), ',').map(fitsQuery)
  return answers.includes(true) ? true : answers.includes(null) ? null : false
}

function fitsQuery(query: string): boolean | null {
  if (query.length > maxQuery) return null
  const [, not, rest = ''] = /^\s*(not\s+(?!\())?(?:only\s+)?([\s\S]*)$/.exec(query) ?? []
  const features = rest.trim()
  if (joined.test(features) && measures.test(features.slice(features.indexOf('(')))) return null
  const answers = features.split(/ and | and(?=\()/).map(fitsPart)
  if (answers.includes(undefined)) return false
  if (answers.includes(false)) return not !== undefined
  return answers.includes(null) ? null : not === undefined
}

/** Undefined if browsers do not understand it, null if only this code does not. */
function fitsPart(written: string): boolean | null | undefined {
  const part = written.trim()
  if (/^[a-z-]+$/.test(part)) return part === 'all' || part === 'screen'
  const range = rangePattern.exec(part)
  if (range) return compare(sizes[range[1]!]!, range[2]!, sizeOf(range[3]!)) ?? undefined
  const [, name = '', value] = feature.exec(part) ?? []
  const said = own(mediaAnswers, name)
  const isSaid = said !== undefined && (value === undefined || said === value || words.has(value))
  if (isSaid) return value === undefined || said === value
  const [, bound, size = ''] = /^(?:-webkit-)?(min|max)-(.*)$/.exec(name) ?? []
  const known = own(sizes, bound ? (name.startsWith('-webkit-') ? `-webkit-${size}` : size!) : name)
  if (known === undefined) return unsaid.test(part) ? null : undefined
  if (value === undefined) return true
  return compare(known, bound === 'min' ? '>=' : bound === 'max' ? '<=' : '=', sizeOf(value)) ?? undefined
}

const words = new Set(
  'light dark landscape portrait hover none fine coarse no-preference reduce enabled initial-only'.split(' '),
)
const resolutions: Readonly<Record<string, number>> = { dppx: 1, x: 1, dpi: 1 / 96, dpcm: 2.54 / 96 }

function sizeOf(text: string): number | null {
  const [, number, unit = ''] = /^([\d.]+)(dppx|x|dpi|dpcm)$/.exec(text) ?? []
  if (number) return Number(number) * resolutions[unit]!
  const [, over, under] = /^(\d+)\s*\/\s*(\d+)$/.exec(text) ?? []
  if (over) return Number(over) / Number(under)
  return lengthOf(text, { em: emPixels }) ?? (/^[\d.]+$/.test(text) ? Number(text) : null)
}

function compare(own: number, operator: string, other: number | null): boolean | null {
  if (other === null) return null
  if (operator === '=') return own === other
  if (operator.endsWith('=') && own === other) return true
  return operator.startsWith('<') ? own < other : own > other
}
