import { expect } from 'vitest'

/** Measures the milliseconds of processor time that work takes. */
async function costOf<T>(work: () => T | Promise<T>): Promise<{ result: T; ms: number }> {
  const start = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(start)
  return { result, ms: (user + system) / 1000 }
}

/** Work of the kind that reading mail is: strings that are made, taken apart and looked up. */
function reference(): number {
  const counts = new Map<string, number>()
  for (let line = 0; line < 20_000; line++)
    for (const word of `x-${line % 997}: a${line} b`.split(/[\s:]+/))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts.size
}
/** What `reference` takes of a processor of the machine for which the bounds of tests were said. */
const usualReferenceMs = 11

/** Tells how many times slower this machine is now than the usual one, and never that it is faster. */
async function slowness(): Promise<number> {
  let min = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 5; tries++) min = Math.min(min, (await costOf(reference)).ms)
  return Math.max(1, min / usualReferenceMs)
}

/**
 * Holds that hostile input takes the processor no longer than `max` milliseconds of a usual machine. The least of three
 * tries counts: a busy machine makes one slow, and only what grows too fast makes all of them so. Where all are over, a
 * reference tells whether the machine is the slow one.
 */
export async function quickly<T>(max: number, work: () => T | Promise<T>, of = 'the work'): Promise<T> {
  let min = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3; tries++) {
    const { result, ms } = await costOf(work)
    min = Math.min(min, ms)
    if (min <= max || min <= max * (await slowness())) return result
  }
  return expect.fail(`${of} took ${Math.round(min)} ms of the processor at least, ${max} are enough`)
}

/** Bytes of a mail written as text. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
