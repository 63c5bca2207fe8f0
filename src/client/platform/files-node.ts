import { closeSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { devNull } from 'node:os'
import type { ReadFile } from './platform'

/** More files than loading any part of the client opens at once. */
const handlesToLoad = 16

/**
 * Checks that parts of the program can be loaded. @throws the system's error if too few files can be opened
 */
export function requireHandles(): void {
  const opened: number[] = []
  try {
    while (opened.length < handlesToLoad) opened.push(openSync(devNull, 'r'))
  } catch (error) {
    // A runtime with permissions may refuse this file: then nothing can be checked.
    if (['EMFILE', 'ENFILE'].includes((error as { code?: string }).code ?? '')) throw error
  } finally {
    for (const handle of opened) closeSync(handle)
  }
}

/** Reads the first `maxBytes` of a file, and one byte more if it is larger. */
export const readFile: ReadFile = async (path, maxBytes) => {
  await using file = await open(path)
  const chunks: Uint8Array[] = []
  const options = { autoClose: false, end: maxBytes }
  for await (const chunk of file.createReadStream(options)) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}
