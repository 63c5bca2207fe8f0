/** Progress display of long work. */
export interface Progress {
  /** Replaces the line that is shown. */
  tell(line: string): void
  /** Removes the line, so that later output starts on an empty one. */
  end(): void
}

const everyMs = 100
const everyMsInLogs = 10_000

/**
 * Writes progress to standard error: one changing line on a terminal, else a line every ten seconds. Logs
 * stay short, and quick work writes nothing to them.
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
