import { TextDecoder } from '#text-decoder'
import { own } from '../../protocol/own'
import { dosCharacters } from './dos-pages'
import { decodeUtf7 } from './utf7'

const UTF7 = /^(?:x-)?(?:unicode-[12]-[01]-)?utf-?7$/
const ASCII = /^(?:us-|x-)?ascii$|^ansi_x3\.[\d.-]+(?:-\d{4})?$|^iso646-us$|^default$|^unknown(?:-8bit)?$/
const CODE_PAGES: Record<string, string> = {
  '932': 'shift_jis',
  '936': 'gbk',
  '949': 'euc-kr',
  '950': 'big5',
  '874': 'windows-874',
  '51932': 'euc-jp',
  '50220': 'iso-2022-jp',
  '50221': 'iso-2022-jp',
  '50222': 'iso-2022-jp',
  '28591': 'iso-8859-1',
  '65001': 'utf-8',
}
const OTHER_NAMES: Record<string, string> = {
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-3': 'iso-2022-jp',
  'iso-2022-jp-2004': 'iso-2022-jp',
  'shift-jis': 'shift_jis',
  mskanji: 'shift_jis',
  uhc: 'euc-kr',
  cseuckr: 'euc-kr',
  'tis-620': 'windows-874',
  'iso-8859-8-e': 'iso-8859-8',
  'gb-2312': 'gbk',
  big5hkscs: 'big5-hkscs',
  mac: 'macintosh',
  'x-mac-roman': 'macintosh',
  'mac-roman': 'macintosh',
  utf16le: 'utf-16le',
}
const HTML_CHARSET = /<meta\s[^>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i
/** A charset: the name of its encoding and its decoder. */
interface Charset {
  encoding: string
  decode(bytes: Uint8Array): string
}

const decoders = new Map<string, Charset | null>()
const MAX_DECODERS = 200
// All engines read UTF-8 alike, and their own decoder is the fastest.
const utf8 = new globalThis.TextDecoder('utf-8', { fatal: true })
const windows1252 = new TextDecoder('windows-1252')

/**
 * Decodes a text by the charset name that mail programs give (RFC 2045 §5.1): labels of the Encoding
 * Standard, other usual names, and UTF-7 (RFC 2152). Without a known name, or if the bytes contradict it,
 * tries ISO-2022-JP (if the bytes switch to it), UTF-8, then windows-1252. Never throws.
 */
export const decodeText = (bytes: Uint8Array, charset: string | null): string => decode(bytes, charset).text

/** A decoded text, and whether its bytes are UTF-8. */
interface Decoded {
  text: string
  isUtf8: boolean
  /** True if the bytes contradict the charset name, or the name is unknown. */
  isGuessed: boolean
}

const inUtf8 = (text: string, isGuessed = false): Decoded => ({ text, isUtf8: true, isGuessed })
const inOther = (text: string, isGuessed = false): Decoded => ({ text, isUtf8: false, isGuessed })

/** As {@link decodeText}. */
export function decode(bytes: Uint8Array, charset: string | null): Decoded {
  const name = charset?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'us-ascii') return guessed(bytes, false)
  if (UTF7.test(name)) return inOther(decodeUtf7(windows1252.decode(bytes)))
  const decoder = ASCII.test(name) ? null : decoderOf(name)
  if (!decoder) return guessed(bytes, !ASCII.test(name))
  if (OTHER_ASCII.test(decoder.encoding)) return decodedOther(bytes, decoder)
  if (decoder.encoding === 'utf-8') return decodedUtf8(bytes, decoder)
  const high = highBytes(bytes, MIN_HIGH_BYTES[decoder.encoding] ?? 6)
  if (high === 0) return inUtf8(utf8.decode(bytes))
  const text = utf8OrNone(bytes)
  if (text === undefined) return inOther(decoder.decode(bytes))
  if (high >= (MIN_HIGH_BYTES[decoder.encoding] ?? 6)) return inUtf8(text, true)
  const named = decoder.decode(bytes)
  // Two bytes are a character of most Chinese, Japanese and Korean charsets, even if unassigned.
  const isSure = !MULTI_BYTE.test(decoder.encoding) || high > 2
  return isSure && isMeantAsUtf8(text, named, decoder.encoding) ? inUtf8(text, true) : inOther(named)
}

