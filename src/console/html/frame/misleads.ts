/** Something that reads as the name of a host, alone or at the beginning of an address. */
const hostLike =
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^\s/@]*@)?((?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+[\p{L}]{2,})(?=$|[/:?#])/iu

/** The host that the text of a link names, in the letters that the network uses; null where it names none. */
function hostShown(text: string): string | null {
  const [, host] = hostLike.exec(text.trim()) ?? []
  if (!host || !URL.canParse(`https://${host}`)) return null
  return new URL(`https://${host}`).hostname
}

const bare = (host: string) => host.replace(/^www\./, '').replace(/\.$/, '')
const isBelow = (host: string, above: string) => host === above || host.endsWith(`.${above}`)

/** Tells whether the text of a link names another host than the one that it leads to, and that is no part of it. */
export function misleads(text: string, href: string): boolean {
  const shown = hostShown(text)
  if (shown === null || !URL.canParse(href)) return false
  const { protocol, hostname } = new URL(href)
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return !isBelow(bare(hostname), bare(shown))
}
