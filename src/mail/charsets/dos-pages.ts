import { own } from '../../protocol/own'

const page437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** Pages by their differences from another, at some indexes. */
const pageChanges: Readonly<
  Record<string, readonly [of: string, changes: Readonly<Record<number, string>>]>
> = {
  '850': [
    '437',
    {
      27: 'ø£Ø×',
      41: '®',
      53: 'ÁÂÀ©',
      61: '¢¥',
      70: 'ãÃ',
      79: '¤ðÐÊËÈıÍÎÏ',
      93: '¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³',
    },
  ],
  '852': [
    '850',
    {
      5: 'ůćçłëŐőîŹÄĆÉĹĺ',
      21: 'ĽľŚś',
      27: 'ŤťŁ×č',
      36: 'ĄąŽžĘę¬źČş',
      55: 'ĚŞ',
      61: 'Żż',
      70: 'Ăă',
      80: 'đĐĎËďŇ',
      88: 'ě',
      93: 'ŢŮ',
      99: 'ŃńňŠšŔÚŕŰ',
      110: 'ţ',
      113: '˝˛ˇ˘',
      122: '˙űŘř',
    },
  ],
  '857': [
    '850',
    {
      13: 'ı',
      24: 'İ',
      30: 'Şş',
      38: 'Ğğ',
      80: 'ºª',
      85: '\ufffd',
      103: '\ufffd×',
      108: 'ìÿ',
      114: '\ufffd',
    },
  ],
  '858': ['850', { 85: '€' }],
  '865': ['437', { 27: 'ø£Ø', 47: '¤' }],
  '737': [
    '437',
    { 0: 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψ', 96: 'ωάέήϊίόύϋώΆΈΉΊΌΎΏ', 116: 'ΪΫ' },
  ],
  '775': [
    '437',
    {
      0: 'Ć',
      3: 'āäģåćłēŖŗīŹ',
      19: 'ōöĢ¢Śś',
      27: 'ø£Ø×¤ĀĪóŻżź”¦©®',
      45: 'Ł',
      53: 'ĄČĘĖ',
      61: 'ĮŠ',
      70: 'ŲŪ',
      79: 'Žąčęėįšųūž',
      96: 'ÓßŌŃõÕµńĶķĻļņĒŅ’\u00ad±“¾¶§÷„',
      123: '¹³',
    },
  ],
  '855': [
    '437',
    {
      0: 'ђЂѓЃёЁєЄѕЅіІїЇјЈљЉњЊћЋќЌўЎџЏюЮъЪаАбБцЦдДеЕфФгГ',
      53: 'хХиИ',
      61: 'йЙ',
      70: 'кК',
      79: '¤лЛмМнНоОп',
      93: 'Пя▀ЯрРсСтТуУжЖвВьЬ№\u00adыЫзЗшШэЭщЩчЧ§',
    },
  ],
  '860': ['437', { 4: 'ãàÁ', 9: 'ÊèÍÔìÃÂÉÀÈôõòÚùÌÕ', 29: 'Ù₧Ó', 41: 'Ò' }],
  '861': ['437', { 11: 'ÐðÞ', 21: 'þûÝý', 27: 'ø£Ø', 36: 'ÁÍÓÚ' }],
  '862': ['437', { 0: 'אבגדהוזחטיךכלםמןנסעףפץצקרשת' }],
  '863': ['437', { 4: 'Âà¶', 13: '‗À§ÉÈÊôËÏ', 24: '¤Ô', 29: 'ÙÛƒ¦´', 36: '¨¸³¯Î', 45: '¾' }],
}

/**
 * Returns the characters of bytes 80 and up in a DOS code page; undefined for other pages. Tills and business
 * systems still send them, and the Encoding Standard has only 866 of them.
 */
export function dosCharacters(page: string): readonly string[] | undefined {
  if (page === '437') return [...page437]
  const [of, changes] = own(pageChanges, page) ?? []
  const letters = of && [...dosCharacters(of)!]
  if (!letters) return undefined
  for (const [at, characters] of Object.entries(changes!))
    letters.splice(Number(at), characters.length, ...characters)
  return letters
}
