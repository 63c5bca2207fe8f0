/** Text that looks like a host name, alone or at the start of a URL. */
const hostLike =
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^\s/@]*@)?((?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+[\p{L}]{2,})(?=$|[/:?#])/iu

/** Returns the host that a link text names, in ASCII; null if it names none. */
function hostShown(text: string): string | null {
  const [, host] = hostLike.exec(text.trim()) ?? []
  if (!host || !URL.canParse(`https://${host}`)) return null
  return new URL(`https://${host}`).hostname
}

const bare = (host: string) => host.replace(/^www\./, '').replace(/\.$/, '')
const isBelow = (host: string, above: string) => host === above || host.endsWith(`.${above}`)

/**
 * Returns true if the text of a link names a host, and the link leads neither to it nor to a subdomain of it.
 */
export function misleads(text: string, href: string): boolean {
  const shown = hostShown(text)
  if (shown === null || !URL.canParse(href)) return false
  const { protocol, hostname } = new URL(href)
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return !isBelow(bare(hostname), bare(shown))
}
