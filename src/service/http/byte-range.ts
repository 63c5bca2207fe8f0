/** A stretch of a file, both ends included (RFC 9110 section 14.1.2). */
export interface ByteRange {
  first: number
  last: number
}

/**
 * Which bytes a `Range` header asks for. `all` where the header says nothing that is understood, or asks for
 * several ranges, which a server may answer with everything (RFC 9110 section 14.2).
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
