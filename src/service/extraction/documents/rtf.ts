import { decodeText } from '../../../mail/charsets/charset'
import type { Pages } from '../parts/pages'

/** Groups that are not text of the document. */
const destinations = new Set(
  'fonttbl colortbl stylesheet info pict object themedata datastore listtable listoverridetable rsidtbl generator header footer headerl headerr footerl footerr xmlnstbl fldinst latentstyles'.split(
    ' ',
  ),
)
const breaks: Readonly<Record<string, string>> = {
  ...{ par: '\n', line: '\n', row: '\n', sect: '\n', page: '\f', tab: '\t', cell: ' | ' },
  ...{ emdash: '—', endash: '–', bullet: '•', lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”' },
}
const maxDepth = 1_000

interface Group {
  isSkipped: boolean
  isHidden: boolean
  /** Characters after `\u` that stand for readers without Unicode. */
  fallback: number
}

const word = /([a-z]{1,32})(-?\d{1,10})? ?/iy

/** Reads RTF 1.9 in one pass: text, paragraphs, and cells with `|` between them. */
class RtfReader {
  readonly #source: string
  #charset = 'windows-1252'
  #groups: Group[] = [{ isSkipped: false, isHidden: false, fallback: 1 }]
  #bytes: number[] = []
  #toSkip = 0
  text = ''
  hidden = ''

  constructor(source: string) {
    this.#source = source
  }

  get #group(): Group {
    return this.#groups.at(-1)!
  }

  #write(text: string): void {
    if (this.#group.isSkipped) return
    if (this.#toSkip > 0) {
      this.#toSkip--
      return
    }
    if (this.#group.isHidden) this.hidden += text
    else this.text += text
  }

  /** Decodes the bytes that were collected: a character of some charsets has two. */
  #flush(): void {
    if (this.#bytes.length === 0) return
    const bytes = Uint8Array.from(this.#bytes)
    this.#bytes = []
    this.#write(decodeText(bytes, this.#charset))
  }

  read(maxLength: number): void {
    let at = 0
    while (at < this.#source.length && this.text.length < maxLength) {
      const character = this.#source[at]!
      if (character === '\\') at = this.#readControl(at + 1)
      else {
        this.#flush()
        if (character === '{' && this.#groups.length < maxDepth) this.#groups.push({ ...this.#group })
        else if (character === '}' && this.#groups.length > 1) this.#groups.pop()
        else if (!/[\r\n{}]/.test(character)) this.#write(character)
        at++
      }
    }
    this.#flush()
  }

  /** Reads what follows a backslash; returns the position after it. */
  #readControl(at: number): number {
    const character = this.#source[at] ?? ''
    if (character === "'") {
      const value = Number.parseInt(this.#source.slice(at + 1, at + 3), 16)
      if (this.#toSkip > 0) this.#toSkip--
      else if (!Number.isNaN(value) && !this.#group.isSkipped) this.#bytes.push(value)
      return at + 3
    }
    this.#flush()
    word.lastIndex = at
    const found = word.exec(this.#source)
    if (!found) {
      if (character === '*') this.#group.isSkipped = true
      else if (character === '~') this.#write('\u00a0')
      else if (/[\\{}]/.test(character)) this.#write(character)
      return at + 1
    }
    const end = at + found[0].length
    const value = found[2] === undefined ? undefined : Number(found[2])
    if (found[1] === 'bin') return end + Math.max(0, value ?? 0)
    this.#obey(found[1]!, value)
    return end
  }

  #obey(name: string, value: number | undefined): void {
    if (destinations.has(name)) this.#group.isSkipped = true
    else if (name === 'ansicpg' && value !== undefined) this.#charset = `windows-${value}`
    else if (name === 'uc') this.#group.fallback = Math.min(10, Math.max(0, value ?? 1))
    else if (name === 'v') this.#group.isHidden = value !== 0
    else if (name === 'u' && value !== undefined) {
      this.#write(String.fromCharCode(value & 0xffff))
      this.#toSkip = this.#group.fallback
    } else if (breaks[name] !== undefined) {
      this.#toSkip = 0
      this.#write(breaks[name])
    }
  }
}

/** Reads an RTF file, with a page after each page break. */
export function readRtf(bytes: Uint8Array, pages: Pages): void {
  const reader = new RtfReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'))
  reader.read(pages.left)
  const hidden = reader.hidden.trim() === '' ? '' : `\n\nHidden text: ${reader.hidden.trim()}`
  for (const page of (reader.text + hidden).split('\f')) pages.add(page.replace(/\n{3,}/g, '\n\n'))
}
