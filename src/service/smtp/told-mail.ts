import type { ParsedMail } from '../../mail/parsed-mail'
import { verbatimText } from '../../mail/verbatim-text'

/** What differs where it can be told from the mail itself, which crosses beside it. */
type Told = Omit<ParsedMail, 'text' | 'replyText'> & { text: string | null; replyText: string | null }

/** A mail that was read as JSON, which crosses threads faster than objects do; its text crosses once. */
export function tellMail(mail: ParsedMail): string {
  const told: Told = {
    ...mail,
    text: mail.textStart === null ? mail.text : null,
    replyText: mail.replyText === mail.text.trimEnd() ? null : mail.replyText,
  }
  return JSON.stringify(told)
}

/** The same mail again on the other side. */
export function heardMail(json: string, raw: Uint8Array): ParsedMail {
  const told = JSON.parse(json) as Told
  const text = told.text ?? verbatimText(raw, told.textStart ?? 0)
  return { ...told, text, replyText: told.replyText ?? text.trimEnd() }
}
