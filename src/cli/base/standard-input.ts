import { text as readAll } from 'node:stream/consumers'

/** The text of a mail: what was given, or else what comes on standard input, which a person is told. */
export async function readText(given: string | undefined): Promise<string> {
  if (given !== undefined) return given
  if (process.stdin.isTTY) process.stderr.write('Write the mail; Ctrl-D ends it.\n')
  return readAll(process.stdin)
}
