import { own } from '../../protocol/own'
import {
  blackColor,
  blended,
  type Color,
  colorOf,
  darkColorOf,
  isDark,
  isNear,
  unknown,
  whiteColor,
} from './css/colors'
import { cutsOff, far, isShrunk, type Kind, minExtent, type Style, veryFar } from './css/geometry'
import { lengthOf, ratioOf, viewport } from './css/lengths'
import {
  type Cell,
  cellOf,
  isCrowded,
  isMovedOver,
  isPushedOut,
  isSqueezed,
  isThick,
  keepsBreaks,
  lineWidthIn,
  over,
  roomIn,
  thickBorderName,
} from './css/overlap'
import { type Setting, settingsOf, undecided } from './css/properties'
import { splitOutside, words, wordsOf } from './css/syntax'

/** The look of content in an element: inherited values, and effects of the elements around. */
export interface Look {
  /** True if nothing in it is drawn. */
  readonly isGone: boolean
  /** From `visibility`: an inner element may be visible again. */
  readonly isVisible: boolean
  readonly opacity: number
  /** In pixels. */
  readonly fontSize: number
  readonly lineHeight: number
  readonly letterSpacing: number
  readonly textIndent: number
  readonly color: Color
  /** `-webkit-text-fill-color`; null if not set. */
  readonly fill: Color | null
  /** Shadow of letters, if it is readable. */
  readonly shadow: Color | null
  /** Outline of letters; null for none. */
  readonly stroke: Stroke | null
  /** Colour of links. */
  readonly link: Color
  /** Background colour; null for a picture. */
  readonly background: Color | null
  /** Background colour of blocks in it, which inline elements do not paint. */
  readonly blockBackground: Color | null
  /** True if its colours are dark for every reader. */
  readonly isDark: boolean
  /** True if an element within the page paints over content placed behind it. */
  readonly hasBackdrop: boolean
  readonly isFlexible: boolean
  /** True if an element around clips its overflow. */
  readonly isCutAround: boolean
  /** Minimum width of lines, in pixels. */
  readonly lineWidth: number
  /** Letters that are visible for sure in an element that clips the rest; infinite if none clips. */
  readonly room: number
  /** True if line breaks in the text are visible line breaks. */
  readonly keepsBreaks: boolean
  readonly variables: ReadonlyMap<string, string> | null
  /**
   * True if text that only Outlook hides counts as hidden. False in a message with comments for Outlook,
   * which repeat the text in another way.
   */
  readonly isForOutlook: boolean
  /** True if text directly in the element is visible. */
  readonly showsText: boolean
  /** True if styles leave open whether content of the element is visible. */
  readonly isDoubted: boolean
  /** True if the element, or one around, left its place: it may cover other content. */
  readonly isMoved: boolean
  /** True if styles leave open whether the element covers other content. */
  readonly mayCover: boolean
}

interface Stroke {
  readonly color: Color
  /** In pixels. */
  readonly width: number
}

/** Look of a page before any style. */
export const pageLook: Look = {
  isGone: false,
  isVisible: true,
  opacity: 1,
  fontSize: 16,
  lineHeight: Number.POSITIVE_INFINITY,
  letterSpacing: 0,
  textIndent: 0,
  color: blackColor,
  fill: null,
  shadow: null,
  stroke: null,
  link: { red: 0, green: 0, blue: 238, alpha: 1 },
  background: whiteColor,
  blockBackground: whiteColor,
  isDark: false,
  hasBackdrop: false,
  isFlexible: false,
  isCutAround: false,
  lineWidth: 400,
  room: Number.POSITIVE_INFINITY,
  keepsBreaks: false,
  variables: null,
  isForOutlook: false,
  showsText: true,
  isDoubted: false,
  isMoved: false,
  mayCover: false,
}

const darkPaper = darkColorOf('canvas')!

