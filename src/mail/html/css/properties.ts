import { own } from '../../../protocol/own'
import { colorOf } from './colors'
import { far, veryFar } from './geometry'
import { KeptOfTexts } from './kept'
import { lengthOf, ratioOf } from './lengths'
import { overlapOf, paints, thickBorder, thickBorderName } from './overlap'
import { type Declaration, isOfOld, splitOutside, words, wordsOf } from './syntax'

/** A declaration that can affect whether text is visible; shorthands are expanded. */
export type Setting = Declaration

/** Value of a setting that a browser may accept, but this code does not understand. */
export const undecided = '?'

const widePattern = /^(?:inherit|initial|unset|revert|revert-layer)$/
const displays = words(
  'none inline block inline-block flex inline-flex grid inline-grid table inline-table table-row table-cell table-column table-caption table-row-group table-header-group table-footer-group table-column-group list-item contents flow-root ruby ruby-text -webkit-box -webkit-inline-box -webkit-flex -webkit-inline-flex',
)
const clips = words('border-box padding-box content-box text border-area')
const contained = words('none strict content size inline-size layout style paint')
const fontSizes = words('xx-small x-small small medium large x-large xx-large xxx-large smaller larger')

type Test = (value: string) => boolean

const oneOf = (text: string): Test => {
  const all = words(text)
  return (value) => all.has(value)
}
const any: Test = () => true
/** Accepts `none`, or functions with valid arguments. */
const areFunctions =
  (argumentsOf: (name: string) => Test | null, sign: string): Test =>
  (value) =>
    value === 'none' ||
    (!isOfOld(value) &&
      wordsOf(value).every((word) => {
        const [, name = '', inner] = /^([a-z-][a-z\d-]*)\(([\s\S]*)\)$/.exec(word) ?? []
        if (inner === undefined) return false
        const test = argumentsOf(name)
        // An unknown inner function is decided later, at the element.
        return !test || splitOutside(inner, sign).every((one) => one.includes('(') || test(one.trim()))
      }))
const isAngle: Test = (value) => value === '0' || /^[+-]?[\d.]+(?:e[+-]?\d+)?(?:deg|g?rad|turn)$/.test(value)
const isTransform = areFunctions((name) => {
  if (/^(?:scale|matrix)/.test(name)) return isNumber
  if (name.startsWith('translate')) return isLength
  if (name === 'rotate3d') return (one) => isNumber(one) || isAngle(one)
  return /^(?:rotate|skew)/.test(name) ? isAngle : null
}, ',')
const isFilter = areFunctions((name) => {
  if (name === 'blur') return (one) => one === '' || (isLength(one) && !one.endsWith('%'))
  if (name === 'hue-rotate') return (one) => one === '' || isAngle(one)
  if (name === 'drop-shadow') return (one) => one !== 'none' && isShadow(one)
  return name === 'url' ? null : (one) => one === '' || isNumber(one)
}, '\n')
const isMask: Test = (value) => value === 'none' || value.includes('(')
const isClip: Test = (value) => {
  const sides = /^rect\(([^()]*)\)$/
    .exec(value)?.[1]
    ?.trim()
    .split(value.includes(',') ? /\s*,\s*/ : /\s+/)
  return value === 'auto' || (sides?.length === 4 && sides.every(isOffset) && !value.includes('%'))
}
/** Returns whether a value has at most this many numbers or lengths. */
const areSome =
  (most: number, isOne: Test): Test =>
  (value) => {
    const all = wordsOf(value)
    return value === 'none' || (all.length <= most && all.every((one) => one.includes('(') || isOne(one)))
  }
