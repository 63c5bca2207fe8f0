/**
 * Letters that follow a letter in words of European languages, by the first letter; `^` is the start of a
 * word, `$` its end. Counted in 440,000 words.
 */
const FOLLOWERS: Readonly<Record<string, string>> = Object.fromEntries(
  '^:abcdefghijklmnopqrstuvwxyz|a:abcdefghijklmnprstuvwxyz$|b:aeijlorstuy$|c:acehiklorstuy$|d:adegilmnorstuvy$|e:abcdefghiklmnopqrstuvwxyz$|f:aefilortuy$|g:aeghilmnorstuy$|h:aeilmnorstuy$|i:abcdefgklmnopqrstuvxz$|j:aeou|k:aeilnosu$|l:acdefgiklmopstuvy$|m:abeilmopsuy$|n:abcdefghijklmnoprstuvy$|o:abcdefghijklmnoprstuvwxy$|p:aehilmoprstuy$|q:u|r:abcdefghiklmnoprstuvwy$|s:acefhiklmnopstuwy$|t:abcefhilmnoprstuwy$|u:abcdefgilmnoprstz$|v:aeio$|w:aehilnorsw$|x:acehiptx$|y:aceilmnopst$|z:aeioz$'
    .split('|')
    .map((entry) => [entry[0], entry.slice(2)]),
)

/** Words in capitals that give the state of a code, or lead to it. */
const STATUS = new Set(
  'ABOVE ACCEPTED ACTIVE APPROVED AVAILABLE BELOW BLOCKED CANCELED CANCELLED CHANGED CLOSED CONFIRMED CORRECT DECLINED DENIED DISABLED ENABLED ENTERED ERROR EXPIRED EXPIRES FAILED FALSE FREE FRESH GONE HERE INACTIVE INCORRECT INVALID ISSUED LIMITED LOCKED MISSING NEEDED NEVER NONE NULL ONCE ONLY OPEN PENDING PRIVATE READY REJECTED REQUIRED RESET REVOKED SECRET SENT STILL STOLEN SUCCESS SUMMER THAT THIS TODAY TRUE UNKNOWN UNUSED UPDATED USED VALID VERIFIED WAITING WINTER WITHIN WRONG YOURS GESENDET UNTEN HIER FALSCH EXPIRADO ENVIADO AQUI CADUCADO EXPIRE ENVOYE SCADUTO INVIATO'.split(
    ' ',
  ),
)

/** Returns whether capitals form no word: two of them never occur side by side in European languages. */
export function isNoWord(capitals: string): boolean {
  const letters = `^${capitals.toLowerCase()}$`
  for (let at = 0; at + 1 < letters.length; at++)
    if (!FOLLOWERS[letters[at]!]?.includes(letters[at + 1]!)) return true
  return false
}

/** Returns whether capitals give the state of a code, as in "verification code: EXPIRED". */
export const isStatus = (capitals: string): boolean => STATUS.has(capitals)
