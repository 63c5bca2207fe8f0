import type { Client } from '../../client/client'
import type { AttachedMessage } from '../../protocol/attachments/attached-message'
import { checkOptions } from '../../protocol/options'
import type { AttachmentInfo } from '../../protocol/records/message'
import { decodeBase64 } from '../base/bytes'
import { loadLater } from '../base/load-later'
import { checkRead, type ReadOptions } from '../cache/reader'
import type { AttachmentTextOptions } from './read-attachment'

/** A message that is attached to another. Nothing proves any of it. */
export interface OpenedMessage {
  /** Record as the service returned it: its fields, its text, and `authentication`, which is always null. */
  readonly record: AttachedMessage
  /** Its files. */
  readonly attachments: readonly Attachment[]
}

/** Results of opening a file, by the method that opens it. */
interface Opened {
  files: { attachments: Attachment[] }
  message: OpenedMessage
}

const loadReading = /* @__PURE__ */ loadLater(() => import('./read-attachment'))

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
    return (await loadReading()).readText(this.#client, this.id, options)
  }

  /**
   * Opens a message that is attached, such as a forwarded `.eml`: who wrote what, and its files. Messages
   * within it open the same way, three levels deep. Nothing proves any of it: the sender of the
   * file can have written all of it.
   *
   * @throws ServiceError `not_found` if the file is no message that opens
   * @example
   * ```ts
   * const [file] = message.attachments
   * if (file) console.log((await file.message()).record.from_addr)
   * ```
   */
  async message(options: ReadOptions = {}): Promise<OpenedMessage> {
    return this.#open('message', options)
  }

  /**
   * Returns the files in an archive or an attached message, three levels deep; none for any other file. Each is
   * read like a file of the message itself.
   *
   * @example
   * ```ts
   * const [archive] = message.attachments
   * for (const file of (await archive?.files()) ?? []) console.log(file.filename, await file.text())
   * ```
   */
  async files(options: ReadOptions = {}): Promise<Attachment[]> {
    return (await this.#open('files', options)).attachments
  }

  async #open<What extends 'files' | 'message'>(what: What, options: ReadOptions): Promise<Opened[What]> {
    checkRead(`${what}()`, options)
    return (await loadReading())[what](this.#client, this.id, options, Attachment) as Promise<Opened[What]>
  }
}