/** As {@link pageLook}, for a dark page. */
export const darkPage: Look = {
  ...pageLook,
  color: whiteColor,
  link: darkColorOf('linktext')!,
  background: darkPaper,
  blockBackground: darkPaper,
  isDark: true,
}

type Attributes = ReadonlyMap<string, string>

/**
 * Elements that mail programs hide unless a style says otherwise. `noscript` and `canvas` are visible, since
 * mail programs run no scripts.
 */
const unshown = words('datalist noembed noframes rp dialog')
/**
 * Elements that are drawn as something else, or not at all: no style shows their content. A choice field
 * shows one option at a time.
 */
const replaced = words(
  'template iframe fencedframe meter progress video audio select svg frameset object:data annotation annotation-xml mphantom maction',
)
const blocks = words(
  'html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p pre search section summary ul xmp',
)
const boxes = words('iframe img button input select textarea video object embed meter progress marquee')
const tables = words('table caption thead tbody tfoot tr td th col colgroup')
/** Below this size, in pixels, letters are dots. */
const minFont = 2
const minOpacity = 0.1

const initial: Readonly<Record<string, string>> = {
  display: 'inline',
  visibility: 'visible',
  color: 'black',
  'font-size': 'medium',
  'line-height': 'normal',
  'letter-spacing': 'normal',
  'text-indent': '0',
  'text-shadow': 'none',
  'text-fill-color': 'currentcolor',
  'text-stroke-width': '0',
  'text-stroke-color': 'currentcolor',
}

type Variables = ReadonlyMap<string, string> | null
type Drawn = { -readonly [Key in keyof Look]: Look[Key] }
const looks = Object.keys(pageLook) as (keyof Look)[]

/**
 * Returns the name that decides an element's look: a link differs from another `a`, an open dialog from a
 * closed one.
 */
export function lookedAs(name: string, attributes: Attributes): string {
  if (name === 'a') return attributes.has('href') ? 'a:link' : 'a'
  if (name === 'object') return attributes.get('data')?.trim() ? 'object:data' : name
  return name === 'dialog' && attributes.has('open') ? 'dialog:open' : name
}

/** Returns whether elements of a name differ from their surroundings without any style. */
export const isSpecial = (name: string): boolean => special.has(name)

/** Returns whether a block within an element has another background than inline content there. */
export const isOffBackground = (name: string, parent: Look): boolean =>
  parent.background !== parent.blockBackground && (blocks.has(name) || name === 'table')

const notShown = words('none table-column table-column-group')

const maxDoubts = 8

/**
 * Returns the look of an element within another, by its settings, the weakest first. Doubtful settings are
 * ignored, so that no honest word is lost; if they may hide content, `isDoubted` is true.
 */
export function lookOf(parent: Look, name: string, settings: readonly Setting[]): Look {
  const sure = settings.filter(({ doubt }) => !doubt)
  const look = decidedLook(parent, name, sure)
  if (sure.length === settings.length || look.isGone || look.isDoubted) return look
  const doubts = new Set(settings.flatMap(({ doubt }) => doubt ?? []))
  const mayHide = (one: number) => {
    const isOne = ({ doubt }: Setting) => !doubt || doubt === one
    const other = decidedLook(parent, name, settings.filter(isOne))
    return other.isGone || (look.showsText && !other.showsText) || (other.mayCover && !look.mayCover)
  }
  return doubts.size > maxDoubts || [...doubts].some(mayHide) ? { ...look, isDoubted: true } : look
}

function decidedLook(parent: Look, name: string, settings: readonly Setting[]): Look {
  const variables = withVariables(parent.variables, settings)
  const style = styleOf(settings, variables)
  const display = style.get('display') ?? (unshown.has(name) ? 'none' : '')
  const kind = kindOf(name, display, style, parent)
  const look = inheritedLook(basedOn(parent, name, style, display), name, style, kind)
  look.variables = variables
  look.isFlexible = /flex|grid/.test(display)
  look.isGone =
    notShown.has(display) ||
    replaced.has(name) ||
    !(look.opacity >= minOpacity) ||
    (style.size > 0 &&
      (isWithdrawn(style) ||
        (parent.isForOutlook && /all|screen/.test(style.get('mso-hide') ?? '')) ||
        isBehind(style, parent) ||
        isShrunk(style, look, kind, parent.isCutAround)))
  look.showsText = showsText(look)
  if (!notShown.has(display) && look.opacity >= minOpacity) setOverlap(look, parent, name, style, kind)
  return isSame(look, parent) ? parent : look
}

