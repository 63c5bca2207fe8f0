/** Runs something and gives its result with the milliseconds it took: for tests that hostile input cannot hang. */
export async function timed<T>(work: () => T | Promise<T>): Promise<{ result: T; ms: number }> {
  const start = performance.now()
  const result = await work()
  return { result, ms: performance.now() - start }
}

/** Bytes of a mail written as text. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
