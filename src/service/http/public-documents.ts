import { createHash } from 'node:crypto'
import { loadLater } from '../base/load-later'
import { type Coding, codingFor, compress } from './compress'
import { llmsText } from './documents'

const loadAsyncapi = loadLater(() => import('./asyncapi'))
const loadOpenapi = loadLater(() => import('./openapi'))
const loadReference = loadLater(() => import('./reference'))

/** Public document in the form in which it is sent. */
interface Built {
  url: string
  body: Uint8Array<ArrayBuffer>
  etag: string
  /** Compressed versions that clients asked for. */
  readonly compressed: Map<Coding, Promise<Uint8Array<ArrayBuffer>>>
}

/** Document that is equal for all readers: its content type, and how it is written for a public URL. */
interface PublicDocument {
  contentType: string
  headers?: Record<string, string>
  write(publicUrl: string): Promise<string> | string
}

const cacheControl = 'public, max-age=300'

/** Returns true if the reader has this version (RFC 9110 section 13.1.2, weak comparison). */
const isHeld = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) ?? false

/** Returns the document in this coding, compressed once. */
function codedBody({ body, compressed }: Built, coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
  const made = compressed.get(coding) ?? compress(body, coding)
  compressed.set(coding, made)
  made.catch(() => compressed.delete(coding))
  return made
}

/** Returns the validator of one coding (RFC 9110 section 8.8.3.3). */
const codedTag = (etag: string, coding: Coding | null) =>
  coding === null ? etag : `${etag.slice(0, -1)}-${coding}"`

async function build({ write }: PublicDocument, url: string): Promise<Built> {
  const body = new TextEncoder().encode(await write(url))
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  return { url, body, etag, compressed: new Map() }
}

/** Serves a document, which is built once for each public URL. A failed build is retried. */
export function servePublic(
  document: PublicDocument,
  publicUrl: () => string,
): (request: Request) => Promise<Response> {
  let held: { url: string; built: Promise<Built> } | undefined
  function builtFor(url: string): Promise<Built> {
    if (held?.url === url) return held.built
    const built = build(document, url)
    const entry = { url, built }
    held = entry
    built.catch(() => {
      if (held === entry) held = undefined
    })
    return built
  }
  return async ({ headers }) => {
    const built = await builtFor(publicUrl())
    const coding = codingFor(headers.get('accept-encoding'))
    const etag = codedTag(built.etag, coding)
    const fields = { etag, vary: 'Accept-Encoding', 'cache-control': cacheControl, ...document.headers }
    if (isHeld(headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers: fields })
    const typed = { ...fields, 'content-type': document.contentType }
    if (coding === null) return new Response(built.body, { headers: typed })
    const body = await codedBody(built, coding)
    return new Response(body, { headers: { ...typed, 'content-encoding': coding } })
  }
}

const description = async (url: string) => (await loadOpenapi()).openApiDocument(url)
const socket = async (url: string) => (await loadAsyncapi()).asyncApiDocument(url)
const json = 'application/json'

const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/** Public documents by path. Their modules are loaded for the first reader. */
export const publicDocuments: Readonly<Record<string, PublicDocument>> = {
  '/v1/openapi.json': { contentType: json, write: async (url) => JSON.stringify(await description(url)) },
  '/v1/asyncapi.json': { contentType: json, write: async (url) => JSON.stringify(await socket(url)) },
  '/llms.txt': { contentType: 'text/plain; charset=UTF-8', write: llmsText },
  '/reference': {
    contentType: 'text/html; charset=UTF-8',
    headers: pageHeaders,
    write: async (url) =>
      String(await (await loadReference()).referencePage(await description(url), await socket(url))),
  },
}
