import { splitAddress } from '../../mail/address'
import { findCodes } from '../../mail/codes'
import { findLinks } from '../../mail/links'
import type { Findings, MessageRow } from './records'

/** Codes and links of mail that came in: found when somebody looks, so that mail comes in no slower. */
export function findingsOf({ direction, subject, body_text, body_html, from_addr }: MessageRow): Findings {
  if (direction !== 'inbound') return { codes: [], links: [] }
  const senderDomain = splitAddress(from_addr)?.domain ?? null
  return { codes: findCodes(subject, body_text), links: findLinks(body_text, body_html, senderDomain) }
}
