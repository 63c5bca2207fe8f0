import { headerValue } from './header-reader'
import type { AutoSubmitted, MailHeader } from './parsed-mail'

/**
 * Tells whether a program wrote a mail, so that nobody answers it automatically: the Auto-Submitted field
 * (RFC 3834 §5), bounces (empty Return-Path, `multipart/report` of RFC 6522), lists (List-Id, RFC 2919) and the
 * fields that programs used before there was a standard.
 */
export function detectAutoSubmitted(headers: readonly MailHeader[]): AutoSubmitted {
  const read = (name: string) => headerValue(headers, name)?.toLowerCase()
  const declared = read('auto-submitted')
  if (declared?.startsWith('auto-replied')) return 'auto-replied'
  if (isBounce(read('return-path'), read('content-type'))) return 'auto-replied'
  if (declared?.startsWith('auto-')) return 'auto-generated'
  if (/^(bulk|junk)\b/.test(read('precedence') ?? '')) return 'auto-generated'
  const autoreply = read('x-autoreply')
  if (autoreply !== undefined && autoreply !== 'no') return 'auto-generated'
  const suppress = read('x-auto-response-suppress')
  if (suppress !== undefined && suppress !== 'none') return 'auto-generated'
  return read('list-id') === undefined ? 'no' : 'auto-generated'
}

function isBounce(returnPath: string | undefined, contentType: string | undefined): boolean {
  return /^<\s*>/.test(returnPath ?? '') || (contentType ?? '').startsWith('multipart/report')
}