/** Returns the look around an element with its background: blocks are not painted on inline content. */
function basedOn(parent: Look, name: string, style: Style, display: string): Look {
  const scheme = style.get('color-scheme')
  const isNowDark = scheme === undefined ? parent.isDark : isDark(scheme)
  if (name === 'html' && isNowDark && !parent.isDark)
    return { ...darkPage, variables: parent.variables, isForOutlook: parent.isForOutlook }
  const isBlock = isOut(style) || (display ? block.test(display) : blocks.has(name) || name === 'table')
  const background = isBlock ? parent.blockBackground : parent.background
  return isNowDark === parent.isDark && background === parent.background
    ? parent
    : { ...parent, background, isDark: isNowDark }
}

const block = /^(?:block|flex|grid|table|list-item|flow-root|-webkit-box|-webkit-flex)$/

/** Elements that paint a box of their own. */
const painted = words('button input select textarea svg iframe video object embed img hr canvas')

/** Returns whether an element of a name and a look may cover other content, judged without layout. */
export const mayCover = (look: Look, name: string): boolean =>
  look.mayCover || (look.isMoved && painted.has(name) && (!look.isGone || replaced.has(name)))

/**
 * Sets the flags that only a layout could settle: whether the element covers content, or other content its
 * text.
 */
function setOverlap(look: Drawn, parent: Look, name: string, style: Style, kind: Kind): void {
  const { fontSize } = look
  look.isMoved ||= style.size > 0 && isMovedOver(style, fontSize, kind)
  if (look.isGone) {
    look.mayCover = look.isMoved && style.has('backdrop-filter')
    return
  }
  const isLarge = look.isMoved || (kind === 'inline' && isThick(style, fontSize))
  look.mayCover = style.has(over) || (isLarge && (isOpaque(style) || style.has(thickBorderName)))
  const isNewlyCrowded =
    isCrowded(look.lineHeight, fontSize) && !isCrowded(parent.lineHeight, parent.fontSize)
  // Many style sheets give these no height, so that they do not push lines apart.
  const isRaised = kind === 'inline' && (name === 'sup' || name === 'sub')
  look.keepsBreaks ||= preformatted.has(name) || keepsBreaks(style)
  look.lineWidth = lineWidthIn(style, look.lineWidth, fontSize, kind)
  look.room = Math.min(
    look.room,
    isNewlyCrowded && isRaised ? maxRaised : Number.POSITIVE_INFINITY,
    roomIn(style, look, kind),
  )
  look.isDoubted ||=
    look.isMoved ||
    (kind === 'block' && style.has('columns') && cutsOff(style)) ||
    (isNewlyCrowded && !isRaised) ||
    (style.size > 0 &&
      (isSqueezed(style, fontSize, kind) || (look.isCutAround && isPushedOut(style, fontSize, kind))))
}

/** Letters of a mark beside a word. */
const maxRaised = 40
const preformatted = words('pre listing xmp textarea')

/** Returns the grid cell that settings give an element; null for none. */
export const cellIn = (look: Look, settings: readonly Setting[]): Cell | null =>
  settings.some(({ property }) => property.startsWith('grid-'))
    ? cellOf(styleOf(settings, look.variables))
    : null

const isSameColor = (one: Color, other: Color): boolean =>
  one.red === other.red && one.green === other.green && one.blue === other.blue && one.alpha === other.alpha

const isSame = (look: Look, other: Look): boolean => looks.every((key) => look[key] === other[key])

