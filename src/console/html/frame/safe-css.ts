/** Values that name something to be fetched. An escape can spell any of them. */
const fetches = /url\(|image\(|image-set\(|src\(|element\(|cross-fade\(|paint\(/i
const mayFetch = (css: string) => /[\\@]/.test(css) || fetches.test(css)

/** Takes out of declarations whatever fetches; the browser has read the escapes by then. */
export function cleanStyle(style: CSSStyleDeclaration): void {
  for (const property of [...style]) {
    const value = style.getPropertyValue(property)
    // What a property of the author's own holds is kept as it was written.
    if (fetches.test(value) || (property.startsWith('--') && value.includes('\\')))
      style.removeProperty(property)
  }
}

/** Declarations of an element, without what fetches. */
export function cleanAttribute(element: HTMLElement): void {
  if (mayFetch(element.getAttribute('style') ?? '')) cleanStyle(element.style)
}

function cleanRules(rules: CSSRuleList): string {
  let css = ''
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule) {
      cleanStyle(rule.style)
      if (rule.cssRules.length > 0) cleanNested(rule)
      css += `${rule.cssText}\n`
    } else if (rule instanceof CSSMediaRule)
      css += `@media ${rule.media.mediaText} {\n${cleanRules(rule.cssRules)}}\n`
    else if (rule instanceof CSSSupportsRule) css += cleanRules(rule.cssRules)
    else if (rule instanceof CSSKeyframesRule && !fetches.test(rule.cssText)) css += `${rule.cssText}\n`
  }
  return css
}

function cleanNested({ cssRules }: CSSStyleRule): void {
  for (const rule of cssRules) {
    if (rule instanceof CSSStyleRule) {
      cleanStyle(rule.style)
      cleanNested(rule)
    } else if (rule instanceof CSSMediaRule)
      for (const inner of rule.cssRules) if (inner instanceof CSSStyleRule) cleanStyle(inner.style)
  }
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
