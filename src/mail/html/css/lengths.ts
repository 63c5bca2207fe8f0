import { own } from '../../../protocol/own'

/** Size of the layout in pixels: a desktop window. */
export const VIEWPORT = { width: 1_000, height: 800 }

const ROOT_SIZE = 16
const UNITS: Record<string, number> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 9.6 / 2.54,
  q: 2.4 / 2.54,
  rem: ROOT_SIZE,
  rex: ROOT_SIZE / 2,
  rch: ROOT_SIZE / 2,
  rcap: ROOT_SIZE * 0.7,
  ric: ROOT_SIZE,
  rlh: ROOT_SIZE * 1.2,
}
const OF_LETTERS: Record<string, number> = { em: 1, ex: 0.5, ch: 0.5, cap: 0.7, ic: 1, lh: 1.2 }
/** Parts of the window, or of a container, which is assumed to be as large. */
const OF_WINDOW = /^(?:[sld]?v|cq)(w|h|i|b|min|max)$/
const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?)(%|[a-z]{0,5})$/
const MATH = /^(?:-webkit-)?(?:calc|min|max|clamp)\(/
const KNOWN_MATH = /^(?:(?:-webkit-)?(?:calc|min|max|clamp))?\($/
const MAX_MATH = 200

/** Base values of relative lengths, in pixels. */
interface LengthBase {
  em: number
  /** Pixels of 100 %; without it, percentages are no length. */
  whole?: number | undefined
}

/** Reads a length in pixels; null if invalid. A number without a unit is a length only if it is zero. */
export function lengthOf(text: string, base: LengthBase): number | null {
  if (MATH.test(text)) return text.length > MAX_MATH ? null : mathOf(text, base, true)
  const match = NUMBER.exec(text)
  return match && inPixels(Number(match[1]), match[2]!, base)
}

function inPixels(number: number, unit: string, { em, whole }: LengthBase): number | null {
  if (unit === '') return number === 0 ? 0 : null
  if (unit === '%') return whole === undefined ? null : (number * whole) / 100
  const factor = own(UNITS, unit) ?? own(OF_LETTERS, unit)
  if (factor !== undefined) return number * factor * (Object.hasOwn(UNITS, unit) ? 1 : em)
  const part = OF_WINDOW.exec(unit)?.[1]
  return part ? (number * (/^(?:w|i|max)$/.test(part) ? VIEWPORT.width : VIEWPORT.height)) / 100 : null
}

/** A number and its dimension: how many lengths were multiplied for it. */
type Quantity = readonly [number: number, lengths: number]
const NOTHING: Quantity = [Number.NaN, 0]

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
      const match = NUMBER.exec(token)
      if (!match) return NOTHING
      if (match[2] === '') return [Number(match[1]), 0]
      // A percentage of a number is a number.
      return [inPixels(Number(match[1]), match[2]!, base) ?? Number.NaN, isLength ? 1 : 0]
    }
    if (++depth > 8 || !KNOWN_MATH.test(token)) return NOTHING
    const all = [sum()]
    while (tokens[at] === ',') {
      at++
      all.push(sum())
    }
    at++
    depth--
    const numbers = all.map(([number]) => number)
    const [first] = all as [Quantity]
    if (all.some(([, lengths]) => lengths !== first[1])) return NOTHING
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
  const match = NUMBER.exec(text)
  if (match && match[2] === '') return Number(match[1])
  if (match && match[2] === '%') return Number(match[1]) / 100
  if (!MATH.test(text) || text.length > MAX_MATH) return null
  return mathOf(text, { em: 0, whole: 1 }, false)
}
