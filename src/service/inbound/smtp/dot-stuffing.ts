const [lineFeed, carriageReturn, dot] = [0x0a, 0x0d, 0x2e]

/** A stretch of a message, freed of its stuffing; `rest` is what follows the end of the mail, once that has come. */
interface Unstuffed {
  content: Buffer
  rest: Buffer | null
}

/**
 * Takes the dots out that the sender put before lines that begin with one, and finds the end of the mail
 * (RFC 5321 section 4.5.2), however the bytes are cut. Only CRLF ends a line: a bare CR or LF before a dot means
 * nothing, so nobody can end a message where another server would not.
 */
export class DotUnstuffer {
  /** The two bytes before those that come next: a message begins at the start of a line. */
  #before: [number, number] = [carriageReturn, lineFeed]
  /** A dot at the start of a line, and perhaps a CR: the next bytes tell what they are. */
  #held: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): Unstuffed {
    const data = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk
    this.#held = Buffer.alloc(0)
    let clean: Buffer | null = null
    let length = 0
    let from = 0
    const keep = (to: number) => {
      if (clean) length += data.copy(clean, length, from, to)
    }
    for (let at = data.indexOf(dot); at >= 0; at = data.indexOf(dot, at + 1)) {
      if (!this.#startsLine(data, at)) continue
      const kind = dotAt(data, at)
      if (kind === 'stuffing') {
        clean ??= Buffer.allocUnsafe(data.length)
        keep(at)
        from = at + 1
        // The dot after a stuffed one is content, also where it is followed by CRLF.
        if (data[at + 1] === dot) at++
        continue
      }
      keep(at)
      if (kind === 'end') return { content: cut(clean, length, data, at), rest: data.subarray(at + 3) }
      this.#held = Buffer.from(data.subarray(at))
      this.#remember(data, at)
      return { content: cut(clean, length, data, at), rest: null }
    }
    keep(data.length)
    this.#remember(data, data.length)
    return { content: cut(clean, length, data, data.length), rest: null }
  }

  #byte(data: Buffer, at: number): number | undefined {
    return at >= 0 ? data[at] : this.#before[at + 2]
  }

  #startsLine(data: Buffer, at: number): boolean {
    return this.#byte(data, at - 1) === lineFeed && this.#byte(data, at - 2) === carriageReturn
  }

  #remember(data: Buffer, end: number): void {
    this.#before = [this.#byte(data, end - 2) ?? 0, this.#byte(data, end - 1) ?? 0]
  }
}

/** Tells what a dot at the start of a line is, or that more must be seen to tell. */
function dotAt(data: Buffer, at: number): 'end' | 'stuffing' | 'unknown' {
  const [next, afterNext] = [data[at + 1], data[at + 2]]
  if (next === undefined || (next === carriageReturn && afterNext === undefined)) return 'unknown'
  return next === carriageReturn && afterNext === lineFeed ? 'end' : 'stuffing'
}

const cut = (clean: Buffer | null, length: number, data: Buffer, end: number): Buffer =>
  clean ? clean.subarray(0, length) : data.subarray(0, end)
