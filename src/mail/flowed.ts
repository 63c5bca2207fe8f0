/**
 * Joins the flowed lines of a text (RFC 3676 §4). Lines of different quote depth are never joined; quote marks become
 * `> ` each. Linear time.
 */
export function unflow(text: string, deleteSpace: boolean): string {
  const result: string[] = []
  const paragraph: string[] = []
  let depth = 0
  for (const line of text.split(/\r\n|\r|\n/)) {
    const lineDepth = quoteDepth(line)
    const content = line.slice(line[lineDepth] === ' ' ? lineDepth + 1 : lineDepth)
    if (paragraph.length > 0 && lineDepth !== depth) result.push(quoted(paragraph.splice(0), depth))
    depth = lineDepth
    const isSoft = content.endsWith(' ') && content !== '-- '
    paragraph.push(isSoft && deleteSpace ? content.slice(0, -1) : content)
    if (!isSoft) result.push(quoted(paragraph.splice(0), depth))
  }
  if (paragraph.length > 0) result.push(quoted(paragraph, depth))
  return result.join('\n')
}

function quoteDepth(line: string): number {
  let depth = 0
  while (line[depth] === '>') depth++
  return depth
}

function quoted(paragraph: string[], depth: number): string {
  const text = paragraph.join('')
  return depth > 0 ? `${'>'.repeat(depth)} ${text}`.trimEnd() : text
}
