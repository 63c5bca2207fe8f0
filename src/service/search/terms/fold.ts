import { normalized } from '../../../mail/text/normalized'

const ascii = /^[\0-\x7f]*$/
/** Accents and similar marks, except those that are letters of a script, or turn か into が. */
const accented = '\\p{sc=Inherited}\\p{sc=Hebrew}\\p{sc=Arabic}\\p{sc=Syriac}'
const accents = new RegExp(`[[\\p{M}&&[${accented}]]--[\\u3099\\u309a]]`, 'gv')
/** Invisible characters within words. */
const invisible = /\u00ad|\u200c|\u200d|\u2060|\ufeff/g

/** Letters with a stroke, and ligatures, that Unicode does not decompose. */
const alike: Record<string, string> = {
  ...{ ß: 'ss', ς: 'σ', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i' },
  ...{ æ: 'ae', œ: 'oe', þ: 'th' },
}
const special = new RegExp(`[${Object.keys(alike).join('')}]`, 'g')

/** Returns a text without case and accents, by Unicode (chapter 3.13, and the decompositions of UAX 15). */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return normalized(text, 'NFKD')
    .replace(accents, '')
    .replace(invisible, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(special, (letter) => alike[letter]!)
}