/** Decodes text labelled UTF-8: some programs put ISO-2022-JP or other bytes under that label. */
function decodedUtf8(bytes: Uint8Array, decoder: Charset): Decoded {
  const text = decoder.decode(bytes)
  if (isMistaken(text)) return inOther(windows1252.decode(bytes), true)
  return text.includes(ESCAPE) && isJapanese(bytes) ? guessed(bytes, true) : inUtf8(text)
}

/** Charsets in which ASCII bytes may mean other letters. */
const OTHER_ASCII = /^utf-16|^iso-2022|^hz$/

/**
 * Decodes a text in a charset other than UTF-8. Text labelled ISO-2022-JP with bytes above 7F and no switch
 * is in another charset.
 */
function decodedOther(bytes: Uint8Array, decoder: Charset): Decoded {
  const isOther = decoder.encoding === 'iso-2022-jp' && highBytes(bytes, 1) > 0 && !bytes.includes(ESC)
  if (!isOther) return inOther(decoder.decode(bytes))
  const isUtf8 = utf8OrNone(bytes) !== undefined
  const others = isUtf8 ? [] : ['euc-jp', 'shift_jis'].map((name) => decoderOf(name)!.decode(bytes))
  const text = others.find((one) => !UNREADABLE.test(one))
  return text ? inOther(text, true) : guessed(bytes, true)
}

/** Counts the bytes beyond ASCII, up to the wanted number. */
function highBytes(bytes: Uint8Array, wanted: number): number {
  let high = 0
  for (let at = 0; at < bytes.length && high < wanted; at++) if (bytes[at]! > 127) high++
  return high
}

/** This many are no accident: read in the named charset, such a text makes no sense. */
const MIN_HIGH_BYTES: Record<string, number> = { 'windows-1252': 2, 'iso-8859-15': 2 }
const MULTI_BYTE = /^(?:gb|big5|euc|shift)/

/** Characters that no text has: replacement characters and C1 controls. */
const UNREADABLE = /[\u0080-\u009f\ufffd\uf780-\uf7ff]/
/** Quotes, dashes, dots, € and ™, often the only characters of a text beyond ASCII. */
const PUNCTUATION = /^[\0-\x7f\u2010-\u2027\u2030-\u203a\u20ac\u2122]+$/
/** A letter directly before a sign, as in "Ă©" and "Г©": two bytes of UTF-8 read one by one. */
const LETTER_AND_SIGN = /(?![\0-\x7f])\p{L}(?![\0-\x7f»”’…–—])[^\p{L}\p{M}\p{N}]/u

/** Returns whether a few bytes are UTF-8 despite another charset name, judged by both readings. */
function isMeantAsUtf8(text: string, named: string, encoding: string): boolean {
  if (UNREADABLE.test(named) || PUNCTUATION.test(text)) return true
  return !MULTI_BYTE.test(encoding) && LETTER_AND_SIGN.test(named)
}

/** Returns whether a text labelled UTF-8 is not, judged by its decoded form. */
const isMistaken = (text: string): boolean =>
  text.includes('\ufffd') && !text.endsWith('\ufffd') && !/[^\0-\x7f\ufffd]/.test(text)

/** Returns the charset that a page declares in itself; null for none. */
export function charsetOfHtml(bytes: Uint8Array): string | null {
  return HTML_CHARSET.exec(windows1252.decode(bytes.subarray(0, 2048)))?.[1] ?? null
}