const isTurn: Test = (value) =>
  value === 'none' || /(?:^|\s)[+-]?[\d.]+(?:deg|g?rad|turn)(?:\s|$)|\(/.test(value)
const isRatio: Test = (value) => /^(?:auto\b\s*)?(?:[\d.]+(?:\s*\/\s*[\d.]+)?)?(?:\s*\bauto)?$|\(/.test(value)
const isLength: Test = (value) => lengthOf(value, { em: root, whole: root }) !== null
const isExtent: Test = (value) =>
  isLength(value) || /^(?:auto|none|(?:min|max|fit)-content|fit-content\(.*\)|stretch)$/.test(value)
const isOffset: Test = (value) => value === 'auto' || isLength(value)
const isColor: Test = (value) => value === 'currentcolor' || colorOf(value) !== null
const isNumber: Test = (value) => ratioOf(value) !== null
const isFontSize: Test = (value) => fontSizes.has(value) || (isLength(value) && !value.startsWith('-'))
const isLineHeight: Test = (value) =>
  value === 'normal' || ((isLength(value) || isNumber(value)) && !value.startsWith('-'))
const isPadding: Test = (value) => isLength(value) && !value.startsWith('-')
const isSpacing: Test = (value) => value === 'normal' || isLength(value)
const isPositive: Test = (value) => !value.startsWith('-')
const isOverflow = oneOf('visible hidden clip scroll auto overlay')

const root = 16
/** Only `all` has more. */
const maxParts = 8

/** Tests of valid values by property: others are dropped, as by browsers. */
const tests: Readonly<Record<string, Test>> = {
  display: (value) => displays.has(value),
  visibility: oneOf('visible hidden collapse'),
  'content-visibility': oneOf('visible hidden auto'),
  content: (value) => /^(?:normal|none|(?:no-)?(?:open|close)-quote)$|["'(]/.test(value),
  opacity: isNumber,
  'font-size': isFontSize,
  'font-size-adjust': any,
  'math-depth': any,
  'corner-shape': any,
  'line-height': isLineHeight,
  'letter-spacing': isSpacing,
  'word-spacing': isSpacing,
  color: isColor,
  'color-scheme': (value) => /^[a-z][a-z -]*$/.test(value),
  'text-fill-color': isColor,
  'text-stroke-width': (value) => /^(?:thin|medium|thick)$/.test(value) || isLength(value),
  'text-stroke-color': isColor,
  'text-security': oneOf('none disc circle square'),
  'text-shadow': isShadow,
  'background-color': isColor,
  'background-image': isImage,
  'background-clip': (value) => splitOutside(value, ',').every((one) => clips.has(one.trim())),
  'background-blend-mode': any,
  'background-position': (value) => splitOutside(value, ',').every((layer) => wordsOf(layer).every(isPlace)),
  'background-size': (value) => splitOutside(value, ',').every((layer) => wordsOf(layer).every(isPlace)),
  'background-repeat': (value) => /^(?:(?:no-)?repeat(?:-[xy])?|space|round|[\s,])+$/.test(value),
  'mix-blend-mode': any,
  'mask-image': isMask,
  'overflow-x': isOverflow,
  'overflow-y': isOverflow,
  contain: (value) => wordsOf(value).every((word) => contained.has(word)),
  'container-type': oneOf('normal size inline-size scroll-state'),
  position: oneOf('static relative absolute fixed sticky -webkit-sticky'),
  float: oneOf('none left right inline-start inline-end'),
  'z-index': (value) => value === 'auto' || /^[+-]?\d{1,10}$/.test(value),
  clip: isClip,
  'clip-path': any,
  'border-shape': any,
  transform: isTransform,
  scale: areSome(3, isNumber),
  translate: areSome(3, isLength),
  rotate: isTurn,
  'offset-path': any,
  'backface-visibility': oneOf('visible hidden'),
  zoom: (value) => value === 'normal' || (isNumber(value) && isPositive(value)),
  filter: isFilter,
  'backdrop-filter': any,
  'text-indent': (value) =>
    /^\S+(?: (?:each-line|hanging)){0,2}$/.test(value) && isLength(value.split(' ')[0]!),
  'aspect-ratio': isRatio,
  'table-layout': oneOf('auto fixed'),
  animation: any,
  'animation-name': any,
  'animation-duration': any,
  'animation-delay': any,
  'animation-play-state': any,
  'mso-hide': oneOf('all screen none'),
}
const extents = words('height width max-height max-width min-height min-width column-height flex-basis')
const sideNames = ['top', 'right', 'bottom', 'left'] as const
const offsets = new Set([...sideNames, ...sideNames.flatMap((side) => [`margin-${side}`, `padding-${side}`])])
/** Properties that affect the space of boxes. */
const room =
  /^(?:border(?:-(?:top|right|bottom|left|block|inline)(?:-start|-end)?)?(?:-width)?|border-(?:before|after|start|end)(?:-width)?|border-spacing|(?:grid-)?(?:row-|column-)?gap|tab-size|columns|column-width|column-count|grid-[a-z-]+|vertical-align|text-combine|perspective)$/

/** Other names of properties. */
const aliases: Readonly<Record<string, string>> = {
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
/** Shorthands for two sides: the first and the last. */
const pairs: Readonly<Record<string, readonly [string, string]>> = Object.fromEntries(
  ['inset', 'margin', 'padding'].flatMap((name) => {
    const sideOf = (side: string) => (name === 'inset' ? side : `${name}-${side}`)
    return [
      [`${name}-block`, [sideOf('top'), sideOf('bottom')]],
      [`${name}-inline`, [sideOf('left'), sideOf('right')]],
    ] as const
  }),
)

function testOf(property: string): Test | null {
  const test =
    own(tests, property) ?? (extents.has(property) ? isExtent : offsets.has(property) ? isOffset : null)
  return property.startsWith('padding-') ? isPadding : test
}

function settled(property: string, value: string): [string, string][] {
  const test = testOf(property)
  if (test?.(value)) return [[property, value]]
  // `colorOf` returns an unknown colour itself.
  if (test === isColor) return []
  return /\(|\de[+-]?\d{4}/.test(value) && !isOfOld(value) ? [[property, undecided]] : []
}

/**
 * Doubt number of values that only pages without a document type accept: numbers without a unit, colours
 * without `#`.
 */
const quirks = 1_000_000
type Part = readonly [property: string, value: string, isQuirk?: boolean]

/**
 * As {@link settled}, with the values that only a page without a document type accepts (Quirks Mode §3.1 and
 * §3.2).
 */
function settledOrQuirk(property: string, value: string): Part[] {
  const found = settled(property, value)
  if (found.length > 0) return found
  const isPixels = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(value)
  const isHex = /^(?:[\da-f]{3}){1,2}$/.test(value)
  const isSize =
    property === 'font-size' || property === 'text-indent' || extents.has(property) || offsets.has(property)
  const written = isSize && isPixels ? `${value}px` : testOf(property) === isColor && isHex ? `#${value}` : ''
  return settled(property, written).map(([name, part]) => [name, part, true])
}

function nameOf(property: string): string {
  const bare = property.startsWith('-webkit-') ? property.slice(8) : property
  return own(aliases, bare) ?? bare
}

/** Expands a declaration into settings that decide whether text is visible; none if it is invalid. */
export function settingsOf({ property: written, value, ...rest }: Declaration): Setting[] {
  if (written.startsWith('--')) return [{ property: written, value, ...rest }]
  const property = nameOf(written)
  if (!isKnown(property)) {
    const overlap = paints(property) ? overlapOf(property, value) : null
    if (overlap) return [{ property: overlap[0], value: overlap[1], ...rest }]
    return room.test(property) ? roomOf(property, value, rest) : []
  }
  return partsCache.get(`${property}:${value}`).map(([name, part, isQuirk]) => ({
    property: name,
    value: part,
    ...rest,
    ...(isQuirk && { doubt: quirks }),
  }))
}

/** Cached settings of declarations: all messages use the same few hundred. */
const partsCache = new KeptOfTexts<readonly Part[]>(
  { max: 1_000, maxLength: 100, isLittle: ({ length }) => length <= maxParts },
  (declaration) => {
    const colon = declaration.indexOf(':')
    const [property, value] = [declaration.slice(0, colon), declaration.slice(colon + 1)]
    return widePattern.test(value) ? wide(property, value) : expanded(property, value)
  },
)

/** Returns whether a property, or a shorthand, can affect whether text is visible. */
export const matters = (property: string): boolean => {
  const name = nameOf(property)
  return property.startsWith('--') || isKnown(name) || room.test(name) || paints(name)
}

const isKnown = (property: string): boolean =>
  Object.hasOwn(tests, property) ||
  Object.hasOwn(shorthands, property) ||
  extents.has(property) ||
  offsets.has(property)

/** A grid column or row without space. */
const noTrack = /(?:^|[\s(,/])0(?:px|fr)?(?=[\s),/]|$)/

/** Reads a border, margin or grid: one larger than a page moves the text out of it. */
function roomOf(property: string, value: string, rest: Omit<Declaration, 'property' | 'value'>): Setting[] {
  const isFar =
    (property.startsWith('grid-template') && noTrack.test(value)) ||
    wordsOf(value).some((word) => {
      const length = lengthOf(word, { em: root, whole: veryFar })
      return length !== null && (length >= veryFar || length <= -far)
    })
  if (isFar) return [{ property: 'room', value: undecided, ...rest }]
  if (/^column(?:s|-width|-count)$/.test(property)) return [{ property: 'columns', value, ...rest }]
  const border = thickBorder(property, value)
  return border ? [{ property: thickBorderName, value: border, ...rest }] : []
}

const wide = (property: string, value: string): [string, string][] =>
  (own(shorthands, property) ?? [property]).map((name) => [name, value])

const shorthands: Readonly<Record<string, readonly string[]>> = {
  font: ['font-size', 'line-height', 'font-size-adjust'],
  background: [
    'background-color',
    'background-image',
    'background-clip',
    'background-position',
    'background-size',
    'background-repeat',
  ],
  overflow: ['overflow-x', 'overflow-y'],
  mask: ['mask-image'],
  'text-stroke': ['text-stroke-width', 'text-stroke-color'],
  flex: ['flex-basis'],
  container: ['container-type'],
  inset: sideNames,
  margin: sideNames.map((side) => `margin-${side}`),
  padding: sideNames.map((side) => `padding-${side}`),
  ...pairs,
  all: [...Object.keys(tests), ...extents, ...offsets],
}

function expanded(property: string, value: string): Part[] {
  // The value of a variable is known only at an element.
  if (value.includes('var(')) return [[property, value]]
  if (property === 'font') return fontOf(value)
  if (property === 'background') return backgroundOf(value)
  if (property === 'mask') return settled('mask-image', value)
  if (property === 'text-stroke') return strokeOf(value)
  if (property === 'flex') return [['flex-basis', basisOf(wordsOf(value))]]
  if (property === 'container') return [['container-type', value.split('/')[1]?.trim() ?? 'normal']]
  if (property === 'overflow') {
    const [x, y = x, more] = wordsOf(value) as [string?, string?, string?]
    return x && y && !more && isOverflow(x) && isOverflow(y)
      ? [
          ['overflow-x', x],
          ['overflow-y', y],
        ]
      : []
  }
  const pair = pairs[property]
  if (pair) {
    const [first = '', last = first, more] = wordsOf(value)
    return more === undefined ? [...settled(pair[0], first), ...settled(pair[1], last)] : []
  }
  if (property === 'inset' || property === 'margin' || property === 'padding') return sidesOf(property, value)
  return settledOrQuirk(property, value)
}

function sidesOf(property: string, value: string): Part[] {
  const words = wordsOf(value)
  const [top = '', right = top, bottom = top, left = right] = words
  const values = [top, right, bottom, left]
  const sides = sideNames.flatMap((side, at): Part[] =>
    property === 'inset' ? settled(side, values[at]!) : settledOrQuirk(`${property}-${side}`, values[at]!),
  )
  if (words.length > 4 || sides.length < 4) return []
  const isQuirk = sides.some(([, , isOne]) => isOne)
  return isQuirk ? sides.map(([name, part]) => [name, part, true]) : sides
}

/** System fonts, which have a size of their own. */
const systemFonts = words('caption icon menu message-box small-caption status-bar')
const styled =
  /^(?:normal|italic|oblique|[+-]?[\d.]+deg|small-caps|bold|bolder|lighter|[1-9]\d{0,2}|1000|(?:(?:ultra|extra|semi)-)?(?:condensed|expanded))$/
const family =
  /^(?:"[^"]*"|'[^']*'|-?[a-z_\u0080-\uffff][\w\u0080-\uffff-]*(?: -?[a-z_\u0080-\uffff][\w\u0080-\uffff-]*)*)$/
/** Family names that no further word may follow. */
const generic = /^(?:serif|sans-serif|cursive|fantasy|monospace|system-ui|math)\s/

/** Finds the size, which comes before the required family and after known words only. */
function fontOf(value: string): [string, string][] {
  if (systemFonts.has(value))
    return [
      ['font-size', '13.33px'],
      ['line-height', 'normal'],
    ]
  const words = wordsOf(value.replace(/\s*\/\s*/, '/'))
  for (const [at, word] of words.entries()) {
    const [size = '', line = 'normal'] = word.split(/\/(?![^(]*\))/)
    const [sizes, lines] = [settled('font-size', size), settled('line-height', line)]
    if (sizes.length > 0 && at < words.length - 1)
      return lines.length > 0 && isFamily(words.slice(at + 1).join(' ')) ? [...sizes, ...lines] : []
    if (!styled.test(word) || words.indexOf(word) < at) return []
  }
  return []
}

const isFamily: Test = (value) =>
  splitOutside(value, ',').every((one) => family.test(one.trim()) && !generic.test(one.trim())) ||
  value.includes('(')

function strokeOf(value: string): [string, string][] {
  const words = wordsOf(value)
  const found = (property: string, other: string): string => {
    for (const word of words) {
      const [one] = settled(property, word)
      if (one && one[1] !== undecided) return word
    }
    return words.length > 0 && words.some((word) => word.includes('(')) ? undecided : other
  }
  const isKnown = (word: string) =>
    ['text-stroke-width', 'text-stroke-color'].some((one) => settled(one, word).length > 0)
  if (words.length > 2 || !words.every((word) => word.includes('(') || isKnown(word))) return []
  return [
    ['text-stroke-width', found('text-stroke-width', '0')],
    ['text-stroke-color', found('text-stroke-color', 'currentcolor')],
  ]
}

/** Returns the extent of a flexible element. One that does not grow has its stated width, by default zero. */
function basisOf([grow = '', second, third]: readonly string[]): string {
  if (!/^0(?:\.0+)?$/.test(grow)) return 'auto'
  return third ?? (second !== undefined && !/^[\d.]+$/.test(second) ? second : '0px')
}

const imagePattern =
  /^(?:url|image|(?:-webkit-)?(?:repeating-)?(?:linear|radial|conic)-gradient|-webkit-gradient|(?:-webkit-)?image-set|-webkit-cross-fade)\(/
const noColor = new RegExp(`${imagePattern.source}|^(?:-webkit-)?(?:calc|min|max|clamp)\\(`)
/** Words of a background that are neither a picture nor a colour. */
const laid =
  /^(?:none|repeat|repeat-[xy]|no-repeat|space|round|scroll|fixed|local|left|right|top|bottom|center|auto|cover|contain|(?:border|padding|content)-box|text|border-area|\/)$/

/** Reads the layers of a background; browsers drop a background with any unknown word. */
function backgroundOf(value: string): [string, string][] {
  const layers = splitOutside(value, ',').map((layer) => wordsOf(layer.replace(/\/(?![^(]*\))/g, ' / ')))
  const isColored = (word: string) => !noColor.test(word) && isColor(word)
  const isValid = layers.every((layer, at) => {
    const colors = layer.filter(isColored)
    const others = layer.filter((word) => !isColored(word) && !imagePattern.test(word) && !laid.test(word))
    const isAtMostOne =
      colors.length <= (at === layers.length - 1 ? 1 : 0) &&
      layer.filter((word) => imagePattern.test(word)).length <= 1
    return (
      layer.length > 0 &&
      isSized(layer) &&
      isAtMostOne &&
      others.length <= 4 &&
      others.every((word) => isLength(word) || word.includes('('))
    )
  })
  if (!isValid) return []
  const words = layers.flat()
  const listed = (of: (layer: readonly string[]) => readonly string[]) =>
    layers
      .map((layer) => of(layer).join(' '))
      .filter(Boolean)
      .join(', ')
  const images = words.filter((word) => imagePattern.test(word))
  return [
    ['background-color', words.find(isColored) ?? 'transparent'],
    ['background-image', images.join(', ') || 'none'],
    ['background-clip', words.find((word) => word === 'text' || word === 'border-area') ?? 'border-box'],
    ['background-position', listed((layer) => layer.slice(0, endOf(layer)).filter(isPlace)) || '0'],
    ['background-size', listed((layer) => layer.slice(endOf(layer) + 1).filter(isPlace)) || 'auto'],
    [
      'background-repeat',
      listed((layer) => layer.filter((word) => /repeat|space|round/.test(word))) || 'repeat',
    ],
  ]
}

/** Returns the index of the slash before the size of a picture. */
const endOf = (layer: readonly string[]): number => (layer.includes('/') ? layer.indexOf('/') : layer.length)

const isPlace = (word: string | undefined): boolean =>
  word !== undefined &&
  (isLength(word) || word.includes('(') || /^(?:left|right|top|bottom|center|auto|cover|contain)$/.test(word))

/** Returns whether a slash is between a place and a size. */
const isSized = (layer: readonly string[]): boolean =>
  layer.every((word, at) => word !== '/' || (isPlace(layer[at - 1]) && isPlace(layer[at + 1])))

/** Returns whether pictures are valid for browsers: each stop of a gradient needs a colour. */
function isImage(value: string): boolean {
  return splitOutside(value, ',').every((written) => {
    const one = written.trim()
    if (one === 'none') return true
    return imagePattern.test(one) && wordsOf(one).length === 1 && one.endsWith(')') && hasStops(one)
  })
}

const stop = /^(?:[+-]?[\d.]+(?:%|[a-z]+)|0)$/
/** Words allowed before the stops of a gradient. */
const whence =
  /^(?:[+-]?[\d.]+(?:%|[a-z]*)|to|at|from|in|circle|ellipse|(?:closest|farthest)-(?:side|corner)|cover|contain|left|right|top|bottom|center|shorter|longer|increasing|decreasing|hue|s?rgb(?:-linear)?|hsl|hwb|(?:ok)?(?:lab|lch))$/

function hasStops(image: string): boolean {
  const inner = /^(?:-webkit-)?(?:repeating-)?(?:linear|radial|conic)-gradient\(([\s\S]*)\)$/.exec(image)?.[1]
  if (inner === undefined || inner.includes('var(')) return true
  const isStop = (part: string) => {
    const words = wordsOf(part)
    const others = words.filter((word) => !isColor(word))
    return (
      words.length > 0 &&
      words.length - others.length <= 1 &&
      others.length <= 2 &&
      others.every((word) => stop.test(word) || word.includes('('))
    )
  }
  const parts = splitOutside(inner, ',').map((part) => part.trim())
  const isLed =
    wordsOf(parts[0]!).every((word) => whence.test(word) || word.includes('(')) && !isStop(parts[0]!)
  return parts.slice(isLed ? 1 : 0).every(isStop)
}

/** Returns whether text shadows are valid for browsers. */
function isShadow(value: string): boolean {
  if (value === 'none') return true
  return splitOutside(value, ',').every((layer) => {
    const words = wordsOf(layer)
    const lengths = words.filter((word) => isLength(word) || /^(?:calc|min|max|clamp|var|env)\(/.test(word))
    const colors = words.filter((word) => isColor(word))
    return (
      (lengths.length === 2 || lengths.length === 3) &&
      colors.length <= 1 &&
      lengths.length + colors.length === words.length &&
      !lengths[2]?.startsWith('-')
    )
  })
}