function showsText(look: Look): boolean {
  const { isGone, isVisible, fontSize, lineHeight, textIndent, letterSpacing } = look
  if (isGone || !isVisible || fontSize < minFont) return false
  if (lineHeight >= 2 * veryFar && lineHeight < Number.POSITIVE_INFINITY) return false
  if (textIndent <= -far || textIndent >= veryFar || letterSpacing <= -0.8 * fontSize) return false
  return isInked(look)
}

/** Returns whether a picture is visible, and with it its `alt` text. */
export function showsPicture(look: Look, attributes: Attributes, settings: readonly Setting[]): boolean {
  if (look.isGone || !look.isVisible) return false
  const style = styleOf(settings, look.variables)
  const sizeOf = (written: string | undefined): number | null =>
    written === undefined ? null : lengthOf(written, { em: look.fontSize })
  return ['width', 'height'].every((extent) => {
    const attribute = /^\s*[\d.]+(?=\s*(?:px\s*)?$)/.exec(attributes.get(extent) ?? '')?.[0]
    const size = sizeOf(style.get(extent)) ?? sizeOf(attribute && `${attribute.trim()}px`)
    const max = sizeOf(style.get(`max-${extent}`))
    return [size, max].every((one) => one === null || one > minExtent)
  })
}

function isInked({ color, fill, stroke, shadow, opacity, background }: Look): boolean {
  const isSeen = (ink: Color): boolean => {
    const alpha = ink.alpha * opacity
    return alpha >= minOpacity && (!background || !isNear(blended({ ...ink, alpha }, background), background))
  }
  if (shadow !== null && isSeen(shadow)) return true
  // A thick outline covers the letter.
  return (stroke !== null && isSeen(stroke.color)) || (!(stroke && stroke.width > 1) && isSeen(fill ?? color))
}

/** Elements with their own text and background colours. */
const ownColors: Readonly<Record<string, string>> = {
  mark: 'mark',
  button: 'buttonface',
  input: 'field',
  select: 'field',
  textarea: 'field',
  'dialog:open': 'canvas',
}
const special = new Set([
  ...unshown,
  ...replaced,
  ...Object.keys(ownColors),
  ...preformatted,
  'small',
  'a:link',
])

function styleOf(settings: readonly Setting[], variables: Variables): Style {
  const values = new Map<string, string>()
  const set = ({ property, value }: Setting) => {
    if (value === 'initial' && Object.hasOwn(initial, property)) values.set(property, initial[property]!)
    else if (/^(?:inherit|initial|unset|revert|revert-layer)$/.test(value)) values.delete(property)
    else values.set(property, value)
  }
  for (const setting of settings) {
    if (setting.property.startsWith('--')) continue
    if (!setting.value.includes('var(')) set(setting)
    else {
      const value = substituted(setting.value, variables)
      if (value === undecided) values.set(setting.property, value)
      else for (const one of settingsOf({ ...setting, value })) set(one)
    }
  }
  return values
}

const maxSubstituted = 200
const variable = /var\(\s*(--[\w-]{1,60})\s*(?:,((?:[^()]|\([^()]*\))*))?\)/g

/** Replaces variables in a value: `unset` if one has no value, undecided if it is not understood. */
function substituted(value: string, variables: Variables): string {
  const put = (text: string): string =>
    text.replace(
      variable,
      (_all, name: string, other: string | undefined) => variables?.get(name) ?? other?.trim() ?? 'unset',
    )
  if (value.length > maxSubstituted) return undecided
  const once = put(value)
  const known = once.includes('var(') && once.length <= maxSubstituted ? put(once) : once
  if (known.includes('var(') || known.length > maxSubstituted) return undecided
  return known.includes('unset') ? 'unset' : known
}

function withVariables(inherited: Variables, settings: readonly Setting[]): Variables {
  const own = settings.filter(({ property }) => property.startsWith('--'))
  if (own.length === 0) return inherited
  const raw = new Map(own.map(({ property, value }) => [property, value]))
  const all = new Map(inherited ?? [])
  for (const [name, value] of raw) all.set(name, all.size < maxVariables ? value : undecided)
  for (const name of raw.keys()) all.set(name, substituted(all.get(name) ?? 'unset', all))
  return all
}

