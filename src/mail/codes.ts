import type { FoundCode } from '../protocol/records'

const MAX_LENGTH = 64 * 1024
const MAX_LINE = 400
const MAX_CODES = 3
const NEAR = 60

const anyOf = (...patterns: string[]) => new RegExp(patterns.join('|'), 'giu')

/** Words for a code, in the main languages; the whole of a line is looked at. */
const NAMES = anyOf(
  '\\b(?:(?:one[ -]?time|verification|verify|security|access|login|log[ -]?in|sign[ -]?in|confirmation|authentication|auth|authorization|activation|temporary|magic|secret|\\w{2,20}) )?(?:code|passcode|pass ?phrase|pin)s?\\b',
  '\\b(?:otp|2fa|one[ -]?time (?:password|pin|token))\\b',
  '\\p{L}{0,20}(?:code|kode|kod|koodi)\\b|bestätigungs(?:nummer|zahl)|einmal(?:kennwort|passwort)|\\btan\\b',
  "code (?:de |à |d[’'])?\\p{L}{2,20}|mot de passe (?:à usage )?unique|c[óo]digo|contraseña (?:temporal|de un solo uso)|senha (?:temporária|única)|codice|wachtwoord voor eenmalig",
  '(?:проверочный |код )?код\\p{L}{0,3}|одноразов\\p{L}+ парол\\p{L}+|kodunuz|doğrulama kodu|ověřovací kód|\\bkód\\b|jelszó',
  '验证码|驗證碼|校验码|動態密碼|动态码|認証(?:コード|番号)|確認(?:コード|番号)|ワンタイム(?:パスワード|コード)|暗証番号|パスコード|인증 ?(?:번호|코드)|확인 ?코드|رمز|कोड|รหัส|mã xác (?:minh|nhận|thực)',
)
const OTHER_NAMES =
  /\b(?:promo(?:tion(?:al)?)?|discount|coupon|gift|voucher|zip|postal|post|country|area|dress|error|status|booking|tracking|order|product|qr|bar|source|reference|referral|sort|swift|exit|dial(?:l?ing)?|tax|vat|unit|building|civil|penal|color|colour|morse|invite|invitation|friend) ?codes?\b|\b(?:gutschein|rabatt|aktions|vorwahl|fehler|quell|strich)codes?\b|code (?:promo|postal|barre|source|civil|pénal|erreur)|c[óo]digo (?:postal|promocional|de descuento|de error|de barras)|codice (?:sconto|postale|fiscale|promozionale)|優惠碼|优惠码|邮政编码|クーポンコード|郵便番号|промокод/giu
const CANDIDATES =
  /(?<![\p{L}\p{N}_@#$€£¥+./:=%&?-]|\d{3} )(?:\d{3}[ -]\d{3}|\d{4}[ -]\d{4}|\d{2} \d{2} \d{2}|\d{4,8}|G-\d{6}|[A-Z0-9]{3,4}-[A-Z0-9]{3,4}|(?=[A-Z]*\d)[A-Z0-9]{5,10})(?![\p{L}\p{N}_@€$£¥%]|[.,:/-]\d| \d{3}|-[\p{L}\p{N}]| ?(?:USD|EUR|GBP|€|\$|%|km|kg|mb|gb)\b)/gu
const TELEPHONE = /\+\d[\d ()./-]{5,24}\d/g
const YEAR = /^(?:19|20)\d\d$/

interface Candidate extends FoundCode {
  score: number
}

interface Line {
  text: string
  offset: number
}

/**
 * Finds one-time codes: groups of digits, or of capitals and digits, near a word for them in the main languages. Codes of
 * other kinds (discounts, post codes), years, sums and telephone numbers are none.
 *
 * @returns at most 3, the likeliest first, with where they stand. Linear time.
 */
export function findCodes(subject: string, text: string): FoundCode[] {
  const inSubject = scored([{ text: subject.slice(0, MAX_LINE), offset: 0 }], 'subject', '')
  const inText = scored(linesOf(text.slice(0, MAX_LENGTH)), 'text', subject)
  const found = new Map<string, Candidate>()
  for (const candidate of [...inText, ...inSubject]) {
    const known = found.get(candidate.code)
    if (!known) found.set(candidate.code, candidate)
    else known.score += candidate.score
  }
  return [...found.values()]
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_CODES)
    .map(({ score: _, ...code }) => code)
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  let offset = 0
  for (const line of text.split('\n')) {
    if (line.trim()) lines.push({ text: line.slice(0, MAX_LINE), offset })
    offset += line.length + 1
  }
  return lines
}

function scored(lines: readonly Line[], where: FoundCode['in'], subject: string): Candidate[] {
  const found: Candidate[] = []
  const isNamedAbove = (at: number) =>
    lines.slice(Math.max(0, at - 3), at).some(({ text }) => namesIn(text).length > 0)
  const isSubjectNamed = namesIn(subject.slice(0, MAX_LINE)).length > 0
  for (const [at, line] of lines.entries()) {
    for (const match of withoutTelephones(line.text).matchAll(CANDIDATES)) {
      const isAlone =
        line.text.replace(/[\s*_`"'«»“”|>:.-]+/gu, '').length === match[0].replace(/[ -]/g, '').length
      const near = nearness(line.text, match)
      const score = near + (isAlone && isNamedAbove(at) ? 3 : 0) + (isAlone && isSubjectNamed ? 2 : 0)
      if (score < 1 || (YEAR.test(match[0]) && score < 3)) continue
      found.push({ ...codeOf(match), in: where, offset: line.offset + match.index, score })
    }
  }
  return found
}

const withoutTelephones = (text: string) => text.replace(TELEPHONE, (number) => '.'.repeat(number.length))

const namesIn = (text: string): RegExpExecArray[] => [...blanked(text).matchAll(NAMES)]

/** The text with the names of other codes blanked, all else in its place. */
const blanked = (text: string) => text.replace(OTHER_NAMES, (name) => ' '.repeat(name.length))

/** Scores how near a word for codes stands, 0 to 3: before the code it counts more than after. */
function nearness(line: string, match: RegExpExecArray): number {
  const end = match.index + match[0].length
  let best = 0
  for (const name of namesIn(line)) {
    const before = match.index - (name.index + name[0].length)
    const after = name.index - end
    if (before >= 0 && before <= NEAR) best = Math.max(best, before <= 20 ? 3 : 2)
    if (after >= 0 && after <= NEAR)
      best = Math.max(
        best,
        /^\s*(?:is|ist|est|es|è|é|são|—|–|-|:|：|は|是|为|ist)\b/iu.test(line.slice(end)) ? 3 : 1,
      )
  }
  return best
}

function codeOf([written]: RegExpExecArray): Pick<FoundCode, 'code' | 'length'> {
  const digits = written.replace(/^G-/, '')
  const code = /^[\d -]+$/.test(digits) ? digits.replace(/[ -]/g, '') : written
  return { code, length: written.length }
}
