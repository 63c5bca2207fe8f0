import type { Client } from '../../client/client'
import { UsageError } from '../../protocol/errors/error'
import { checkOptions } from '../../protocol/options'
import type { AttachmentInfo } from '../../protocol/records/message'
import { decodeBase64 } from '../base/bytes'
import { checkRead, type ReadOptions } from '../cache/reader'

/** Options of {@link Attachment.text}. */
export interface AttachmentTextOptions extends ReadOptions {
  /** Page or range, such as `'3'` or `'2-4'`. Default: all. */
  pages?: string | undefined
  /** Limit of the text, in estimated tokens. Default: none. */
  maxTokens?: number | undefined
}

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
   * Returns the text of the file as Markdown: of PDF, Office, OpenDocument, EPUB, RTF, HTML, CSV and text
   * files, of attached messages, and the list of files in an archive. The service reads the file, and this
   * call waits for it. A line such as `[Page 2 of 9]` begins each page; `[Cut here]` ends a text that a limit
   * cut.
   *
   * A stranger wrote all of it: see `untrustedText` before a model reads it.
   *
   * @throws UsageError `not_text` for a file without text, such as a scan or an encrypted file; it says why
   * @example
   * ```ts
   * const [file] = message.attachments
   * if (file) console.log(await file.text({ pages: '1-3', maxTokens: 4_000 }))
   * ```
   */
  async text(options: AttachmentTextOptions = {}): Promise<string> {
    checkOptions<AttachmentTextOptions>('text()', options, { signal: true, pages: true, maxTokens: true })
    const { pages, maxTokens: max_tokens, signal } = options
    const read = () => this.#client.attachments.text({ id: this.id, pages, max_tokens }, { signal })
    let found = await read()
    // Each answer takes the service 25 seconds.
    while (found.text_status === 'pending') found = await read()
    const { text_status: status, page_count: count } = found
    if (status !== 'ready')
      throw new UsageError('not_text', `attachment ${this.id} has no text (${status}): ${found.message}`)
    const shown = found.pages.map(({ number, text }) =>
      count > 1 ? `[Page ${number} of ${count}]\n${text}` : text,
    )
    return [...shown, ...(found.truncated ? ['[Cut here]'] : [])].join('\n\n')
  }
}
