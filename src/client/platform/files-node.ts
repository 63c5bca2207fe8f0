import { closeSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { devNull } from 'node:os'
import type { ReadFile } from './platform'

/** More than the largest part of the client opens at once while it is loaded. */
const handlesToLoad = 16

/** Checks that a part of the program can be loaded. @throws the error of the system where too few files can be opened */
export function requireHandles(): void {
  const opened: number[] = []
  try {
    while (opened.length < handlesToLoad) opened.push(openSync(devNull, 'r'))
  } finally {
    for (const handle of opened) closeSync(handle)
  }
}

/** Reads the part of a file that fits, and one byte more where there is more. */
export const readFile: ReadFile = async (path, maxBytes) => {
  await using file = await open(path)
  const chunks: Uint8Array[] = []
  const options = { autoClose: false, end: maxBytes }
  for await (const chunk of file.createReadStream(options)) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}
