import type { AccountPorts } from '../accounts/ports'
import type { BlobStore, MailParser } from '../ports'

/** Ports of messages, and of the modules that read them. */
export interface MessagePorts extends AccountPorts {
  readonly blobs: BlobStore
  readonly parser: MailParser
}
