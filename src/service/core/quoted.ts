import { formatAddress } from '../../mail/address'
import { quoteHtml, quoteText, type WrittenContent } from '../../mail/quote'
import type { MessageRow } from './records'

/** What is written, with the message that it answers below it as a quotation. */
export function quotedContent(written: WrittenContent, row: MessageRow): { text: string; html: string } {
  const mail = {
    from: formatAddress({ address: row.from_addr, name: row.from_name }),
    date: row.sent_at ?? row.received_at,
    text: row.body_text,
  }
  return { text: quoteText(written, mail), html: quoteHtml(written, mail) }
}
