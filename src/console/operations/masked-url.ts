const shownEnd = 3
const minMasked = 8

/**
 * An address with its path masked, since the path or query of a webhook is often its only secret. The end of a long path
 * stays, to tell two apart.
 */
export function maskedUrl(address: string): string {
  if (!URL.canParse(address)) return '…'
  const { origin, pathname, search } = new URL(address)
  const rest = `${pathname}${search}`
  if (rest === '/') return origin
  return `${origin}/••••${rest.length > minMasked + shownEnd ? rest.slice(-shownEnd) : ''}`
}
