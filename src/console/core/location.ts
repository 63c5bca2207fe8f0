import { computed, signal } from '@preact/signals'

/** The path that the console stands below, such as `/console`: a proxy may have put another before it. */
export const base =
  document.querySelector<HTMLMetaElement>('meta[name="restante-base"]')?.content ?? '/console'

/** Tells whether no mail leaves this service: it is there for trying agents. */
export const isCaptured =
  document.querySelector<HTMLMetaElement>('meta[name="restante-delivery"]')?.content === 'capture'

/** Tells whether a login is made by an emailed link, which verifies the address. */
export const signUpByLink =
  document.querySelector<HTMLMetaElement>('meta[name="restante-sign-up"]')?.content === 'link'

/** The base address of the interface. */
export const interfaceUrl = `${location.origin}${base.replace(/\/console$/, '')}/v1`

interface Place {
  /** Below the console, such as `/mail`. */
  path: string
  query: URLSearchParams
}

/** Reads the path of the address, as it stands where it cannot be decoded: that is the path of no page. */
function addressed(): string {
  try {
    return decodeURI(location.pathname)
  } catch {
    return location.pathname
  }
}

const read = (): Place => ({
  path: addressed().slice(base.length).replace(/\/+$/, '') || '/',
  query: new URLSearchParams(location.search),
})

const place = signal(read())
addEventListener('popstate', () => {
  place.value = read()
})

/** The path of the page that is shown, below the console. */
export const path = computed(() => place.value.path)
/** What stands after the `?` of its address: filters, and what is open. */
export const query = computed(() => place.value.query)

/** The address of a page. Of what is null or empty nothing is said. */
export function hrefOf(to: string, parameters: Record<string, string | null | undefined> = {}): string {
  const entries = Object.entries(parameters).filter((one): one is [string, string] => !!one[1])
  const search = new URLSearchParams(entries).toString()
  return `${base}${to === '/' ? '' : to}${search && `?${search}`}`
}

/** Goes to an address of the console, without loading anything. */
export function go(href: string, { replace = false } = {}): void {
  if (href === location.pathname + location.search) return
  history[replace ? 'replaceState' : 'pushState'](null, '', href)
  place.value = read()
}

/** Changes parameters of the page that is shown; null takes one away. */
export function setQuery(changes: Record<string, string | null>, options?: { replace?: boolean }): void {
  const now = Object.fromEntries(query.value)
  go(hrefOf(path.value, { ...now, ...changes }), options)
}

/** Follows links to the console within the page. */
export function followLinks(): void {
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return
    const link = (event.target as Element).closest?.('a')
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return
    if (link.pathname !== base && !link.pathname.startsWith(`${base}/`)) return
    event.preventDefault()
    go(link.pathname + link.search)
    if (link.hash) document.getElementById(link.hash.slice(1))?.focus()
  })
}
