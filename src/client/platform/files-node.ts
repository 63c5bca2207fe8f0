import { open } from 'node:fs/promises'
import type { ReadFile } from './platform'

/** Reads the part of a file that fits, and one byte more where there is more. */
export const readFile: ReadFile = async (path, maxBytes) => {
  await using file = await open(path)
  const chunks: Uint8Array[] = []
  const options = { autoClose: false, end: maxBytes }
  for await (const chunk of file.createReadStream(options)) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}
