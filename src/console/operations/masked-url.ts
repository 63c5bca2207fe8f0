const shownEnd = 3
const minMasked = 8

/**
 * Masks the path and query of a URL, since they are often the only secret of a webhook. Keeps the end of long
 * ones, to tell two apart.
 */
export function maskedUrl(address: string): string {
  if (!URL.canParse(address)) return '…'
  const { origin, pathname, search } = new URL(address)
  const rest = `${pathname}${search}`
  if (rest === '/') return origin
  return `${origin}/••••${rest.length > minMasked + shownEnd ? rest.slice(-shownEnd) : ''}`
}