const maxVariables = 300

const fontSizes: Readonly<Record<string, number>> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
}

function inheritedLook(parent: Look, name: string, style: Style, kind: Kind): Drawn {
  const fontSize = fontSizeOf(parent, name, style.get('font-size'))
  const color = settled(inkOf(parent, name, style), parent.color)
  const filled = style.get('text-fill-color')
  const read = parent.isDark ? darkColorOf : colorOf
  const fill = filled === undefined ? parent.fill : filled === 'currentcolor' ? null : read(filled)
  const visibility = style.get('visibility')
  const isVisible = visibility === undefined ? parent.isVisible : visibility === 'visible'
  const isPainted = isVisible && style.get('display') !== 'contents'
  const own = isPainted ? backgroundOf(parent, name, style, color) : parent.background
  const background = settled(own, parent.background)
  const isPaintedThrough = style.get('background-clip') === 'text' && background === null
  const shadow = style.get('text-shadow')
  const indent = style.get('text-indent')
  return {
    isGone: false,
    isDoubted: parent.isDoubted,
    isMoved: parent.isMoved,
    mayCover: false,
    isVisible,
    opacity: parent.opacity * opacityOf(style),
    fontSize,
    lineHeight: lineHeightOf(parent, style.get('line-height'), fontSize),
    letterSpacing: lengthOf(style.get('letter-spacing') ?? '', { em: fontSize }) ?? parent.letterSpacing,
    textIndent:
      indent === undefined
        ? parent.textIndent
        : (lengthOf(indent.split(' ')[0]!, { em: fontSize, whole: viewport.width }) ?? 0),
    color,
    // A picture clipped to the letters gives them their colour.
    fill: settled(isPaintedThrough ? blackColor : fill, parent.fill),
    shadow: shadow === undefined ? parent.shadow : shadowOf(shadow, color),
    stroke: strokeOf(parent, style, color),
    link: read(style.get('link-color') ?? '') ?? parent.link,
    background,
    blockBackground: kind === 'inline' ? parent.blockBackground : background,
    isDark: parent.isDark,
    isCutAround:
      parent.isCutAround || (name !== 'body' && name !== 'html' && style.size > 0 && cutsOff(style)),
    hasBackdrop: parent.hasBackdrop || (name !== 'body' && name !== 'html' && isOpaque(style)),
    lineWidth: parent.lineWidth,
    room: parent.room,
    keepsBreaks: parent.keepsBreaks,
    isFlexible: false,
    variables: null,
    isForOutlook: parent.isForOutlook,
    showsText: true,
  }
}

/** Returns the old colour object if both are the same. */
const settled = <Found extends Color | null>(color: Found, old: Found): Found =>
  color && old && isSameColor(color, old) ? old : color

function fontSizeOf({ fontSize }: Look, name: string, written: string | undefined): number {
  if (written === undefined) return name === 'small' ? fontSize * 0.83 : fontSize
  if (written === 'smaller') return fontSize * 0.83
  if (written === 'larger') return fontSize * 1.2
  return own(fontSizes, written) ?? lengthOf(written, { em: fontSize, whole: fontSize }) ?? fontSize
}

function lineHeightOf(parent: Look, written: string | undefined, fontSize: number): number {
  if (written === undefined) return parent.lineHeight
  if (written === 'normal') return Number.POSITIVE_INFINITY
  return lengthOf(written, { em: fontSize, whole: fontSize }) ?? (ratioOf(written) ?? 1) * fontSize
}

function inkOf(parent: Look, name: string, style: Style): Color {
  const written = style.get('color')
  const read = parent.isDark ? darkColorOf : colorOf
  if (written !== undefined) return (written === 'currentcolor' ? null : read(written)) ?? parent.color
  if (name === 'a:link') return parent.link
  return Object.hasOwn(ownColors, name) ? blackColor : parent.color
}

