/**
 * Runs something and gives its result with the milliseconds that it took the processor, however busy the machine is: for
 * tests that hostile input cannot hang.
 */
export async function timed<T>(work: () => T | Promise<T>): Promise<{ result: T; ms: number }> {
  const start = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(start)
  return { result, ms: (user + system) / 1000 }
}

/** Bytes of a mail written as text. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
