/** Size of a picture in pixels. */
export interface PictureSize {
  width: number
  height: number
}

/** Bytes of a JPEG in which its size is looked for: profiles and previews stand before it. */
const maxHeadBytes = 1024 * 1024

/** Finds the frame of a JPEG, which has its size. */
function jpegSize(view: DataView): PictureSize | null {
  let at = 2
  while (at + 9 < Math.min(view.byteLength, maxHeadBytes)) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return null
}

/** Reads the size of a WebP: lossy, lossless or extended. */
function webpSize(view: DataView, kind: string): PictureSize | null {
  if (kind === 'VP8 ')
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (kind !== 'VP8X') return null
  const threeBytes = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000 + 1
  return { width: threeBytes(24), height: threeBytes(27) }
}

/** Reads the size of a JPEG, PNG, GIF or WebP from its first bytes; null for any other content. */
export function pictureSize(bytes: Uint8Array): PictureSize | null {
  if (bytes.length < 30) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = String.fromCharCode(...bytes.subarray(0, 16))
  if (text.startsWith('\x89PNG')) return { width: view.getUint32(16), height: view.getUint32(20) }
  if (/^GIF8[79]a/.test(text)) return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (text.startsWith('\xff\xd8')) return jpegSize(view)
  return /^RIFF.{4}WEBP/s.test(text) ? webpSize(view, text.slice(12)) : null
}
