import type { FromFrame, ToFrame } from './protocol'
import { type Picture, type Purified, purify } from './purify'

/** Text that looks like a host name, alone or at the start of a URL. */
const hostLike =
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^\s/@]*@)?((?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+[\p{L}]{2,})(?=$|[/:?#])/iu

/** Characters of a text that hold its host: a URL takes the square of the letters of a host. */
const maxHostText = 1_000

/** Returns the host that a link text names, in ASCII; null if it names none. */
function hostShown(text: string): string | null {
  const [, host] = hostLike.exec(text.trim().slice(0, maxHostText)) ?? []
  if (!host || !URL.canParse(`https://${host}`)) return null
  return new URL(`https://${host}`).hostname
}

const bare = (host: string) => host.replace(/^www\./, '').replace(/\.$/, '')
const isBelow = (host: string, above: string) => host === above || host.endsWith(`.${above}`)

/**
 * Returns true if the text of a link names a host, and the link leads neither to it nor to a subdomain of it.
 */
function misleads(text: string, href: string): boolean {
  const shown = hostShown(text)
  if (shown === null || !URL.canParse(href)) return false
  const { protocol, hostname } = new URL(href)
  if (protocol !== 'https:' && protocol !== 'http:') return false
  return !isBelow(bare(hostname), bare(shown))
}

/** Comes before the styles of the message, so that those override it. */
const pageStyle = `
:root { color-scheme: light; background: #fff; color: #111; }
body { margin: 12px; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
img { max-width: 100%; }
`

/** Kept here, since elements of the message can shadow properties of the document by their names. */
const view = document
const root = view.documentElement
const styles = view.head
const adopt = view.adoptNode.bind(view)
/** Body that is shown now; the first one is parsed after this script. */
let shown: HTMLElement | null = null
const pageStyleSheet = view.createElement('style')
pageStyleSheet.textContent = pageStyle
styles.append(pageStyleSheet)

let say: (message: FromFrame) => void = () => {}
let waiting: Picture[] = []

/** Returns the height of the content alone: the window's own height would keep it from shrinking. */
function heightOf(): number {
  return Math.ceil(Math.max(root.offsetHeight, root.scrollHeight > root.clientHeight ? root.scrollHeight : 0))
}

/** Length in characters of the first part, which is shown before the rest of a longer message. */
const beginning = 12 * 1024
/** Time in ms for the browser to paint the first part. */
const paintMs = 50

/** Attributes of the body that colour all links: a browser applies them only when they are set in its document. */
const linkColours = ['link', 'vlink', 'alink']

function colourLinks(body: HTMLElement): void {
  for (const name of linkColours) {
    const value = body.getAttribute(name)
    if (value === null) continue
    body.removeAttribute(name)
    body.setAttribute(name, value)
  }
}

function lay({ root: attributes, head, body }: Purified): void {
  for (const old of styles.querySelectorAll('style')) if (old !== pageStyleSheet) old.remove()
  styles.append(...head)
  for (const name of root.getAttributeNames()) root.removeAttribute(name)
  for (const [name, value] of Object.entries(attributes)) root.setAttribute(name, value)
  const next = adopt(body)
  root.replaceChild(next, shown ?? view.body)
  shown = next
  colourLinks(next)
}

function show(html: string): void {
  // Anything before the body, such as styles, shows nothing yet.
  const begun = Math.max(html.search(/<body\b/i), 0) + beginning
  if (html.length < 3 * begun) return showWhole(html)
  lay(purify(html.slice(0, begun)))
  say({ kind: 'height', height: heightOf() })
  setTimeout(() => showWhole(html), paintMs)
}

function showWhole(html: string): void {
  const whole = purify(html)
  const { pictures } = whole
  waiting = pictures
  lay(whole)
  const addresses = [...new Set(pictures.map(({ address }) => address))]
  const isInside = (address: string) => /^cid:/i.test(address)
  say({
    kind: 'shown',
    height: heightOf(),
    inside: addresses.filter(isInside),
    outside: addresses.filter((address) => !isInside(address)),
  })
}

function fill({ element, attribute }: Picture, data: string): void {
  if (attribute === 'background') element.style.backgroundImage = `url("${data}")`
  else {
    element.addEventListener('load', () => say({ kind: 'height', height: heightOf() }), { once: true })
    element.setAttribute('src', data)
  }
}

function take(pictures: Record<string, string>): void {
  waiting = waiting.filter((picture) => {
    const data = Object.hasOwn(pictures, picture.address) ? pictures[picture.address] : undefined
    if (data?.startsWith('data:image/')) fill(picture, data)
    return !data
  })
}

const linkAt = (event: Event) =>
  event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null

function tellLink(event: Event): void {
  const href = linkAt(event)?.getAttribute('href') ?? null
  say({ kind: 'over', href: href?.startsWith('#') ? null : href })
}

/** The element that a fragment names, as it stands or percent-decoded. */
function targetOf(fragment: string): HTMLElement | null {
  try {
    return view.getElementById(decodeURIComponent(fragment))
  } catch {
    return view.getElementById(fragment)
  }
}

function follow(event: MouseEvent): void {
  const link = linkAt(event)
  const href = link?.getAttribute('href')
  if (!link || !href) return
  if (href.startsWith('#')) {
    event.preventDefault()
    targetOf(href.slice(1))?.scrollIntoView()
  } else if (misleads(link.textContent, href)) {
    event.preventDefault()
    say({ kind: 'misled', href, text: link.textContent.trim().slice(0, 300) })
  }
}

for (const type of ['mouseover', 'focusin']) addEventListener(type, tellLink)
for (const type of ['mouseleave', 'focusout'])
  root.addEventListener(type, () => say({ kind: 'over', href: null }))
for (const type of ['click', 'auxclick'] as const) addEventListener(type, follow, { capture: true })

let width = innerWidth
addEventListener('resize', () => {
  // The console sets the height: answering that event too would never end.
  if (innerWidth === width) return
  width = innerWidth
  if (shown) say({ kind: 'height', height: heightOf() })
})

addEventListener(
  'message',
  ({ source, ports: [port] }) => {
    if (source !== parent || !port) return
    say = (message) => port.postMessage(message)
    port.onmessage = ({ data }: MessageEvent<ToFrame>) =>
      data.kind === 'show' ? show(data.html) : take(data.pictures)
    say({ kind: 'ready' })
  },
  { once: true },
)
