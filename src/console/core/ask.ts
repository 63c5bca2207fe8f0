import { accountHeader } from '../../protocol/socket'
import { base, interfaceUrl } from './location'

/** Error answer of the service, or no answer at all. */
export class Refused extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.name = 'Refused'
    this.code = code
  }
}

const whenSignedOut = new Set<() => void>()
/** Adds a callback for the time when the service, or a proxy before it, reports that nobody is signed in. */
export function onSignedOut(work: () => void): void {
  whenSignedOut.add(work)
}
/** Runs all sign-out callbacks, which clear the data of the account. */
export function clearAll(): void {
  for (const work of whenSignedOut) work()
}

/** Returns a new idempotency key. */
export const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

interface Asked {
  method?: string
  body?: unknown
  /** Account to act for, if the operation belongs to agents. */
  account?: string
  /** Idempotency key, by which the service recognises a repeat: see `useFormKey`. */
  key?: string
  signal?: AbortSignal
  /** True if it must reach the service even if the page closes. */
  keepalive?: boolean
}

async function ask(
  url: string,
  { method = 'GET', body, account, key, signal, keepalive }: Asked,
): Promise<Response> {
  const headers: Record<string, string> = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(account !== undefined && { [accountHeader]: account }),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(url, {
    method,
    headers,
    ...sent,
    ...(signal && { signal }),
    ...(keepalive && { keepalive }),
  }).catch((error) => {
    if (signal?.aborted) throw error
    throw new Refused('network', 'The service cannot be reached. Check your connection, then try again.')
  })
  if (response.ok) return response
  const said = await response.json().catch(() => ({}))
  if (response.status === 401 && !url.includes('/auth/')) clearAll()
  throw new Refused(said.error ?? `http_${response.status}`, said.message ?? 'The request failed. Try again.')
}

const jsonOf = async (response: Response) => (response.status === 204 ? undefined : response.json())

/** Calls an operation of the API, by its path below the base URL. */
export async function call<T>(path: string, asked: Asked = {}): Promise<T> {
  return jsonOf(await ask(interfaceUrl + path, asked))
}

/** Downloads bytes, such as those of an attachment. */
export async function download(path: string, account: string): Promise<Blob> {
  return (await ask(interfaceUrl + path, { account })).blob()
}

/** Runs one step of signing in or out. */
export async function sign<T = { operator: { id: string; email: string } | null }>(
  step: string,
  body?: object,
): Promise<T> {
  const method = body ? 'POST' : 'GET'
  return jsonOf(await ask(`${location.origin}${base}/auth/${step}`, { method, ...(body && { body }) }))
}

/** Reads all pages of a list. */
export async function readAll<T>(path: string, name: string, account?: string): Promise<T[]> {
  const all: T[] = []
  let cursor: string | null = null
  do {
    const search: string = `limit=100${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const page: Record<string, unknown> = await call(`${path}${path.includes('?') ? '&' : '?'}${search}`, {
      ...(account !== undefined && { account }),
    })
    all.push(...(page[name] as T[]))
    cursor = (page.next_cursor as string | null) ?? null
  } while (cursor !== null)
  return all
}
