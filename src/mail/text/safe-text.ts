const decoder = new TextDecoder()

/** Returns the raw body of a message from an offset, for a body that is its text; only line ends change. */
export const verbatimText = (raw: Uint8Array, bodyStart = 0): string =>
  decoder.decode(raw.subarray(bodyStart)).replaceAll('\r\n', '\n')

const unsafeEach = /\p{Surrogate}|\0/gu
const surrogate = /[\ud800-\udfff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** Replaces U+0000 and lone surrogates by U+FFFD, so that every database and encoder accepts the string. */
export function wellFormed(text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : text.replace(unsafeEach, '\ufffd')
}

/** Replaces every line end by a line feed. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

/** Puts a text on one line: consecutive control characters and line breaks become one space. Trimmed. */
export function singleLine(text: string): string {
  return wellFormed(text.replace(controls, ' ')).trim()
}

/** Removes the characters that `edge` matches from the end. Linear time, which a pattern with `$` is not. */
export function withoutEnd(text: string, edge: RegExp): string {
  let end = text.length
  while (end > 0 && edge.test(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** Removes the characters that `edge` matches from both ends. Linear time. */
export function withoutEnds(text: string, edge: RegExp): string {
  let start = 0
  while (start < text.length && edge.test(text[start]!)) start++
  return withoutEnd(text.slice(start), edge)
}

/** Returns the first `length` code points of a text, with all white space folded to single spaces. */
export function previewOf(text: string, length = 200): string {
  const near = folded(text.slice(0, length * 3))
  const start =
    near.length < length * 2 && text.length > length * 3 ? folded(text.slice(0, length * 10)) : near
  const head = start.slice(0, length * 2)
  const first = surrogate.test(head) ? [...head].slice(0, length).join('') : head.slice(0, length)
  return wellFormed(first).trim()
}

// A single space stays unchanged.
const folded = (text: string): string => singleLine(text).replace(/\s{2,}|[^\S ]/g, ' ')

/** Cuts a text to `length` UTF-16 code units without splitting a surrogate pair. */
export function truncated(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
