import { colorOf } from './colors'
import { FAR, VERY_FAR } from './geometry'
import { KeptOfTexts } from './kept'
import { lengthOf, ratioOf } from './lengths'
import { overlapOf, paints, THICK_BORDER, thickBorder } from './overlap'
import { type Declaration, isOfOld, wordsOf } from './syntax'

/** A declaration of a property on which it depends whether text is seen; shorthands are taken apart. */
export type Setting = Declaration

/** The value of a setting that a browser may take, and nobody here understands. */
export const UNDECIDED = '?'

const WIDE = /^(?:inherit|initial|unset|revert|revert-layer)$/
const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const DISPLAYS = words(
  'none inline block inline-block flex inline-flex grid inline-grid table inline-table table-row table-cell table-column table-caption table-row-group table-header-group table-footer-group table-column-group list-item contents flow-root run-in ruby ruby-text -webkit-box -webkit-inline-box -webkit-flex -webkit-inline-flex',
)
const SIZES = words('xx-small x-small small medium large x-large xx-large xxx-large smaller larger')

type Test = (value: string) => boolean

const oneOf = (text: string): Test => {
  const all = words(text)
  return (value) => all.has(value)
}
const any: Test = () => true
const isLength: Test = (value) => lengthOf(value, { em: ROOT, whole: ROOT }) !== null
const isExtent: Test = (value) =>
  isLength(value) || /^(?:auto|none|(?:min|max|fit)-content|fit-content\(.*\)|stretch)$/.test(value)
const isOffset: Test = (value) => value === 'auto' || isLength(value)
const isColor: Test = (value) => value === 'currentcolor' || colorOf(value) !== null
const isNumber: Test = (value) => ratioOf(value) !== null
const isFontSize: Test = (value) => SIZES.has(value) || (isLength(value) && !value.startsWith('-'))
const isLineHeight: Test = (value) =>
  value === 'normal' || ((isLength(value) || isNumber(value)) && !value.startsWith('-'))
const isSpacing: Test = (value) => value === 'normal' || isLength(value)
const isOverflow = oneOf('visible hidden clip scroll auto overlay')

const ROOT = 16
/** Only `all` has more. */
const MAX_PARTS = 8

/** Tests of the values that each property takes: others are left out, as a browser does. */
const TESTS: Readonly<Record<string, Test>> = {
  display: (value) => DISPLAYS.has(value),
  visibility: oneOf('visible hidden collapse'),
  'content-visibility': oneOf('visible hidden auto'),
  content: any,
  opacity: isNumber,
  'font-size': isFontSize,
  'font-size-adjust': any,
  'line-height': isLineHeight,
  'letter-spacing': isSpacing,
  'word-spacing': isSpacing,
  color: isColor,
  'text-fill-color': isColor,
  'text-stroke-width': (value) => /^(?:thin|medium|thick)$/.test(value) || isLength(value),
  'text-stroke-color': isColor,
  'text-security': any,
  'text-shadow': any,
  'background-color': isColor,
  'background-image': any,
  'background-clip': any,
  'background-blend-mode': any,
  'mix-blend-mode': any,
  'mask-image': any,
  'overflow-x': isOverflow,
  'overflow-y': isOverflow,
  contain: any,
  'container-type': any,
  position: oneOf('static relative absolute fixed sticky -webkit-sticky'),
  float: oneOf('none left right inline-start inline-end'),
  'z-index': (value) => value === 'auto' || /^[+-]?\d{1,10}$/.test(value),
  clip: (value) => value === 'auto' || value.startsWith('rect('),
  'clip-path': any,
  'border-shape': any,
  transform: any,
  scale: any,
  translate: any,
  rotate: any,
  'offset-path': any,
  'backface-visibility': any,
  zoom: (value) => value === 'normal' || isNumber(value),
  filter: any,
  'backdrop-filter': any,
  'text-indent': (value) => isLength(value.split(' ')[0]!),
  'aspect-ratio': any,
  'table-layout': any,
  animation: any,
  'animation-name': any,
  'animation-duration': any,
  'animation-delay': any,
  'animation-play-state': any,
  'mso-hide': oneOf('all screen none'),
}
const EXTENTS = words('height width max-height max-width min-height min-width column-height flex-basis')
const SIDES = ['top', 'right', 'bottom', 'left'] as const
const OFFSETS = new Set([...SIDES, ...SIDES.flatMap((side) => [`margin-${side}`, `padding-${side}`])])
/** Properties that give boxes room, or take it. */
const ROOM =
  /^(?:border(?:-(?:top|right|bottom|left|block|inline)(?:-start|-end)?)?(?:-width)?|border-(?:before|after|start|end)(?:-width)?|border-spacing|(?:grid-)?(?:row-|column-)?gap|tab-size|columns|column-width|grid-[a-z-]+|vertical-align|text-combine|perspective)$/

