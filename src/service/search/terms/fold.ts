import { latePattern } from '../../../mail/text'

const ascii = /^[\0-\x7f]*$/
/** Accents and the like; not the marks that are letters of a script, nor those that make が of か. */
const accented = '\\p{sc=Inherited}\\p{sc=Hebrew}\\p{sc=Arabic}\\p{sc=Syriac}'
const accents = latePattern(`[[\\p{M}&&[${accented}]]--[\\u3099\\u309a]]`, 'gv')
/** Characters within words that nobody sees. */
const invisible = /\u00ad|\u200c|\u200d|\u2060|\ufeff/g

/** Letters that are a plain one with a stroke, or two in one, though Unicode does not take them apart. */
const alike: Record<string, string> = {
  ...{ ß: 'ss', ς: 'σ', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i' },
  ...{ æ: 'ae', œ: 'oe', þ: 'th' },
}
const special = new RegExp(`[${Object.keys(alike).join('')}]`, 'g')

/** A text without case and accents, as Unicode says (chapter 3.13, and the decompositions of UAX 15). */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(accents(), '')
    .replace(invisible, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(special, (letter) => alike[letter]!)
}
