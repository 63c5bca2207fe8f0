/** One BER element (X.690): its tag, and the offsets of its content. */
interface Element {
  tag: number
  start: number
  end: number
  /** Offset after it, including the end mark of an indefinite length. */
  next: number
}

const [SEQUENCE, SET, OID, OCTETS, CONSTRUCTED_OCTETS, EXPLICIT] = [0x30, 0x31, 0x06, 0x04, 0x24, 0xa0]
const constructed = 0x20
const maxDepth = 12
/** 1.2.840.113549.1.7.2, signedData (RFC 5652 section 5.1). */
const signedData = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]

/**
 * Returns the MIME entity within an opaque-signed S/MIME message (RFC 8551 section 3.5.2). Does not verify
 * the signature: signed content is readable without it. Null for encrypted and malformed content. Linear
 * time.
 */
export function signedContentOf(bytes: Uint8Array): Uint8Array | null {
  const info = elementAt(bytes, 0, 0)
  if (info?.tag !== SEQUENCE) return null
  const [type, wrapped] = childrenOf(bytes, info, 2)
  if (!type || type.tag !== OID || !isSignedData(bytes.subarray(type.start, type.end))) return null
  const data = wrapped?.tag === EXPLICIT ? childrenOf(bytes, wrapped, 1)[0] : undefined
  if (data?.tag !== SEQUENCE) return null
  const [, algorithms, content] = childrenOf(bytes, data, 3)
  if (algorithms?.tag !== SET || content?.tag !== SEQUENCE) return null
  const inner = childrenOf(bytes, content, 2)[1]
  const octets = inner?.tag === EXPLICIT ? childrenOf(bytes, inner, 1)[0] : undefined
  return octets ? joinedOctets(bytes, octets) : null
}

const isSignedData = (id: Uint8Array): boolean =>
  id.length === signedData.length && signedData.every((octet, at) => id[at] === octet)

function elementAt(bytes: Uint8Array, at: number, depth: number): Element | null {
  const [tag, first] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || first === undefined || depth > maxDepth) return null
  if (first === 0x80) return indefinite(bytes, tag, at + 2, depth)
  let [start, length] = [at + 2, first]
  if (first > 0x80) {
    const count = first & 0x7f
    if (count > 4) return null
    length = 0
    for (let octet = 0; octet < count; octet++) length = length * 256 + (bytes[start++] ?? 0)
  }
  const end = start + length
  return end > bytes.length ? null : { tag, start, end, next: end }
}

/** Reads an element that ends with two zeros, after its inner elements. */
function indefinite(bytes: Uint8Array, tag: number, start: number, depth: number): Element | null {
  if ((tag & constructed) === 0) return null
  let at = start
  while (bytes[at] !== 0 || bytes[at + 1] !== 0) {
    const inner = elementAt(bytes, at, depth + 1)
    // A streamed message may be truncated: its existing content counts.
    if (!inner) return { tag, start, end: bytes.length, next: bytes.length }
    at = inner.next
  }
  return { tag, start, end: at, next: at + 2 }
}

function childrenOf(bytes: Uint8Array, { start, end }: Element, count: number): Element[] {
  const found: Element[] = []
  for (let at = start; at < end && found.length < count; ) {
    const child = elementAt(bytes, at, 1)
    if (!child) break
    found.push(child)
    at = child.next
  }
  return found
}

function joinedOctets(bytes: Uint8Array, { tag, start, end }: Element): Uint8Array | null {
  if (tag === OCTETS) return bytes.subarray(start, end)
  if (tag !== CONSTRUCTED_OCTETS) return null
  const content = new Uint8Array(end - start)
  let length = 0
  for (let at = start; at < end; ) {
    const piece = elementAt(bytes, at, 1)
    if (piece?.tag !== OCTETS) break
    content.set(bytes.subarray(piece.start, piece.end), length)
    length += piece.end - piece.start
    at = piece.next
  }
  return content.subarray(0, length)
}
