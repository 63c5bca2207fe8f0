import type { Mailbox } from '../mailbox'
import type { MessageSummary } from '../protocol/message'
import { clockTime, type Output, printable } from './output'

const people = ({ from_addr, to_addrs }: MessageSummary) =>
  `${printable(from_addr, 50)} → ${printable(to_addrs.join(', '), 50)}`

/** The events that are told as a mail on its way out, with the word for each. */
const outgoing: Record<string, string> = {
  'message.sent': 'sent',
  'message.delivered': 'delivered',
  'message.deferred': 'put off',
  'message.bounced': 'bounced',
}

/** Shows the mail that passes, as the mailbox of the account sees it. */
export function tail(mailbox: Mailbox, output: Output): void {
  mailbox.on('event', ({ type, data, created_at: at }) => {
    const message = data as MessageSummary
    const { id: message_id, from_addr: from, to_addrs: to, subject, delivery_detail: detail } = message
    const facts = { event: type, at, message_id, from, to, subject }
    const word = outgoing[type]
    if (type !== 'message.received' && !word) return
    const line = `${people(message)}  ${JSON.stringify(printable(subject, 60))}`
    if (!word) return output.tell(`${clockTime()}  in     ${line}`, facts)
    const how = printable(String(detail ?? ''), 200)
    output.tell(`${clockTime()}  out    ${line}  ${word} (${how})`, { ...facts, detail })
  })
}
