import type { ParsedAttachment } from '../../../mail/mime/attachment'
import { truncated, wellFormed } from '../../../mail/text/safe-text'

/** UTF-16 code units of all pages; more than 250,000 tokens. */
const maxLength = 1024 * 1024
const maxPages = 2_000

/** Pages of a file, up to a limit. */
export class Pages {
  readonly texts: string[] = []
  /** Number of pages that the file has; those that were added, if it is higher. */
  total = 0
  isCut = false
  /** Files in it, if it is an archive or a message. */
  files: readonly ParsedAttachment[] | undefined
  #left = maxLength

  /** Code units that still fit. */
  get left(): number {
    return this.#left
  }

  get isFull(): boolean {
    return this.#left <= 0 || this.texts.length >= maxPages
  }

  /** Adds a page; an empty one counts, so that numbers are those of the file. */
  add(text: string): void {
    if (this.isFull) {
      this.isCut = true
      return
    }
    const clean = wellFormed(text).trim()
    const kept = truncated(clean, this.#left)
    if (kept.length < clean.length) this.isCut = true
    this.texts.push(kept)
    this.#left -= kept.length + 1
  }
}
