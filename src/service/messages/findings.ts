import { provenView, splitAddress } from '../../mail/headers'
import type { Findings, MailParser } from '../ports'
import { authenticationOf, type MessageRow } from './records'

/** Finds the codes and links of an inbound message when it is read, so that ingest is not slowed. */
export async function findingsOf(ports: { parser: MailParser }, row: MessageRow): Promise<Findings> {
  if (row.direction !== 'inbound') return { codes: [], links: [] }
  // Anyone can write another Subject over a message whose signature does not cover it.
  const { subject } = provenView({ subject: row.subject, authentication: authenticationOf(row) })
  const senderDomain = splitAddress(row.from_addr)?.domain ?? null
  const found = await ports.parser.findings({
    ...{ subject, text: row.body_text, html: row.body_html, senderDomain },
  })
  // Links of a bounce only explain it.
  return row.auto_reason === 'bounce' ? { ...found, links: [] } : found
}
