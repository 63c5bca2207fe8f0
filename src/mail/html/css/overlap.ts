import { colorOf } from './colors'
import type { Kind, Style } from './geometry'
import { lengthOf } from './lengths'
import { splitOutside, wordsOf } from './syntax'

/**
 * Styles that cover other content or move an element from its place. Nothing is laid out here, so overlap is
 * unknown: text that such styles may cover is kept and marked as doubtful.
 */

/** Sizes that cover nothing, in pixels: borders, rings around a field, shadows of a card. */
const maxRing = 8
const maxStrike = 4
const minInk = 0.5
const maxShift = 12
/** Rows of columns reach over the padding of their container. */
const maxSideShift = 30
const maxIndent = 100
/** Padding of an inline button; a higher one covers more than the line above. */
const maxInlinePadding = 25
const minThickBorder = 20
const maxScale = 1.5
const maxPush = 150
const emPixels = 16

/** Property that `settingsOf` sets if an element paints over its surroundings; no style sheet can set it. */
export const over = 'over'
/** As {@link over}: width of a border above or below that is higher than a line. */
export const thickBorderName = 'thick-border'
/** As {@link over}: line breaking of an element's text. */
const breaking = 'breaking'
const painting =
  /^(?:outline(?:-width|-offset)?|box-shadow|text-decoration(?:-thickness)?|grid(?:-template(?:-rows|-columns)?)?)$/
const breaks = /^(?:white-space(?:-collapse)?|text-wrap(?:-mode)?)$/
/** Properties that {@link cellOf} and {@link roomIn} read themselves. */
const placing = /^(?:grid-(?:area|(?:row|column)(?:-start|-end)?)|line-clamp)$/

/** Returns whether a property may paint an element over others in any place, or affects its line breaks. */
export const paints = (property: string): boolean =>
  painting.test(property) || breaks.test(property) || placing.test(property)

/** Returns the setting for the effect of such a property; null if it has none. */
export function overlapOf(property: string, value: string): [property: string, value: string] | null {
  if (breaks.test(property)) return /^pre|nowrap|break-spaces/.test(value) ? [breaking, value] : null
  if (placing.test(property)) return [property, value]
  return reachesOver(property, value) ? [over, '1'] : null
}

