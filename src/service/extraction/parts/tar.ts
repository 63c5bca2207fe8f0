const blockBytes = 512
const maxMembers = 10_000

/** Returns whether bytes are a TAR archive (`ustar` of POSIX). */
export const isTar = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar'

/** Lists the files of a TAR archive by their headers. */
export function listTar(bytes: Uint8Array): { name: string; size: number }[] {
  const found: { name: string; size: number }[] = []
  const field = (at: number, length: number) => {
    const part = bytes.subarray(at, at + length)
    const end = part.indexOf(0)
    return Buffer.from(end < 0 ? part : part.subarray(0, end)).toString('utf8')
  }
  let at = 0
  while (at + blockBytes <= bytes.length && bytes[at] !== 0 && found.length < maxMembers) {
    const size = Number.parseInt(field(at + 124, 12).trim(), 8) || 0
    const prefix = field(at + 345, 155)
    const name = field(at, 100)
    if (/[0\0]/.test(String.fromCharCode(bytes[at + 156] ?? 0)))
      found.push({ name: prefix ? `${prefix}/${name}` : name, size })
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes
  }
  return found
}
