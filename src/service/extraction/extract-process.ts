import { setPriority } from 'node:os'
import { extractFile } from './extract'
import type { ProcessInput } from './extractor'
import { openMessage, readFileWithin } from './open'

/** Reads all of the standard input: a line of JSON about the file, then its bytes. */
async function readInput(): Promise<ProcessInput & { bytes: Uint8Array }> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  const input = Buffer.concat(chunks)
  const end = input.indexOf(10)
  return {
    ...(JSON.parse(input.subarray(0, end).toString()) as ProcessInput),
    // A copy at the start of a buffer of its own, which some libraries expect.
    bytes: new Uint8Array(input.subarray(end + 1)),
  }
}

/** Returns the answer: JSON, with the bytes of a file on the next line. */
async function answerOf({
  task,
  bytes,
  ...hints
}: ProcessInput & { bytes: Uint8Array }): Promise<Uint8Array> {
  if (task === 'text') return Buffer.from(JSON.stringify(await extractFile(bytes, hints)))
  if (task === 'open') return Buffer.from(JSON.stringify(await openMessage(bytes, hints)))
  const found = await readFileWithin(bytes, hints, task)
  if (found.status !== 'ready') return Buffer.from(JSON.stringify(found))
  const { content, ...rest } = found
  return Buffer.concat([Buffer.from(`${JSON.stringify(rest)}\n`), content])
}

/** Reads one file and ends. Libraries print to the console: it is no part of the answer. */
async function main(): Promise<void> {
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => {}
  try {
    setPriority(19)
  } catch {}
  const answer = await answerOf(await readInput())
  process.stdout.write(answer, () => process.exit(0))
}

void main()
