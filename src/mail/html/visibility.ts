import { FAR, isShrunk, type Kind, MIN_EXTENT, type Style, VERY_FAR } from './css-geometry'
import { type Setting, settingsOf, wordsOf } from './css-properties'
import { BLACK, blended, type Color, colorOf, isNear, lengthOf, ratioOf, VIEWPORT, WHITE } from './css-values'

/** The look of what stands in an element: what it inherits, and what the elements around do to it. */
export interface Look {
  /** Nothing of it is drawn, whatever stands in it. */
  readonly isGone: boolean
  /** Of `visibility`: an element within may be seen again. */
  readonly isVisible: boolean
  readonly opacity: number
  /** In pixels. */
  readonly fontSize: number
  readonly lineHeight: number
  readonly letterSpacing: number
  readonly textIndent: number
  readonly color: Color
  /** `-webkit-text-fill-color`, where it is set. */
  readonly fill: Color | null
  readonly hasShadow: boolean
  /** The colour behind; null where it is a picture. */
  readonly background: Color | null
  /** True where an element within the page paints over what is put behind it. */
  readonly hasBackdrop: boolean
  readonly isFlexible: boolean
  readonly variables: ReadonlyMap<string, string> | null
  /**
   * True where text that only Outlook hides counts as hidden: not in a mail that has comments for Outlook, which say
   * the same in another way.
   */
  readonly isForOutlook: boolean
  /** True where text right in the element is seen. */
  readonly showsText: boolean
}

/** The look of a page before any style. */
export const PAGE: Look = {
  isGone: false,
  isVisible: true,
  opacity: 1,
  fontSize: 16,
  lineHeight: Number.POSITIVE_INFINITY,
  letterSpacing: 0,
  textIndent: 0,
  color: BLACK,
  fill: null,
  hasShadow: false,
  background: WHITE,
  hasBackdrop: false,
  isFlexible: false,
  variables: null,
  isForOutlook: false,
  showsText: true,
}

type Attributes = ReadonlyMap<string, string>

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
/**
 * Elements that no reader of mail is shown. `noscript` and `canvas` are, as mail programs run no scripts; `details` can
 * be opened.
 */
const UNSHOWN = words('template datalist iframe noembed noframes rp dialog')
const BLOCKS = words(
  'html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p pre search section summary ul xmp',
)
const BOXES = words('img button input select textarea video object embed meter progress marquee')
const TABLES = words('table caption thead tbody tfoot tr td th col colgroup')
/** Smaller than this, letters are dots. */
const MIN_FONT = 2
const MIN_OPACITY = 0.1

const INITIAL: Readonly<Record<string, string>> = {
  display: 'inline',
  visibility: 'visible',
  color: 'black',
  'font-size': 'medium',
  'line-height': 'normal',
  'letter-spacing': 'normal',
  'text-indent': '0',
  'text-shadow': 'none',
  'text-fill-color': 'currentcolor',
}

type Variables = ReadonlyMap<string, string> | null
type Drawn = { -readonly [Key in keyof Look]: Look[Key] }
const LOOKS = Object.keys(PAGE) as (keyof Look)[]

/** The name by which an element's look is decided: a link is no other `a`, and an open dialog is as any block. */
export function lookedAs(name: string, attributes: Attributes): string {
  if (name === 'a') return attributes.has('href') ? 'a:link' : 'a'
  return name === 'dialog' && attributes.has('open') ? 'section' : name
}

/** Tells whether elements of a name look otherwise than those around without any style. */
export const isSpecial = (name: string): boolean => SPECIAL.has(name)

/** Gives the look of an element within another, by what is set for it, the weakest first. */
export function lookOf(parent: Look, name: string, settings: readonly Setting[]): Look {
  const variables = withVariables(parent.variables, settings)
  const style = styleOf(settings, variables)
  const display = style.get('display') ?? (UNSHOWN.has(name) ? 'none' : '')
  const look = inheritedLook(parent, name, style)
  look.variables = variables
  look.isFlexible = /flex|grid/.test(display)
  look.isGone =
    display === 'none' ||
    look.opacity < MIN_OPACITY ||
    (style.size > 0 &&
      (isWithdrawn(style) ||
        (parent.isForOutlook && /all|screen/.test(style.get('mso-hide') ?? '')) ||
        isBehind(style, parent) ||
        isShrunk(style, look, kindOf(name, display, style, parent))))
  look.showsText = showsText(look)
  return isSame(look, parent) ? parent : look
}

const isSameColor = (one: Color, other: Color): boolean =>
  one.red === other.red && one.green === other.green && one.blue === other.blue && one.alpha === other.alpha

const isSame = (look: Look, other: Look): boolean => LOOKS.every((key) => look[key] === other[key])

function showsText(look: Look): boolean {
  const { isGone, isVisible, fontSize, textIndent, letterSpacing } = look
  if (isGone || !isVisible || fontSize < MIN_FONT) return false
  if (textIndent <= -FAR || textIndent >= VERY_FAR || letterSpacing <= -0.8 * fontSize) return false
  return look.hasShadow || isInked(look)
}

