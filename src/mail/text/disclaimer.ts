const minLength = 80
const maxLength = 3000
const maxParagraphs = 8
const minSigns = 2

// For text in lower case: patterns that ignore case are slower.
const anyOf = (...patterns: string[]) => new RegExp(patterns.join('|'))

/** Forbids to use or pass on a message. */
const forbids = anyOf(
  '(?:disclos|distribut|copy|copying|dissemination|review|reliance|use)[^.]{0,80}(?:prohibited|unlawful|forbidden|not permitted|unauthori[sz]ed)|unauthori[sz]ed (?:review|use|copy|disclos)|unbefugt|nicht gestattet|interdit|prohibid|proibid|vietat|verboden|otillåten|forbudt|kielletty|zabronion|zakázán|tilos|yasak|запрещ|заборон|απαγορ|אסור|محظور|interzis|nghiêm cấm|dilarang|禁止|금지',
)
/** Subjects of such notes, in the main languages; a text with more than {@link minSigns} of them is one. */
const signs = [
  anyOf(
    'confidential|privileged|proprietary information|vertraulich|rechtlich geschützt|confidentiel|confidencia(?:l|is)|riservat[aoie]|confidenzial|vertrouwelijk',
    'konfidentiell|sekretess|fortrolig|luottamuksel|poufn|důvěrn|dôvern|bizalmas|gizli|конфиденциальн|конфіденційн|поверителн|εμπιστευτικ|סודי|חסוי|سري[ةه]|confidențial|bảo mật|rahasia|机密|保密|機密|기밀',
  ),
  anyOf(
    '(?:intended|sole use of|use of the|named|above) (?:solely |only |exclusively )?(?:recipient|addressee|for|individual|person)|intended recipient|solely for|only for the',
    'richtige adressat|bestimmungsgemäße|ausschließlich für|nur für den|destinataire|destinatari[oae]s?|exclusiv(?:ement|amente)|esclusivamente|geadresseerde|bestemd',
    'avsedd|adressat|tiltenkt|tilsigtet|modtager|tarkoitettu|vastaanottaj|adresata|przeznaczon|určen|címzett|alıcı|адресат|получател|отримувач|παραλήπτ|נמען|מיועד|المستلم|المرسل إليه|destinatar|người nhận|penerima|收件人|宛|受信者|수신인',
  ),
  anyOf(
    '(?:received|reached you|sent to you|got) (?:this |the )?(?:\\S{1,20} )?(?:in |by )?(?:error|mistake)|in error|not the (?:intended|named)|irrtümlich|versehentlich|par erreur|por error|por engano|por equivocación|per errore|per abuis|ten onrechte|onterecht|abusievelijk',
    'av misstag|ved en fejl|ved en feil|erehdyksessä|vahingossa|omyłkowo|przez pomyłkę|omylem|tévedésből|yanlışlıkla|ошибочно|по ошибке|помилково|по погрешка|λάθος|בטעות|عن طريق الخطأ|بالخطأ|din greșeală|do nhầm|nhầm lẫn|karena kesalahan|误收|错误|誤って|誤送|잘못 수신',
  ),
  anyOf(
    'notify|inform the sender|contact the sender|delete (?:it|this|the|all)|destroy|permanently delete|absender|vernichten|löschen sie|avertir|expéditeur|détruire|supprimer|notifi|remitente|elimin|borr(?:e|ar)|apag(?:ue|ar)|remetente|mittente|avvis|cancell',
    'afzender|verwijder|vernietig|avsändare|radera|afsender|avsender|slett|lähettäj|poista|nadawc|usunię|odesílatel|odosielateľ|vymaž|feladó|törölj|gönderen|silin|отправител|удалит|видал|изтри|αποστολέα|διαγράψ|השולח|מחק|المرسل|حذف|expeditor|ștergeți|xóa|hapus|删除|刪除|削除|삭제',
  ),
  forbids,
  anyOf('virus|scanned (?:by|for)|malware|viren|antivirus|wirus|вирус|病毒|ウイルス|바이러스'),
  anyOf(
    'disclaimer|legal notice|confidentiality notice|rechtlicher hinweis|haftungsausschluss|avis (?:juridique|de confidentialité)|aviso legal|avvertenza|nota di riservatezza|aviso de confidencialidad|gdpr|rgpd|dsgvo|lopd',
  ),
  anyOf(
    'any attachments?|attached files?|anhänge|pièces? jointes?|archivos adjuntos|anexos|allegat|bijlagen|registered (?:in|office|number)|company (?:number|registration)|liability|accepts no',
  ),
]
/** Notes that one sentence identifies. */
const printing =
  /(?:consider|think (?:of|about)) [^.]{0,60}(?:environment|before (?:you )?print)|umwelt[^.]{0,80}(?:ausdruck|drucken)|(?:ausdrucken|drucken)[^.]{0,60}umwelt|pens(?:ez|ons) [^.]{0,40}environnement|(?:avant|antes) d[e'’] ?imprim|medio ambiente[^.]{0,60}imprim|prima di stampare|denk aan het milieu/
const separator = /^[\s*_=#~-]*$/

/**
 * Finds the start of company notes about confidentiality, errors and viruses below a message. A text with a
 * single such subject may be the person's own.
 *
 * @returns the index of its first line; `lines.length` if there is none, or nothing else
 */
export function startOfDisclaimer(lines: readonly string[]): number {
  let start = lines.length
  let above = start
  for (let count = 0; count < maxParagraphs; count++) {
    const [from, to] = paragraphBefore(lines, above)
    const paragraph = lines.slice(from, to)
    if (from === to) break
    if (isDisclaimer(paragraph) || (start < lines.length && isHeading(paragraph))) start = from
    // A note about a scan or about copying counts only with a disclaimer above it.
    else if (!isClosingNote(paragraph)) break
    above = from
  }
  return lines.slice(0, start).some((line) => !separator.test(line)) ? start : lines.length
}

const heading =
  /^[\s*_#=-]{0,10}(?:(?:e-?mail |legal )?disclaimer|(?:legal|confidentiality|important|privacy) (?:notice|note|information)|haftungsausschluss|(?:rechtlicher|wichtiger) hinweis|(?:vertraulichkeits|datenschutz)(?:hinweis|erklärung|klausel)|hinweis zur vertraulichkeit|(?:avis|clause|mentions?) (?:juridique|légales?|de confidentialité)|avertissement(?: légal| juridique)?|(?:clausola|avviso) di riservatezza|avviso legale|(?:aviso|nota) (?:importante|legal)|wettelijke kennisgeving|zastrzeżenie|gizlilik (?:bildirimi|notu)|yasal uyarı|уведомление о конфиденциальности|отказ от ответственности|保密声明|機密保持|기밀 유지|aviso (?:legal|de confidencialidad(?:e)?)|cláusula de confidencialidad(?:e)?|nota di riservatezza|avvertenza|vertrouwelijkheidsclausule|klauzula poufności|ansvarsfriskrivning|免責事項|免责声明)[\s*_#=:.-]{0,10}$/i

const isHeading = (lines: readonly string[]): boolean =>
  lines.length === 1 && lines[0]!.length <= 60 && heading.test(lines[0]!)

const ofMessage =
  /^\W{0,6}(?:this|the|diese|ce|cet|cette|este|esta|questo|questa|dit|deze) (?:incoming |outgoing |inbound |outbound )?(?:e-?mail|message|mail|communication|nachricht|courriel|mensaje|correo|mensagem|messaggio|bericht)/

/** Returns whether a short paragraph reports a scan, forbids copies, or says whose the opinions are. */
function isClosingNote(lines: readonly string[]): boolean {
  const text = lines.join(' ').toLowerCase()
  if (text.length > 400) return false
  if (!aMessage.test(text)) return false
  return (ofMessage.test(text) && scanned.test(text)) || forbids.test(text) || opinions.test(text)
}

/** "Any views in this message are those of the author and do not necessarily represent those of …" */
const opinions =
  /(?:views?|opinions?|ansichten|meinungen|auffassungen|opiniones|opinioni|opiniões|meningen|åsikter|synspunkter)[^.]{0,160}(?:author|sender|necessarily|verfasser|absender|autor|auteur|expéditeur|nécessairement|remitente|necesariamente|autore|mittente|necessariamente|remetente|afzender|avsändare|forfatter|afsender)/

const aMessage =
  /e-?mail|\bmail\b|message|communication|nachricht|courriel|mensaje|correo|mensagem|messaggio|bericht|wiadomoś|zpráv|meddeland/
const scanned =
  /\b(?:scanned|checked|archived|swept|gescannt|geprüft|archiviert|analysé|vérifié|archivé|analizado|escaneado|archivado|verificad[oa]|scansionat[oa]|gescand|gecontroleerd|gearchiveerd)/

function paragraphBefore(lines: readonly string[], before: number): [start: number, end: number] {
  let end = before
  while (end > 0 && separator.test(lines[end - 1]!)) end--
  let start = end
  let length = 0
  while (start > 0 && !separator.test(lines[start - 1]!) && length < maxLength)
    length += lines[--start]!.length
  return length < maxLength ? [start, end] : [end, end]
}

function isDisclaimer(lines: readonly string[]): boolean {
  const text = lines.join(' ').toLowerCase()
  if (text.length < minLength / 3) return false
  if (printing.test(text)) return true
  return text.length >= minLength / (isDense(text) ? 3 : 1) && hasSigns(text)
}

/** Returns whether a text has enough signs; skips signs that can no longer matter. */
function hasSigns(text: string): boolean {
  let found = 0
  for (let at = 0; at < signs.length && found <= minSigns; at++) {
    if (found + signs.length - at <= minSigns) return false
    if (signs[at]!.test(text)) found++
  }
  return found > minSigns
}

/** Returns whether a text is in a script that needs fewer letters for the same content. */
const isDense = (text: string): boolean => /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]/u.test(text)