function decoderOf(name: string): Charset | null {
  const known = decoders.get(name)
  if (known !== undefined) return known
  const decoder = newDecoder(name)
  // Bounded, since the names come from strangers.
  if (decoders.size < MAX_DECODERS) decoders.set(name, decoder)
  return decoder
}

/** Returns whether ASCII bytes of a charset may mean other letters, as in ISO-2022-JP. */
export const isStateful = (charset: string): boolean =>
  OTHER_ASCII.test(decoderOf(charset.trim().toLowerCase())?.encoding ?? '')

function newDecoder(name: string): Charset | null {
  const plain = name.replace(/^(?:x-ms-|x-|cs)/, '')
  if (HZ.test(plain)) return { encoding: 'hz', decode: decodeHz }
  const page = /^(?:(?:cp|windows|ms|ibm|pc|dos)-?|cspc)?0?(\d{3,5})$/.exec(plain)?.[1] ?? ''
  const dos = dosPage(/multilingual/.test(plain) ? '850' : page)
  if (dos) return dos
  const dashed = plain.replace(/[\s_]+/g, '-')
  for (const label of [
    name,
    plain,
    dashed,
    own(OTHER_NAMES, dashed),
    own(CODE_PAGES, page),
    `windows-${page}`,
    `iso-${dashed}`,
  ])
    try {
      if (label) return decoderFor(label)
    } catch {
      // Not by this name.
    }
  return null
}

function decoderFor(label: string): TextDecoder {
  const decoder = new TextDecoder(label)
  return decoder.encoding === 'utf-8' ? new globalThis.TextDecoder() : decoder
}

function dosPage(page: string): Charset | null {
  const letters = dosCharacters(page)
  if (!letters) return null
  const read = (bytes: Uint8Array) => {
    let text = ''
    for (const byte of bytes) text += byte < 128 ? String.fromCharCode(byte) : letters[byte - 128]
    return text
  }
  return { encoding: `cp${page}`, decode: read }
}

const HZ = /^hz(?:-gb-?2312)?$/
const gbk = new TextDecoder('gbk')
const TILDE = 126

/** Decodes HZ (RFC 1843): between `~{` and `~}`, two ASCII bytes are one character of GB 2312. */
function decodeHz(bytes: Uint8Array): string {
  const shifted = new Uint8Array(bytes.length)
  let length = 0
  let isChinese = false
  for (let at = 0; at < bytes.length; at++) {
    const [byte, next] = [bytes[at]!, bytes[at + 1]]
    if (byte === TILDE && next === (isChinese ? 125 : 123)) {
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

const [ESC, LF] = [27, 10]
const ESCAPE = '\u001b'
const japanese = new TextDecoder('iso-2022-jp')
const JAPANESE_SWITCH = new RegExp(`${ESCAPE}(?:\\$[@B]|\\([JI])`)

/** Returns whether bytes switch to Japanese as ISO-2022-JP does and have no other sign. */
const isJapanese = (bytes: Uint8Array): boolean =>
  bytes.includes(ESC) && JAPANESE_SWITCH.test(windows1252.decode(bytes)) && highBytes(bytes, 1) === 0

function guessed(bytes: Uint8Array, isGuessed: boolean): Decoded {
  if (isJapanese(bytes)) return inOther(japanese.decode(bytes), true)
  const text = utf8OrNone(bytes)
  const isAscii = text?.length === bytes.length
  return text === undefined
    ? inOther(windows1252.decode(bytes), isGuessed)
    : inUtf8(text, isGuessed && !isAscii)
}

function utf8OrNone(bytes: Uint8Array): string | undefined {
  // Throwing is slower than a search for replacement characters, which texts rarely contain themselves.
  const text = lenient.decode(bytes)
  if (!text.includes('\ufffd')) return text
  try {
    return bytes.indexOf(ERROR_LEAD) === -1 ? undefined : utf8.decode(bytes)
  } catch {
    return undefined
  }
}

const lenient = new globalThis.TextDecoder()
/** First byte of U+FFFD. */
const ERROR_LEAD = 0xef
