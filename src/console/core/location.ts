import { computed, signal } from '@preact/signals'

/** Path of the console, such as `/console`; a proxy may have put a prefix before it. */
export const base =
  document.querySelector<HTMLMetaElement>('meta[name="restante-base"]')?.content ?? '/console'

/** True if the service captures all outgoing messages, which is for trying agents. */
export const isCaptured =
  document.querySelector<HTMLMetaElement>('meta[name="restante-delivery"]')?.content === 'capture'

/** True if a login is created by an emailed link, which verifies the address. */
export const signUpByLink =
  document.querySelector<HTMLMetaElement>('meta[name="restante-sign-up"]')?.content === 'link'

/** Base URL of the API. */
export const interfaceUrl = `${location.origin}${base.replace(/\/console$/, '')}/v1`

interface Place {
  /** Path below the console, such as `/conversations`. */
  path: string
  query: URLSearchParams
}

/** Returns the decoded path of the address; the original one if it cannot be decoded, which no page has. */
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

/** Path of the current page, below the console. */
export const path = computed(() => place.value.path)
/** Query parameters of the address: filters, and what is open. */
export const query = computed(() => place.value.query)

/** Returns the address of a page. Parameters that are null or empty are left out. */
export function hrefOf(to: string, parameters: Record<string, string | null | undefined> = {}): string {
  const entries = Object.entries(parameters).filter((one): one is [string, string] => !!one[1])
  const search = new URLSearchParams(entries).toString()
  return `${base}${to === '/' ? '' : to}${search && `?${search}`}`
}

/** Goes to an address of the console without loading a document. */
export function go(href: string, { replace = false } = {}): void {
  if (href === location.pathname + location.search) return
  history[replace ? 'replaceState' : 'pushState'](null, '', href)
  place.value = read()
}

/** Changes query parameters of the current page; null removes one. */
export function setQuery(changes: Record<string, string | null>, options?: { replace?: boolean }): void {
  const now = Object.fromEntries(query.value)
  go(hrefOf(path.value, { ...now, ...changes }), options)
}

/** Handles clicks on links to the console without loading a document. */
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
