const maxLines = 15
const maxLineLength = 300
const maxSearched = 40
/** A line of dashes or similar signs, or of marks that group services draw. */
const rule = /^\s{0,3}(?:[-_=*~—–─]{1,120}|_{1,3}[._,-]{4,12}_{0,3}|#{8,120}|\.{8,120})\s{0,5}$/

/** Words of list programs at the start of a footer. */
const footer = new RegExp(
  [
    '^groups\\.io links|^this sf\\.net e-?mail is|^visit your group|^posted by: .{0,100}@|^view/reply online|(?:to )?(?:un-?subscribe|sign ?off|leave this (?:list|group))\\b[^.]{0,60}(?:list|group|send|mail|visit|https?:|email|click|topic|from this)|^unsubscribe\\b.{0,80}$',
    'you(?: a|\\W?)re (?:receiving|subscribed)|you received this (?:message|e-?mail) because|(?:this|the) mailing list[,:]|^\\S{2,60} (?:mailing list|maillist)\\b|mailing list(?:$|[:,] )|list (?:archives?|info|guidelines|website)[: ]|^archives?:? ?<?https?:|mailing list (?:info|https?:|charter)',
    '^(?:more majordomo info|please read the faq|do not reply to this (?:e-?mail|message) directly|view (?:it|this (?:message|topic|discussion)) on(?:line| github)?|reply to this (?:e-?mail|message) directly|(?:visit|see) (?:this )?(?:topic|https?:\\S{0,200}(?:list|group)))|/mailman/(?:listinfo|options)/|/mailman3/|groups\\.google\\.com|groups\\.io/g/|https?://lists?\\.\\S+|-unsubscribe@|unsubscribe@',
    'sie erhalten diese (?:nachricht|e-?mail),? weil|liste? (?:abbestellen|abmelden)|zum abbestellen|vous (?:avez reçu|recevez) ce (?:message|mail|courriel)[^.]{0,30} (?:car|parce)|pour (?:se désabonner|vous désinscrire|vous désabonner)|has recibido este (?:mensaje|correo) porque|para (?:anular|cancelar) (?:la|tu|su) suscripci|para (?:cancelar a inscrição|desinscrever)|você recebeu (?:esta mensagem|este e-?mail) porque',
    'hai ricevuto questo messaggio perché|per (?:cancellarti|annullare l.iscrizione)|je ontvangt dit bericht omdat|om je af te melden|вы получили это (?:сообщение|письмо)[^.]{0,20} (?:так как|поскольку|потому)|чтобы отказаться от (?:подписки|рассылки)|このメーリングリスト|メーリングリスト(?:$|の)|配信停止|退订|取消订阅|您收到此邮件',
  ].join('|'),
  'i',
)

/**
 * Finds the footer of a list program below a message: a rule of any length, with words about the list right
 * below it.
 *
 * @returns the index of the rule; null for none
 */
export function startOfListFooter(lines: readonly string[], end: number): number | null {
  let written = 0
  let found: number | null = null
  for (let at = end - 1; at >= 0 && written <= maxLines && end - at <= maxSearched; at--) {
    const line = lines[at] ?? ''
    if (rule.test(line) && speaksOfList(lines, at + 1, end)) found = at
    else if (line.trim()) written++
  }
  return found
}

function speaksOfList(lines: readonly string[], start: number, end: number): boolean {
  const first = lines.slice(start, end).filter((line) => line.trim())
  return first.slice(0, 2).some((line) => line.length <= maxLineLength && footer.test(line.trim()))
}
