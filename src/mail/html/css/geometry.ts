import { own } from '../../../protocol/own'
import { lengthOf, ratioOf, viewport } from './lengths'
import { wordsOf } from './syntax'

/** Values set for an element, by property. */
export type Style = ReadonlyMap<string, string>

/** Layout of an element: `inline` text and parts of a table cell have no extent to set. */
export type Kind = 'inline' | 'cell' | 'block'

/** Sizes of an element's text, in pixels. */
interface TextSizes {
  readonly fontSize: number
  readonly lineHeight: number
  readonly textIndent: number
}

/** Smallest extent, in pixels, that fits a letter. */
export const minExtent = 2
/** Pixels to the left of the page, or above it, where nothing is visible. */
export const far = 900
/** Pixels to the right of the page, or below it, where no reader scrolls. */
export const veryFar = 3_000

/** Effects of properties on an element: they move it, clip it, scale it, or give it an extent. */
const [MOVING, CLIPPING, SCALING, EXTENT] = [1, 2, 4, 8]
const transformEffects: ReadonlyMap<string, number> = new Map(
  (
    [
      ['position', MOVING | CLIPPING],
      ['margin-top margin-right margin-left padding-top padding-right padding-left word-spacing', MOVING],
      ['max-height overflow-x overflow-y contain container-type content-visibility aspect-ratio', CLIPPING],
      ['table-layout clip clip-path border-shape corner-shape column-height flex-basis', CLIPPING],
      ['zoom scale rotate translate transform offset-path', SCALING],
      ['width height min-width min-height max-width line-height', EXTENT],
    ] as const
  ).flatMap(([names, effect]) => names.split(' ').map((name) => [name, effect] as const)),
)

/** Returns whether a length neither moves an element nor fills a page. */
const isShort = (value: string): boolean =>
  value === '0' || value === 'auto' || (value.length < 6 && value.endsWith('px') && !value.startsWith('-'))

function effectsOf(style: Style): number {
  let effects = 0
  for (const [property, value] of style) {
    const effect = transformEffects.get(property)
    if (effect === undefined) continue
    if (effect === EXTENT) effects |= isShort(value) ? EXTENT : EXTENT | MOVING
    else if (effect !== MOVING || !isShort(value)) effects |= effect
  }
  return effects
}

/** Returns whether styles remove the space of an element, or put it outside the page. */
export function isShrunk(style: Style, look: TextSizes, kind: Kind, isCutAround: boolean): boolean {
  const effects = effectsOf(style)
  if (effects & MOVING && isMoved(style, look, kind)) return true
  if ((effects & CLIPPING || (isCutAround && effects & EXTENT)) && isClipped(style, look, kind, isCutAround))
    return true
  return (effects & SCALING) !== 0 && isScaled(style, look, kind)
}

const pushing = ['margin-top', 'margin-right', 'margin-left', 'padding-top', 'padding-right', 'padding-left']
const vast = ['width', 'min-width', 'height', 'min-height']

function isMoved(style: Style, { fontSize }: TextSizes, kind: Kind): boolean {
  const at = (property: string, whole: number) =>
    lengthOf(style.get(property) ?? 'auto', { em: fontSize, whole }) ?? 0
  const isOff = (offset: number, whole: number) => offset <= -Math.min(far, whole) || offset >= veryFar
  const isPlaced = /absolute|fixed|relative|sticky/.test(style.get('position') ?? '')
  const sides = [...(['left', 'right'] as const), ...(['top', 'bottom'] as const)]
  if (isPlaced && sides.some((side, index) => isOff(at(side, whole(index)), whole(index)))) return true
  if (at('margin-left', 0) <= -far || (at('margin-top', 0) <= -far && kind !== 'inline')) return true
  if (at('word-spacing', 0) <= -far) return true
  // In a box this wide or high, content at its end is off the page.
  if (vast.some((extent) => at(extent, 0) >= 2 * veryFar)) return true
  return pushing.some((side) => at(side, viewport.width) >= veryFar)
}

const whole = (index: number): number => (index < 2 ? viewport.width : viewport.height)
const isCut = (overflow: string | undefined): boolean => overflow !== undefined && overflow !== 'visible'

/** Returns whether styles clip the overflow of an element. */
export const cutsOff = (style: Style): boolean =>
  isCut(style.get('overflow-y')) || isCut(style.get('overflow-x')) || isPaintedWithin(style)

const isPaintedWithin = (style: Style): boolean =>
  /paint|strict|content/.test(style.get('contain') ?? '') || style.get('content-visibility') === 'auto'

