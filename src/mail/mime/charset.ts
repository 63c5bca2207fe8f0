import { TextDecoder } from '#text-decoder'
import { decodeUtf7 } from '../text'

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
  hz: 'gbk',
  'hz-gb-2312': 'gbk',
  'gb-2312': 'gbk',
  big5hkscs: 'big5-hkscs',
  mac: 'macintosh',
  'x-mac-roman': 'macintosh',
  'mac-roman': 'macintosh',
  utf16le: 'utf-16le',
}
const HTML_CHARSET = /<meta\s[^>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i
const decoders = new Map<string, TextDecoder | null>()
const MAX_DECODERS = 200
const utf8 = new TextDecoder('utf-8', { fatal: true })
const windows1252 = new TextDecoder('windows-1252')

/**
 * Decodes a text by the name of its charset as mail programs write it (RFC 2045 §5.1, the labels of the Encoding
 * Standard, what was usual besides, UTF-7 of RFC 2152). Where the name is missing or says nothing, it is UTF-8 if it can
 * be, else windows-1252; and so it is where the bytes show that the name cannot be right. Never throws.
 */
export function decodeText(bytes: Uint8Array, charset: string | null): string {
  const name = charset?.trim().toLowerCase() ?? ''
  if (UTF7.test(name)) return decodeUtf7(windows1252.decode(bytes))
  const decoder = name === '' || ASCII.test(name) ? null : decoderOf(name)
  if (!decoder) return guessed(bytes)
  const text = decoder.decode(bytes)
  return corrected(bytes, text, decoder.encoding) ?? text
}

/** Enough of them are no accident: nobody means what such a text says in the charset that it names. */
const MIN_HIGH_BYTES: Record<string, number> = { 'windows-1252': 2, 'iso-8859-15': 2 }

/** The text where the charset that a mail names cannot be right; undefined where it may be. */
function corrected(bytes: Uint8Array, text: string, encoding: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII
  if (/^[\x00-\x7f]*$/.test(text) || /^utf-16|^iso-2022/.test(encoding)) return undefined
  if (encoding === 'utf-8') {
    const isOther = text.includes('\ufffd') && !/[^\0-\x7f\ufffd]/.test(text)
    return isOther && !text.endsWith('\ufffd') ? windows1252.decode(bytes) : undefined
  }
  let high = 0
  const wanted = MIN_HIGH_BYTES[encoding] ?? 6
  for (let at = 0; at < bytes.length && high < wanted; at++) if (bytes[at]! > 127) high++
  return high < wanted ? undefined : utf8OrNone(bytes)
}

/** The charset that a page declares in itself; null where it does not. */
export function charsetOfHtml(bytes: Uint8Array): string | null {
  return HTML_CHARSET.exec(windows1252.decode(bytes.subarray(0, 2048)))?.[1] ?? null
}

function decoderOf(name: string): TextDecoder | null {
  const known = decoders.get(name)
  if (known !== undefined) return known
  const decoder = newDecoder(name)
  // The names are a stranger's.
  if (decoders.size < MAX_DECODERS) decoders.set(name, decoder)
  return decoder
}

function newDecoder(name: string): TextDecoder | null {
  const plain = name.replace(/^(?:x-ms-|x-|cs)/, '')
  const page = /^(?:cp|windows|ms|ibm)-?(\d{3,5})$/.exec(plain)?.[1] ?? ''
  const dashed = plain.replace(/[\s_]+/g, '-')
  for (const label of [
    name,
    plain,
    dashed,
    OTHER_NAMES[dashed],
    CODE_PAGES[page],
    `windows-${page}`,
    `iso-${dashed}`,
  ])
    try {
      if (label) return new TextDecoder(label)
    } catch {
      // Not by this name.
    }
  return null
}

const guessed = (bytes: Uint8Array): string => utf8OrNone(bytes) ?? windows1252.decode(bytes)

function utf8OrNone(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
