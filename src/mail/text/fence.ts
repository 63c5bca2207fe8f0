const fence = '```'
const maxFenced = 200

/**
 * Returns the last line of a fenced block that opens at a line, as around code; the line itself if none does.
 */
export function endOfFence(lines: readonly string[], start: number): number {
  if (!lines[start]?.startsWith(fence)) return start
  for (let at = start + 1; at < Math.min(lines.length, start + maxFenced); at++)
    if (lines[at]!.startsWith(fence)) return at
  return start
}

/** Returns whether a line is in a fenced block. */
export function isFenced(lines: readonly string[], line: number): boolean {
  let at = 0
  while (at < line) {
    const end = endOfFence(lines, at)
    if (end >= line) return true
    at = end + 1
  }
  return false
}
