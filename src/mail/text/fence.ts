const FENCE = '```'
const MAX_FENCED = 200

/** The last line of what stands between fences that open at a line, as program text does; the line where none do. */
export function endOfFence(lines: readonly string[], start: number): number {
  if (!lines[start]?.startsWith(FENCE)) return start
  for (let at = start + 1; at < Math.min(lines.length, start + MAX_FENCED); at++)
    if (lines[at]!.startsWith(FENCE)) return at
  return start
}

/** Tells whether a line stands between fences. */
export function isFenced(lines: readonly string[], line: number): boolean {
  let at = 0
  while (at < line) {
    const end = endOfFence(lines, at)
    if (end >= line) return true
    at = end + 1
  }
  return false
}
