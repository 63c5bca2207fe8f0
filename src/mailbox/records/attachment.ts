import type { Client } from '../../client'
import { typeOfFilename } from '../../mail/mime'
import { UsageError } from '../../protocol/errors'
import type { AttachmentInfo } from '../../protocol/records'
import { decodeBase64, loadLater } from '../base'
import { checkRead, type ReadOptions } from '../cache'

const textTypes = /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|yaml|x-yaml|x-ndjson|javascript|sql))$/
const maxTextBytes = 5 * 1024 * 1024
/** Turning HTML into text takes the time of the agent, and more of it than decoding. */
const maxHtmlBytes = 1024 * 1024

const loadCharsets = loadLater(() => import('../../mail/charsets/charset'))
const loadHtml = loadLater(() => import('../../mail/html/html-to-text'))

/**
 * A file that came with a message.
 *
 * @example
 * ```ts
 * for (const { filename, size } of message.attachments) console.log(filename, size)
 * ```
 */
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

  /** The name that the sender gave it; never use it as a path. */
  get filename(): string | null {
    return this.record.filename
  }

  /** The media type, as the sender says. */
  get contentType(): string {
    return this.record.content_type
  }

  /** Bytes. */
  get size(): number {
    return this.record.size
  }

  /** True where the HTML shows it. */
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
  async content(options: ReadOptions = {}): Promise<Uint8Array> {
    checkRead('content()', options)
    const { content_base64: text } = await this.#client.attachments.get({ id: this.id }, options)
    return decodeBase64(text)
  }

  /**
   * Its text, where it is text, JSON, XML or a page of HTML, of which the text that shows is given. A stranger wrote it:
   * see `untrustedText` before a model reads it.
   *
   * @throws UsageError `not_text` for other types, for more than 5 MiB, and for more than 1 MiB of HTML
   * @example
   * ```ts
   * const [file] = message.attachments
   * if (file?.contentType === 'text/csv') console.log(await file.text())
   * ```
   */
  async text(options: ReadOptions = {}): Promise<string> {
    checkRead('text()', options)
    const declared = this.contentType.toLowerCase()
    const type = textTypes.test(declared) ? declared : typeOfFilename(this.filename ?? '')
    const maxBytes = type === 'text/html' ? maxHtmlBytes : maxTextBytes
    if (!type || !textTypes.test(type) || this.size > maxBytes)
      throw new UsageError(
        'not_text',
        `attachment ${this.id} is ${this.size} bytes of ${declared}, not text of at most 5 MiB or HTML of at most 1 MiB: read its content()`,
      )
    const bytes = await this.content(options)
    const { charsetOfHtml, decodeText } = await loadCharsets()
    if (type !== 'text/html') return decodeText(bytes, null)
    const { htmlToText } = await loadHtml()
    return htmlToText(decodeText(bytes, charsetOfHtml(bytes)))
  }
}