/** Returns lengths in pixels; a large one for values that only a layout knows. */
const pixelsIn = (value: string): number[] =>
  wordsOf(value).map(
    (word) =>
      lengthOf(word, { em: emPixels, whole: emPixels }) ?? (/^(?:var|env|attr)\(/.test(word) ? 99 : 0),
  )

function reachesOver(property: string, value: string): boolean {
  // Named grid lines let cells of different names overlap.
  if (property.startsWith('grid')) return value.includes('[')
  if (property === 'box-shadow') return splitOutside(value, ',').some(isWideShadow)
  if (property.startsWith('text-decoration')) return pixelsIn(value).some((one) => one >= maxStrike)
  return pixelsIn(value).some((one) => one >= maxRing || one <= -maxRing)
}

function isWideShadow(layer: string): boolean {
  if (/var\(/.test(layer)) return true
  const words = wordsOf(layer.trim())
  const [x = 0, y = 0, blur = 0, spread = 0] = words.flatMap((word) => lengthOf(word, { em: emPixels }) ?? [])
  const [color] = words.flatMap((word) => colorOf(word) ?? [])
  const isInk = color === undefined || !(color.alpha < minInk)
  return isInk && Math.max(Math.abs(x), Math.abs(y)) + spread - blur / 2 > 2 * maxRing
}

const sizeIn = (style: Style, property: string, em: number, whole?: number): number | null => {
  const value = style.get(property)
  return value === undefined || value === '0' || value === 'auto' ? null : lengthOf(value, { em, whole })
}

/** Returns whether an element leaves its place, so that it may cover others, or others may cover it. */
export function isMovedOver(style: Style, fontSize: number, kind: Kind): boolean {
  const position = style.get('position')
  if (position === 'absolute' || position === 'fixed') return true
  const at = (property: string) => sizeIn(style, property, fontSize, 400) ?? 0
  if (position !== undefined && position !== 'static' && sides.some((side) => Math.abs(at(side)) >= maxShift))
    return true
  const isBack = (property: string, most: number) =>
    /^-|\(/.test(style.get(property) ?? '') && at(property) <= -most
  if (kind === 'inline') return isBack('margin-left', maxShift)
  const isPulled = (side: string) => isBack(`margin-${side}`, isBeside(side) ? maxSideShift : maxShift)
  if (sides.some(isPulled) || isBack('text-indent', maxIndent)) return true
  return turning.some((property) => isTurned(property, style.get(property)))
}

const sides = ['top', 'right', 'bottom', 'left']
const isBeside = (side: string): boolean => side === 'left' || side === 'right'
const turning = ['transform', 'translate', 'scale']

/**
 * Returns whether a `transform`, `translate` or `scale` moves or enlarges an element by more than a little.
 */
function isTurned(property: string, value: string | undefined): boolean {
  if (value === undefined || value === 'none') return false
  const numbers = value.match(/-?[\d.]+/g)?.map(Number) ?? []
  const most = property === 'scale' || value.startsWith('scale') ? maxScale : maxShift
  return !value.startsWith('rotate') && numbers.some((one) => Math.abs(one) > most)
}

/** Returns whether the content of an element exceeds its space, so that later content may cover it. */
export function isSqueezed(style: Style, fontSize: number, kind: Kind): boolean {
  if (kind !== 'block') return false
  return ['height', 'width'].some((extent) => {
    if (!style.has(extent) || style.has(`min-${extent}`)) return false
    const size = lengthOf(style.get(extent)!, { em: fontSize })
    return size !== null && size <= fontSize / 3
  })
}

/** Returns whether the lines of an element overlap. */
export const isCrowded = (lineHeight: number, fontSize: number): boolean => lineHeight < fontSize / 3

/** Returns the width of a border above or below, if it is higher than a line. */
export function thickBorder(property: string, value: string): string | null {
  if (!/^border(?:-top|-bottom|-block(?:-start|-end)?)?(?:-width)?$/.test(property)) return null
  const width = Math.max(...wordsOf(value).map((word) => lengthOf(word, { em: emPixels }) ?? 0))
  return width >= minThickBorder ? `${width}px` : null
}

/** Returns whether an inline element paints over the lines above and below. */
export const isThick = (style: Style, fontSize: number): boolean =>
  ['padding-top', 'padding-bottom', thickBorderName].some(
    (property) => (sizeIn(style, property, fontSize) ?? 0) >= maxInlinePadding,
  )

/** Returns whether an element pushes its text out of a clipping container. */
export const isPushedOut = (style: Style, fontSize: number, kind: Kind): boolean =>
  kind === 'block' && pushing.some((side) => (sizeIn(style, side, fontSize) ?? 0) >= maxPush)

const pushing = ['margin-left', 'padding-left', 'text-indent']

/** Known sizes of the lines in an element. */
export interface Lines {
  /** In pixels, like all others here. */
  readonly fontSize: number
  readonly lineHeight: number
  readonly letterSpacing: number
  readonly textIndent: number
  /** Minimum width, on phones as well. */
  readonly lineWidth: number
}

const isHidden = (style: Style, axis: string): boolean => /^(?:hidden|clip)$/.test(style.get(axis) ?? '')

/** Returns the extent of an element regardless of its content; infinite if it grows. */
function fixedExtent(style: Style, extent: string, fontSize: number): number {
  if (style.has(`min-${extent}`)) return Number.POSITIVE_INFINITY
  const sizes = [extent, `max-${extent}`].flatMap((one) => sizeIn(style, one, fontSize) ?? [])
  return Math.min(...sizes)
}

const sumOf = (style: Style, properties: readonly string[], fontSize: number): number =>
  properties.reduce((sum, one) => sum + Math.max(0, sizeIn(style, one, fontSize) ?? 0), 0)

/** Returns the line width in an element within one of a known line width. */
export function lineWidthIn(style: Style, around: number, fontSize: number, kind: Kind): number {
  if (kind === 'inline' || style.size === 0) return around
  const beside = sumOf(style, ['padding-left', 'padding-right', 'margin-left', 'margin-right'], fontSize)
  return Math.max(0, Math.min(around, fixedExtent(style, 'width', fontSize)) - beside)
}

/** Width of a letter in most scripts, relative to its size. */
const letterEm = 0.6
/** Height of a line that the style leaves to the font, relative to its size. */
const lineEm = 1.2

/**
 * Returns the number of letters that an element shows for sure, if it holds nothing but lines; infinite if
 * none is clipped.
 */
export function roomIn(style: Style, lines: Lines, kind: Kind): number {
  const { fontSize, lineHeight, letterSpacing, textIndent, lineWidth } = lines
  const letter = letterEm * fontSize + Math.max(0, letterSpacing)
  const inLine = Math.max(0, lineWidth - Math.max(0, textIndent)) / letter
  const clamp = style.get('line-clamp')
  const clamped = clamp !== undefined && /\d/.test(clamp) ? Number.parseInt(clamp, 10) || 0 : null
  let room = clamped === null ? Number.POSITIVE_INFINITY : Math.max(0, clamped) * inLine
  if (kind !== 'block') return room
  const height = isHidden(style, 'overflow-y')
    ? fixedExtent(style, 'height', fontSize)
    : Number.POSITIVE_INFINITY
  if (height < Number.POSITIVE_INFINITY) {
    const line = lineHeight < Number.POSITIVE_INFINITY ? Math.max(lineHeight, fontSize) : lineEm * fontSize
    const inner = height - sumOf(style, ['padding-top', 'padding-bottom', thickBorderName], fontSize)
    room = Math.min(room, Math.max(0, Math.floor(inner / line + 0.25)) * inLine)
  }
  const isUnbroken = /nowrap|^pre$/.test(style.get(breaking) ?? '') && isHidden(style, 'overflow-x')
  return isUnbroken && fixedExtent(style, 'width', fontSize) < Number.POSITIVE_INFINITY
    ? Math.min(room, inLine)
    : room
}

/** Returns whether an element keeps the line breaks of its text. */
export const keepsBreaks = (style: Style): boolean => /^pre|break-spaces/.test(style.get(breaking) ?? '')

/** Place in a grid: the name of an area, or the lines around it; null for unknown lines. */
export type Cell = string | readonly [rows: Span, columns: Span]
type Span = readonly [start: number, end: number] | null

/** Returns the cell that a style names; null if the grid places the element, which never overlaps others. */
export function cellOf(style: Style): Cell | null {
  const area = style.get('grid-area') ?? ''
  if (/^[a-z_][\w-]*$/.test(area) && !/^auto$/.test(area)) return area
  const [rowStart = '', columnStart = '', rowEnd = '', columnEnd = ''] = area.split('/')
  const [rows, columns] = [
    placeOf(style, 'grid-row', rowStart, rowEnd),
    placeOf(style, 'grid-column', columnStart, columnEnd),
  ]
  return rows && columns ? [spanOf(rows), spanOf(columns)] : null
}

function placeOf(style: Style, axis: string, ofStart: string, ofEnd: string): [string, string] | null {
  const [first = '', last = ''] = style.get(axis)?.split('/') ?? [ofStart, ofEnd]
  const place: [string, string] = [
    (style.get(`${axis}-start`) ?? first).trim(),
    (style.get(`${axis}-end`) ?? last).trim(),
  ]
  return place.every((one) => one === '' || /^(?:auto|span\b.*)$/.test(one)) ? null : place
}

function spanOf([first, last]: readonly [string, string]): Span {
  if (!/^\d{1,4}$/.test(first)) return null
  const start = Number(first)
  if (last === '' || last === 'auto') return [start, start + 1]
  return /^\d{1,4}$/.test(last) && Number(last) > start ? [start, Number(last)] : null
}

/** Returns whether two grid cells may be the same, or overlap. */
export function areOver(one: Cell, other: Cell): boolean {
  if (typeof one === 'string' || typeof other === 'string')
    return typeof one !== typeof other || one === other
  return [0, 1].every((axis) => {
    const [a, b] = [one[axis as 0 | 1], other[axis as 0 | 1]]
    return !a || !b || (a[0] < b[1] && b[0] < a[1])
  })
}