/** Tells whether a picture is seen, and with it its `alt` text. */
export function showsPicture(look: Look, attributes: Attributes, settings: readonly Setting[]): boolean {
  if (look.isGone || !look.isVisible) return false
  const style = styleOf(settings, look.variables)
  const sizeOf = (written: string | undefined): number | null =>
    written === undefined ? null : lengthOf(written, { em: look.fontSize })
  return ['width', 'height'].every((extent) => {
    const attribute = /^\s*[\d.]+(?=\s*(?:px)?\s*$)/.exec(attributes.get(extent) ?? '')?.[0]
    const size = sizeOf(style.get(extent)) ?? sizeOf(attribute && `${attribute.trim()}px`)
    const max = sizeOf(style.get(`max-${extent}`))
    return [size, max].every((one) => one === null || one > MIN_EXTENT)
  })
}

function isInked({ color, fill, opacity, background }: Look): boolean {
  const ink = fill ?? color
  const alpha = ink.alpha * opacity
  if (alpha < MIN_OPACITY) return false
  return !background || !isNear(blended({ ...ink, alpha }, background), background)
}

const FIELDS = words('button input select textarea')
const SPECIAL = new Set([...UNSHOWN, ...FIELDS, 'mark', 'small', 'a:link'])
const LINK: Color = { red: 0, green: 0, blue: 238, alpha: 1 }

function styleOf(settings: readonly Setting[], variables: Variables): Style {
  const values = new Map<string, string>()
  const set = ({ property, value }: Setting) => {
    if (value === 'initial' && property in INITIAL) values.set(property, INITIAL[property]!)
    else if (/^(?:inherit|initial|unset|revert|revert-layer)$/.test(value)) values.delete(property)
    else values.set(property, value)
  }
  for (const setting of settings) {
    if (setting.property.startsWith('--')) continue
    if (!setting.value.includes('var(')) set(setting)
    else for (const one of settingsOf({ ...setting, value: substituted(setting.value, variables) })) set(one)
  }
  return values
}

const MAX_SUBSTITUTED = 200
const VARIABLE = /var\(\s*(--[\w-]{1,60})\s*(?:,((?:[^()]|\([^()]*\))*))?\)/g

/** A value with what its variables stand for; `unset` where one stands for nothing. */
function substituted(value: string, variables: Variables): string {
  const put = (text: string): string =>
    text
      .slice(0, MAX_SUBSTITUTED)
      .replace(
        VARIABLE,
        (_all, name: string, other: string | undefined) => variables?.get(name) ?? other?.trim() ?? 'unset',
      )
  const once = put(value)
  const known = once.includes('var(') ? put(once) : once
  return /unset|var\(/.test(known) || known.length > MAX_SUBSTITUTED ? 'unset' : known
}

function withVariables(inherited: Variables, settings: readonly Setting[]): Variables {
  const own = settings.filter(({ property }) => property.startsWith('--'))
  if (own.length === 0) return inherited
  const raw = new Map(own.map(({ property, value }) => [property, value]))
  const all = new Map(inherited ?? [])
  for (const [name, value] of raw) if (all.size < MAX_VARIABLES) all.set(name, value)
  for (const name of raw.keys()) all.set(name, substituted(all.get(name) ?? 'unset', all))
  return all
}

const MAX_VARIABLES = 100

const FONT_SIZES: Readonly<Record<string, number>> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
}

function inheritedLook(parent: Look, name: string, style: Style): Drawn {
  const fontSize = fontSizeOf(parent, name, style.get('font-size'))
  const color = settled(inkOf(parent, name, style), parent.color)
  const filled = style.get('text-fill-color')
  const fill = filled === undefined ? parent.fill : filled === 'currentcolor' ? null : colorOf(filled)
  const background = settled(backgroundOf(parent, name, style, color), parent.background)
  const isPaintedThrough = style.get('background-clip') === 'text' && background === null
  const shadow = style.get('text-shadow')
  const visibility = style.get('visibility')
  const indent = style.get('text-indent')
  return {
    isGone: false,
    isVisible: visibility === undefined ? parent.isVisible : visibility === 'visible',
    opacity: parent.opacity * opacityOf(style),
    fontSize,
    lineHeight: lineHeightOf(parent, style.get('line-height'), fontSize),
    letterSpacing: lengthOf(style.get('letter-spacing') ?? '', { em: fontSize }) ?? parent.letterSpacing,
    textIndent:
      indent === undefined
        ? parent.textIndent
        : (lengthOf(indent.split(' ')[0]!, { em: fontSize, whole: VIEWPORT.width }) ?? 0),
    color,
    // A picture that is clipped to the letters is their colour.
    fill: settled(isPaintedThrough ? BLACK : fill, parent.fill),
    hasShadow: shadow === undefined ? parent.hasShadow : isShadow(shadow),
    background,
    hasBackdrop: parent.hasBackdrop || (name !== 'body' && name !== 'html' && isOpaque(style)),
    isFlexible: false,
    variables: null,
    isForOutlook: parent.isForOutlook,
    showsText: true,
  }
}

