const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const LINK = /\bhttps?:\/\/[^\s<>"'`\\{}|^]{1,2000}/gi
const CLOSING = '.,;:!?)]}*_'

/** Escapes a text for HTML content and attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string)
}

/**
 * Turns plain text into HTML: empty lines part paragraphs, other line breaks become `<br>`, `http(s)` addresses
 * become links. Everything else is escaped: no markup of the text survives.
 */
export function textToHtml(text: string): string {
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .split(/\n[\t ]*\n/)
    .map((paragraph) => paragraph.replace(/^\n+/, '').trimEnd())
    .filter((paragraph) => paragraph.trim())
  return paragraphs.map((paragraph) => `<p>${linked(paragraph).replaceAll('\n', '<br>\n')}</p>`).join('\n')
}

function linked(text: string): string {
  let html = ''
  let end = 0
  for (const match of text.matchAll(LINK)) {
    const url = withoutClosing(match[0])
    html += escapeHtml(text.slice(end, match.index))
    html += `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
    end = match.index + url.length
  }
  return html + escapeHtml(text.slice(end))
}

// Punctuation after a link belongs to the sentence, except a bracket that the link itself opened.
function withoutClosing(url: string): string {
  const opened = url.indexOf('(')
  let end = url.length
  while (end > 0 && CLOSING.includes(url.charAt(end - 1))) {
    if (url[end - 1] === ')' && opened !== -1 && opened < end) break
    end--
  }
  return url.slice(0, end)
}
