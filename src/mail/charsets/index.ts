/**
 * Bytes to text: charsets by their names in messages, bytes that contradict them, and encoded words in
 * headers.
 */

export { charsetOfHtml, decode, decodeText } from './charset'
export { decodeWords } from './encoded-words'
export { decodeUtf7 } from './utf7'
