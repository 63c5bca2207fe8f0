const [lineFeed, carriageReturn, dot] = [0x0a, 0x0d, 0x2e]

/** Part of a message without its dot-stuffing; `rest` is the data after the end of the message. */
interface Unstuffed {
  content: Buffer
  rest: Buffer | null
}

/**
 * Removes the dots that the sender added before lines that begin with one, and finds the end of the message
 * (RFC 5321 section 4.5.2). The chunks may be cut anywhere. Only CRLF ends a line: a bare CR or LF before a
 * dot has no effect, so nobody can end a message where another server would not.
 */
export class DotUnstuffer {
  /** The last two bytes of the previous chunk. A message begins at the start of a line. */
  #before: [number, number] = [carriageReturn, lineFeed]
  /** A dot at the start of a line, maybe with a CR: the next bytes determine its kind. */
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
        // The dot after a stuffed one is content, even if CRLF follows.
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

/** Returns the kind of a dot at the start of a line; `unknown` if more bytes are needed. */
function dotAt(data: Buffer, at: number): 'end' | 'stuffing' | 'unknown' {
  const [next, afterNext] = [data[at + 1], data[at + 2]]
  if (next === undefined || (next === carriageReturn && afterNext === undefined)) return 'unknown'
  return next === carriageReturn && afterNext === lineFeed ? 'end' : 'stuffing'
}

const cut = (clean: Buffer | null, length: number, data: Buffer, end: number): Buffer =>
  clean ? clean.subarray(0, length) : data.subarray(0, end)
