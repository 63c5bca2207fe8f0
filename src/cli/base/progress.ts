/** Tells how far long work is. */
export interface Progress {
  /** Shows a line in the place of the one before. */
  tell(line: string): void
  /** Takes the line away, so that what is printed next begins on its own. */
  end(): void
}

const everyMs = 100
const everyMsInLogs = 10_000

/**
 * Writes to standard error: one line that changes on a terminal, elsewhere a line every ten seconds, so that logs stay
 * short and quick work says nothing.
 */
export function createProgress(
  stream: { write(text: string): unknown; isTTY?: boolean } = process.stderr,
  nowMs = () => performance.now(),
): Progress {
  const interval = stream.isTTY ? everyMs : everyMsInLogs
  let lastMs = nowMs() - (stream.isTTY ? interval : 0)
  let shown = false
  return {
    tell(line) {
      if (nowMs() - lastMs < interval) return
      lastMs = nowMs()
      shown = true
      stream.write(stream.isTTY ? `\r\u001b[K${line}` : `${line}\n`)
    },
    end() {
      if (shown && stream.isTTY) stream.write('\r\u001b[K')
      shown = false
    },
  }
}
