import { readFileSync } from 'node:fs'

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
  throw new Error(`${of} took ${Math.round(min)} ms of the processor at least, ${max} are enough`)
}

/** Processor time of this thread in ms; the time that passed on systems that do not tell it. */
function threadMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

/** Returns the longest time in ms that work kept the event loop of this thread from others. */
async function silenceOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = threadMs()
  const note = () => {
    const now = threadMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(note, 1)
  await work().finally(() => clearInterval(timer))
  note()
  return longest
}

/**
 * Checks that work never keeps the event loop of this thread from others for more than `max` milliseconds of a usual
 * machine. The least of three tries counts, as in {@link quickly}.
 */
export async function givesTurns(max: number, work: () => Promise<unknown>, of = 'the work'): Promise<void> {
  let min = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3; tries++) {
    min = Math.min(min, await silenceOf(work))
    if (min <= max || min <= max * (await slowness())) return
  }
  throw new Error(`${of} kept the event loop for ${Math.round(min)} ms, ${max} are enough`)
}

/** Bytes of a mail written as text. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Least time of a run that a ratio is taken of, in ms of the processor: in less, a clock shows little but itself. */
const leastMeasuredMs = 8

/** The least time of the processor of five runs, in ms; of fewer once one takes no longer than `enoughMs`. */
async function leastCost(work: () => unknown, enoughMs = leastMeasuredMs): Promise<number> {
  let min = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 5 && min > enoughMs; tries++) min = Math.min(min, (await costOf(work)).ms)
  return min
}

/** How many times longer work takes for four times its input: the least of three tries. */
async function growthOf(work: (length: number) => unknown, length: number): Promise<number> {
  let growth = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && growth > maxGrowth; tries++) {
    const before = Math.max(leastMeasuredMs, await leastCost(() => work(length / 4)))
    growth = Math.min(growth, (await leastCost(() => work(length))) / before)
  }
  return growth
}

/**
 * Most that work may grow while its input doubles twice: 2.6 for each doubling. Linear work grows fourfold, and
 * a little more by the cost of memory; quadratic work grows sixteenfold.
 */
const maxGrowth = 2.6 ** 2
const maxLength = 1024 * 1024

/**
 * Checks that work takes no more than 2.6 times as long for each doubling of its input, from 4 KB to 1 MB. Two
 * doublings are compared at once, with a limit of 2.6² = 6.76: the cost of memory hides the cost of work in a
 * single one. Work that takes longer than `maxMs` fails at once.
 */
export async function growsLinearly(
  of: string,
  work: (length: number) => unknown,
  maxMs = 5_000,
): Promise<void> {
  const costs: number[] = []
  for (let length = 4 * 1024; length <= maxLength; length *= 2) {
    const max = maxGrowth * Math.max(leastMeasuredMs, costs.at(-2) ?? 0)
    // Nothing is compared with the longest two: one run within the bound is enough.
    const enoughMs = length > maxLength / 4 ? Math.min(max, maxMs) : leastMeasuredMs
    const ms = await leastCost(() => work(length), enoughMs)
    costs.push(ms)
    if (ms > maxMs && ms > maxMs * (await slowness()))
      throw new Error(`${of}: ${length} characters took ${Math.round(ms)} ms of the processor`)
    if (costs.length > 2 && ms > max && (await growthOf(work, length)) > maxGrowth)
      throw new Error(
        `${of}: doubled up to ${length} characters it took ${costs.map(Math.round).join(', ')} ms`,
      )
  }
}
