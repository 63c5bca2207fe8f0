import { attributesOf, eachToken } from './html-tokens'

const pictureAttributes = ['src', 'background'] as const

/**
 * Lists the picture addresses of HTML, of `img` elements and backgrounds: as written, once each. Linear time.
 */
export function picturesOf(html: string): Set<string> {
  const found = new Set<string>()
  eachToken(html, (token) => {
    if (token.kind !== 'open' || !/(?:src|background)/i.test(token.attributes)) return true
    const attributes = attributesOf(token.attributes)
    for (const name of pictureAttributes) {
      const address = attributes.get(name)?.trim()
      if (address) found.add(address)
    }
    return true
  })
  return found
}
