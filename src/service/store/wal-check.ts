import { closeSync, openSync, readSync } from 'node:fs'

/** State of a SQLite write-ahead log, by its format (https://sqlite.org/fileformat2.html#walformat). */
interface WalState {
  /** Frames that SQLite reads. */
  goodFrames: number
  /** Frames of the same generation after a damaged one: SQLite ignores them silently. */
  lostFrames: number
  /** The header is damaged: SQLite ignores the whole log. */
  badHeader: boolean
}

const headerBytes = 32
const frameHeaderBytes = 24
const magic = 0x377f0682

type Sums = readonly [number, number]

/** Continues the checksum over words in the byte order of the magic number. */
function checksum(bytes: Buffer, littleEndian: boolean, [first, second]: Sums = [0, 0]): Sums {
  let [a, b] = [first, second]
  const read = littleEndian ? 'readUInt32LE' : 'readUInt32BE'
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + bytes[read](at) + b) >>> 0
    b = (b + bytes[read](at + 4) + a) >>> 0
  }
  return [a, b]
}

const isSum = (bytes: Buffer, at: number, [a, b]: Sums) =>
  bytes.readUInt32BE(at) === a && bytes.readUInt32BE(at + 4) === b

/**
 * Reads a log as SQLite does when it opens the database. The log of a killed process is whole up to its last
 * frame; frames beyond a damaged one show that the disk, or another program, changed it.
 *
 * @returns null if there is no log, or it is empty.
 */
export function checkWal(file: string): WalState | null {
  let handle: number
  try {
    handle = openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    return readWal(handle)
  } finally {
    closeSync(handle)
  }
}

function readWal(handle: number): WalState | null {
  const header = Buffer.alloc(headerBytes)
  if (readSync(handle, header, 0, headerBytes, 0) < headerBytes) return null
  const littleEndian = header.readUInt32BE(0) === magic
  const pageBytes = header.readUInt32BE(8)
  let sums = checksum(header.subarray(0, 24), littleEndian)
  const isMagic = (header.readUInt32BE(0) & 0xfffffffe) >>> 0 === magic
  if (!isMagic || !isSum(header, 24, sums)) return { goodFrames: 0, lostFrames: 0, badHeader: true }
  const salts = header.subarray(16, 24)
  const frame = Buffer.alloc(frameHeaderBytes + pageBytes)
  const state = { goodFrames: 0, lostFrames: 0, badHeader: false }
  let isWhole = true
  for (
    let at = headerBytes;
    readSync(handle, frame, 0, frame.length, at) === frame.length;
    at += frame.length
  ) {
    const isPresent = frame.subarray(8, 16).equals(salts)
    if (isWhole) {
      sums = checksum(frame.subarray(0, 8), littleEndian, sums)
      sums = checksum(frame.subarray(frameHeaderBytes), littleEndian, sums)
      isWhole = isPresent && isSum(frame, 16, sums)
    }
    if (isWhole) state.goodFrames += 1
    // Frames of an earlier generation have other salts.
    else if (isPresent) state.lostFrames += 1
  }
  return state
}
