import { provenView, splitAddress } from '../../mail/headers'
import type { Findings, MailParser } from '../ports'
import { authenticationOf, type MessageRow } from './records'

/** Finds the codes and links of incoming mail when it is read, so that message comes in no slower. */
export async function findingsOf(ports: { parser: MailParser }, row: MessageRow): Promise<Findings> {
  if (row.direction !== 'inbound') return { codes: [], links: [] }
  // Anyone can write another Subject over a message whose signature does not cover it.
  const { subject } = provenView({ subject: row.subject, authentication: authenticationOf(row) })
  const senderDomain = splitAddress(row.from_addr)?.domain ?? null
  const found = await ports.parser.findings({
    ...{ subject, text: row.body_text, html: row.body_html, senderDomain },
  })
  // The links of a bounce explain it: nobody confirms anything there.
  return row.auto_reason === 'bounce' ? { ...found, links: [] } : found
}