/** The colour that is there already, where it is the same. */
const settled = <Found extends Color | null>(color: Found, old: Found): Found =>
  color && old && isSameColor(color, old) ? old : color

function fontSizeOf({ fontSize }: Look, name: string, written: string | undefined): number {
  if (written === undefined) return name === 'small' ? fontSize * 0.83 : fontSize
  if (written === 'smaller') return fontSize * 0.83
  if (written === 'larger') return fontSize * 1.2
  return FONT_SIZES[written] ?? lengthOf(written, { em: fontSize, whole: fontSize }) ?? fontSize
}

function lineHeightOf(parent: Look, written: string | undefined, fontSize: number): number {
  if (written === undefined) return parent.lineHeight
  if (written === 'normal') return Number.POSITIVE_INFINITY
  return lengthOf(written, { em: fontSize, whole: fontSize }) ?? (ratioOf(written) ?? 1) * fontSize
}

function inkOf(parent: Look, name: string, style: Style): Color {
  const written = style.get('color')
  if (written !== undefined) return (written === 'currentcolor' ? null : colorOf(written)) ?? parent.color
  if (name === 'a:link') return LINK
  return name === 'mark' || FIELDS.has(name) ? BLACK : parent.color
}

/** The colour behind the text; null where that is a picture. */
function backgroundOf(parent: Look, name: string, style: Style, ink: Color): Color | null {
  const written = style.get('background-color')
  const image = style.get('background-image') ?? 'none'
  const base = name === 'mark' || FIELDS.has(name) ? WHITE : parent.background
  const color = written === 'currentcolor' ? ink : written === undefined ? null : colorOf(written)
  const behind =
    color && color.alpha > 0 ? (color.alpha === 1 || !base ? opaque(color) : blended(color, base)) : base
  if (image === 'none') return behind
  const single = singleColor(image)
  return single && behind && blended(single, behind)
}

const opaque = (color: Color): Color | null => (color.alpha === 1 ? color : null)

/** The colour of a gradient that has one only. */
function singleColor(image: string): Color | null {
  if (!/^[\w-]*gradient\([\s\S]*\)$/.test(image)) return null
  const all = image.match(/#[\da-f]{3,8}\b|(?:rgb|hsl)a?\([^()]*\)|\b[a-z]{3,20}\b(?!\()/g) ?? []
  const colors = all.flatMap((one) => colorOf(one) ?? [])
  const [first] = colors
  const isSingle =
    first && colors.every((one) => one.alpha === first.alpha && (first.alpha === 0 || isNear(one, first)))
  return isSingle ? first : null
}

const isOpaque = (style: Style): boolean => {
  const written = style.get('background-color')
  return (
    (written !== undefined && colorOf(written)?.alpha === 1) ||
    (style.get('background-image') ?? 'none') !== 'none'
  )
}

function isShadow(value: string): boolean {
  if (value === 'none') return false
  const colors = wordsOf(value.replaceAll(',', ' , ')).flatMap((word) => colorOf(word) ?? [])
  return colors.length === 0 || colors.some(({ alpha }) => alpha >= MIN_OPACITY)
}

function opacityOf(style: Style): number {
  const own = ratioOf(style.get('opacity') ?? '1') ?? 1
  const filtered = /(?:^|\s)opacity\(\s*([^()]*)\)/.exec(style.get('filter') ?? '')
  const filter = filtered ? (ratioOf(filtered[1]!.trim()) ?? 1) : 1
  const within = (value: number) => Math.min(1, Math.max(0, value))
  return within(own) * within(filter)
}

function kindOf(name: string, display: string, style: Style, parent: Look): Kind {
  const isOut =
    /absolute|fixed/.test(style.get('position') ?? '') || /left|right/.test(style.get('float') ?? '')
  if (isOut || parent.isFlexible) return 'block'
  if (/^(?:inline|contents|ruby)/.test(display) && !/^inline-/.test(display)) return 'inline'
  if (display) return display.startsWith('table') ? 'cell' : 'block'
  if (TABLES.has(name)) return 'cell'
  return BLOCKS.has(name) || BOXES.has(name) ? 'block' : 'inline'
}

/** Tells whether styles hide an element whatever its size. */
function isWithdrawn(style: Style): boolean {
  if (style.get('content-visibility') === 'hidden') return true
  const image = style.get('mask-image')
  if (image && singleColor(image)?.alpha === 0) return true
  return /(?:^|\s)blur\(\s*(?:\d{2,}|[89])(?:\.\d+)?px/.test(style.get('filter') ?? '')
}

function isBehind(style: Style, { hasBackdrop }: Look): boolean {
  const isPlaced = /absolute|fixed|relative|sticky/.test(style.get('position') ?? '')
  return isPlaced && hasBackdrop && Number(style.get('z-index') ?? 0) < 0
}
