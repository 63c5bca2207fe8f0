import type { ParsedMail } from '../../mail'
import { verbatimText } from '../../mail/text'

/** A parsed mail without the texts that its bytes give, for crossing threads. */
export type EncodedMail = Omit<ParsedMail, 'text' | 'replyText'> & {
  text: string | null
  replyText: string | null
}

/** Leaves out the text if the bytes of the mail give it, and the reply text if it is the text: each crosses once at most. */
export const encodeMail = (mail: ParsedMail): EncodedMail => ({
  ...mail,
  text: mail.textStart === null ? mail.text : null,
  replyText: mail.replyText === mail.text.trimEnd() ? null : mail.replyText,
})

/** Puts the texts back. */
export function decodeMail(encoded: EncodedMail, raw: Uint8Array): ParsedMail {
  const text = encoded.text ?? verbatimText(raw, encoded.textStart ?? 0)
  return { ...encoded, text, replyText: encoded.replyText ?? text.trimEnd() }
}
