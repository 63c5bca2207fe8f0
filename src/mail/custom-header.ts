import type { MailHeader } from './headers/header-reader'
import { singleLine } from './text/safe-text'

// biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII
const beyondAscii = /[^\x00-\x7f]/
const maxLine = 998
const foldAt = 76
/** Characters of one encoded word: ten of four bytes each stay under its limit of 75 (RFC 2047 section 2). */
const wordPattern = /.{1,10}/gsu

/** Structured fields, which allow encoded words only within a phrase or comment (RFC 2047 section 5). */
const structured = /^(?:list-(?!unsubscribe-post)|keywords$)/i

/** Encodes a text as UTF-8 encoded words (RFC 2047). */
export const encodedWords = (text: string): string =>
  (text.match(wordPattern) ?? [])
    .map((piece) => `=?utf-8?B?${Buffer.from(piece).toString('base64')}?=`)
    .join(' ')

/** Returns whether a text has a word that no header line can hold (RFC 5322 section 2.1.1). */
export const hasLongWord = (text: string): boolean =>
  text.split(/\s/).some((word) => word.length >= maxLine - 98)

/**
 * Splits a structured value into angle brackets, quotes, comments and the words between. An unclosed quote
 * ends with the value, so that no later quote is searched again.
 */
const pieces = /<[^<>]*>|"(?:[^"\\]|\\.)*(?:"|$)|\([^()]*\)|,|[^<>"(),]+|./gs

function encodedPiece(piece: string): string {
  if (!beyondAscii.test(piece)) return piece
  if (piece.startsWith('(') && piece.endsWith(')')) return `(${encodedWords(piece.slice(1, -1))})`
  const isQuoted = piece.startsWith('"') && piece.endsWith('"')
  const text = isQuoted ? piece.slice(1, -1).replace(/\\(.)/gs, '$1') : piece.trim()
  const [before, after] = isQuoted ? ['', ''] : [/^\s/.test(piece) ? ' ' : '', /\s$/.test(piece) ? ' ' : '']
  return `${before}${encodedWords(text)}${after}`
}

function encoded(name: string, value: string): string {
  if (structured.test(name)) return (value.match(pieces) ?? []).map(encodedPiece).join('')
  return beyondAscii.test(value) || hasLongWord(value) ? encodedWords(value) : value
}

/** Folds a field between words, at 76 characters if its words allow that. */
function folded(name: string, value: string): string {
  const lines: string[] = []
  let line = `${name}:`
  for (const word of value.split(' ')) {
    const isFull = line.length + 1 + word.length > foldAt && line.trim() !== ''
    if (isFull && word !== '') {
      lines.push(line)
      line = ` ${word}`
    } else line += ` ${word}`
  }
  return [...lines, line].join('\r\n').slice(name.length + 2)
}

/** Writes the value of a caller's field: ASCII stays unchanged except for folding. */
export const writeCustomHeader = ({ name, value }: MailHeader): string =>
  folded(name, encoded(name, singleLine(value)))
