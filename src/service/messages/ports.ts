import type { AccountPorts } from '../accounts'
import type { BlobStore, MailParser } from '../ports'

/** The ports of messages, and of the rooms that read them. */
export interface MessagePorts extends AccountPorts {
  readonly blobs: BlobStore
  readonly parser: MailParser
}
