import type { AttachmentText } from './attachment-text'

/** Files that a text names; `attachments` of the answer has all. */
const maxNamed = 50

/**
 * Joins pages to one Markdown text: `[Page 2 of 9]` begins each of several, and `[Cut here]` ends a cut text. A
 * line for each file within it follows.
 */
export function joinedPages({
  page_count: count,
  pages,
  truncated,
  attachments = [],
}: AttachmentText): string {
  const shown = pages.map(({ number, text }) => (count > 1 ? `[Page ${number} of ${count}]\n${text}` : text))
  const named = attachments.slice(0, maxNamed).map(({ id, filename, content_type, size }) => {
    const name = JSON.stringify(filename ?? 'unnamed')
    return `[File ${id}: ${name}, ${content_type}, ${size} bytes]`
  })
  const files = named.length > 0 ? [named.join('\n')] : []
  return [...shown, ...(truncated ? ['[Cut here]'] : []), ...files].join('\n\n')
}
