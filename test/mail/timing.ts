import { expect } from 'vitest'

/**
 * Holds that hostile input takes the processor no longer than `most` milliseconds. The least of three tries counts: a
 * busy machine makes one slow, and only what grows too fast makes all of them so.
 */
export async function quickly<T>(most: number, work: () => T | Promise<T>, of = 'the work'): Promise<T> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3; tries++) {
    const start = process.cpuUsage()
    const result = await work()
    const { user, system } = process.cpuUsage(start)
    least = Math.min(least, (user + system) / 1000)
    if (least <= most) return result
  }
  return expect.fail(`${of} took ${Math.round(least)} ms of the processor at least, ${most} are enough`)
}

/** Bytes of a mail written as text. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
