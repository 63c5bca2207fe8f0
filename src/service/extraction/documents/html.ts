import { readHtml } from '../../../mail/html/html-to-text'

/** Returns the visible text of a page, and its hidden text at the end. */
export function htmlPage(html: string, maxLength: number): string {
  const { text, hidden } = readHtml(html, maxLength)
  const unseen = hidden.join(' ').trim()
  return unseen === '' ? text : `${text}\n\nHidden text: ${unseen}`
}
