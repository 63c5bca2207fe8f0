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
