import { isHiddenTag } from './html-to-text'
import { htmlTokens } from './html-tokens'

/** What a mail's HTML holds that its reader does not see. */
export interface HiddenHtml {
  /** Texts, white space folded; the first hundred. */
  texts: readonly string[]
  /** How many characters all of them have. */
  length: number
  comments: number
}

const MAX_HTML = 512 * 1024
const MAX_TEXTS = 100
const MAX_TEXT = 2_000
const MAX_STYLE = 64 * 1024
const MAX_RULES = 500
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const HIDING =
  /font-size\s{0,5}:\s{0,5}0(?![.\d]*[1-9])|text-indent\s{0,5}:\s{0,5}-\d{3}|(?:left|top)\s{0,5}:\s{0,5}-\d{3}|clip\s{0,5}:\s{0,5}rect\(\s{0,5}0|(?:^|[;"'\s{])color\s{0,5}:\s{0,5}transparent|display\s{0,5}:\s{0,5}none|visibility\s{0,5}:\s{0,5}hidden|opacity\s{0,5}:\s{0,5}0(?![.\d])/i
const HIDDEN_ATTRIBUTE = /(?:^|\s)hidden(?:\s|=|$)/i
const COLOR = /(?:^|[;"'\s])color\s{0,5}:\s{0,5}([#\w]{3,20})/i
const BACKGROUND = /background(?:-color)?\s{0,5}:\s{0,5}([#\w]{3,20})/i
const CLASS = /class\s{0,5}=\s{0,5}["']?([^"'>]{1,500})/i

const folded = (text: string) => text.replace(/\s+/g, ' ').trim()

/**
 * Lists what HTML hides: by an inline style, an attribute, or a simple rule (`.class { display: none }`) of its style
 * sheet outside of `@media`. What hides by other means is not seen. One pass, linear time; the first 512 KiB.
 */
export function hiddenInHtml(whole: string): HiddenHtml {
  const html = whole.slice(0, MAX_HTML)
  const classes = hidingClasses(html)
  const texts = new Set<string>()
  const visible = new Set<string>()
  let length = 0
  let hidden: { name: string; depth: number } | null = null
  for (const token of htmlTokens(html)) {
    if (token.kind === 'text') {
      const text = folded(token.text)
      if (!text) continue
      if (!hidden) visible.add(text)
      else {
        length += text.length
        if (texts.size < MAX_TEXTS) texts.add(text.slice(0, MAX_TEXT))
      }
    } else if (hidden) {
      // Counts only tags of the name that hides, so unclosed tags within do not matter.
      if (token.name === hidden.name) hidden.depth += token.kind === 'open' ? 1 : -1
      if (hidden.depth === 0) hidden = null
    } else if (token.kind === 'open' && hides(token.name, token.attributes, classes))
      hidden = { name: token.name, depth: 1 }
  }
  return { texts: [...texts].filter((text) => !visible.has(text)), length, comments: countComments(html) }
}

function hides(name: string, all: string, classes: ReadonlySet<string>): boolean {
  if (VOID.has(name)) return false
  const attributes = all.slice(0, 2048)
  if (isHiddenTag(name, attributes) || HIDING.test(attributes) || HIDDEN_ATTRIBUTE.test(attributes))
    return true
  const color = COLOR.exec(attributes)?.[1]?.toLowerCase()
  if (color && color === BACKGROUND.exec(attributes)?.[1]?.toLowerCase()) return true
  const written = classes.size > 0 && CLASS.exec(attributes)?.[1]
  return written ? written.split(/\s+/).some((one) => classes.has(one)) : false
}

function hidingClasses(html: string): Set<string> {
  const classes = new Set<string>()
  const lower = html.toLowerCase()
  let rules = 0
  for (let at = lower.indexOf('<style'); at >= 0; at = lower.indexOf('<style', at + 6)) {
    const start = lower.indexOf('>', at) + 1
    const end = lower.indexOf('</style', start)
    const sheet = html.slice(start, Math.min(end < 0 ? html.length : end, start + MAX_STYLE))
    for (const rule of sheet.split('}')) {
      if (++rules > MAX_RULES) return classes
      // Two braces are an @media: what is hidden on a narrow screen is shown on another.
      const [selectors, declarations, nested] = rule.split('{')
      if (declarations === undefined || nested !== undefined || !HIDING.test(declarations)) continue
      for (const selector of selectors!.split(',')) {
        const name = /^[a-z\d]{0,20}\.([\w-]{1,100})$/i.exec(selector.trim())?.[1]
        if (name) classes.add(name)
      }
    }
    if (start === 0 || end < 0) break
    at = end
  }
  return classes
}

function countComments(html: string): number {
  let count = 0
  for (let at = html.indexOf('<!--'); at >= 0; count++) {
    const end = html.indexOf('-->', at + 4)
    at = end < 0 ? -1 : html.indexOf('<!--', end + 3)
  }
  return count
}
