import { expect } from 'vitest'

/**
 * Holds that hostile input takes the processor no longer than `most` milliseconds. The least of three tries counts: a
 * busy machine makes one slow, and only what grows too fast makes all of them so.
 */
export async function quickly<T>(max: number, work: () => T | Promise<T>, of = 'the work'): Promise<T> {
  let min = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3; tries++) {
    const start = process.cpuUsage()
    const result = await work()
    const { user, system } = process.cpuUsage(start)
    min = Math.min(min, (user + system) / 1000)
    if (min <= max) return result
  }
  return expect.fail(`${of} took ${Math.round(min)} ms of the processor at least, ${max} are enough`)
}

/** Bytes of a mail written as text. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
