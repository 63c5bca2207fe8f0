import { ratioOf } from './lengths'
import { isOfOld, splitOutside, wordsOf } from './syntax'

/** A colour: channels from 0 to 255, opacity from 0 to 1. */
export interface Color {
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly alpha: number
}

export const blackColor: Color = { red: 0, green: 0, blue: 0, alpha: 1 }
export const whiteColor: Color = { red: 255, green: 255, blue: 255, alpha: 1 }
const clear: Color = { ...blackColor, alpha: 0 }

// CSS Color 4 §6.1.
const namedColors = new Map(
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
    'turquoise:40e0d0 violet:ee82ee wheat:f5deb3 white:fff whitesmoke:f5f5f5 yellow:ff0 yellowgreen:9acd32 '
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)

// Light colours of desktop browsers.
const system = new Map(
  (
    'accentcolor:0075ff accentcolortext:fff activetext:f00 buttonborder:000 buttonface:efefef buttontext:000 canvas:fff ' +
    'canvastext:000 field:fff fieldtext:000 graytext:808080 highlight:0041c6cc highlighttext:fff linktext:00e mark:ff0 ' +
    'marktext:000 selecteditem:1967d2 selecteditemtext:fff visitedtext:551a8b activeborder:000 activecaption:fff ' +
    'appworkspace:fff background:fff buttonhighlight:efefef buttonshadow:efefef captiontext:000 inactiveborder:000 ' +
    'inactivecaption:fff inactivecaptiontext:808080 infobackground:fff infotext:000 menu:fff menutext:000 scrollbar:fff ' +
    'threeddarkshadow:000 threedface:efefef threedhighlight:000 threedlightshadow:000 threedshadow:000 window:fff ' +
    'windowframe:000 windowtext:000 -webkit-activelink:f00 -webkit-focus-ring-color:101010 -webkit-link:00e -webkit-text:000'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)

/**
 * A valid colour of unknown value: it counts as equal to every colour, so that text in it, or on it, counts
 * as hidden.
 */
export const unknown: Color = { red: Number.NaN, green: Number.NaN, blue: Number.NaN, alpha: Number.NaN }
/** Functions in which an unknown value makes the colour invalid. */
const plain = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)$/
const functionPattern = /^(-?[a-z][a-z-]*)\(/

/** System colours on a dark page, or in a dark part of one. */
const darkColors = new Map(
  ['canvas:121212', 'canvastext:fff', 'linktext:9e9eff'].map((pair) => pair.split(':') as [string, string]),
)

/** Returns whether a `color-scheme` has dark colours for every reader. */
export const isDark = (scheme: string): boolean => /\bdark\b/i.test(scheme) && !/\blight\b/i.test(scheme)

/** As {@link colorOf}, within a dark `color-scheme`. */
export function darkColorOf(text: string): Color | null {
  const [, inner] = /^light-dark\(([\s\S]*)\)$/.exec(text) ?? []
  if (inner !== undefined) return darkColorOf(splitOutside(inner, ',')[1]?.trim() ?? '') ?? unknown
  const known = darkColors.get(text)
  if (known) return hexColor(known)
  return system.has(text) ? unknown : colorOf(text)
}

/** Reads a colour; null if invalid. */
export function colorOf(text: string): Color | null {
  if (text === 'transparent') return clear
  if (text.startsWith('#')) return hexColor(text.slice(1))
  const named = namedColors.get(text) ?? system.get(text)
  if (named) return hexColor(named)
  const name = functionPattern.exec(text)?.[1]
  if (!name || isOfOld(text)) return null
  const inner = text.endsWith(')') ? text.slice(name.length + 1, -1).trim() : ''
  if (name === 'light-dark') return colorOf(splitOutside(inner, ',')[0]!.trim()) ?? unknown
  if (name === 'color-mix') return mixOf(splitOutside(inner, ',').map((one) => one.trim())) ?? unknown
  const color = functionalColor(name.replace(/^(rgb|hsl)a$/, '$1'), inner)
  // Invalid colours are dropped, as by browsers.
  return color ?? (plain.test(name) && !/\(|^from\s/.test(inner) ? null : unknown)
}

/** Share of a colour in a mix, before or after it. */
const sharePattern = /^(\d{1,3}(?:\.\d+)?)%\s+|\s+(\d{1,3}(?:\.\d+)?)%$/

/**
 * Mixes two colours like `color-mix()`, if the colour space hardly matters. That is in sRGB, or if one of
 * them is transparent, or if both are nearly the same.
 */
function mixOf([space = '', ...written]: readonly string[]): Color | null {
  const [one, other, ...more] = written.map((text) => {
    const [all = '', before, behind] = sharePattern.exec(text) ?? []
    const share = before ?? behind
    return { color: colorOf(text.replace(all, '')), share: share === undefined ? null : Number(share) / 100 }
  })
  if (!one?.color || !other?.color || more.length > 0 || !/^in\s+[a-z]/.test(space)) return null
  const share = one.share ?? 1 - (other.share ?? 0.5)
  const rest = other.share ?? 1 - share
  const sum = share + rest
  const alpha = (one.color.alpha * share + other.color.alpha * rest) / sum
  if (!(sum > 0) || share > 1 || rest > 1 || Number.isNaN(alpha)) return null
  const isEven = /^in\s+srgb$/.test(space) || isNear(one.color, other.color)
  if (!isEven && one.color.alpha > 0 && other.color.alpha > 0) return null
  const mixed = (channel: 'red' | 'green' | 'blue') =>
    alpha === 0
      ? 0
      : (one.color![channel] * one.color!.alpha * share + other.color![channel] * other.color!.alpha * rest) /
        sum /
        alpha
  return { red: mixed('red'), green: mixed('green'), blue: mixed('blue'), alpha: alpha * Math.min(1, sum) }
}

const maxLegacy = 128

/**
 * Reads a colour attribute such as `bgcolor`, in which browsers find a colour in nearly any word (HTML
 * §2.3.6).
 */
export function legacyColorOf(text: string): Color | null {
  const written = text.trim().toLowerCase()
  if (written === '' || written === 'transparent') return null
  const named = namedColors.get(written)
  if (named) return hexColor(named)
  if (/^#(?:[\da-f]{3}){1,2}$/.test(written)) return hexColor(written.slice(1))
  const signs = [...written].map((one) => (one > '\uffff' ? '00' : one)).join('')
  const digits = signs
    .slice(0, maxLegacy)
    .replace(/^#/, '')
    .replace(/[^\da-f]/g, '0')
  const length = Math.max(1, Math.ceil(digits.length / 3))
  const padded = digits.padEnd(3 * length, '0')
  let parts = [0, 1, 2].map((at) => padded.slice(at * length, (at + 1) * length).slice(-8))
  while (parts[0]!.length > 2 && parts.every((part) => part.startsWith('0')))
    parts = parts.map((part) => part.slice(1))
  const [red, green, blue] = parts.map((part) => Number.parseInt(part.slice(0, 2), 16)) as Triple
  return { red, green, blue, alpha: 1 }
}

function hexColor(hex: string): Color | null {
  if (!/^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(hex)) return null
  const full = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex
  const at = (index: number) => Number.parseInt(full.slice(index, index + 2), 16)
  return { red: at(0), green: at(2), blue: at(4), alpha: full.length === 8 ? at(6) / 255 : 1 }
}

type Triple = [number, number, number]

/** Null if a function, or its content, is not understood. */
function functionalColor(space: string, written: string): Color | null {
  const parts = partsOf(space, written)
  const name = space === 'color' ? parts?.shift() : space
  if (!parts || name === undefined || (parts.length !== 3 && parts.length !== 4)) return null
  const alpha = Math.min(1, Math.max(0, part(parts[3] ?? '1', 1)))
  const [red, green, blue] = inBytes(name, parts.slice(0, 3) as [string, string, string])
  return Number.isNaN(red + green + blue + alpha) ? null : { red, green, blue, alpha }
}

/** Splits the arguments of a colour: the opacity follows a slash, or, in the old form, all follow commas. */
function partsOf(space: string, written: string): string[] | null {
  const parts = splitOutside(written, ',').map((one) => one.trim())
  if (parts.length > 1) return isOfCommas(space, parts) ? parts : null
  const [channels = '', alpha, ...more] = splitOutside(written, '/')
  const [opacity, ...others] = alpha === undefined ? [] : wordsOf(alpha)
  if (more.length > 0 || others.length > 0 || (alpha !== undefined && opacity === undefined)) return null
  const words = wordsOf(channels)
  if (words.length !== (space === 'color' ? 4 : 3)) return null
  return opacity === undefined ? words : [...words, opacity]
}

/**
 * Returns whether browsers accept arguments with commas: no `none`, no numbers mixed with percentages (CSS
 * Color 4 §4.1).
 */
function isOfCommas(space: string, parts: readonly string[]): boolean {
  if (!parts.every((one) => /^[^\s/]+$/.test(one) || one.includes('(')) || parts.includes('none'))
    return false
  const isShare = (one: string) => one.endsWith('%') || one.includes('(')
  const isNumber = (one: string) => !one.endsWith('%')
  if (space === 'rgb') return parts.slice(0, 3).every(isShare) || parts.slice(0, 3).every(isNumber)
  return space === 'hsl' && parts.slice(1, 3).every(isShare)
}

/** Returns whether a function contains a percentage. */
const hasShare = (written: string): boolean =>
  written.includes('(') && written.lastIndexOf('%') > written.indexOf('(')

/** Returns a component of a colour; a percentage is a share of `whole`. */
function part(written: string, whole: number): number {
  if (written === 'none') return 0
  const number = ratioOf(written)
  if (number === null || hasShare(written)) return Number.NaN
  return written.endsWith('%') ? number * whole : number
}

function angle(written: string): number {
  if (written === 'none') return 0
  const [, number, unit = ''] = /^([+-]?[\d.]+(?:e[+-]?\d+)?)(deg|grad|rad|turn)?$/.exec(written) ?? []
  return Number(number) * ({ grad: 0.9, rad: 180 / Math.PI, turn: 360 }[unit] ?? 1)
}

function inBytes(space: string, [one, two, three]: [string, string, string]): Triple {
  const all = (whole: number) => [part(one, whole), part(two, whole), part(three, whole)] as Triple
  const percent = (written: string) => part(written, 100) / 100
  if (space === 'rgb') return bounded(all(255))
  if (space === 'srgb') return bounded(all(1).map((channel) => channel * 255))
  if (space === 'hsl') return bounded(hsl(angle(one), percent(two), percent(three)))
  if (space === 'hwb') return bounded(hwb(angle(one), percent(two), percent(three)))
  if (space === 'oklab') return oklab(part(one, 1), part(two, 0.4), part(three, 0.4))
  if (space === 'oklch') return oklab(part(one, 1), ...polar(part(two, 0.4), angle(three)))
  if (space === 'lab') return lab(part(one, 100), part(two, 125), part(three, 125))
  if (space === 'lch') return lab(part(one, 100), ...polar(part(two, 150), angle(three)))
  return [Number.NaN, Number.NaN, Number.NaN]
}

const bounded = (channels: readonly number[]): Triple =>
  channels.map((channel) => Math.min(255, Math.max(0, channel))) as Triple

const polar = (chroma: number, hue: number): [number, number] => [
  chroma * Math.cos((hue * Math.PI) / 180),
  chroma * Math.sin((hue * Math.PI) / 180),
]

function hsl(hue: number, saturation: number, lightness: number): Triple {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (shift: number) => {
    const turn = (((shift + hue / 30) % 12) + 12) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}

function hwb(hue: number, white: number, black: number): Triple {
  const sum = Math.max(1, white + black)
  const left = 1 - (white + black) / sum
  return hsl(hue, 1, 0.5).map((channel) => channel * left + (255 * white) / sum) as Triple
}

// CSS Color 4 §18, through linear light.
function oklab(light: number, a: number, b: number): Triple {
  const [l, m, s] = [
    (light + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (light - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (light - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ] as Triple
  return encoded([
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ])
}

function lab(light: number, a: number, b: number): Triple {
  const cubed = (f: number) => (f ** 3 > 216 / 24389 ? f ** 3 : (116 * f - 16) / (24389 / 27))
  const f = (light + 16) / 116
  const [x, y, z] = [cubed(f + a / 500) * 0.9642956764, cubed(f), cubed(f - b / 200) * 0.8251046025] as Triple
  return encoded([
    3.1341359569 * x - 1.6173863321 * y - 0.490661946 * z,
    -0.9787954765 * x + 1.9161862152 * y + 0.033442595 * z,
    0.0719550612 * x - 0.2289767618 * y + 1.4053860351 * z,
  ])
}

const encoded = (linear: readonly number[]): Triple =>
  bounded(
    linear.map(
      (one) => 255 * (one <= 0.0031308 ? 12.92 * one : 1.055 * Math.max(0, one) ** (1 / 2.4) - 0.055),
    ),
  )

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

/** Returns whether two opaque colours look the same, or one of them is unknown. */
export function isNear(one: Color, other: Color): boolean {
  const far = (a: number, b: number) => Math.abs(a - b) > maxDifference
  if (Number.isNaN(one.red + other.red)) return true
  if (far(one.red, other.red) || far(one.green, other.green) || far(one.blue, other.blue)) return false
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05) < minContrast
}

const maxDifference = 24
/** Contrast below which text is unreadable; 4.5 is easy to read (WCAG 2.2 §1.4.3). */
const minContrast = 1.25

function luminanceOf({ red, green, blue }: Color): number {
  const linear = (channel: number) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}
