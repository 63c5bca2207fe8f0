import { singleLine } from '../text'

const REPLY =
  're|aw|antw|antwort|sv|vs|res|r|rif|odp|ynt|vá|bls|atb|απ|σχετ|отв|ответ|відп|השב|תגובה|תשובה|رد|回复|回覆|答复|答覆|返信|回信|회신|답장|ตอบ|ตอบกลับ|trả lời'
const FORWARD =
  'fwd?|wg|tr|rv|enc|vl|doorst|doorgestuurd|dgs|vb|vid|videresend|videresendt|vidarebefordrat|pd|trs|fs|i|inoltra|inoltrato|reenv|reenviado|redir\\.?|encaminhado|encam|transf|transféré|weiterleitung|weitergeleitet|przekazane|podaj dalej|přep|přeposláno|prep|edasi|prosl|posr|препр|перен|chuyển tiếp|továbbítás|ilt|i̇lt|İlt|πρθ|пересл|הועבר|转发|轉寄|転送|전달|ส่งต่อ'
const prefix = (words: string) =>
  new RegExp(`^(?:${words})\\s?(?:[[(]\\d{1,3}[\\])]|\\^\\d{1,3})?\\s?[:：]\\s*`, 'iu')
const REPLY_PREFIX = prefix(REPLY)
const ANY_PREFIX = prefix(`${REPLY}|${FORWARD}`)
const FORWARD_PREFIX = prefix(FORWARD)
/** Netscape's brackets around a subject, and Pine's suffix. */
const OLD_FORWARD = /^\[fwd: .{0,900}\]$|\(fwd\)$/i
/** A reply in Finnish, a forward in Danish and Norwegian. */
const NORDIC_PREFIX = prefix('vs')
const NORDIC_LABEL = /^[*_\s]{0,4}fra\s?:/im

/**
 * Returns the subject of a reply: `Re: ` once, in place of any reply prefixes in any language (RFC 5322
 * §3.6.5).
 *
 * @example
 * ```ts
 * import { replySubject } from 'restante'
 *
 * console.log(replySubject('AW: Order 17')) // Re: Order 17
 * ```
 */
export function replySubject(subject: string): string {
  return `Re: ${strip(subject, REPLY_PREFIX)}`.trimEnd()
}

/**
 * Returns the subject of a forward: `Fwd: ` once.
 *
 * @example
 * ```ts
 * import { forwardSubject } from 'restante'
 *
 * console.log(forwardSubject('WG: Order 17')) // Fwd: Order 17
 * ```
 */
export function forwardSubject(subject: string): string {
  return `Fwd: ${strip(subject, FORWARD_PREFIX)}`.trimEnd()
}

/**
 * Returns the subject without any prefix of replies and forwards, in the languages of the common mail
 * programs.
 */
export function baseSubject(subject: string): string {
  return strip(subject, ANY_PREFIX)
}

/** Returns whether the outermost prefix of a subject is that of a reply. */
export function isReply(subject: string): boolean {
  return REPLY_PREFIX.test(singleLine(subject))
}

/**
 * Returns whether a subject is that of a forward.
 *
 * @param text body of the message, which shows its language
 */
export function isForward(subject: string, text = ''): boolean {
  const line = singleLine(subject)
  if (FORWARD_PREFIX.test(line) || OLD_FORWARD.test(line)) return true
  return NORDIC_PREFIX.test(line) && NORDIC_LABEL.test(text.slice(0, 20_000))
}

function strip(subject: string, pattern: RegExp): string {
  let rest = singleLine(subject)
  for (let match = pattern.exec(rest); match; match = pattern.exec(rest)) rest = rest.slice(match[0].length)
  return rest
}
