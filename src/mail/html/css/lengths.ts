import { own } from '../../../protocol/own'

/** Size of the layout in pixels: a desktop window. */
export const viewport = { width: 1_000, height: 800 }

const rootSize = 16
const units: Record<string, number> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 9.6 / 2.54,
  q: 2.4 / 2.54,
  rem: rootSize,
  rex: rootSize / 2,
  rch: rootSize / 2,
  rcap: rootSize * 0.7,
  ric: rootSize,
  rlh: rootSize * 1.2,
}
const ofLetters: Record<string, number> = { em: 1, ex: 0.5, ch: 0.5, cap: 0.7, ic: 1, lh: 1.2 }
/** Parts of the window, or of a container, which is assumed to be as large. */
const ofWindow = /^(?:[sld]?v|cq)(w|h|i|b|min|max)$/
const numberPattern = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?)(%|[a-z]{0,5})$/
const math = /^(?:-webkit-)?(?:calc|min|max|clamp)\(/
const knownMath = /^(?:(?:-webkit-)?(?:calc|min|max|clamp))?\($/
const maxMath = 200

/** Base values of relative lengths, in pixels. */
interface LengthBase {
  em: number
  /** Pixels of 100 %; without it, percentages are no length. */
  whole?: number | undefined
}

/** Reads a length in pixels; null if invalid. A number without a unit is a length only if it is zero. */
export function lengthOf(text: string, base: LengthBase): number | null {
  if (math.test(text)) return text.length > maxMath ? null : mathOf(text, base, true)
  const match = numberPattern.exec(text)
  return match && inPixels(Number(match[1]), match[2]!, base)
}

function inPixels(number: number, unit: string, { em, whole }: LengthBase): number | null {
  if (unit === '') return number === 0 ? 0 : null
  if (unit === '%') return whole === undefined ? null : (number * whole) / 100
  const factor = own(units, unit) ?? own(ofLetters, unit)
  if (factor !== undefined) return number * factor * (Object.hasOwn(units, unit) ? 1 : em)
  const part = ofWindow.exec(unit)?.[1]
  return part ? (number * (/^(?:w|i|max)$/.test(part) ? viewport.width : viewport.height)) / 100 : null
}

/** A number and its dimension: how many lengths were multiplied for it. */
type Quantity = readonly [number: number, lengths: number]
const nothing: Quantity = [Number.NaN, 0]

/**
 * Computes `calc()`, `min()`, `max()` and `clamp()`. Null if not understood, or if the result is not the
 * wanted kind (length or number), which browsers drop.
 */
function mathOf(text: string, base: LengthBase, isLength: boolean): number | null {
  const tokens =
    text.match(/[a-z-]*\(|[()*/,]|[+-](?=\s)|[+-]?[\d.]+(?:e[+-]?\d{1,3})?(?:%|[a-z]*)|\S/g) ?? []
  let at = 0
  let depth = 0
  const value = (): Quantity => {
    const token = tokens[at++] ?? ''
    if (!token.endsWith('(')) {
      const match = numberPattern.exec(token)
      if (!match) return nothing
      if (match[2] === '') return [Number(match[1]), 0]
      // A percentage of a number is a number.
      return [inPixels(Number(match[1]), match[2]!, base) ?? Number.NaN, isLength ? 1 : 0]
    }
    if (++depth > 8 || !knownMath.test(token)) return nothing
    const all = [sum()]
    while (tokens[at] === ',') {
      at++
      all.push(sum())
    }
    at++
    depth--
    const numbers = all.map(([number]) => number)
    const [first] = all as [Quantity]
    if (all.some(([, lengths]) => lengths !== first[1])) return nothing
    if (token === 'min(') return [Math.min(...numbers), first[1]]
    if (token === 'max(') return [Math.max(...numbers), first[1]]
    return token === 'clamp(' ? [Math.max(numbers[0]!, Math.min(numbers[1]!, numbers[2]!)), first[1]] : first
  }
  const product = (): Quantity => {
    let [result, lengths] = value()
    while (tokens[at] === '*' || tokens[at] === '/') {
      const isTimes = tokens[at++] === '*'
      const [other, more] = value()
      result = isTimes ? result * other : result / other
      lengths += isTimes ? more : -more
    }
    return [result, lengths]
  }
  const sum = (): Quantity => {
    let [result, lengths] = product()
    while (tokens[at] === '+' || tokens[at] === '-') {
      const isPlus = tokens[at++] === '+'
      const [other, others] = product()
      result = others !== lengths ? Number.NaN : isPlus ? result + other : result - other
    }
    return [result, lengths]
  }
  const [result, lengths] = value()
  return Number.isFinite(result) && at >= tokens.length && lengths === (isLength ? 1 : 0) ? result : null
}

/** Reads a number, or a percentage as a fraction; null for other texts. */
export function ratioOf(text: string): number | null {
  const match = numberPattern.exec(text)
  if (match && match[2] === '') return Number(match[1])
  if (match && match[2] === '%') return Number(match[1]) / 100
  if (!math.test(text) || text.length > maxMath) return null
  return mathOf(text, { em: 0, whole: 1 }, false)
}
