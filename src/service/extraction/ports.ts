import type { MessagePorts } from '../messages/ports'
import type { Extractor } from '../ports'

/** Ports of the text of attachments. */
export interface ExtractionPorts extends MessagePorts {
  readonly extractor: Extractor
}