function isClipped(style: Style, look: TextSizes, kind: Kind, isCutAround: boolean): boolean {
  const isOut = /absolute|fixed/.test(style.get('position') ?? '')
  if (isOut && isEmptyRectangle(style.get('clip') ?? '')) return true
  if (!showsThrough(style.get('clip-path') ?? 'none')) return true
  if (kind === 'inline') return false
  if (cutsOff(style) && !showsThrough(style.get('border-shape') ?? 'none')) return true
  // Concave corners may meet.
  if (cutsOff(style) && /scoop|notch|\(/.test(style.get('corner-shape') ?? '')) return true
  // Browsers show such an element without `overflow`, but this style is only written to hide.
  if (lengthOf(style.get('max-height') ?? 'none', { em: 1 }) === 0) return true
  if (
    style.get('table-layout') === 'fixed' &&
    (lengthOf(style.get('width') ?? '', { em: 1 }) ?? 9) <= minExtent
  )
    return true
  // Content clipped along one axis is clipped along the other as well.
  const isWithin =
    isPaintedWithin(style) || cutBoth.test(`${style.get('overflow-x')} ${style.get('overflow-y')}`)
  const isCutY = isWithin || isCutAround || isCut(style.get('overflow-y'))
  const isCutX = isWithin || isCut(style.get('overflow-x'))
  if ((isCutX || isCutY) && hasNoSize(style)) return true
  return (
    (isCutY && isFlat(style, look, kind, 'height', style.get('padding-bottom'))) ||
    (isCutX && isFlat(style, look, kind, 'width', style.get('padding-right')))
  )
}

/** Returns whether the size of an element does not depend on its content. */
function hasNoSize(style: Style): boolean {
  const ratio = style.get('aspect-ratio') ?? 'auto'
  const [width = 1, height = 1] = ratio.match(/[\d.]+/g)?.map(Number) ?? []
  return (
    /size|strict/.test(style.get('contain') ?? '') ||
    /size/.test(style.get('container-type') ?? '') ||
    ratio.includes('(') ||
    width / height > maxRatio
  )
}

const cutBoth = /hidden|auto|scroll|overlay/
const maxRatio = 30

/** Returns whether an extent of a clipped box is next to nothing. */
function isFlat(
  style: Style,
  { fontSize, lineHeight, textIndent }: TextSizes,
  kind: Kind,
  extent: 'height' | 'width',
  padding: string | undefined,
): boolean {
  const sizeOf = (property: string) => lengthOf(style.get(property) ?? '', { em: fontSize })
  const own = kind === 'cell' ? [] : [extent, 'flex-basis', ...(extent === 'height' ? ['column-height'] : [])]
  const sizes = [`max-${extent}`, ...own].map(sizeOf).filter((size) => size !== null)
  const isFilled = (lengthOf(padding ?? '0', { em: fontSize, whole: viewport.width }) ?? 0) > minExtent
  const isHeld = (sizeOf(`min-${extent}`) ?? 0) > minExtent
  if (sizes.some((size) => size <= minExtent) && !isFilled && !isHeld) return true
  if (extent === 'width') return textIndent >= viewport.width
  return (
    kind === 'block' && lineHeight <= minExtent && style.get('height') === undefined && !isFilled && !isHeld
  )
}

/** Few boxes are large enough to keep a visible part. */
const maxClipped = 300

/** Returns whether `rect(…)` is empty: top, right, bottom, left. */
function isEmptyRectangle(clip: string): boolean {
  const [top, right, bottom, left] = (
    /^rect\(([^()]*)\)$/
      .exec(clip)?.[1]
      ?.trim()
      .split(/[\s,]+/) ?? []
  ).map((side) => lengthOf(side, { em: 16 })) as (number | null | undefined)[]
  const isThin = (from?: number | null, to?: number | null) =>
    (typeof to === 'number' && to - (from ?? 0) <= minExtent) || (from ?? 0) >= maxClipped
  return isThin(top, bottom) || isThin(left, right)
}

/** Returns whether a path leaves part of an element visible; false for a path that is not understood. */
function showsThrough(path: string): boolean {
  if (/^(?:none|auto|(?:(?:margin|border|padding|content|fill|stroke|view)-box ?)+)$/.test(path)) return true
  const [, shape, written = ''] = /^(inset|circle|ellipse|polygon|rect|xywh)\(([^()]*)\)/.exec(path) ?? []
  if (!shape) return false
  const numbers = (text: string) =>
    text
      .trim()
      .split(/[\s,]+/)
      .map((part) => {
        const number = lengthOf(own(corners, part) ?? part, { em: 16, whole: 100 }) ?? Number.NaN
        return part.endsWith('%') && number > 100 ? number + far : number
      })
  if (shape === 'inset') {
    const sides = numbers(written.split('round')[0]!)
    const [top = 0, right = top, bottom = top, left = right] = sides
    return sides.length <= 4 && top + bottom < 98 && left + right < 98
  }
  if (shape === 'circle' || shape === 'ellipse') {
    const [radii = '', center = '50% 50%'] = written.split(/\bat\b/)
    const sizes = /^\s*(?:(?:closest|farthest)-\w+\s*)*$/.test(radii) ? [100] : numbers(radii)
    return (
      sizes.length <= (shape === 'circle' ? 1 : 2) &&
      sizes.every((radius) => radius > minExtent) &&
      numbers(center).every((one) => one >= 0 && one <= far)
    )
  }
  if (shape === 'rect') return !isEmptyRectangle(`rect(${written})`)
  if (shape === 'xywh') {
    const [x = 0, y = 0, width = 0, height = 0] = numbers(written.split('round')[0]!)
    return x > -width && y > -height && Math.max(x, y) <= far && Math.min(width, height) > minExtent
  }
  const points = written
    .replace(/^\s*(?:evenodd|nonzero)\s*,/, '')
    .split(',')
    .map(numbers)
  const isWide = (axis: 0 | 1) => {
    const all = points.map((point) => point[axis] ?? Number.NaN)
    const [least, most] = [Math.min(...all), Math.max(...all)]
    return most - least > minExtent && most > minExtent && least < far
  }
  return isWide(0) && isWide(1)
}

const corners: Readonly<Record<string, string>> = {
  left: '0%',
  top: '0%',
  center: '50%',
  right: '100%',
  bottom: '100%',
}

const minScale = 0.1

/** Known functions of a `transform`. */
const moves = /^(?:scale|translate|rotate|skew|matrix)(?:x|y|z|3d)?$/
const maxZoom = 20

function isScaled(style: Style, { fontSize }: TextSizes, kind: Kind): boolean {
  const zoom = ratioOf(style.get('zoom') ?? '') ?? 0
  if (zoom > 0 && (zoom < minScale || zoom > maxZoom)) return true
  if (kind === 'inline') return false
  if (!/^(?:auto|none|normal)?$/.test(style.get('offset-path') ?? '')) return true
  const transform = style.get('transform') ?? 'none'
  const [scale, rotate] = [style.get('scale'), style.get('rotate')]
  const isTurned = transform !== 'none' || (rotate ?? scale ?? 'none') !== 'none'
  if (isTurned && style.get('backface-visibility') === 'hidden') return true
  if (scale && scale !== 'none' && scale.split(/\s+/).slice(0, 2).some(isTiny)) return true
  if (rotate?.includes('(') || isQuarterTurn(/^\s*(?:x|y|1 0 0|0 1 0)\s+(.*)$/.exec(rotate ?? '')?.[1] ?? ''))
    return true
  if (/^[\d.\s-]+\s/.test(rotate ?? '') && !/^0 0 \d/.test(rotate ?? '')) return true
  const isStill = !style.has('left') && !style.has('top') && !style.has('right') && !style.has('bottom')
  const isAway = (written: string | undefined, whole: number): boolean => {
    const offset = lengthOf(written?.trim() ?? '', { em: fontSize })
    if (offset !== null) return Math.abs(offset) >= (offset < 0 ? far : veryFar)
    const part = isStill ? lengthOf(written?.trim() ?? '', { em: fontSize, whole }) : null
    return part !== null && (part <= -whole || part >= 5 * whole)
  }
  const translated = wordsOf(style.get('translate') ?? '')
  if (translated.some((part, at) => at < 2 && (part === unread || isAway(part, whole(2 * at))))) return true
  let rest = transform
  for (const [all, name = '', written = ''] of transform.matchAll(transformPattern)) {
    rest = rest.replace(all, '')
    const parts = written.trim().split(/\s*,\s*|\s+(?![^(]*\))/)
    if (!moves.test(name) || name === 'matrix3d' || name === 'rotate3d') return true
    if (/^scale(?:x|y|3d)?$/.test(name) && parts.slice(0, 2).some(isTiny)) return true
    if (name === 'matrix' && (isFlatMatrix(parts) || parts.slice(4).some((part) => isAway(`${part}px`, 1))))
      return true
    if (/^(?:rotate|skew)[xy]?$/.test(name) && parts.some((part) => part.includes('('))) return true
    if (/^rotate[xy]$/.test(name) && isQuarterTurn(written)) return true
    if (/^skew[xy]?$/.test(name) && parts.some(isQuarterTurn)) return true
    if (/^translate(?:x|3d)?$/.test(name) && isAway(parts[0], whole(0))) return true
    if (/^translate(?:3d)?$/.test(name) && isAway(parts[1], whole(2))) return true
    if (name === 'translatey' && isAway(parts[0], whole(2))) return true
  }
  return rest.includes('(')
}

const unread = '?'
const transformPattern = /(?<![a-z\d])([a-z\d]+)\(((?:[^()]|\((?:[^()]|\([^()]*\))*\)){0,200})\)/g

const isTiny = (written: string): boolean => {
  const ratio = ratioOf(written.trim())
  return ratio === null ? written.includes('(') : Math.abs(ratio) < minScale
}

/** Returns whether `matrix(a, b, c, d, …)` flattens an element: its area is near zero. */
const isFlatMatrix = (parts: readonly string[]): boolean => {
  const [a = 1, b = 0, c = 0, d = 1] = parts.map(Number)
  return Math.abs(a * d - b * c) < minScale * minScale
}

function isQuarterTurn(angle: string): boolean {
  const [, number = '', unit = ''] = /^\s*(-?[\d.]+)(deg|turn|rad|grad)\s*$/.exec(angle) ?? []
  const degrees = Number(number) * ({ deg: 1, turn: 360, rad: 180 / Math.PI, grad: 0.9 }[unit] ?? 0)
  return number !== '' && Math.abs(Math.cos((degrees * Math.PI) / 180)) < 0.05
}
