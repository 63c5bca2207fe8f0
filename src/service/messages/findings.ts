import { findCodes, findLinks } from '../../mail'
import { splitAddress } from '../../mail/headers'
import type { Findings, MessageRow } from './records'

/** Finds the codes and links of incoming mail when it is read, so that mail comes in no slower. */
export function findingsOf({ direction, subject, body_text, body_html, from_addr }: MessageRow): Findings {
  if (direction !== 'inbound') return { codes: [], links: [] }
  const senderDomain = splitAddress(from_addr)?.domain ?? null
  return { codes: findCodes(subject, body_text), links: findLinks(body_text, body_html, senderDomain) }
}
