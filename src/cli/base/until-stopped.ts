/** One Ctrl-C may come twice: from the terminal, and from an `npm` that hands it on. */
const sameRequestMs = 500

/**
 * Resolves when the process is asked to stop (Ctrl-C, SIGTERM, the terminal closed). Being asked again ends it
 * at once. Until then the process stays alive.
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
