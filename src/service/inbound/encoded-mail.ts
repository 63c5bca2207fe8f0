import type { ParsedMail } from '../../mail/parsed-mail'
import { verbatimText } from '../../mail/text/safe-text'

/** Parsed message without texts that can be derived from its bytes, for crossing threads. */
export type EncodedMail = Omit<ParsedMail, 'text' | 'replyText'> & {
  text: string | null
  replyText: string | null
}

/** Removes a text that the bytes have, and a reply text that equals the text: each crosses at most once. */
export const encodeMail = (mail: ParsedMail): EncodedMail => ({
  ...mail,
  text: mail.textStart === null ? mail.text : null,
  replyText: mail.replyText === mail.text.trimEnd() ? null : mail.replyText,
})

/** Restores the texts. */
export function decodeMail(encoded: EncodedMail, raw: Uint8Array): ParsedMail {
  const text = encoded.text ?? verbatimText(raw, encoded.textStart ?? 0)
  return { ...encoded, text, replyText: encoded.replyText ?? text.trimEnd() }
}
