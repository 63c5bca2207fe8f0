/** Values that name something to be fetched. */
const fetches = /url\(|image\(|image-set\(|src\(|element\(|cross-fade\(|paint\(/i
/** Tells whether a text names something to be fetched, or has an escape, which can spell any of them. */
const isDoubtful = (css: string) => css.includes('\\') || fetches.test(css)
const mayFetch = (css: string) => css.includes('@') || isDoubtful(css)

/** Takes out of declarations whatever fetches, or may once its variables are known. */
export function cleanStyle(style: CSSStyleDeclaration): void {
  // What has variables is kept as it was written, escapes and all; where several properties share it, each is empty.
  const isLate = isDoubtful(style.cssText)
  for (const property of [...style]) {
    const value = style.getPropertyValue(property)
    if (isDoubtful(value) || (value === '' && isLate)) style.removeProperty(property)
  }
}

/** Declarations of an element, without what fetches. */
export function cleanAttribute(element: HTMLElement): void {
  if (!mayFetch(element.getAttribute('style') ?? '')) return
  cleanStyle(element.style)
  // What the browser did not understand goes, too.
  element.setAttribute('style', element.style.cssText)
}

function cleanRules(rules: CSSRuleList): string {
  let css = ''
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule) {
      cleanStyle(rule.style)
      cleanNested(rule)
      css += `${rule.cssText}\n`
    } else if (rule instanceof CSSMediaRule)
      css += `@media ${rule.media.mediaText} {\n${cleanRules(rule.cssRules)}}\n`
    else if (rule instanceof CSSSupportsRule) css += cleanRules(rule.cssRules)
    else if (rule instanceof CSSKeyframesRule && !isDoubtful(rule.cssText)) css += `${rule.cssText}\n`
  }
  return css
}

/** Takes out what stands within a rule and fetches. */
function cleanNested(rule: CSSStyleRule): void {
  for (let at = rule.cssRules.length - 1; at >= 0; at--)
    if (isDoubtful(rule.cssRules[at]!.cssText)) rule.deleteRule(at)
}

/** A sheet without what fetches: of rules it keeps those for elements, media and movement. */
export function cleanSheet(css: string): string {
  if (!mayFetch(css)) return css
  const sheet = new CSSStyleSheet()
  try {
    sheet.replaceSync(css)
    return cleanRules(sheet.cssRules)
  } catch {
    return ''
  }
}
