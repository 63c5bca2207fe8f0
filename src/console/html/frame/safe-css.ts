/** CSS functions that fetch something. */
const fetches = /url\(|image\(|image-set\(|src\(|element\(|cross-fade\(|paint\(/i
/** Returns true if a text fetches something, or has an escape, which can spell any of these functions. */
const isDoubtful = (css: string) => css.includes('\\') || fetches.test(css)
const mayFetch = (css: string) => css.includes('@') || isDoubtful(css)

/** Removes declarations that fetch, or may do so once their variables are known. */
function cleanStyle(style: CSSStyleDeclaration): void {
  // Values with variables keep their text, escapes included. Longhands of such a shorthand read as empty.
  const isLate = isDoubtful(style.cssText)
  for (const property of [...style]) {
    const value = style.getPropertyValue(property)
    if (isDoubtful(value) || (value === '' && isLate)) style.removeProperty(property)
  }
}

/** Removes declarations that fetch from the `style` attribute of an element. */
export function cleanAttribute(element: HTMLElement): void {
  if (!mayFetch(element.getAttribute('style') ?? '')) return
  cleanStyle(element.style)
  // This also drops text that the browser did not parse.
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

/** Removes nested rules that fetch. */
function cleanNested(rule: CSSStyleRule): void {
  for (let at = rule.cssRules.length - 1; at >= 0; at--)
    if (isDoubtful(rule.cssRules[at]!.cssText)) rule.deleteRule(at)
}

/**
 * Returns a sheet without anything that fetches. Keeps style rules, `@media` and `@keyframes`, and the
 * content of `@supports`.
 */
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
