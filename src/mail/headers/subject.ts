import { singleLine } from '../text/safe-text'

const replyPrefixes =
  're|aw|antw|antwort|sv|vs|res|r|rif|odp|ynt|vá|bls|atb|απ|σχετ|отв|ответ|відп|השב|תגובה|תשובה|رد|回复|回覆|答复|答覆|返信|回信|회신|답장|ตอบ|ตอบกลับ|trả lời'
const forward =
  'fwd?|wg|tr|rv|enc|vl|doorst|doorgestuurd|dgs|vb|vid|videresend|videresendt|vidarebefordrat|pd|trs|fs|i|inoltra|inoltrato|reenv|reenviado|redir\\.?|encaminhado|encam|transf|transféré|weiterleitung|weitergeleitet|przekazane|podaj dalej|přep|přeposláno|prep|edasi|prosl|posr|препр|перен|chuyển tiếp|továbbítás|ilt|i̇lt|İlt|πρθ|пересл|הועבר|转发|轉寄|転送|전달|ส่งต่อ'
const prefix = (words: string) =>
  new RegExp(`^(?:${words})\\s?(?:[[(]\\d{1,3}[\\])]|\\^\\d{1,3})?\\s?[:：]\\s*`, 'iu')
const replyPrefix = prefix(replyPrefixes)
const anyPrefix = prefix(`${replyPrefixes}|${forward}`)
const forwardPrefix = prefix(forward)
/** Netscape's brackets around a subject, and Pine's suffix. */
const oldForward = /^\[fwd: .{0,900}\]$|\(fwd\)$/i
/** A reply in Finnish, a forward in Danish and Norwegian. */
const nordicPrefix = prefix('vs')
const nordicLabel = /^[*_\s]{0,4}fra\s?:/im

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
  return `Re: ${strip(subject, replyPrefix)}`.trimEnd()
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
  return `Fwd: ${strip(subject, forwardPrefix)}`.trimEnd()
}

/**
 * Returns the subject without any prefix of replies and forwards, in the languages of the common mail
 * programs.
 */
export function baseSubject(subject: string): string {
  return strip(subject, anyPrefix)
}

/** Returns whether the outermost prefix of a subject is that of a reply. */
export function isReply(subject: string): boolean {
  return replyPrefix.test(singleLine(subject))
}

/**
 * Returns whether a subject is that of a forward.
 *
 * @param text body of the message, which shows its language
 */
export function isForward(subject: string, text = ''): boolean {
  const line = singleLine(subject)
  if (forwardPrefix.test(line) || oldForward.test(line)) return true
  return nordicPrefix.test(line) && nordicLabel.test(text.slice(0, 20_000))
}

function strip(subject: string, pattern: RegExp): string {
  let rest = singleLine(subject)
  for (let match = pattern.exec(rest); match; match = pattern.exec(rest)) rest = rest.slice(match[0].length)
  return rest
}
