import { TextDecoder } from '#text-decoder'
import { own } from '../../protocol/own'
import { dosCharacters } from './dos-pages'
import { decodeHz, isHz } from './hz'

/**
 * Decodes UTF-7 (RFC 2152): `+` starts UTF-16 in unpadded base64, up to the first other character. Never
 * throws.
 */
export function decodeUtf7(text: string): string {
  return text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_, encoded: string) => (encoded ? utf16Of(encoded) : '+'))
}

function utf16Of(encoded: string): string {
  const octets = atob(encoded.length % 4 === 1 ? encoded.slice(0, -1) : encoded)
  let units = ''
  for (let at = 0; at + 1 < octets.length; at += 2)
    units += String.fromCharCode(octets.charCodeAt(at) * 256 + octets.charCodeAt(at + 1))
  return units
}

const utf7 = /^(?:x-)?(?:unicode-[12]-[01]-)?utf-?7$/
const ascii = /^(?:us-|x-)?ascii$|^ansi_x3\.[\d.-]+(?:-\d{4})?$|^iso646-us$|^default$|^unknown(?:-8bit)?$/
const codePages: Record<string, string> = {
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
const otherNames: Record<string, string> = {
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
const htmlCharset = /<meta\s[^>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i
/** A charset: the name of its encoding and its decoder. */
interface Charset {
  encoding: string
  decode(bytes: Uint8Array): string
}

const decoders = new Map<string, Charset | null>()
const maxDecoders = 200
// All engines read UTF-8 alike, and their own decoder is the fastest.
const utf8 = new globalThis.TextDecoder('utf-8', { fatal: true })
const windows1252 = new TextDecoder('windows-1252')

/**
 * Decodes a text by the charset name that mail programs give (RFC 2045 §5.1): labels of the Encoding
 * Standard, other usual names, and UTF-7 (RFC 2152). Without a known name, or if the bytes contradict it,
 * tries ISO-2022-JP (if the bytes switch to it), HZ (if nothing else writes such bytes), UTF-8, then
 * windows-1252. Never throws.
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
  if (utf7.test(name)) return inOther(decodeUtf7(windows1252.decode(bytes)))
  const decoder = ascii.test(name) ? null : decoderOf(name)
  if (!decoder) return guessed(bytes, !ascii.test(name))
  if (otherAscii.test(decoder.encoding)) return decodedOther(bytes, decoder)
  if (decoder.encoding === 'utf-8') return decodedUtf8(bytes, decoder)
  const high = highBytes(bytes, minHighBytes[decoder.encoding] ?? 6)
  if (high === 0) return inUtf8(utf8.decode(bytes))
  const text = utf8OrNone(bytes)
  if (text === undefined) return inOther(withoutControls(decoder.decode(bytes), decoder.encoding))
  if (high >= (minHighBytes[decoder.encoding] ?? 6)) return inUtf8(text, true)
  const named = decoder.decode(bytes)
  // Two bytes are a character of most Chinese, Japanese and Korean charsets, even if unassigned.
  const isSure = !multiByte.test(decoder.encoding) || high > 2
  return isSure && isMeantAsUtf8(text, named, decoder.encoding)
    ? inUtf8(text, true)
    : inOther(withoutControls(named, decoder.encoding))
}

/** Quotes, dashes, dots, € and ™ of windows-1252, as its programs write them under ISO labels. */
const ofWindows = /[\u0080\u0082\u0084\u0085\u008b\u0091-\u0097\u0099\u009b]/g

/** Replaces the control characters of ISO charsets if they can only be punctuation of Windows. */
function withoutControls(text: string, encoding: string): string {
  if (!encoding.startsWith('iso-8859-') || !/[\u0080-\u009f]/.test(text)) return text
  const replaced = text.replace(ofWindows, (sign) => windows1252.decode(Uint8Array.of(sign.charCodeAt(0))))
  return /[\u0080-\u009f]/.test(replaced) ? text : replaced
}

/** Decodes text labelled UTF-8: some programs put ISO-2022-JP or other bytes under that label. */
function decodedUtf8(bytes: Uint8Array, decoder: Charset): Decoded {
  const text = decoder.decode(bytes)
  if (isMistaken(text)) return inOther(windows1252.decode(bytes), true)
  return text.includes(escapeByte) && isJapanese(bytes) ? guessed(bytes, true) : inUtf8(text)
}

/** Charsets in which ASCII bytes may mean other letters. */
const otherAscii = /^utf-16|^iso-2022|^hz$/

/**
 * Decodes a text in a charset other than UTF-8. Text labelled ISO-2022-JP with bytes above 7F and no switch
 * is in another charset.
 */
function decodedOther(bytes: Uint8Array, decoder: Charset): Decoded {
  // The label says nothing about the order of bytes if a byte order mark does.
  if (decoder.encoding === 'utf-16le' && bytes[0] === 0xfe && bytes[1] === 0xff)
    return inOther(decoderOf('utf-16be')!.decode(bytes))
  const isOther = decoder.encoding === 'iso-2022-jp' && highBytes(bytes, 1) > 0 && !bytes.includes(ESC)
  if (!isOther) return inOther(decoder.decode(bytes))
  const isUtf8 = utf8OrNone(bytes) !== undefined
  const others = isUtf8 ? [] : ['euc-jp', 'shift_jis'].map((name) => decoderOf(name)!.decode(bytes))
  const text = others.find((one) => !unreadable.test(one))
  return text ? inOther(text, true) : guessed(bytes, true)
}

/** Counts the bytes beyond ASCII, up to the wanted number. */
function highBytes(bytes: Uint8Array, wanted: number): number {
  let high = 0
  for (let at = 0; at < bytes.length && high < wanted; at++) if (bytes[at]! > 127) high++
  return high
}

/** This many are no accident: read in the named charset, such a text makes no sense. */
const minHighBytes: Record<string, number> = { 'windows-1252': 2, 'iso-8859-15': 2 }
const multiByte = /^(?:gb|big5|euc|shift)/

/** Characters that no text has: replacement characters and C1 controls. */
const unreadable = /[\u0080-\u009f\ufffd\uf780-\uf7ff]/
/** Quotes, dashes, dots, € and ™, often the only characters of a text beyond ASCII. */
const punctuation = /^[\0-\x7f\u2010-\u2027\u2030-\u203a\u20ac\u2122]+$/
/** A letter directly before a sign, as in "Ă©" and "Г©": two bytes of UTF-8 read one by one. */
const letterAndSign = /(?![\0-\x7f])\p{L}(?![\0-\x7f»”’…–—])[^\p{L}\p{M}\p{N}]/u

/** Returns whether a few bytes are UTF-8 despite another charset name, judged by both readings. */
function isMeantAsUtf8(text: string, named: string, encoding: string): boolean {
  if (unreadable.test(named) || punctuation.test(text)) return true
  return !multiByte.test(encoding) && letterAndSign.test(named)
}

/** Returns whether a text labelled UTF-8 is not, judged by its decoded form. */
const isMistaken = (text: string): boolean =>
  text.includes('\ufffd') && !text.endsWith('\ufffd') && !/[^\0-\x7f\ufffd]/.test(text)

/** Returns the charset that a page declares in itself; null for none. */
export function charsetOfHtml(bytes: Uint8Array): string | null {
  return htmlCharset.exec(windows1252.decode(bytes.subarray(0, 2048)))?.[1] ?? null
}

function decoderOf(name: string): Charset | null {
  const known = decoders.get(name)
  if (known !== undefined) return known
  const decoder = newDecoder(name)
  // Bounded, since the names come from strangers.
  if (decoders.size < maxDecoders) decoders.set(name, decoder)
  return decoder
}

/** Returns whether ASCII bytes of a charset may mean other letters, as in ISO-2022-JP. */
export const isStateful = (charset: string): boolean =>
  otherAscii.test(decoderOf(charset.trim().toLowerCase())?.encoding ?? '')

function newDecoder(name: string): Charset | null {
  const plain = name.replace(/^(?:x-ms-|x-|cs)/, '')
  if (hz.test(plain)) return { encoding: 'hz', decode: decodeHz }
  if (korean7Bit.test(plain)) return { encoding: 'iso-2022-kr', decode: decodeKorean }
  const page = /^(?:(?:cp|win|windows|ms|ibm|pc|dos)-?|cspc)?0?(\d{3,5})$/.exec(plain)?.[1] ?? ''
  const dos = dosPage(/multilingual/.test(plain) ? '850' : page)
  if (dos) return dos
  const dashed = plain.replace(/[\s_]+/g, '-')
  for (const label of [
    name,
    plain,
    dashed,
    own(otherNames, dashed),
    own(codePages, page),
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

const hz = /^hz(?:-gb-?2312)?$/
const korean7Bit = /^iso-?2022-?kr$/
const koreanText = new TextDecoder('euc-kr')
const [SHIFT_OUT, SHIFT_IN] = [14, 15]

/** Decodes ISO-2022-KR (RFC 1557): after a shift out, two ASCII bytes are one character of KS X 1001. */
function decodeKorean(bytes: Uint8Array): string {
  const shifted = new Uint8Array(bytes.length)
  let length = 0
  let isKorean = false
  for (const byte of bytes) {
    if (byte === SHIFT_OUT || byte === SHIFT_IN) isKorean = byte === SHIFT_OUT
    else {
      // Each line starts in ASCII.
      if (byte === LF) isKorean = false
      shifted[length++] = isKorean && byte > 32 && byte < 127 ? byte | 128 : byte
    }
  }
  return koreanText.decode(shifted.subarray(0, length)).replaceAll(`${escapeByte}$)C`, '')
}

const [ESC, LF] = [27, 10]
const escapeByte = '\u001b'
const japanese = new TextDecoder('iso-2022-jp')
const japaneseSwitch = new RegExp(`${escapeByte}(?:\\$[@B]|\\([JI])`)

/** Returns whether bytes switch to Japanese as ISO-2022-JP does and have no other sign. */
const isJapanese = (bytes: Uint8Array): boolean =>
  bytes.includes(ESC) && japaneseSwitch.test(windows1252.decode(bytes)) && highBytes(bytes, 1) === 0

function guessed(bytes: Uint8Array, isGuessed: boolean): Decoded {
  if (isJapanese(bytes)) return inOther(japanese.decode(bytes), true)
  if (isHz(bytes)) return inOther(decodeHz(bytes), true)
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
    return bytes.indexOf(errorLead) === -1 ? undefined : utf8.decode(bytes)
  } catch {
    return undefined
  }
}

const lenient = new globalThis.TextDecoder()
/** First byte of U+FFFD. */
const errorLead = 0xef