const strokes: Readonly<Record<string, number>> = { thin: 1, medium: 3, thick: 5 }

function strokeOf(parent: Look, style: Style, ink: Color): Stroke | null {
  const [size, written] = [style.get('text-stroke-width'), style.get('text-stroke-color')]
  if (size === undefined && written === undefined) return parent.stroke
  const width =
    size === undefined ? (parent.stroke?.width ?? 0) : (own(strokes, size) ?? lengthOf(size, { em: 16 }) ?? 0)
  const color =
    written === undefined ? parent.stroke?.color : written === 'currentcolor' ? ink : colorOf(written)
  return width > 0 ? { width, color: color ?? ink } : null
}

/** Returns the colour behind the text; null for a picture. */
function backgroundOf(parent: Look, name: string, style: Style, ink: Color): Color | null {
  // This background is painted only beneath a border.
  if (style.get('background-clip') === 'border-area') return parent.background
  const written = style.get('background-color')
  const image = isPictureSeen(style) ? style.get('background-image')! : 'none'
  const usual = written === undefined && image === 'none' ? own(ownColors, name) : undefined
  const read = parent.isDark ? darkColorOf : colorOf
  const base = usual === undefined ? parent.background : colorOf(usual)
  const color = written === 'currentcolor' ? ink : written === undefined ? null : read(written)
  if (color && Number.isNaN(color.alpha)) return unknown
  if (style.get('background-blend-mode') && !/^(?:normal[,\s]*)+$/.test(style.get('background-blend-mode')!))
    return unknown
  const behind =
    color && color.alpha > 0 ? (color.alpha === 1 || !base ? opaque(color) : blended(color, base)) : base
  if (image === 'none') return behind
  const single = singleColor(image)
  return single && behind && blended(single, behind)
}

/** Returns whether a background picture covers more than a dot of an element. */
function isPictureSeen(style: Style): boolean {
  if ((style.get('background-image') ?? 'none') === 'none') return false
  const isOnce = /no-repeat/.test(style.get('background-repeat') ?? '')
  const lengthsIn = (property: string, whole?: number) =>
    wordsOf((style.get(property) ?? '').replaceAll(',', ' ')).flatMap(
      (word) => lengthOf(word, { em: 16, whole }) ?? [],
    )
  const isAway = lengthsIn('background-position').some((one) => one <= -far || one >= viewport.width)
  const least = Math.min(...lengthsIn('background-size', viewport.width))
  return least > 0 && !(isOnce && (isAway || least <= minExtent))
}

const opaque = (color: Color): Color | null => (color.alpha === 1 ? color : null)

/** Returns the only colour of a gradient, null for several; the unknown one if a colour is not understood. */
function singleColor(image: string): Color | null {
  const inner = /^[\w-]*gradient\(([\s\S]*)\)$/.exec(image)?.[1]
  if (inner === undefined) return null
  const colors = wordsOf(inner.replace(/,(?![^(]*\))/g, ' ')).flatMap((one) => colorOf(one) ?? [])
  const [first] = colors
  if (!first || colors.some(({ alpha }) => Number.isNaN(alpha))) return unknown
  const isSingle = colors.every(
    (one) => one.alpha === first.alpha && (first.alpha === 0 || isNear(one, first)),
  )
  return isSingle ? first : null
}

const isOpaque = (style: Style): boolean => {
  const written = style.get('background-color')
  return (
    (written !== undefined && colorOf(written)?.alpha === 1) ||
    (style.get('background-image') ?? 'none') !== 'none'
  )
}

const maxShadowOffset = 50
const maxShadowBlur = 12

