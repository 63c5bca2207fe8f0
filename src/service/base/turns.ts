import { createHash } from 'node:crypto'

/** Runs a limited number of tasks concurrently; the others wait in order. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Runs a task once a slot is free. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}

/** Bytes that are hashed, copied or searched before the event loop gets its turn; a few milliseconds of work. */
export const turnBytes = 1024 * 1024

/** Lets the event loop serve others. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Adds bytes to a hash or signature, and lets the event loop serve others in between. */
export async function updated<Hash extends { update(bytes: Uint8Array): unknown }>(
  hash: Hash,
  bytes: Uint8Array,
): Promise<Hash> {
  for (let at = 0; at < bytes.length; at += turnBytes) {
    if (at > 0) await turn()
    hash.update(bytes.subarray(at, at + turnBytes))
  }
  return hash
}

/** Returns the SHA-256 hash of bytes in hex, and lets the event loop serve others in between. */
export const sha256InTurns = async (bytes: Uint8Array): Promise<string> =>
  (await updated(createHash('sha256'), bytes)).digest('hex')

/** Copies parts to one buffer, and lets the event loop serve others in between. */
export async function joined(parts: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let size = 0
  let sinceTurn = 0
  for (const part of parts)
    for (let at = 0; at < part.length; at += turnBytes) {
      const piece = part.subarray(at, at + turnBytes)
      if (sinceTurn + piece.length > turnBytes) {
        await turn()
        sinceTurn = 0
      }
      bytes.set(piece, size)
      size += piece.length
      sinceTurn += piece.length
    }
  return bytes
}