/** Other names of properties. */
const ALIASES: Readonly<Record<string, string>> = {
  'block-size': 'height',
  'inline-size': 'width',
  'max-block-size': 'max-height',
  'max-inline-size': 'max-width',
  'min-block-size': 'min-height',
  'min-inline-size': 'min-width',
  'logical-height': 'height',
  'logical-width': 'width',
  'max-logical-height': 'max-height',
  'max-logical-width': 'max-width',
  'min-logical-height': 'min-height',
  'min-logical-width': 'min-width',
  'inset-inline-start': 'left',
  'inset-inline-end': 'right',
  'inset-block-start': 'top',
  'inset-block-end': 'bottom',
  'overflow-inline': 'overflow-x',
  'overflow-block': 'overflow-y',
  'mask-box-image': 'mask-image',
  'mask-box-image-source': 'mask-image',
  'mask-border': 'mask-image',
  'mask-border-source': 'mask-image',
  offset: 'offset-path',
  ...Object.fromEntries(
    ['margin', 'padding'].flatMap((name) =>
      Object.entries({
        top: 'block-start before',
        bottom: 'block-end after',
        left: 'inline-start start',
        right: 'inline-end end',
      }).flatMap(([side, others]) =>
        others.split(' ').map((other) => [`${name}-${other}`, `${name}-${side}`]),
      ),
    ),
  ),
}
/** Shorthands for two sides: what comes first, and what comes last. */
const PAIRS: Readonly<Record<string, readonly [string, string]>> = Object.fromEntries(
  ['inset', 'margin', 'padding'].flatMap((name) => {
    const sideOf = (side: string) => (name === 'inset' ? side : `${name}-${side}`)
    return [
      [`${name}-block`, [sideOf('top'), sideOf('bottom')]],
      [`${name}-inline`, [sideOf('left'), sideOf('right')]],
    ] as const
  }),
)

