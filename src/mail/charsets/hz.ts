import { TextDecoder } from '#text-decoder'

const gbk = new TextDecoder('gbk')
const latin1 = new TextDecoder('windows-1252')
const [LF, OPEN, CLOSE, TILDE] = [10, 123, 125, 126]

/** Decodes HZ (RFC 1843): between `~{` and `~}`, two ASCII bytes are one character of GB 2312. */
export function decodeHz(bytes: Uint8Array): string {
  const shifted = new Uint8Array(bytes.length)
  let length = 0
  let isChinese = false
  for (let at = 0; at < bytes.length; at++) {
    const [byte, next] = [bytes[at]!, bytes[at + 1]]
    if (byte === TILDE && next === (isChinese ? CLOSE : OPEN)) {
      isChinese = !isChinese
      at++
    } else if (!isChinese && byte === TILDE && next === TILDE) shifted[length++] = bytes[++at]!
    else if (!isChinese && byte === TILDE && next === LF) at++
    else {
      // A line that ends without its `~}` ends the Chinese text as well.
      if (byte === LF) isChinese = false
      shifted[length++] = isChinese && byte > 32 && byte < 127 ? byte | 128 : byte
    }
  }
  return gbk.decode(shifted.subarray(0, length))
}

/** Bytes examined for marks of HZ. */
const maxLookedAt = 64 * 1024
const marked = /~\{([^\r\n~]{0,2000})~\}/g
/** Pairs of bytes in HZ: signs, wide letters and the 6,763 characters of GB 2312. */
const pairs = /^(?:[!-)0-w][!-~])+$/
/** Signs, and the characters of the first level, which are nearly all of a text. */
const frequent = /^[!#0-W]/

/**
 * Returns whether ASCII bytes without a charset are HZ beyond doubt: each `~{` has its `~}` with only pairs
 * between them, nearly all of frequent characters, three in total and not all of letters and digits.
 */
export function isHz(bytes: Uint8Array): boolean {
  const first = bytes.indexOf(TILDE)
  if (first === -1) return false
  const text = latin1.decode(bytes.subarray(first, first + maxLookedAt))
  let written = ''
  for (const [, inner] of text.matchAll(marked)) {
    if (!pairs.test(inner!)) return false
    written += inner
  }
  if (written.length < 6 || /^\w+$/.test(written) || /[^\0-\x7f]/.test(text)) return false
  let common = 0
  for (let at = 0; at < written.length; at += 2) if (frequent.test(written[at]!)) common++
  return common >= written.length * 0.45
}
