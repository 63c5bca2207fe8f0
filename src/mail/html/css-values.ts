/** A colour with its opacity: 0 to 255 each, and 0 to 1. */
export interface Color {
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly alpha: number
}

export const BLACK: Color = { red: 0, green: 0, blue: 0, alpha: 1 }
export const WHITE: Color = { red: 255, green: 255, blue: 255, alpha: 1 }
const CLEAR: Color = { ...BLACK, alpha: 0 }

/** The size that a page is laid out for, in pixels: a window on a desk. */
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
  vw: VIEWPORT.width / 100,
  vh: VIEWPORT.height / 100,
  vmin: VIEWPORT.height / 100,
  vmax: VIEWPORT.width / 100,
}
const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?)(%|[a-z]{0,4})$/
const MATH = /^(?:-webkit-)?(?:calc|min|max|clamp)\(/
const MAX_MATH = 200

/** The lengths that relative lengths are parts of, in pixels. */
interface LengthBase {
  em: number
  /** Pixels that 100 % are; without it percentages are no length. */
  whole?: number | undefined
}

/** Reads a length, in pixels; null where it is none. A number without a unit is one only where it is zero. */
export function lengthOf(text: string, base: LengthBase): number | null {
  if (MATH.test(text)) return text.length > MAX_MATH ? null : mathOf(text, base)
  const match = NUMBER.exec(text)
  return match && inPixels(Number(match[1]), match[2]!, base)
}

function inPixels(number: number, unit: string, { em, whole }: LengthBase): number | null {
  if (number === 0 && unit !== '%')
    return unit === '' || unit in UNITS || /^(?:em|ex|ch)$/.test(unit) ? 0 : null
  if (unit === '%') return whole === undefined ? null : (number * whole) / 100
  if (unit === 'em') return number * em
  if (unit === 'ex' || unit === 'ch') return (number * em) / 2
  const factor = UNITS[unit]
  return factor === undefined ? null : number * factor
}

/** `calc()`, `min()`, `max()` and `clamp()`; null where it is not understood. */
function mathOf(text: string, base: LengthBase): number | null {
  const tokens =
    text.match(/[a-z-]*\(|[()*/,]|[+-](?=\s)|[+-]?[\d.]+(?:e[+-]?\d{1,3})?(?:%|[a-z]*)|\S/g) ?? []
  let at = 0
  let depth = 0
  const value = (): number => {
    const token = tokens[at++] ?? ''
    if (!token.endsWith('(')) {
      const match = NUMBER.exec(token)
      const number =
        match && (match[2] === '' ? Number(match[1]) : inPixels(Number(match[1]), match[2]!, base))
      return number ?? Number.NaN
    }
    if (++depth > 8) return Number.NaN
    const all = [sum()]
    while (tokens[at] === ',') {
      at++
      all.push(sum())
    }
    at++
    depth--
    if (token === 'min(') return Math.min(...all)
    if (token === 'max(') return Math.max(...all)
    return token === 'clamp(' ? Math.max(all[0]!, Math.min(all[1]!, all[2]!)) : all[0]!
  }
  const product = (): number => {
    let result = value()
    while (tokens[at] === '*' || tokens[at] === '/')
      result = tokens[at++] === '*' ? result * value() : result / value()
    return result
  }
  const sum = (): number => {
    let result = product()
    while (tokens[at] === '+' || tokens[at] === '-')
      result = tokens[at++] === '+' ? result + product() : result - product()
    return result
  }
  const result = value()
  return Number.isFinite(result) && at >= tokens.length ? result : null
}

/** Reads a number, or a percentage as a part of one; null where it is neither. */
export function ratioOf(text: string): number | null {
  const match = NUMBER.exec(text)
  if (match && match[2] === '') return Number(match[1])
  if (match && match[2] === '%') return Number(match[1]) / 100
  if (!MATH.test(text) || text.length > MAX_MATH) return null
  return mathOf(text, { em: 0, whole: 1 })
}

// CSS Color 4 §6.1.
const NAMED = new Map(
  (
    'aliceblue:f0f8ff antiquewhite:faebd7 aqua:0ff aquamarine:7fffd4 azure:f0ffff beige:f5f5dc bisque:ffe4c4 ' +
    'black:000 blanchedalmond:ffebcd blue:00f blueviolet:8a2be2 brown:a52a2a burlywood:deb887 cadetblue:5f9ea0 ' +
    'chartreuse:7fff00 chocolate:d2691e coral:ff7f50 cornflowerblue:6495ed cornsilk:fff8dc crimson:dc143c cyan:0ff ' +
    'darkblue:00008b darkcyan:008b8b darkgoldenrod:b8860b darkgray:a9a9a9 darkgreen:006400 darkgrey:a9a9a9 ' +
    'darkkhaki:bdb76b darkmagenta:8b008b darkolivegreen:556b2f darkorange:ff8c00 darkorchid:9932cc darkred:8b0000 ' +
    'darksalmon:e9967a darkseagreen:8fbc8f darkslateblue:483d8b darkslategray:2f4f4f darkslategrey:2f4f4f ' +
    'darkturquoise:00ced1 darkviolet:9400d3 deeppink:ff1493 deepskyblue:00bfff dimgray:696969 dimgrey:696969 ' +
    'dodgerblue:1e90ff firebrick:b22222 floralwhite:fffaf0 forestgreen:228b22 fuchsia:f0f gainsboro:dcdcdc ' +
    'ghostwhite:f8f8ff gold:ffd700 goldenrod:daa520 gray:808080 green:008000 greenyellow:adff2f grey:808080 ' +
    'honeydew:f0fff0 hotpink:ff69b4 indianred:cd5c5c indigo:4b0082 ivory:fffff0 khaki:f0e68c lavender:e6e6fa ' +
    'lavenderblush:fff0f5 lawngreen:7cfc00 lemonchiffon:fffacd lightblue:add8e6 lightcoral:f08080 lightcyan:e0ffff ' +
    'lightgoldenrodyellow:fafad2 lightgray:d3d3d3 lightgreen:90ee90 lightgrey:d3d3d3 lightpink:ffb6c1 ' +
    'lightsalmon:ffa07a lightseagreen:20b2aa lightskyblue:87cefa lightslategray:789 lightslategrey:789 ' +
    'lightsteelblue:b0c4de lightyellow:ffffe0 lime:0f0 limegreen:32cd32 linen:faf0e6 magenta:f0f maroon:800000 ' +
    'mediumaquamarine:66cdaa mediumblue:0000cd mediumorchid:ba55d3 mediumpurple:9370db mediumseagreen:3cb371 ' +
    'mediumslateblue:7b68ee mediumspringgreen:00fa9a mediumturquoise:48d1cc mediumvioletred:c71585 ' +
    'midnightblue:191970 mintcream:f5fffa mistyrose:ffe4e1 moccasin:ffe4b5 navajowhite:ffdead navy:000080 ' +
    'oldlace:fdf5e6 olive:808000 olivedrab:6b8e23 orange:ffa500 orangered:ff4500 orchid:da70d6 ' +
    'palegoldenrod:eee8aa palegreen:98fb98 paleturquoise:afeeee palevioletred:db7093 papayawhip:ffefd5 ' +
    'peachpuff:ffdab9 peru:cd853f pink:ffc0cb plum:dda0dd powderblue:b0e0e6 purple:800080 rebeccapurple:639 red:f00 ' +
    'rosybrown:bc8f8f royalblue:4169e1 saddlebrown:8b4513 salmon:fa8072 sandybrown:f4a460 seagreen:2e8b57 ' +
    'seashell:fff5ee sienna:a0522d silver:c0c0c0 skyblue:87ceeb slateblue:6a5acd slategray:708090 slategrey:708090 ' +
    'snow:fffafa springgreen:00ff7f steelblue:4682b4 tan:d2b48c teal:008080 thistle:d8bfd8 tomato:ff6347 ' +
    'turquoise:40e0d0 violet:ee82ee wheat:f5deb3 white:fff whitesmoke:f5f5f5 yellow:ff0 yellowgreen:9acd32 ' +
    'canvas:fff canvastext:000 window:fff windowtext:000'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)

/** Reads a colour; null where it is not understood. */
export function colorOf(text: string): Color | null {
  if (text === 'transparent') return CLEAR
  if (text.startsWith('#')) return hexColor(text.slice(1))
  const named = NAMED.get(text)
  if (named) return hexColor(named)
  const match = /^(rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(([^()]{1,100})\)$/.exec(text)
  return match && functionalColor(match[1]!, match[2]!)
}

/** Reads a colour of an attribute such as `bgcolor`, which may lack its `#`. */
export function legacyColorOf(text: string): Color | null {
  const written = text.trim().toLowerCase()
  if (written === '' || written === 'transparent') return null
  return colorOf(written) ?? hexColor(written)
}

function hexColor(hex: string): Color | null {
  if (!/^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(hex)) return null
  const full = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex
  const at = (index: number) => Number.parseInt(full.slice(index, index + 2), 16)
  return { red: at(0), green: at(2), blue: at(4), alpha: full.length === 8 ? at(6) / 255 : 1 }
}

function functionalColor(space: string, written: string): Color | null {
  const parts = written.split(/[\s,/]+/).filter((part) => part !== '')
  const numbers = space === 'color' ? parts.slice(1) : parts
  const [one, two, three] = numbers as [string?, string?, string?]
  const alpha = numbers[3] === undefined ? 1 : ratioOf(numbers[3])
  if (one === undefined || two === undefined || three === undefined || alpha === null) return null
  const opaque = componentsOf(space, parts[0]!, [one, two, three])
  return opaque && { ...opaque, alpha: Math.min(1, Math.max(0, alpha)) }
}

type Components = Omit<Color, 'alpha'>

function componentsOf(space: string, first: string, parts: [string, string, string]): Components | null {
  const gray = (part: number): Components => ({ red: 255 * part, green: 255 * part, blue: 255 * part })
  if (space === 'rgb') return rgb(parts.map((part) => byteOf(part, 255)))
  if (space === 'color')
    return first.startsWith('srgb') ? rgb(parts.map((part) => byteOf(part, 1) * 255)) : null
  if (space === 'hsl') return hsl(Number.parseFloat(parts[0]) || 0, share(parts[1]), share(parts[2]))
  if (space === 'hwb') {
    const [white, black] = [share(parts[1]), share(parts[2])]
    return white + black >= 0.999 ? gray(white / (white + black)) : null
  }
  // Of the spaces by lightness only the ends matter: they are white and black.
  const max = space.startsWith('ok') ? 1 : 100
  const light = parts[0].endsWith('%') ? Number.parseFloat(parts[0]) / 100 : Number(parts[0]) / max
  return light >= 0.98 ? gray(1) : light <= 0.02 ? gray(0) : null
}

const byteOf = (part: string, max: number): number =>
  part.endsWith('%') ? (Number.parseFloat(part) * max) / 100 : Number(part)
const share = (part: string): number => Number.parseFloat(part) / 100 || 0

function rgb([red, green, blue]: number[]): Components | null {
  const bounded = (part: number | undefined) => Math.min(255, Math.max(0, part ?? Number.NaN))
  const all = { red: bounded(red), green: bounded(green), blue: bounded(blue) }
  return Number.isNaN(all.red + all.green + all.blue) ? null : all
}

function hsl(hue: number, saturation: number, lightness: number): Components {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (shift: number) => {
    const turn = (((shift + hue / 30) % 12) + 12) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)))
  }
  return { red: channel(0), green: channel(8), blue: channel(4) }
}

/** Mixes a colour with the opaque one behind it. */
export function blended(color: Color, behind: Color): Color {
  const mixed = (one: number, other: number) => one * color.alpha + other * (1 - color.alpha)
  return {
    red: mixed(color.red, behind.red),
    green: mixed(color.green, behind.green),
    blue: mixed(color.blue, behind.blue),
    alpha: 1,
  }
}

/** Tells whether an eye cannot tell two opaque colours apart. */
export function isNear(one: Color, other: Color): boolean {
  const far = (a: number, b: number) => Math.abs(a - b) > MAX_DIFFERENCE
  if (far(one.red, other.red) || far(one.green, other.green) || far(one.blue, other.blue)) return false
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05) < MIN_CONTRAST
}

const MAX_DIFFERENCE = 24
/** The contrast below which text cannot be read; with 4.5 it is read with ease (WCAG 2.2 §1.4.3). */
const MIN_CONTRAST = 1.25

function luminanceOf({ red, green, blue }: Color): number {
  const linear = (channel: number) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}
