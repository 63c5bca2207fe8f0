/**
 * The words by which mail programs introduce quoted mail, by language: data for `quote-lines.ts` and
 * `signature.ts`. All in lower case.
 */

const list = (words: string) => words.split('|')

/** Verbs at the end of "On …, X wrote:". */
export const WROTE = list(
  'wrote|writes|said|schrieb|schrieben|geschrieben|schreibt|a écrit|écrit|a ecrit|escribió|escribio|escribe|ha escrito|' +
    'ha scritto|scrive|escreveu|escreve|schreef|geschreven|schreven|skrev|skriver|napisał|napisała|napisał(a)|napisali|' +
    'pisze|napsal|napsala|napsal(a)|napísal|napísal(a)|kirjoitti|написал|написала|написал(а)|писал|писал(а)|пишет|писал(a)|' +
    'напиша|написав|написав(ла)|пише|yazdı|şunu yazdı|írta|ezt írta|a scris|έγραψε|đã viết|menulis|kirjutas|rašė|כתב|כתבה|كتب|' +
    'のメール|は書きました|書きました|さんが書きました|さんのメッセージ|写道|寫道|编写|撰写|님이 작성|작성',
)

/** First words of such a line. */
export const ON = list(
  'on|at|am|le|el|il|il giorno|em|a|op|den|på|tirsdag|onsdag|w dniu|dnia|dne|på|ti|ons|tors|fre|lör|sön|mån|в|on|στις|vào|' +
    'pada|2|在|于|於|il|de|der|fra|från|von|from|van|da|od|от|pe|tarihinde|cuma|kl.|klockan|kl',
)

/** "-----Original Message-----" without its lines. */
export const ORIGINAL_MESSAGE = list(
  'original message|original email|ursprüngliche nachricht|ursprungliche nachricht|original-nachricht|originalnachricht|' +
    "message d'origine|message d’origine|message original|message initial|mensaje original|messaggio originale|mensagem original|" +
    'oorspronkelijk bericht|oorspronkelijke bericht|originele bericht|origineel bericht|ursprungligt meddelande|originalmeddelande|' +
    'oprindelig meddelelse|opprinnelig melding|wiadomość oryginalna|oryginalna wiadomość|původní zpráva|' +
    'исходное сообщение|оригинальное сообщение|original-mail|reply message|reply to message|alkuperäinen viesti|orijinal mesaj|' +
    '原始邮件|原始郵件|邮件原件|原邮件|元のメッセージ|original message follows|원본 메시지|원본 메일',
)

/** Marks of mail that was passed on, which the reader is meant to read. */
export const FORWARDED_MESSAGE = list(
  'forwarded message|begin forwarded message|forwarded by|weitergeleitete nachricht|weitergeleitete mail|message transféré|' +
    'début du message réexpédié|début du message transféré|message réexpédié|mensaje reenviado|inicio del mensaje reenviado|' +
    'messaggio inoltrato|inizio messaggio inoltrato|mensagem encaminhada|mensagem reencaminhada|início da mensagem encaminhada|' +
    'doorgestuurd bericht|begin doorgestuurd bericht|vidarebefordrat meddelande|vidarebefordrat brev|videresendt besked|' +
    'videresendt meddelelse|videresendt melding|przekazana wiadomość|wiadomość przekazana|пересылаемое сообщение|' +
    'начало переадресованного сообщения|пересланное сообщение|přeposlaná zpráva|转发的邮件|转发邮件|轉寄的郵件|転送メッセージ|転送されたメッセージ|' +
    'anfang der weitergeleiteten nachricht|beginn der weitergeleiteten nachricht',
)

/** Labels of the header block that Outlook and others put above the mail they answer. */
export const LABELS = {
  from: list(
    'from|von|de|da|van|från|fra|od|от|от кого|发件人|寄件者|差出人|送信者|lähettäjä|kimden|expéditeur|mittente|afzender|보낸 사람',
  ),
  date: list(
    'sent|date|gesendet|datum|envoyé|envoyé le|enviado|enviado el|enviada em|enviado em|fecha|data|inviato|verzonden|skickat|sendt|' +
      'dato|wysłano|data wysłania|odesláno|отправлено|дата|发送时间|日期|時間|时间|寄件日期|送信日時|送信|日時|lähetetty|gönderildi|tarih|보낸 날짜|날짜',
  ),
  to: list(
    'to|an|à|a|para|aan|till|til|do|komu|кому|收件人|收件者|宛先|vastaanottaja|kime|destinataire|받는 사람',
  ),
  subject: list(
    'subject|betreff|objet|asunto|oggetto|assunto|onderwerp|ämne|emne|temat|předmět|тема|主题|主題|主旨|件名|aihe|konu|제목',
  ),
  copy: list(
    'cc|bcc|copie|copia|kopie|kopia|kopi|dw|копия|抄送|副本|reply-to|antwort an|répondre à|importance|wichtigkeit|attachments|anlagen',
  ),
} as const

/** "Sent from my iPhone" in other words: how such a line begins. */
export const SENT_FROM = list(
  'sent from|sent with|sent via|sent using|get outlook for|von meinem|von meiner|gesendet von|gesendet mit|diese nachricht wurde von meinem|' +
    'envoyé de mon|envoyé de ma|envoyé depuis|envoyé à partir de|télécharger outlook|obtenir outlook pour|enviado desde|' +
    'enviado do meu|enviado do|enviado de mi|enviado a partir do|enviado via|obtener outlook para|obter o outlook para|' +
    'inviato da|inviato dal|scarica outlook per|ottieni outlook per|verzonden vanaf|verstuurd vanaf|verzonden met|verstuurd met|' +
    'outlook voor|download outlook voor|hämta outlook för|skickat från|skickades från|sendt fra|hent outlook|få outlook til|skaff outlook|wysłane z|wysłano z|' +
    'pobierz outlook|отправлено с|отправлено из|отправлено от|скачать outlook|发自我的|发自|發自|從我的|来自我的|获取 outlook|取得 outlook|' +
    'odesláno z|lähetetty|iphone’umdan|나의',
)

/** The same in languages that put the verb last. */
export const SENT_FROM_END = list('から送信|から送信されました|を入手|gesendet|gönderildi|에서 보냄')