/** Returns the colour of a readable text shadow; null for none. */
function shadowOf(value: string, ink: Color): Color | null {
  for (const layer of splitOutside(value, ',')) {
    const words = wordsOf(layer.trim())
    const [x, y, blur = 0] = words.flatMap((word) => lengthOf(word, { em: 16 }) ?? [])
    if (x === undefined || y === undefined || blur > maxShadowBlur) continue
    if (Math.max(Math.abs(x), Math.abs(y)) > maxShadowOffset) continue
    const [color = ink] = words.flatMap((word) => colorOf(word) ?? [])
    if (color.alpha >= minOpacity) return color
  }
  return null
}

function opacityOf(style: Style): number {
  const own = ratioOf(style.get('opacity') ?? '1') ?? 1
  const filtered = /(?:^|\s)opacity\(\s*([^()]*)\)/.exec(style.get('filter') ?? '')
  const filter = filtered ? (ratioOf(filtered[1]!.trim()) ?? 1) : 1
  const within = (value: number) => Math.min(1, Math.max(0, value))
  return within(own) * within(filter)
}

/** Returns whether an element leaves the normal flow. */
const isOut = (style: Style): boolean =>
  /absolute|fixed/.test(style.get('position') ?? '') || /left|right/.test(style.get('float') ?? '')

function kindOf(name: string, display: string, style: Style, parent: Look): Kind {
  if (isOut(style) || parent.isFlexible) return 'block'
  if (/^(?:inline|contents|ruby)/.test(display) && !/^inline-/.test(display)) return 'inline'
  if (display) return display.startsWith('table') ? 'cell' : 'block'
  if (tables.has(name)) return 'cell'
  return blocks.has(name) || boxes.has(name) ? 'block' : 'inline'
}

/** Values without effect, of properties whose other values are not understood here. */
const idle: ReadonlyMap<string, RegExp> = new Map([
  ['content', /^(?!.*\()/],
  ['mask-image', /^(?!.*\()/],
  ['mix-blend-mode', /^normal$/],
  ['backdrop-filter', /^none$/],
  ['text-security', /^none$/],
  ['math-depth', /^0$/],
  ['font-size-adjust', /^(?:none|(?:[a-z-]+ )?from-font)$|^(?:[a-z-]+ )?(?:0?\.[2-9]|1(?:\.0*)?$)/],
])

/** Returns whether styles hide an element of any size. */
function isWithdrawn(style: Style): boolean {
  for (const [property, value] of style)
    if (value === undecided || idle.get(property)?.test(value) === false) return true
  if (style.get('content-visibility') === 'hidden') return true
  return isFilteredOut(style.get('filter') ?? 'none')
}

/** Amounts of each filter that leave text readable. */
const filters: Readonly<Record<string, (amount: number) => boolean>> = {
  opacity: () => true,
  blur: (pixels) => pixels < 4,
  brightness: (share) => share >= 0.5 && share <= 1.5,
  contrast: (share) => share >= 0.5 && share <= 2,
  invert: (share) => share < 0.3,
  grayscale: () => true,
  sepia: () => true,
  saturate: () => true,
  'hue-rotate': () => true,
}

function isFilteredOut(filter: string): boolean {
  if (!filter.includes('(') || filter.startsWith('progid') || filter.startsWith('alpha(')) return false
  const left = filter
    .replace(/(?:^|\s)drop-shadow\((?:[^()]|\([^()]*\))*\)/g, '')
    .replace(filterPattern, (all, name: string, amount: string) => {
      const written = amount.trim()
      const size =
        written === ''
          ? 0
          : (ratioOf(written) ?? lengthOf(written, { em: 16 }) ?? (name === 'hue-rotate' ? 0 : Number.NaN))
      return own(filters, name)?.(size) ? '' : all
    })
  return left.includes('(')
}

const filterPattern = /(?:^|\s)([a-z-]+)\(([^()]*)\)/g

function isBehind(style: Style, { hasBackdrop }: Look): boolean {
  const isPlaced = /absolute|fixed|relative|sticky/.test(style.get('position') ?? '')
  return isPlaced && hasBackdrop && Number(style.get('z-index') ?? 0) < 0
}
