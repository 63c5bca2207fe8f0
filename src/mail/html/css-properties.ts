import type { Declaration } from './css-syntax'
import { colorOf, lengthOf, ratioOf } from './css-values'

/** A declaration of a property on which it depends whether text is seen; shorthands are taken apart. */
export type Setting = Declaration

const WIDE = /^(?:inherit|initial|unset|revert|revert-layer)$/
const DISPLAYS = new Set(
  'none inline block inline-block flex inline-flex grid inline-grid table inline-table table-row table-cell table-column table-caption table-row-group table-header-group table-footer-group table-column-group list-item contents flow-root run-in ruby ruby-text -webkit-box -webkit-inline-box'.split(
    ' ',
  ),
)
const SIZES = new Set(
  'xx-small x-small small medium large x-large xx-large xxx-large smaller larger'.split(' '),
)

type Test = (value: string) => boolean

const oneOf = (words: string): Test => {
  const all = new Set(words.split(' '))
  return (value) => all.has(value)
}
const any: Test = () => true
const isLength: Test = (value) => lengthOf(value, { em: ROOT, whole: ROOT }) !== null
const isExtent: Test = (value) =>
  isLength(value) || /^(?:auto|none|(?:min|max|fit)-content|fit-content\(.*\)|stretch)$/.test(value)
const isColor: Test = (value) => value === 'currentcolor' || colorOf(value) !== null
const isNumber: Test = (value) => ratioOf(value) !== null
const isFontSize: Test = (value) => SIZES.has(value) || (isLength(value) && !value.startsWith('-'))
const isLineHeight: Test = (value) =>
  value === 'normal' || ((isLength(value) || isNumber(value)) && !value.startsWith('-'))
const isOverflow = oneOf('visible hidden clip scroll auto overlay')

const ROOT = 16

/** Tests of the values that each property takes: others are left out, as a browser does. */
const TESTS: Readonly<Record<string, Test>> = {
  display: (value) => DISPLAYS.has(value),
  visibility: oneOf('visible hidden collapse'),
  'content-visibility': oneOf('visible hidden auto'),
  opacity: isNumber,
  'font-size': isFontSize,
  'line-height': isLineHeight,
  'letter-spacing': (value) => value === 'normal' || isLength(value),
  color: isColor,
  'text-fill-color': isColor,
  'text-shadow': any,
  'background-color': isColor,
  'background-image': any,
  'background-clip': any,
  'mask-image': any,
  'overflow-x': isOverflow,
  'overflow-y': isOverflow,
  position: oneOf('static relative absolute fixed sticky'),
  float: oneOf('none left right'),
  'z-index': (value) => value === 'auto' || /^[+-]?\d{1,10}$/.test(value),
  clip: (value) => value === 'auto' || value.startsWith('rect('),
  'clip-path': any,
  transform: any,
  scale: any,
  translate: any,
  rotate: any,
  zoom: (value) => value === 'normal' || isNumber(value),
  filter: any,
  'text-indent': (value) => isLength(value.split(' ')[0]!),
  'mso-hide': oneOf('all screen none'),
}
const EXTENTS = new Set('height width max-height max-width'.split(' '))
const SIDES = ['top', 'right', 'bottom', 'left'] as const
const OFFSETS = new Set([...SIDES, ...SIDES.flatMap((side) => [`margin-${side}`, `padding-${side}`])])

/** Other names of properties. */
const ALIASES: Readonly<Record<string, string>> = {
  'block-size': 'height',
  'inline-size': 'width',
  'max-block-size': 'max-height',
  'max-inline-size': 'max-width',
  'inset-inline-start': 'left',
  'inset-inline-end': 'right',
  'inset-block-start': 'top',
  'inset-block-end': 'bottom',
  'margin-inline-start': 'margin-left',
  'margin-block-start': 'margin-top',
  'padding-inline-end': 'padding-right',
  'padding-block-end': 'padding-bottom',
  'overflow-inline': 'overflow-x',
  'overflow-block': 'overflow-y',
}

