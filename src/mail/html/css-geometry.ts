import { lengthOf, ratioOf, VIEWPORT } from './css-values'

/** The values that are set for an element, by property. */
export type Style = ReadonlyMap<string, string>

/** The layout of an element: the extent of `inline` text and of parts of a table cannot be set. */
export type Kind = 'inline' | 'cell' | 'block'

/** The sizes of an element's text, in pixels. */
interface TextSizes {
  readonly fontSize: number
  readonly lineHeight: number
  readonly textIndent: number
}

/** The smallest extent, in pixels, that a letter fits into. */
export const MIN_EXTENT = 2
/** This many pixels to the left of the page, or above it, nothing is seen. */
export const FAR = 900
/** This many pixels to the right of the page, or below it, no reader scrolls. */
export const VERY_FAR = 3_000

/** Properties without which nothing is shrunk. */
const SHRINKING = new Set(
  'position margin-left margin-top clip clip-path max-height overflow-x overflow-y zoom scale rotate translate transform'.split(
    ' ',
  ),
)

function hasAny(style: Style, properties: ReadonlySet<string>): boolean {
  for (const property of style.keys()) if (properties.has(property)) return true
  return false
}

/** Tells whether styles take the room from an element, or put it outside of the page. */
export function isShrunk(style: Style, look: TextSizes, kind: Kind): boolean {
  if (!hasAny(style, SHRINKING)) return false
  return isMoved(style, look, kind) || isClipped(style, look, kind) || isScaled(style, look, kind)
}

function isMoved(style: Style, { fontSize }: TextSizes, kind: Kind): boolean {
  const at = (property: string, whole: number) =>
    lengthOf(style.get(property) ?? 'auto', { em: fontSize, whole }) ?? 0
  const isOff = (offset: number, whole: number) => offset <= -Math.min(FAR, whole) || offset >= VERY_FAR
  const isPlaced = /absolute|fixed|relative|sticky/.test(style.get('position') ?? '')
  const sides = [...(['left', 'right'] as const), ...(['top', 'bottom'] as const)]
  if (isPlaced && sides.some((side, index) => isOff(at(side, whole(index)), whole(index)))) return true
  if (at('margin-left', 0) <= -FAR || (at('margin-top', 0) <= -FAR && kind !== 'inline')) return true
  return false
}

const whole = (index: number): number => (index < 2 ? VIEWPORT.width : VIEWPORT.height)
const isCut = (overflow: string | undefined): boolean => overflow !== undefined && overflow !== 'visible'

function isClipped(style: Style, look: TextSizes, kind: Kind): boolean {
  const isOut = /absolute|fixed/.test(style.get('position') ?? '')
  if (isOut && isEmptyRectangle(style.get('clip') ?? '')) return true
  if (isEmptyPath(style.get('clip-path') ?? '')) return true
  if (kind === 'inline') return false
  // Without `overflow` a browser shows it all the same; nobody writes it but to hide.
  if (lengthOf(style.get('max-height') ?? 'none', { em: 1 }) === 0) return true
  return (
    isFlat(style, look, kind, 'height', style.get('overflow-y'), style.get('padding-bottom')) ||
    isFlat(style, look, kind, 'width', style.get('overflow-x'), style.get('padding-right'))
  )
}

/** Tells whether an extent of a box is next to nothing, and what does not fit is cut off. */
function isFlat(
  style: Style,
  { fontSize, lineHeight, textIndent }: TextSizes,
  kind: Kind,
  extent: 'height' | 'width',
  overflow: string | undefined,
  padding: string | undefined,
): boolean {
  if (!isCut(overflow)) return false
  const sizes = [style.get(`max-${extent}`), kind === 'cell' ? undefined : style.get(extent)]
    .map((written) => written && lengthOf(written, { em: fontSize }))
    .filter((size) => typeof size === 'number')
  const isFilled = (lengthOf(padding ?? '0', { em: fontSize, whole: VIEWPORT.width }) ?? 0) > MIN_EXTENT
  if (sizes.some((size) => size <= MIN_EXTENT) && !isFilled) return true
  if (extent === 'width') return textIndent >= VIEWPORT.width
  return kind === 'block' && lineHeight <= MIN_EXTENT && style.get('height') === undefined
}

/** `rect(…)`: top, right, bottom, left. */
function isEmptyRectangle(clip: string): boolean {
  const [top, right, bottom, left] = (
    /^rect\(([^()]*)\)$/
      .exec(clip)?.[1]
      ?.trim()
      .split(/[\s,]+/) ?? []
  ).map((side) => lengthOf(side, { em: 16 })) as (number | null | undefined)[]
  const isThin = (from?: number | null, to?: number | null) =>
    typeof to === 'number' && to - (from ?? 0) <= MIN_EXTENT
  return isThin(top, bottom) || isThin(left, right)
}

