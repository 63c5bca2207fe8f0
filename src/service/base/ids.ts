import { randomBytes, randomUUID } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const timeDigits = 9
const chanceDigits = 7

function inDigits(number: number, count: number): string {
  let rest = number
  let digits = ''
  for (let i = 0; i < count; i++) {
    digits = alphabet[rest % 32] + digits
    rest = Math.floor(rest / 32)
  }
  return digits
}

const timePart = (milliseconds: number) => inDigits(milliseconds, timeDigits)

let pool = Buffer.alloc(0)
let used = 0

/** Takes a random byte from a pool: one system call serves many ids. */
function randomByte(): number {
  if (used === pool.length) {
    pool = randomBytes(4096)
    used = 0
  }
  return pool[used++]!
}

const maxTimeMs = 32 ** timeDigits - 1

/** Lower bound of the ids that were made at this time or later. */
export const firstIdAt = (prefix: IdPrefix, milliseconds: number): string =>
  `${prefix}_${timePart(Math.min(Math.max(milliseconds, 0), maxTimeMs))}`

/** Returns a UUID in time order (RFC 9562 section 5.7). */
export function newUuid(milliseconds: number): string {
  const time = milliseconds.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** Returns random Crockford base32 digits, 5 bits each. */
export function randomDigitsOf(count: number): string {
  let digits = ''
  for (let i = 0; i < count; i++) digits += alphabet[randomByte() & 31]
  return digits
}

/** Returns the first `count` bytes as digits, one a byte. */
export const digitsOf = (bytes: Uint8Array, count: number): string =>
  Array.from(bytes.subarray(0, count), (byte) => alphabet[byte & 31]).join('')

type IdPrefix =
  | 'acc'
  | 'key'
  | 'inb'
  | 'thr'
  | 'msg'
  | 'att'
  | 'evt'
  | 'seg'
  | 'job'
  | 'mod'
  | 'whk'
  | 'dlv'
  | 'lbl'
  | 'lst'
  | 'sup'
  | 'drf'
  | 'not'
  | 'srp'
  | 'aud'
  | 'upl'
  | 'con'

/** Returns a random number below 32 to the power of `bytes`. */
function chance(bytes: number): number {
  let number = 0
  for (let i = 0; i < bytes; i++) number = number * 32 + (randomByte() & 31)
  return number
}

let latest = { milliseconds: -1, tail: 0 }

/** Returns the random part of an id, which grows within a millisecond as long as it fits. */
function tailPart(milliseconds: number): string {
  const grown = latest.tail + 1 + chance(3)
  const goesOn = milliseconds === latest.milliseconds && grown < 32 ** chanceDigits
  // The upper half is left for the ids that follow.
  latest = { milliseconds, tail: goesOn ? grown : Math.floor(chance(chanceDigits) / 2) }
  return inDigits(latest.tail, chanceDigits)
}

/**
 * Returns an id such as `msg_01jd8x2m4k7q5z9h`: ordered within this process, and short enough for a model to
 * copy.
 */
export const newId = (prefix: IdPrefix, milliseconds: number): string =>
  `${prefix}_${timePart(milliseconds)}${tailPart(milliseconds)}`
