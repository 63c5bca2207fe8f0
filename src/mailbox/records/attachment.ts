import type { Client } from '../../client'
import { typeOfFilename } from '../../mail/mime'
import { UsageError } from '../../protocol/errors'
import type { AttachmentInfo } from '../../protocol/records'
import { decodeBase64, loadLater } from '../base'
import { checkRead, type ReadOptions } from '../cache'

const textTypes = /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|yaml|x-yaml|x-ndjson|javascript|sql))$/
const maxTextBytes = 5 * 1024 * 1024
/** Smaller limit for HTML: its conversion to text blocks the agent's thread, longer than decoding does. */
const maxHtmlBytes = 1024 * 1024

const loadCharsets = loadLater(() => import('../../mail/charsets/charset'))
const loadHtml = loadLater(() => import('../../mail/html/html-to-text'))

/**
 * A file of a message.
 *
 * @example
 * ```ts
 * for (const { filename, size } of message.attachments) console.log(filename, size)
 * ```
 */
export class Attachment {
  readonly #client: Client
  /** Record as the service returned it. */
  readonly record: AttachmentInfo

  /** @internal */
  constructor(client: Client, record: AttachmentInfo) {
    this.#client = client
    this.record = record
  }

  get id(): string {
    return this.record.id
  }

  /** File name from the sender; never use it as a path. */
  get filename(): string | null {
    return this.record.filename
  }

  /** Media type from the sender. */
  get contentType(): string {
    return this.record.content_type
  }

  /** Size in bytes. */
  get size(): number {
    return this.record.size
  }

  /** True if the HTML shows it. */
  get inline(): boolean {
    return this.record.inline
  }

  /**
   * Reads the bytes. Each call sends one request.
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
   * Returns the text of a text, JSON, XML or HTML file; of HTML, the visible text. A stranger wrote it: see
   * `untrustedText` before a model reads it.
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
