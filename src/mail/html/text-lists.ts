const bullet = /^([\t ]{0,12})([-*•◦▪])[\t ]+(?=\S)/
const numberPattern = /^([\t ]{0,12})(0|[1-9]\d{0,2})[.)][\t ]+(?=\S)/

/** A list in plain text. */
export interface TextList {
  /** Number of its first item; null for bullets. */
  first: number | null
  items: TextItem[]
}

/** One item, with its nested lists. */
interface TextItem {
  /** Its lines, without the mark and the indentation. */
  lines: string[]
  lists: TextList[]
}

/** A list, or lines outside lists. */
export type TextBlock = { lines: string[] } | { list: TextList }

interface Mark {
  indent: number
  /** The bullet of the list, or `1` for numbers. */
  kind: string
  number: number | null
  text: string
}

/**
 * Finds the lists in the lines of a paragraph: two or more marks of one kind at one depth, with consecutive
 * numbers. A single line with a dash is a remark, and `1984. A year` is no list either. Linear time.
 */
export function blocksOf(lines: readonly string[]): TextBlock[] {
  const blocks: TextBlock[] = []
  let plain: string[] = []
  for (let at = 0; at < lines.length; ) {
    const { list, next } = listAt(lines, at, 2)
    if (!list) plain.push(lines[at++]!)
    else {
      if (plain.length > 0) blocks.push({ lines: plain })
      blocks.push({ list })
      plain = []
      at = next
    }
  }
  return plain.length > 0 ? [...blocks, { lines: plain }] : blocks
}

function markOf(line: string | undefined): Mark | null {
  if (line === undefined) return null
  const match = bullet.exec(line) ?? numberPattern.exec(line)
  if (!match) return null
  const [whole, blanks = '', sign = ''] = match
  const isNumber = /\d/.test(sign)
  return {
    indent: blanks.replaceAll('\t', '    ').length,
    kind: isNumber ? '1' : sign,
    number: isNumber ? Number(sign) : null,
    text: line.slice(whole.length),
  }
}

/** Removes the empty lines between the items of a list, which would split it into lists of one. */
export function tightened(lines: readonly string[]): string[] {
  const kept: string[] = []
  let empty: string[] = []
  for (const line of lines) {
    if (!line.trim()) empty.push(line)
    else {
      const [before, mark] = [markOf(kept.at(-1)), markOf(line)]
      const isNext = before !== null && mark !== null && isNextOf(mark, before, 1)
      if (!isNext) for (const one of empty) kept.push(one)
      kept.push(line)
      empty = []
    }
  }
  return [...kept, ...empty]
}

/** Reads the list at a line and returns its end; no list if it has fewer items. */
function listAt(
  lines: readonly string[],
  start: number,
  minItems: number,
): { list: TextList | null; next: number } {
  const first = markOf(lines[start])
  if (!first) return { list: null, next: start }
  const items: TextItem[] = []
  let at = start
  while (at < lines.length) {
    const mark = markOf(lines[at])
    if (mark && isNextOf(mark, first, items.length)) {
      items.push({ lines: [mark.text], lists: [] })
      at++
    } else {
      const taken = items.length > 0 ? continueItem(items.at(-1)!, lines, at, first.indent, mark) : at
      if (taken === at) break
      at = taken
    }
  }
  return items.length >= minItems
    ? { list: { first: first.number, items }, next: at }
    : { list: null, next: start }
}

const isNextOf = ({ indent, kind, number }: Mark, first: Mark, count: number): boolean =>
  indent === first.indent && kind === first.kind && (number === null || number === first.number! + count)

/** Adds a nested list or an indented continuation line to an item; returns `at` if the item ends. */
function continueItem(
  item: TextItem,
  lines: readonly string[],
  at: number,
  indent: number,
  mark: Mark | null,
): number {
  if (mark && mark.indent > indent) {
    const { list, next } = listAt(lines, at, 1)
    if (!list) return at
    item.lists.push(list)
    return next
  }
  const isIndented = /^[\t ]{2}/.test(lines[at]!) && lines[at]!.search(/\S/) > indent
  if (mark || !isIndented || item.lists.length > 0) return at
  item.lines.push(lines[at]!.trim())
  return at + 1
}
