import { decode, isStateful } from './charset'

/**
 * An encoded word (RFC 2047 §2). The label runs to the next `?`, so that `ISO_8859-1:1987` is one; its
 * language (RFC 2231 §5) is ignored.
 */
const WORD = /=\?([^?\s*]{1,60})(?:\*[^?\s]{0,20})?\?([bq])\?([^?]*)\?=/gi
const BLANK = /^[ \t\r\n]+$/

/** Adjacent words of one charset, as octets. */
interface Run {
  charset: string
  octets: number[][]
}

/**
 * Decodes the encoded words of a header value. Adjacent words of one charset are decoded together, since many
 * programs split a character between two words (RFC 2047 §5 forbids it). White space between words is
 * dropped. Linear time.
 */
export function decodeWords(value: string): string {
  let text = ''
  let run: Run | null = null
  let end = 0
  const finish = () => {
    if (run) text += textOf(run)
    run = null
  }
  for (const match of value.matchAll(WORD)) {
    const between = value.slice(end, match.index)
    const charset = match[1]!.toLowerCase()
    const octets = /b/i.test(match[2]!) ? base64Octets(match[3]!) : quotedOctets(match[3]!)
    if (between !== '' && !(run && BLANK.test(between))) {
      finish()
      text += between
    }
    if (run && !continues(run, charset)) finish()
    if (run) (run as Run).octets.push(octets)
    else run = { charset, octets: [octets] }
    end = match.index + match[0].length
  }
  finish()
  return text + value.slice(end)
}

const [ESC, OPEN] = [27, 40]

/**
 * Returns whether a word can be decoded together with a run. An ISO-2022-JP word that ends in ASCII is
 * complete: its decoder rejects a second switch right after the first.
 */
function continues(run: Run, charset: string): boolean {
  if (run.charset !== charset) return false
  const last = run.octets.at(-1)!
  return !isStateful(charset) || last.at(-3) !== ESC || last.at(-2) !== OPEN
}

function textOf({ charset, octets }: Run): string {
  const joined = decode(Uint8Array.from(octets.flat()), charset).text
  if (octets.length === 1 || !joined.includes('\ufffd')) return joined
  // Words that should not have been joined are right one by one.
  const apart = octets.map((word) => decode(Uint8Array.from(word), charset).text).join('')
  return apart.includes('\ufffd') ? joined : apart
}

/** Reads base64. Padding inside starts a new group, as programs write it that encode piece by piece. */
const base64Octets = (text: string): number[] =>
  text.split('=').flatMap((group) => {
    const data = group.replace(/[^A-Za-z\d+/]/g, '')
    return Array.from(atob(data.length % 4 === 1 ? data.slice(0, -1) : data), (octet) => octet.charCodeAt(0))
  })

const encoder = new TextEncoder()

/** Reads the Q encoding. White space after `=` comes from a line break where none is allowed. */
function quotedOctets(text: string): number[] {
  const octets: number[] = []
  const written = encoder.encode(text.replace(/=\s{1,9}(?=[\da-f])/gi, '=').replace(/[_\s]/g, ' '))
  for (let at = 0; at < written.length; at++) {
    const hex = written[at] === 61 ? String.fromCharCode(written[at + 1] ?? 0, written[at + 2] ?? 0) : ''
    if (/^[\da-f]{2}$/i.test(hex)) {
      octets.push(Number.parseInt(hex, 16))
      at += 2
    } else octets.push(written[at]!)
  }
  return octets
}
