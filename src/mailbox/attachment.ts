import type { Client } from '../client'
import type { AttachmentInfo } from '../protocol'
import { decodeBase64 } from './base64'
import type { ReadOptions } from './reader'

/** A file that came with a message. */
export class Attachment {
  readonly #client: Client
  /** As it came from the service. */
  readonly record: AttachmentInfo

  /** @internal */
  constructor(client: Client, record: AttachmentInfo) {
    this.#client = client
    this.record = record
  }

  get id(): string {
    return this.record.id
  }

  /** What the sender called it; never use it as a path. */
  get filename(): string | null {
    return this.record.filename
  }

  /** What the sender says it is. */
  get contentType(): string {
    return this.record.content_type
  }

  /** Bytes. */
  get size(): number {
    return this.record.size
  }

  /** Whether it is shown within the HTML. */
  get inline(): boolean {
    return this.record.inline
  }

  /**
   * Reads the bytes, by one request each time.
   *
   * @example
   * ```ts
   * for (const attachment of message.attachments) console.log((await attachment.content()).length)
   * ```
   */
  async content({ signal }: ReadOptions = {}): Promise<Uint8Array> {
    const { content_base64: text } = await this.#client.attachments.get({ id: this.id }, { signal })
    return decodeBase64(text)
  }
}
