import type { AccountPorts } from '../accounts/ports'
import type { BlobStore, Extractor, Logger, MailParser, Ocr } from '../ports'

/** Ports of messages, and of the modules that read them. */
export interface MessagePorts extends AccountPorts {
  readonly blobs: BlobStore
  readonly parser: MailParser
}

/** Ports that read the files of messages. */
export interface ExtractionPorts extends MessagePorts {
  readonly extractor: Extractor
  readonly logger: Logger
  /** OCR engine of the installation, if it has one. */
  readonly ocr?: Ocr | undefined
}
