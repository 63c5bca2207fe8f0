import { setPriority } from 'node:os'
import type { FileHints } from '../ports'
import { extractFile } from './extract'

/** Reads all of the standard input: a line of JSON about the file, then its bytes. */
async function readInput(): Promise<{ hints: FileHints; bytes: Uint8Array }> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  const input = Buffer.concat(chunks)
  const end = input.indexOf(10)
  return {
    hints: JSON.parse(input.subarray(0, end).toString()) as FileHints,
    // A copy at the start of a buffer of its own, which some libraries expect.
    bytes: new Uint8Array(input.subarray(end + 1)),
  }
}

/** Reads one file and ends. Libraries print to the console: it is no part of the answer. */
async function main(): Promise<void> {
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => {}
  try {
    setPriority(19)
  } catch {}
  const { bytes, hints } = await readInput()
  const result = JSON.stringify(await extractFile(bytes, hints))
  process.stdout.write(result, () => process.exit(0))
}

void main()
