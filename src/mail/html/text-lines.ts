const maxQuoteDepth = 10
const maxBreaks = 3
// Characters that newsletters pad their preview with.
const invisible = /\u00ad|\u034f|\u200b|\ufeff/g

/**
 * Collects the visible text of HTML line by line. Folds white space, holds line breaks back until text
 * follows them, and puts `> ` before quoted lines. A helper of `htmlToText`.
 */
export class TextLines {
  #parts: string[] = []
  #length = 0
  #breaks = 0
  #quoteDepth = 0
  #breakDepth = 0
  #marker = ''
  #space = false
  readonly #maxLength: number

  constructor(maxLength: number) {
    this.#maxLength = maxLength
  }

  /** True if nothing more fits. */
  get isFull(): boolean {
    return this.#length >= this.#maxLength
  }

  /** Returns the number of pieces so far, the start of a later `since`. */
  get position(): number {
    return this.#parts.length
  }

  /** Ends the line (1) or the paragraph (2). */
  block(breaks: 1 | 2): void {
    this.#breaks = Math.max(this.#breaks, breaks)
    this.#space = false
    this.#breakDepth = Math.min(this.#breakDepth, this.#quoteDepth)
  }

  /** Adds a `<br>`: each one counts, up to two empty lines. */
  lineBreak(): void {
    this.#breaks = Math.min(this.#breaks + 1, maxBreaks)
    this.#space = false
    this.#breakDepth = Math.min(this.#breakDepth, this.#quoteDepth)
  }

  /** Enters (1) or leaves (-1) a quotation. */
  quote(step: 1 | -1): void {
    this.block(1)
    this.#quoteDepth = Math.max(0, this.#quoteDepth + step)
    this.block(1)
  }

  /** Sets the mark before the next text, such as the bullet of a list item. */
  mark(marker: string): void {
    this.#marker = marker
  }

  /** Adds white space that matters only between two words. */
  space(): void {
    if (this.#breaks === 0 && this.#parts.length > 0) this.#space = true
  }

  /** Adds text; `keep` preserves white space except at line ends. */
  text(text: string, keep = false): void {
    if (keep) this.#preformatted(text)
    else this.#flowing(text)
  }

  /** Returns the text since a position. */
  since(position: number): string {
    return this.#parts.slice(position).join('')
  }

  /** Returns the whole text, without empty lines at its ends. */
  toString(): string {
    return this.#parts.join('').trim()
  }

  #flowing(text: string): void {
    const folded = text.replace(invisible, '').replace(/\s+/g, ' ')
    const words = folded.trim()
    if (!words) {
      // Word processors write an empty line as a paragraph of one no-break space.
      if (text.includes('\u00a0') && this.#breaks > 0) this.lineBreak()
      else if (folded) this.space()
      return
    }
    if (folded.startsWith(' ')) this.space()
    this.#write(words)
    if (folded.endsWith(' ')) this.#space = true
  }

  #preformatted(text: string): void {
    const lines = text.split(/\r\n|\r|\n/)
    lines.forEach((line, index) => {
      if (index > 0) this.lineBreak()
      if (line.trim()) this.#write(line.trimEnd())
    })
  }

  #write(words: string): void {
    if (this.isFull) return
    const lead = this.#lead()
    this.#parts.push(lead + words)
    this.#length += lead.length + words.length
  }

  // White space, quote marks and bullet due before this text.
  #lead(): string {
    const isFirst = this.#parts.length === 0
    const startsLine = isFirst || this.#breaks > 0
    const between = startsLine ? this.#lineStart(isFirst) : this.#space ? ' ' : ''
    const lead = between + this.#marker
    this.#breaks = 0
    this.#space = false
    this.#marker = ''
    this.#breakDepth = maxQuoteDepth
    return lead
  }

  #lineStart(isFirst: boolean): string {
    const depth = Math.min(this.#quoteDepth, maxQuoteDepth)
    const own = '> '.repeat(depth)
    if (isFirst) return own
    const empty = `${'> '.repeat(Math.min(this.#breakDepth, depth)).trimEnd()}\n`
    return `\n${empty.repeat(this.#breaks - 1)}${own}`
  }
}
