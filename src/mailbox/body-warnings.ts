import { loadLater } from './base/load-later'

// The HTML parser is loaded when needed: few agents use it.
const loadWarnings = /* @__PURE__ */ loadLater(() => import('../mail/html/body-warnings'))

/**
 * Returns warnings about content that an approver of a message could miss: words and links in only one of
 * HTML and plain text, and text that styles hide. Also content that a safe preview omits: forms, scripts,
 * remote pictures, parts for Outlook. Empty without HTML, or if the HTML is harmless and says the same as the
 * plain text. Linear time.
 *
 * The warnings quote the message: treat them as text of a stranger.
 *
 * @example
 * ```ts
 * import { bodyWarnings } from 'restante'
 *
 * await bodyWarnings({ text: 'Thank you.', html: '<p>Thank you.</p><form><input name="card"></form>' })
 * // ['The HTML has 2 form elements: some mail programs show them.']
 * ```
 */
export async function bodyWarnings(message: {
  text?: string | null | undefined
  html?: string | null | undefined
}): Promise<string[]> {
  return (await loadWarnings()).bodyWarnings(message)
}