function isEmptyPath(path: string): boolean {
  const [, shape, written = ''] = /^(inset|circle|ellipse|polygon|rect|xywh)\(([^()]*)\)/.exec(path) ?? []
  if (!shape) return false
  const numbers = (text: string) =>
    text
      .trim()
      .split(/[\s,]+/)
      .map((part) => lengthOf(part, { em: 16, whole: 100 }) ?? Number.NaN)
  if (shape === 'inset') {
    const [top = 0, right = top, bottom = top, left = right] = numbers(written.split('round')[0]!)
    return top + bottom >= 98 || left + right >= 98
  }
  if (shape === 'circle' || shape === 'ellipse')
    return numbers(written.split('at')[0]!).some((radius) => radius <= MIN_EXTENT)
  if (shape === 'rect') return isEmptyRectangle(`rect(${written})`)
  if (shape === 'xywh')
    return numbers(written)
      .slice(2, 4)
      .some((extent) => extent <= MIN_EXTENT)
  const points = written
    .replace(/^\s*(?:evenodd|nonzero)\s*,/, '')
    .split(',')
    .map(numbers)
  const spread = (axis: 0 | 1) => {
    const all = points.map((point) => point[axis] ?? Number.NaN)
    return Math.max(...all) - Math.min(...all)
  }
  return spread(0) <= MIN_EXTENT || spread(1) <= MIN_EXTENT
}

const MIN_SCALE = 0.1

function isScaled(style: Style, { fontSize }: TextSizes, kind: Kind): boolean {
  const zoom = ratioOf(style.get('zoom') ?? '') ?? 0
  if (zoom > 0 && zoom < MIN_SCALE) return true
  if (kind === 'inline') return false
  const scale = style.get('scale')
  if (scale && scale !== 'none' && scale.split(/\s+/).slice(0, 2).some(isTiny)) return true
  if (isQuarterTurn(/^\s*(?:x|y|1 0 0|0 1 0)\s+(.*)$/.exec(style.get('rotate') ?? '')?.[1] ?? '')) return true
  const isStill = !style.has('left') && !style.has('top') && !style.has('right') && !style.has('bottom')
  const isAway = (written: string | undefined, whole: number): boolean => {
    const offset = lengthOf(written?.trim() ?? '', { em: fontSize })
    if (offset !== null) return Math.abs(offset) >= (offset < 0 ? FAR : VERY_FAR)
    const part = isStill ? lengthOf(written?.trim() ?? '', { em: fontSize, whole }) : null
    return part !== null && (part <= -whole || part >= 5 * whole)
  }
  const translated = style.get('translate')?.split(/\s+/) ?? []
  if (translated.some((part, at) => at < 2 && isAway(part, whole(2 * at)))) return true
  for (const [, name = '', written = ''] of (style.get('transform') ?? '').matchAll(
    /([a-z\d]+)\(([^()]{0,200})\)/g,
  )) {
    const parts = written.trim().split(/\s*,\s*|\s+/)
    if (/^scale(?:x|y|3d)?$/.test(name) && parts.slice(0, 2).some(isTiny)) return true
    if (name === 'matrix' && (isFlatMatrix(parts) || parts.slice(4).some((part) => isAway(`${part}px`, 1))))
      return true
    if (/^rotate[xy]$/.test(name) && isQuarterTurn(written)) return true
    if (/^translate(?:x|3d)?$/.test(name) && isAway(parts[0], whole(0))) return true
    if (/^translate(?:3d)?$/.test(name) && isAway(parts[1], whole(2))) return true
    if (name === 'translatey' && isAway(parts[0], whole(2))) return true
  }
  return false
}

const isTiny = (written: string): boolean => Math.abs(ratioOf(written.trim()) ?? 1) < MIN_SCALE

/** `matrix(a, b, c, d, …)` makes an area of what it is put to, or a line. */
const isFlatMatrix = (parts: readonly string[]): boolean => {
  const [a = 1, b = 0, c = 0, d = 1] = parts.map(Number)
  return Math.abs(a * d - b * c) < MIN_SCALE * MIN_SCALE
}

function isQuarterTurn(angle: string): boolean {
  const [, number = '', unit = ''] = /^\s*(-?[\d.]+)(deg|turn|rad|grad)\s*$/.exec(angle) ?? []
  const degrees = Number(number) * ({ deg: 1, turn: 360, rad: 180 / Math.PI, grad: 0.9 }[unit] ?? 0)
  return number !== '' && Math.abs(Math.cos((degrees * Math.PI) / 180)) < 0.05
}
