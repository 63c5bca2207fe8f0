import { refuse } from '../../base/refuse'

/** File to download. */
interface Download {
  content: Uint8Array
  filename: string
  contentType: string
  /** Changes with the content; without quotes. */
  version: string
  range?: string | undefined
  ifRange?: string | undefined
}

const pieceBytes = 64 * 1024

/** Streams the content in pieces, at the speed of the reader. */
export function streamOf(content: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= content.byteLength) return controller.close()
      controller.enqueue(content.slice(at, at + pieceBytes))
      at += pieceBytes
    },
  })
}

const percentEncoded = (text: string) =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Writes `Content-Disposition` (RFC 6266): a plain name for old clients, and the exact one (RFC 8187). */
export function contentDisposition(filename: string): string {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${percentEncoded(filename)}`
}

/** Returns the media type of a file. It comes from a stranger: an invalid one becomes plain bytes. */
const safeType = (type: string) =>
  /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(type) ? type : 'application/octet-stream'

/** Sends a stranger's file, so that a browser neither runs it nor shows it inline. */
export function downloadResponse(file: Download): Response {
  const { content, version, filename, ifRange } = file
  const size = content.byteLength
  const etag = `"${version}"`
  const range = readByteRange(ifRange === undefined || ifRange === etag ? file.range : undefined, size)
  const headers = {
    'content-type': safeType(file.contentType),
    'content-disposition': contentDisposition(filename),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag,
  }
  if (range === 'unsatisfiable') return unsatisfiable(size)
  if (range === 'all')
    return new Response(streamOf(content), { headers: { ...headers, 'content-length': String(size) } })
  const part = content.subarray(range.first, range.last + 1)
  return new Response(streamOf(part), {
    status: 206,
    headers: {
      ...headers,
      'content-length': String(part.byteLength),
      'content-range': `bytes ${range.first}-${range.last}/${size}`,
    },
  })
}

/** Sends the text of a stranger's file, so that a browser neither runs it nor shows it inline. */
export const textResponse = (text: string, contentType: string): Response =>
  new Response(text, {
    headers: {
      'content-type': `${contentType}; charset=utf-8`,
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
      vary: 'accept',
    },
  })

function unsatisfiable(size: number): Response {
  const { code, message, status } = refuse(
    'range_not_satisfiable',
    `The file has ${size} bytes: ask for a range that begins before its end.`,
  )
  return Response.json(
    { error: code, message },
    { status, headers: { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' } },
  )
}

/** Byte range of a file, both ends included (RFC 9110 section 14.1.2). */
interface ByteRange {
  first: number
  last: number
}

/**
 * Parses a `Range` header. Returns `all` if it is missing or not understood, or asks for several ranges,
 * which a server may ignore (RFC 9110 section 14.2).
 */
export function readByteRange(header: string | undefined, size: number): ByteRange | 'all' | 'unsatisfiable' {
  const [, from, to] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return 'all'
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  const [first, last] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)]
  if (to !== '' && Number(to) < first) return 'all'
  return first >= size ? 'unsatisfiable' : { first, last }
}
