import { text as readAll } from 'node:stream/consumers'

/**
 * Returns the given text of a message, or reads it from standard input, with a hint if that is a terminal.
 */
export async function readText(given: string | undefined): Promise<string> {
  if (given !== undefined) return given
  if (process.stdin.isTTY) process.stderr.write('Write the message. End it with Ctrl-D.\n')
  return readAll(process.stdin)
}

/** Time in ms within which a second signal is the same Ctrl-C, forwarded by `npm`. */
const sameRequestMs = 500

/**
 * Resolves when the process is asked to stop (Ctrl-C, SIGTERM, terminal closed). A second request exits at
 * once. Keeps the process alive until then.
 *
 * @param onHangUp Called on SIGHUP, which then does not stop the process.
 */
export function untilStopped(onHangUp?: () => void): Promise<void> {
  return new Promise((resolve) => {
    const alive = setInterval(() => {}, 60_000)
    let askedAt: number | undefined
    const stop = () => {
      if (askedAt !== undefined && performance.now() - askedAt > sameRequestMs) process.exit(130)
      askedAt ??= performance.now()
      clearInterval(alive)
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
    process.on('SIGHUP', onHangUp ?? stop)
  })
}
