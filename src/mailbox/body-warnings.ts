import { loadLater } from './base'

// What reads HTML is loaded when it is asked for: few agents need it.
const loadWarnings = loadLater(() => import('../mail/html/body-warnings'))

/**
 * Warns of what somebody who approves a message could miss: words and links that only its HTML or only its plain text has,
 * text that styles hide, and what a safe preview of the HTML leaves out (forms, scripts, pictures from elsewhere, parts for
 * Outlook). Empty if the HTML is harmless and says what the plain text says, or if there is no HTML. Linear time.
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
