import { decode, isStateful } from './charset'

/**
 * An encoded word (RFC 2047 §2). The label runs to the next `?`, so that `ISO_8859-1:1987` is one; its
 * language (RFC 2231 §5) is ignored.
 */
const wordPattern = /=\?([^?\s*]{1,60})(?:\*[^?\s]{0,20})?\?([bq])\?([^?]*)\?=/gi
const blank = /^[ \t\r\n]+$/

/** Adjacent words of one charset, as octets. */
interface Run {
  charset: string
  octets: number[]
  /** Place of each word's first octet. */
  starts: number[]
}

/** A decoded value. */
interface DecodedWords {
  text: string
  /** True if the bytes of a word contradict its charset, or the charset is unknown. */
  isGuessed: boolean
}

/**
 * Decodes the encoded words of a header value. Adjacent words of one charset are decoded together, since many
 * programs split a character between two words (RFC 2047 §5 forbids it). White space between words is
 * dropped. Linear time.
 */
export function decodeWords(value: string): DecodedWords {
  let text = ''
  let isGuessed = false
  let run: Run | null = null
  let end = 0
  const finish = () => {
    const read = run && textOf(run)
    text += read?.text ?? ''
    isGuessed ||= read?.isGuessed ?? false
    run = null
  }
  for (const match of value.matchAll(wordPattern)) {
    const between = value.slice(end, match.index)
    const charset = match[1]!.toLowerCase()
    if (between !== '' && !(run && blank.test(between))) {
      finish()
      text += between
    }
    if (run && !continues(run, charset)) finish()
    run ??= { charset, octets: [], starts: [] }
    const { octets, starts }: Run = run
    starts.push(octets.length)
    if (/b/i.test(match[2]!)) addBase64(octets, match[3]!)
    else addQuoted(octets, match[3]!)
    end = match.index + match[0].length
  }
  finish()
  return { text: text + value.slice(end), isGuessed }
}

const [ESC, OPEN] = [27, 40]

/**
 * Returns whether a word can be decoded together with a run. An ISO-2022-JP word that ends in ASCII is
 * complete: its decoder rejects a second switch right after the first.
 */
function continues(run: Run, charset: string): boolean {
  if (run.charset !== charset) return false
  const { octets, starts } = run
  const endsInAscii = octets.at(-3) === ESC && octets.at(-2) === OPEN && octets.length - starts.at(-1)! >= 3
  return !isStateful(charset) || !endsInAscii
}

function textOf({ charset, octets, starts }: Run): DecodedWords {
  const bytes = Uint8Array.from(octets)
  const joined = decode(bytes, charset)
  if (starts.length === 1 || !joined.text.includes('\ufffd')) return joined
  // Words that should not have been joined are right one by one.
  const apart = starts.map((start, i) => decode(bytes.subarray(start, starts[i + 1]), charset))
  const text = apart.map((one) => one.text).join('')
  return text.includes('\ufffd') ? joined : { text, isGuessed: apart.some((one) => one.isGuessed) }
}

/** Adds base64. Padding inside starts a new group, as programs write it that encode piece by piece. */
function addBase64(octets: number[], text: string): void {
  for (const group of text.split('=')) {
    const data = group.replace(/[^A-Za-z\d+/]/g, '')
    for (const octet of atob(data.length % 4 === 1 ? data.slice(0, -1) : data))
      octets.push(octet.charCodeAt(0))
  }
}

const encoder = new TextEncoder()

/** Adds the Q encoding. White space after `=` comes from a line break where none is allowed. */
function addQuoted(octets: number[], text: string): void {
  const written = text.replace(/=\s{1,9}(?=[\da-f])/gi, '=').replace(/[_\s]/g, ' ')
  for (const [piece] of written.matchAll(/=[\da-f]{2}|[^=]+|=/gi))
    if (hexOctet.test(piece)) octets.push(Number.parseInt(piece.slice(1), 16))
    else for (const octet of encoder.encode(piece)) octets.push(octet)
}

const hexOctet = /^=[\da-f]{2}$/i
