/** File in an archive. */
export interface ArchiveFile {
  /** Path in the archive, as its author wrote it. */
  name: string
  /** Size by the directory of the archive, which may lie. */
  size: number
  /** @throws ExtractionFailure `encrypted`, `too_large`, `unsupported`, `unreadable` */
  read(): Promise<Uint8Array>
}

const blockBytes = 512
const maxMembers = 10_000

/** Returns whether bytes are a TAR archive (`ustar` of POSIX). */
export const isTar = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar'

/** Returns the files of a TAR archive, by their headers. */
export function filesOfTar(bytes: Uint8Array): ArchiveFile[] {
  const found: ArchiveFile[] = []
  const field = (at: number, length: number) => {
    const part = bytes.subarray(at, at + length)
    const end = part.indexOf(0)
    return Buffer.from(end < 0 ? part : part.subarray(0, end)).toString('utf8')
  }
  let at = 0
  while (at + blockBytes <= bytes.length && bytes[at] !== 0 && found.length < maxMembers) {
    const digits = field(at + 124, 12).trim()
    const size = /^[0-7]{1,12}$/.test(digits) ? Number.parseInt(digits, 8) : 0
    const prefix = field(at + 345, 155)
    const name = field(at, 100)
    const content = bytes.subarray(at + blockBytes, at + blockBytes + size)
    if (/[0\0]/.test(String.fromCharCode(bytes[at + 156] ?? 0)))
      found.push({ name: prefix ? `${prefix}/${name}` : name, size, read: async () => content })
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes
  }
  return found
}
