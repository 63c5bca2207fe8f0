import { own } from '../../protocol/own'
import { colorOf, isDark, isNear, legacyColorOf, whiteColor } from './css/colors'
import { importedSheets } from './css/data-sheets'
import { KeptOfTexts } from './css/kept'
import { matters, type Setting, settingsOf, undecided } from './css/properties'
import { type Declaration, readDeclarations, readStyleSheet, words } from './css/syntax'
import { attributesOf, eachToken } from './html-tokens'
import { linkedSheet } from './seen-html'

/** Elements that never make text smaller or paler than around them. */
const plain = words(
  'html head title meta link base script style body div p span br hr a b strong i em u s strike del ins font big center img table caption thead tbody tfoot tr td th col colgroup ul ol li dl dt dd menu dir h1 h2 h3 h4 h5 h6 blockquote pre code tt kbd samp var cite q dfn abbr acronym address article section header footer main nav aside hgroup figure figcaption sub sup bdi bdo nobr wbr time data map area form fieldset legend label input',
)
/** Attributes that may hide text. */
const styling =
  /style|color|background|text|hidden|alt|popover|link|(?:cell\w{1,20}|margin\w{0,20}|border)\s*=\s*(?:["']\s*)?\+?\d{4}|(?:width|height)\s*=\s*(?:["']\s*)?[012](?!\d)/i
const pushing = 'cellspacing cellpadding border leftmargin topmargin marginwidth marginheight'.split(' ')
/** Properties that never move or hide text, whatever their values. */
const harmless = words(
  'font-family font-weight font-style font-variant font-stretch text-decoration text-decoration-line text-decoration-style text-decoration-thickness text-decoration-skip-ink text-underline-offset text-align text-transform text-rendering text-size-adjust text-size -webkit-text-size-adjust -webkit-font-smoothing -webkit-nbsp-mode -webkit-line-break -webkit-hyphens -webkit-appearance -webkit-box-shadow -webkit-border-radius -webkit-tap-highlight-color -webkit-box-sizing -webkit-text-decoration -webkit-text-decoration-color white-space word-wrap word-break line-break overflow-wrap hyphens orphans widows direction unicode-bidi clear border-collapse border-color border-style border-top-style border-right-style border-bottom-style border-left-style border-top-color border-right-color border-bottom-color border-left-color border-radius outline outline-color outline-style outline-width outline-offset box-shadow box-sizing caption-side empty-cells list-style list-style-type list-style-position list-style-image cursor quotes transition background-attachment background-origin supported-color-schemes page page-break-after page-break-before page-break-inside break-after break-before break-inside font-kerning font-feature-settings font-variant-ligatures font-variant-numeric font-variant-caps font-variant-east-asian font-variant-alternates font-variant-position font-optical-sizing font-smoothing font-color text-underline tab-stops tab-interval panose-1 size layout-grid layout-grid-mode caret-color accent-color resize pointer-events user-select scroll-behavior',
)
/** Properties that only other programs know, and that hide nothing there. */
const foreign = /^(?:mso-(?!hide$)|-(?:moz|ms|o|khtml|premailer)-|scrollbar-)/
const relative = /^(\d{1,4}(?:\.\d+)?)(em|rem|%)$/
const absolute = /^(\d{1,3}(?:\.\d+)?)(px|pt)$/
const sizes = words('x-small small medium large x-large xx-large xxx-large larger')
const minSize = 5

/**
 * Returns whether HTML may hide text from its reader. False if every element, style and colour in it is known
 * and hides nothing in any place. This is true of most personal messages and saves the layout.
 */
export function mayHide(html: string): boolean {
  let isHarmless = true
  const known = new Set<string>()
  eachToken(html, (token) => {
    if (token.kind === 'style') isHarmless = harmlessSheets.get(token.text)
    else if (token.kind === 'open') isHarmless = isHarmlessTag(token.name, token.attributes, known)
    return isHarmless
  })
  return !isHarmless
}

function isHarmlessTag(name: string, attributes: string, known: Set<string>): boolean {
  if (!isPlain(name) || (name === 'link' && linkedSheet(attributes))) return false
  if (name === 'meta' && /color-scheme/i.test(attributes) && isDark(attributes)) return false
  if (!styling.test(attributes) || known.has(attributes)) return true
  known.add(attributes)
  return areHarmless(attributesOf(attributes))
}

/**
 * Returns whether an element hides nothing. No browser knows names with a hyphen or a colon, such as Word's.
 */
const isPlain = (name: string): boolean => plain.has(name) || (/[:-]/.test(name) && name !== 'annotation-xml')

function areHarmless(attributes: ReadonlyMap<string, string>): boolean {
  if (pushing.some((name) => /\d{4}/.test(attributes.get(name) ?? ''))) return false
  if (attributes.has('hidden') || attributes.has('popover')) return false
  if (attributes.get('background') || attributes.get('alt')?.trim()) return false
  const paper = legacyColorOf(attributes.get('bgcolor') ?? '')
  if (paper && !isPaper(paper)) return false
  const inks = ['color', 'text', 'link'].map((name) => legacyColorOf(attributes.get(name) ?? ''))
  if (inks.some((ink) => ink && !isInk(ink))) return false
  const style = attributes.get('style')
  return !style || harmlessStyles.get(style)
}

const always = () => true
const harmlessStyles = new KeptOfTexts<boolean>({ max: 1_000, maxLength: 500, isLittle: always }, (style) =>
  readDeclarations(style).every(isHarmless),
)
const harmlessSheets = new KeptOfTexts<boolean>(
  { max: 16, maxLength: 32 * 1024, isLittle: always },
  isHarmlessSheet,
)

function isHarmlessSheet(sheet: string): boolean {
  if (importedSheets(sheet).length > 0) return false
  for (const { declarations } of readStyleSheet(sheet)) if (!declarations.every(isHarmless)) return false
  return true
}

type Color = NonNullable<ReturnType<typeof colorOf>>
const isInk = (color: Color): boolean => color.alpha === 1 && !isNear(color, whiteColor)
const isPaper = ({ red, green, blue, alpha }: Color): boolean =>
  alpha === 0 || (alpha === 1 && red + green + blue === 765)

function isHarmless(declaration: Declaration): boolean {
  const { property } = declaration
  if (harmless.has(property) || foreign.test(property)) return true
  return matters(property) && settingsOf(declaration).every(showsText)
}

type Test = (value: string) => boolean
const isOneOf =
  (...values: string[]): Test =>
  (value) =>
    values.includes(value)
/** Returns whether a length neither pulls text back nor pushes it off the page. */
const isForward: Test = (value) =>
  /^(?:[a-z][a-z-]*|(?:[12]?\d{1,3}(?:\.\d*)?|\.\d+)(?:px)?|(?:\d{1,3}(?:\.\d*)?|\.\d+)pt|(?:\d{1,2}(?:\.\d*)?|\.\d+)(?:%|r?em|ex|ch|in|cm|mm|pc)|100(?:\.0*)?%)$/.test(
    value,
  )
const isStill = isOneOf('0', '0px', '0pt', 'auto')
const isSeenColor: Test = (value) => {
  const color = colorOf(value)
  return color !== null && isInk(color)
}

/** Values of each property with which text is visible, in any combination. */
const shown: Readonly<Record<string, Test>> = {
  display: (value) => /^(?!none$|table-column)[a-z-]+$/.test(value),
  visibility: isOneOf('visible'),
  opacity: isOneOf('1'),
  'font-size': (value) =>
    sizes.has(value) || Number(absolute.exec(value)?.[1]) >= minSize || isGrowing(value),
  'line-height': isForward,
  'letter-spacing': isForward,
  'word-spacing': isOneOf('normal', '0', '0px'),
  'text-indent': (value) => /^\d{1,2}(?:\.\d+)?(?:px|pt)?$/.test(value),
  color: isSeenColor,
  'color-scheme': (value) => !isDark(value),
  'text-fill-color': isSeenColor,
  'text-stroke-width': isOneOf('0', '0px'),
  'text-shadow': always,
  'background-color': (value) => {
    const color = colorOf(value)
    return color !== null && isPaper(color)
  },
  'background-image': isOneOf('none'),
  'background-clip': isOneOf('border-box', 'padding-box'),
  'background-position': always,
  'background-size': always,
  'background-repeat': always,
  position: isOneOf('static', 'relative'),
  float: always,
  'z-index': isForward,
  top: isStill,
  right: isStill,
  bottom: isStill,
  left: isStill,
  height: isForward,
  width: isForward,
  'max-width': isForward,
  'min-width': isForward,
  'min-height': isForward,
  zoom: isOneOf('1', 'normal'),
  'margin-top': isForward,
  'margin-right': isForward,
  'margin-bottom': isForward,
  'margin-left': isForward,
  'padding-top': isForward,
  'padding-right': isForward,
  'padding-bottom': isForward,
  'padding-left': isForward,
}

const isGrowing: Test = (value) => {
  const [, number, unit] = relative.exec(value) ?? []
  return Number(number) >= (unit === '%' ? 100 : 1)
}

const showsText = ({ property, value }: Setting): boolean =>
  value !== undecided && (/^(?:inherit|unset)$/.test(value) || (own(shown, property)?.(value) ?? false))