const isValid = (property: string, value: string): boolean => {
  const test = TESTS[property] ?? (EXTENTS.has(property) ? isExtent : OFFSETS.has(property) ? isOffset : null)
  return test?.(value) ?? false
}
const isOffset: Test = (value) => value === 'auto' || isLength(value)

/** Splits a value at white space that stands in no brackets. */
export const wordsOf = (value: string): string[] =>
  value.match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\)?)+/g) ?? []

function nameOf(property: string): string {
  const bare = property.startsWith('-webkit-') ? property.slice(8) : property
  return ALIASES[bare] ?? bare
}

/** Takes a declaration apart into those that decide whether text is seen; none where it is not valid. */
export function settingsOf({ property: written, value, isImportant }: Declaration): Setting[] {
  if (written.startsWith('--')) return [{ property: written, value, isImportant }]
  const property = nameOf(written)
  if (!isKnown(property)) return []
  const parts = WIDE.test(value) ? wide(property, value) : expanded(property, value)
  return parts.map(([name, part]) => ({ property: name, value: part, isImportant }))
}

/** Tells whether a property, or a shorthand, bears on whether text is seen. */
export const matters = (property: string): boolean => property.startsWith('--') || isKnown(nameOf(property))

const isKnown = (property: string): boolean =>
  Object.hasOwn(TESTS, property) ||
  Object.hasOwn(SHORTHANDS, property) ||
  EXTENTS.has(property) ||
  OFFSETS.has(property)

const wide = (property: string, value: string): [string, string][] =>
  (SHORTHANDS[property] ?? [property]).map((name) => [name, value])

const SHORTHANDS: Readonly<Record<string, readonly string[]>> = {
  font: ['font-size', 'line-height'],
  background: ['background-color', 'background-image', 'background-clip'],
  overflow: ['overflow-x', 'overflow-y'],
  mask: ['mask-image'],
  inset: SIDES,
  margin: SIDES.map((side) => `margin-${side}`),
  padding: SIDES.map((side) => `padding-${side}`),
  all: [...Object.keys(TESTS), ...EXTENTS, ...OFFSETS],
}

function expanded(property: string, value: string): [string, string][] {
  // What a variable stands for is known only at an element.
  if (value.includes('var(')) return [[property, value]]
  if (property === 'font') return fontOf(value)
  if (property === 'background') return backgroundOf(value)
  if (property === 'mask') return [['mask-image', value]]
  if (property === 'overflow') {
    const [x, y = x] = wordsOf(value) as [string?, string?]
    return x && y && isOverflow(x) && isOverflow(y)
      ? [
          ['overflow-x', x],
          ['overflow-y', y],
        ]
      : []
  }
  if (property === 'inset' || property === 'margin' || property === 'padding') return sidesOf(property, value)
  return isValid(property, value) ? [[property, value]] : []
}

function sidesOf(property: string, value: string): [string, string][] {
  const words = wordsOf(value)
  if (words.length === 0 || words.length > 4 || !words.every(isOffset)) return []
  const [top, right = top, bottom = top, left = right] = words as [string, ...string[]]
  const values = [top, right, bottom, left]
  return SIDES.map((side, at) => [property === 'inset' ? side : `${property}-${side}`, values[at]!])
}

/** The size stands before the family, which there must be. */
function fontOf(value: string): [string, string][] {
  const words = value.replace(/\s*\/\s*/, '/').split(/\s+/)
  for (const [at, word] of words.entries()) {
    const [size = '', line = 'normal'] = word.split('/')
    if (isFontSize(size) && at < words.length - 1)
      return isLineHeight(line)
        ? [
            ['font-size', size],
            ['line-height', line],
          ]
        : []
  }
  return []
}

function backgroundOf(value: string): [string, string][] {
  const words = wordsOf(value)
  const color = words.findLast((word) => isColor(word.replace(/,$/, '')))
  const images = words.filter((word) =>
    /^(?:url|image|[\w-]*gradient|image-set|-webkit-image-set)\(/.test(word),
  )
  return [
    ['background-color', color ?? 'transparent'],
    ['background-image', images.join(', ') || 'none'],
    ['background-clip', words.includes('text') ? 'text' : 'border-box'],
  ]
}
