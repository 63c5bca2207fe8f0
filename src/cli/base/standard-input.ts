import { text as readAll } from 'node:stream/consumers'

/**
 * Returns the given text of a message, or reads it from standard input, with a hint if that is a terminal.
 */
export async function readText(given: string | undefined): Promise<string> {
  if (given !== undefined) return given
  if (process.stdin.isTTY) process.stderr.write('Write the message. End it with Ctrl-D.\n')
  return readAll(process.stdin)
}