function settled(property: string, value: string): [string, string][] {
  const test = TESTS[property] ?? (EXTENTS.has(property) ? isExtent : OFFSETS.has(property) ? isOffset : null)
  if (test?.(value)) return [[property, value]]
  // Colours are told apart by themselves.
  if (test === isColor) return []
  return /\(|\de[+-]?\d{4}/.test(value) && !isOfOld(value) ? [[property, UNDECIDED]] : []
}

function nameOf(property: string): string {
  const bare = property.startsWith('-webkit-') ? property.slice(8) : property
  return ALIASES[bare] ?? bare
}

/** Takes a declaration apart into those that decide whether text is seen; none where it is not valid. */
export function settingsOf({ property: written, value, ...rest }: Declaration): Setting[] {
  if (written.startsWith('--')) return [{ property: written, value, ...rest }]
  const property = nameOf(written)
  if (!isKnown(property)) {
    const overlap = paints(property) ? overlapOf(property, value) : null
    if (overlap) return [{ property: overlap[0], value: overlap[1], ...rest }]
    return ROOM.test(property) ? roomOf(property, value, rest) : []
  }
  return PARTS.get(`${property}:${value}`).map(([name, part]) => ({ property: name, value: part, ...rest }))
}

/** Keeps the settings of declarations: all mails have the same few hundred. */
const PARTS = new KeptOfTexts<readonly [string, string][]>(
  { max: 1_000, maxLength: 100, isLittle: ({ length }) => length <= MAX_PARTS },
  (declaration) => {
    const colon = declaration.indexOf(':')
    const [property, value] = [declaration.slice(0, colon), declaration.slice(colon + 1)]
    return WIDE.test(value) ? wide(property, value) : expanded(property, value)
  },
)

/** Tells whether a property, or a shorthand, bears on whether text is seen. */
export const matters = (property: string): boolean => {
  const name = nameOf(property)
  return property.startsWith('--') || isKnown(name) || ROOM.test(name) || paints(name)
}

const isKnown = (property: string): boolean =>
  Object.hasOwn(TESTS, property) ||
  Object.hasOwn(SHORTHANDS, property) ||
  EXTENTS.has(property) ||
  OFFSETS.has(property)

/** A column or a row of a grid that takes no room. */
const NO_TRACK = /(?:^|[\s(,/])0(?:px|fr)?(?=[\s),/]|$)/

/** Reads a border or margin: one of more room than a page has moves the text out of it. */
function roomOf(property: string, value: string, rest: Omit<Declaration, 'property' | 'value'>): Setting[] {
  const isFar =
    (property.startsWith('grid-template') && NO_TRACK.test(value)) ||
    wordsOf(value).some((word) => {
      const length = lengthOf(word, { em: ROOT, whole: VERY_FAR })
      return length !== null && (length >= VERY_FAR || length <= -FAR)
    })
  if (isFar) return [{ property: 'room', value: UNDECIDED, ...rest }]
  const border = thickBorder(property, value)
  return border ? [{ property: THICK_BORDER, value: border, ...rest }] : []
}

const wide = (property: string, value: string): [string, string][] =>
  (SHORTHANDS[property] ?? [property]).map((name) => [name, value])

const SHORTHANDS: Readonly<Record<string, readonly string[]>> = {
  font: ['font-size', 'line-height', 'font-size-adjust'],
  background: ['background-color', 'background-image', 'background-clip'],
  overflow: ['overflow-x', 'overflow-y'],
  mask: ['mask-image'],
  'text-stroke': ['text-stroke-width', 'text-stroke-color'],
  flex: ['flex-basis'],
  container: ['container-type'],
  inset: SIDES,
  margin: SIDES.map((side) => `margin-${side}`),
  padding: SIDES.map((side) => `padding-${side}`),
  ...PAIRS,
  all: [...Object.keys(TESTS), ...EXTENTS, ...OFFSETS],
}

function expanded(property: string, value: string): [string, string][] {
  // What a variable stands for is known only at an element.
  if (value.includes('var(')) return [[property, value]]
  if (property === 'font') return fontOf(value)
  if (property === 'background') return backgroundOf(value)
  if (property === 'mask') return [['mask-image', value]]
  if (property === 'text-stroke') return strokeOf(value)
  if (property === 'flex') return [['flex-basis', basisOf(wordsOf(value))]]
  if (property === 'container') return [['container-type', value.split('/')[1]?.trim() ?? 'normal']]
  if (property === 'overflow') {
    const [x, y = x] = wordsOf(value) as [string?, string?]
    return x && y && isOverflow(x) && isOverflow(y)
      ? [
          ['overflow-x', x],
          ['overflow-y', y],
        ]
      : []
  }
  const pair = PAIRS[property]
  if (pair) {
    const [first, last = first] = wordsOf(value)
    return [...settled(pair[0], first ?? ''), ...settled(pair[1], last ?? '')]
  }
  if (property === 'inset' || property === 'margin' || property === 'padding') return sidesOf(property, value)
  return settled(property, value)
}

function sidesOf(property: string, value: string): [string, string][] {
  const words = wordsOf(value)
  const [top = '', right = top, bottom = top, left = right] = words
  const values = [top, right, bottom, left]
  const sides = SIDES.flatMap((side, at) =>
    settled(property === 'inset' ? side : `${property}-${side}`, values[at]!),
  )
  return words.length > 4 || sides.length < 4 ? [] : sides
}

/** The size stands before the family, which there must be. */
function fontOf(value: string): [string, string][] {
  const words = wordsOf(value.replace(/\s*\/\s*/, '/'))
  for (const [at, word] of words.entries()) {
    const [size = '', line = 'normal'] = word.split(/\/(?![^(]*\))/)
    const [sizes, lines] = [settled('font-size', size), settled('line-height', line)]
    if (sizes.length > 0 && at < words.length - 1) return lines.length > 0 ? [...sizes, ...lines] : []
  }
  return []
}

function strokeOf(value: string): [string, string][] {
  const words = wordsOf(value)
  const found = (property: string, other: string): string => {
    for (const word of words) {
      const [one] = settled(property, word)
      if (one && one[1] !== UNDECIDED) return word
    }
    return words.length > 0 && words.some((word) => word.includes('(')) ? UNDECIDED : other
  }
  return [
    ['text-stroke-width', found('text-stroke-width', '0')],
    ['text-stroke-color', found('text-stroke-color', 'currentcolor')],
  ]
}

/** Gives the extent of an element that may grow: one that does not is as wide as it says, which is nothing where it says nothing. */
function basisOf([grow = '', second, third]: readonly string[]): string {
  if (!/^0(?:\.0+)?$/.test(grow)) return 'auto'
  return third ?? (second !== undefined && !/^[\d.]+$/.test(second) ? second : '0px')
}

const IMAGE = /^(?:url|image|[\w-]*gradient|(?:-webkit-)?(?:image-set|cross-fade)|paint|element)\(/
const NO_COLOR = new RegExp(`${IMAGE.source}|^(?:-webkit-)?(?:calc|min|max|clamp)\\(`)

function backgroundOf(value: string): [string, string][] {
  const words = wordsOf(value)
  const color = words.findLast((word) => !NO_COLOR.test(word) && isColor(word.replace(/,$/, '')))
  const images = words.filter((word) => IMAGE.test(word))
  return [
    ['background-color', color?.replace(/,$/, '') ?? 'transparent'],
    ['background-image', images.join(', ') || 'none'],
    ['background-clip', words.includes('text') ? 'text' : 'border-box'],
  ]
}
