/**
 * Phrases of mail programs that introduce quoted messages, by language: data for `quote-lines.ts` and
 * `signature.ts`. All in lower case.
 */

const list = (words: string) => words.split('|')

/** Verbs of "On …, X wrote:", at its end or inside. */
export const wrote = list(
  'wrote|writes|said|schrieb|schrieben|geschrieben|schreibt|a écrit|écrit|a ecrit|escribió|escribio|escribe|ha escrito|' +
    'va escriure|ha escrit|ha scritto|scrive|escreveu|escreve|schreef|geschreven|schreven|skrev|skriver|skrifaði|napisał|napisała|' +
    'napisał(a)|napisali|napisana przez|pisze|napsal|napsala|napsal(a)|napísal|napísala|napísal(a)|kirjoitti|написал|написала|написал(а)|' +
    'писал|писала|писали|писал(а)|пишет|писал(a)|напиша|написав|написав(ла)|пише|је написао/ла|napisao je|napisala je|napisao/la je|je napisal|' +
    'je napisala|napisala|napisal|idatzi du|idatzi zuen|escribiu|aliandika|எழுதியது|লিখেছেন|ने लिहिले|લખ્યું|نے لکھا|yazdı|şunu yazdı|şunları yazdı|írta|ezt írta|a scris|έγραψε|đã viết|menulis|kirjutas|rašė|parašė|rakstīja|' +
    'כתב|כתבה|כתב/ה|كتب|كتبت|كتب/كتبت|نوشت|ने लिखा|เขียน|เขียนว่า|のメール|は書きました|書きました|さんが書きました|さんのメッセージ|写道|寫道|编写|撰写|님이 작성|작성',
)

/** First words of such a line. */
export const onWords = list(
  'on|at|am|le|el|il|il giorno|em|no dia|a|op|den|på|tirsdag|onsdag|w dniu|dnia|dne|dňa|på|ti|ons|tors|fre|lör|sön|mån|в|на|on|στις|vào|' +
    'pada|2|在|于|於|il|de|der|fra|från|von|from|van|da|dana|od|от|pe|în|tarihinde|cuma|kl.|klockan|kl|ב|في|ในวันที่|missatge de',
)

/** First words of a line that only names the author: "Quoting Ann:". */
export const quoting = list(
  'quoting|also sprach|so sprach|thus spake|thus spoke|dixit|zitat von|zitiere|citando a|citando|cita de|citation de|citat från|citerar|citerer|citat fra|citeren|citaat van|cytowanie|цитирую|цитата от|' +
    'mensaje de|missatge de|message de|messaggio di|mensagem de|nachricht von|bericht van|wiadomość od',
)

/** "-----Original Message-----" without its dashes. */
export const originalMessage = list(
  'original message|replied message|original email|original e-mail|ursprüngliche nachricht|ursprungliche nachricht|ursprüngliche mail|ursprüngliche e-mail|' +
    "original-nachricht|originalnachricht|original nachricht|message d'origine|message d’origine|mail original|message original|e-mail original|" +
    'courriel original|message initial|mensaje original|correo original|missatge original|messaggio originale|messaggio origina|mensagem original|' +
    'oorspronkelijk bericht|oorspronkelijke bericht|originele bericht|origineel bericht|ursprungligt meddelande|originalmeddelande|' +
    'oprindelig meddelelse|oprindelig besked|original besked|opprinnelig melding|original melding|upprunaleg skilaboð|' +
    'wiadomość oryginalna|oryginalna wiadomość|původní zpráva|původní e-mail|původní email|pôvodná správa|pôvodný e-mail|eredeti üzenet|' +
    'исходное сообщение|оригинальное сообщение|original-mail|reply message|reply to message|alkuperäinen viesti|algne kiri|orijinal mesaj|özgün ileti|' +
    'αρχικό μήνυμα|mesaj original|mesajul original|mesajul iniţial|mesajul inițial|оригінальне повідомлення|вихідне повідомлення|оригинално съобщение|оригинално писмо|' +
    'оригинална порука|originalna poruka|izvorna poruka|izvirno sporočilo|pradinis laiškas|sākotnējais ziņojums|הודעה מקורית|ההודעה המקורית|' +
    'الرسالة الأصلية|رسالة أصلية|پیام اصلی|thư gốc|tin nhắn gốc|pesan asli|mesej asal|ข้อความต้นฉบับ|ข้อความเดิม|मूल संदेश|' +
    '原始邮件|原始郵件|回复的原邮件|回覆的原郵件|邮件原件|原邮件|原始訊息|元のメッセージ|オリジナルメッセージ|original message follows|원본 메시지|원본 메일|원본 이메일|원본메시지',
)

/** Marks of forwarded messages, which are meant to be read. */
export const forwardedMessage = list(
  'forwarded message|begin forwarded message|forwarded by|weitergeleitete nachricht|weitergeleitete mail|message transféré|' +
    'début du message réexpédié|début du message transféré|message réexpédié|mensaje reenviado|inicio del mensaje reenviado|' +
    'messaggio inoltrato|inizio messaggio inoltrato|mensagem encaminhada|mensagem reencaminhada|início da mensagem encaminhada|' +
    'doorgestuurd bericht|begin doorgestuurd bericht|vidarebefordrat meddelande|vidarebefordrat brev|videresendt besked|' +
    'videresendt meddelelse|videresendt melding|przekazana wiadomość|wiadomość przekazana|пересылаемое сообщение|' +
    'начало переадресованного сообщения|пересланное сообщение|přeposlaná zpráva|转发的邮件|转发邮件|轉寄的郵件|転送メッセージ|転送されたメッセージ|' +
    'anfang der weitergeleiteten nachricht|beginn der weitergeleiteten nachricht|fwd message|forwarded mail|forwarded email|start of forwarded message|weitergeleitet von|ende der weitergeleiteten|' +
    'transféré par|réacheminé par|message transmis|inoltrato da|reenviado por|encaminhado por|doorgestuurd door|edelleenlähetetty viesti|välitetty viesti|vidarebefordrat av|videresendt af|videresendt av|' +
    'inizio messaggio inoltrato|start på videresendt besked|start på videresendt meddelelse|start på videresendt melding|begynnelse på videresendt melding|początek przekazywanej wiadomości|początek przekazanej wiadomości|začátek přeposlané zprávy|preposlaná správa|továbbított üzenet|' +
    'yönlendirilmiş ileti|yönlendirilen ileti|iletilen ileti|iletilmiş mesaj|προωθημένο μήνυμα|mesaj redirecționat|mesaj redirectionat|mesaj transmis|переслане повідомлення|препратено съобщение|прослеђена порука|' +
    'proslijeđena poruka|prosleđena poruka|posredovano sporočilo|missatge reenviat|missatge desviat|edastatud kiri|pārsūtīts ziņojums|persiųstas laiškas|הודעה שהועברה|رسالة معاد توجيهها|رسالة مُعاد توجيهها|' +
    'chuyển tiếp|thư đã chuyển tiếp|ข้อความที่ส่งต่อ|pesan terusan|pesan diteruskan|mesej dikirim semula|전달된 메일|전달된 메시지|전달된 이메일|被转发的邮件|转发的原邮件|转发邮件信息|轉寄郵件|轉寄的訊息|被轉寄的郵件|以下は転送|転送された',
)

/** Labels of the header block that Outlook and others put above the answered message. */
export const labels = {
  from: list(
    'from|von|de|da|van|från|fra|frá|od|от|від|от кого|发件人|發件人|寄件者|寄件人|差出人|送信者|发信人|lähettäjä|kimden|gönderen|expéditeur|mittente|afzender|afsender|' +
      '보낸 사람|보낸사람|보낸이|από|feladó|felado|de la|מאת|من|از|từ|จาก|dari|daripada|šalje|pošiljatelj|saatja|nuo|no|प्रेषक|from address|од|шаље|nga|nork|oddi wrth|kutoka|kutoka kwa|mula kay|kimdən|göndərən|кімнен|kimdan|ում կողմից|ուղարկող|ვისგან|გამომგზავნი|প্রেরক|থেকে|அனுப்புநர்|నుండి|മുതൽ|ಇಂದ|فرستنده|منجانب|ពី|ຈາກ|хэнээс|илгээгч|minn|से|inviato da',
  ),
  date: list(
    'sent|date|sent at|gesendet|gesendet am|datum|envoyé|envoyé le|enviado|enviada|enviado el|enviada em|enviado em|enviat|datums|fecha|fecha de envío|data|inviato|data invio|verzonden|' +
      'verzonden op|skickat|skickat den|sendt|dato|sent den|wysłano|data wysłania|odesláno|odoslané|dátum|отправлено|дата|надіслано|изпратено|изпратено на|发送时间|发件时间|發送時間|日期|時間|时间|' +
      '寄件日期|送信日時|送信|日時|日付|lähetetty|päivämäärä|päiväys|gönderildi|gönderme tarihi|gönderilme tarihi|tarih|보낸 날짜|보낸날짜|날짜|στάλθηκε|ημερομηνία|elküldve|trimis|dată|נשלח|' +
      'תאריך|تم الإرسال|تاريخ الإرسال|التاريخ|تاریخ|đã gửi|ngày|ngày gửi|ส่ง|วันที่|ส่งเมื่อ|dikirim|tanggal|dihantar|poslano|saadetud|kuupäev|išsiųsta|nosūtīts|sent on|दिनांक|poslato|послато|испратено|dërguar|bidalita|anfonwyd|seolta|gestuur|imetumwa|ipinadala|göndərilib|göndərilmişdir|жіберілді|жіберілген|yuborildi|ուղարկված է|გაგზავნილია|পাঠানো হয়েছে|প্রেরিত|அனுப்பப்பட்டது|పంపబడింది|تاریخ ارسال|ارسال شده|بھیجا گیا|បានផ្ញើ|ວັນທີ|илгээсэн|mibgħut|भेजा गया|message du|saatmisaeg|wysłane|date d’envoi|utsendt|sendetidspunkt',
  ),
  to: list(
    'to|an|à|a|para|per|per a|aan|till|til|do|komu|кому|до|收件人|收件者|宛先|vastaanottaja|kime|alıcı|destinataire|destinatario|받는 사람|받는사람|προς|címzett|către|catre|' +
      'אל|إلى|الى|به|đến|tới|ถึง|kepada|untuk|prima|za|adressaat|kellele|kam|ontvanger|modtager|mottaker|प्राप्तकर्ता|recipient|recipients|kome|коме|за|për|nori|chuig|kwa|kay|kimə|кімге|kimga|ում|ვის|მიმღები|প্রাপক|প্রতি|பெறுநர்|వీరికి|گیرنده|بنام|ទៅ|ເຖິງ|хэнд|lil|प्रति|mottagare|받은 사람|받는이',
  ),
  subject: list(
    'subject|betreff|thema|objet|asunto|assumpte|oggetto|assunto|onderwerp|ämne|emne|efni|temat|předmět|predmet|тема|относно|主题|主題|主旨|标题|標題|件名|aihe|konu|temats|제목|' +
      'θέμα|tárgy|subiect|נושא|الموضوع|موضوع|chủ đề|เรื่อง|หัวเรื่อง|subjek|perihal|judul|zadeva|teema|tēma|विषय|наслов|naslov|предмет|subjekti|gaia|pwnc|ábhar|mada|paksa|mövzu|тақырып|mavzu|թեմա|თემა|বিষয়|பொருள்|విషయం|ប្រធានបទ|ຫົວຂໍ້|гарчиг|сэдэв|suġġett|sujet|titel|emnefelt',
  ),
  copy: list(
    'cc|bcc|copie|copia|kopie|kopia|kopi|dw|копия|копія|抄送|副本|參考|reply-to|antwort an|répondre à|importance|importancia|importanza|wichtigkeit|priorität|priority|' +
      'attachments|anlagen|anhänge|pièces jointes|adjuntos|allegati|anexos|bijlagen|másolatot kap|κοινοποίηση|bilgi|vs|참조|עותק|نسخة|สำเนา|pd|kópia|ek|masolat|kohde|sensitivity',
  ),
} as const

/** Variants of "Sent from my iPhone": the start of such a line. */
export const sentFrom = list(
  'sent from|sent with|sent via|sent using|sent by my|sent through|sent on the go|sent on the move|sent while|sent in transit|mailed from|message sent from|this email was sent from|composed on|written on my|typed on|typed with|tapped on|tapped out on|dictated on|dictated with|dictated to|getippt auf|geschrieben auf meinem|rédigé sur|tapé sur|escrito desde|escrito en mi|scritto da|escrito no meu|getypt op|von meinem|von meiner|gesendet von|gesendet mit|gesendet über|gesendet aus|versendet mit|diese nachricht wurde von meinem|' +
    'diese nachricht wurde mit|envoyé de mon|envoyé de ma|envoyé depuis|envoyé à partir|envoyé avec|envoyé via|provenance :|provenance:|cordialement, envoyé|enviado desde|enviado con|enviado mediante|enviat des|enviat amb|' +
    'enviado do|enviado de mi|enviado a partir d|enviado via|enviado pelo|enviado com|enviada do|inviato da|inviato dal|inviato dalla|inviato con|inviato tramite|verzonden vanaf|verzonden vanuit|verstuurd vanuit|verstuurd vanaf|verzonden met|verstuurd met|verzonden via|verstuurd via|' +
    'skickat från|skickades från|skickat med|skickat via|sendt fra|sendt med|sendt via|lähetetty|wysłane z|wysłano z|wysłane za pomoc|odesláno z|odoslané z|odoslané pomocou|odesláno pomocí|elküldve|küldve|' +
    'отправлено с|отправлено из|отправлено от|отправлено через|надіслано з|надіслано через|изпратено от|изпратено с|στάλθηκε από|נשלח מ|תם הישלח|تم الإرسال من|تم إرساله من|أُرسلت من|أرسلت من|ارسال شده از|trimis de pe|trimis din|trimis de la|' +
    'được gửi từ|gửi từ|dikirim dari|dihantar dari|ส่งจาก|ส่งมาจาก|poslano s|poslano z|poslano iz|poslato sa|послато са|saadetud minu|išsiųsta iš|nosūtīts no|đã gửi từ|gửi bằng|ipinadala mula|gestuur vanaf|gestuur van my|enviado dende|anfonwyd o|seolta ó|imetumwa kutoka|გაგზავნილია ჩემი|გამოგზავნილია ჩემი|ուղարկված է|ارسال از|ارسال‌شده از|послато с|poslato s|испратено од|dërguar nga|sūtīts no|siųsta iš|sent úr|sent frá|ផ្ញើពី|ສົ່ງຈາກ|илгээсэн:|发自我的|发自|發自|從我的|来自我的|来自|寄自我的|從 iphone|从我的|iphone’umdan|나의|मेरे',
)

/** Phrases that may start a sentence as well: they count only before the name of a program or device. */
export const sentBy = list(
  'envoyé de |envoyé du |envoyé par |envoyée depuis|enviado de |enviado por |enviada por |enviada de |enviado no |inviata da|inviato via|inviato con|verzonden door|verstuurd via|gesendet per |gesendet vom |gesendet durch |verschickt |wysłane przez|wysłano przez|wysłane w |odesláno přes|odesláno v |odoslané cez|skickat med|sendt via|sendt med|отправлено при|отправлено в |отправлено с помощью|надіслано за|надіслано з |изпратено чрез|created with|created in |shared via|shared from|written with|written in |written using|email sent |mail sent |message sent |this message was sent |this email was sent |this mail was sent |ce message a été envoyé|cet e-mail a été envoyé|este mensaje fue enviado|este mensaje ha sido enviado|esta mensagem foi enviada|questo messaggio è stato inviato|questa e-mail è stata inviata|dit bericht is verzonden|deze e-mail is verzonden|diese e-mail wurde |diese mail wurde |diese nachricht wurde |wiadomość wysłana|это письмо отправлено|сообщение отправлено|письмо отправлено',
)

/** The same in languages that put the verb last. */
export const sentFromEnd = list(
  'から送信|から送信されました|gesendet|versendet|verschickt|gönderildi|gönderilmiştir|에서 보냄|에서 보냈습니다|ról küldve|ről küldve|에서 전송|পাঠানো|পাঠানো হয়েছে|அனுப்பப்பட்டது|పంపబడింది|bidalia|göndərildi|жіберілді|بھیجا گیا|ارسال شد|ارسال شده|发送|發送|傳送|寄出|भेजा गया',
)

/** Verbs of "Get Outlook for iOS". */
export const get = list(
  'get|download|try|holen sie sich|laden sie|herunterladen|télécharger|téléchargez|obtenez|obtenir|obtener|obtenga|descargar|descarga|obter|obtenha|baixar|scarica|ottieni|downloaden|hämta|hent|få|skaff|hanki|lataa|' +
    'pobierz|získat|získejte|stáhnout|získať|stiahnuť|letöltés|töltse|edinin|indirin|скачать|скачайте|завантажити|отримайте|изтеглете|вземете|λήψη|κατεβάστε|הורד|הורדת|الحصول|احصل|descărcați|obțineți|tải|dapatkan|unduh|ดาวน์โหลด|nabavite|preuzmite|を入手|获取|取得|下载|下載|다운로드|에 대한|outlook voor|outlook for|outlook für|outlook pour|outlook para|outlook per|outlook för|outlook til',
)

/** Programs and devices that mention themselves below a message; for text in lower case. */
export const devices =
  /outlook|mailspring|superhuman|airmail|canary|blue ?mail|spark\b|tuta(?:nota)?\b|edison|aqua ?mail|typeapp|proton|yahoo|gmail|gmx|iphone|ipad|android|galaxy|samsung|smartphone|mobil|mobile|blackberry|huawei|xiaomi|windows|k-9|fairemail|pixel|oneplus|\boppo|\bvivo|realme|motorola|nokia|xperia|\bhonor\b|redmi|小米|华为|華為|thunderbird|mailbird|\bzoho|fastmail|shortwave|\bboxer\b|mymail|яндекс|mail\.ru|mail app\b|आईफ़ोन|آیفون|آئی فون|телефон|手机|手機|スマートフォン|携帯/

/** Platforms of such programs; for text in lower case. */
export const platforms = /\b(?:ios|android|iphone|ipad|windows|mac|mobile)\b/

/** Excuses that people have such programs add. */
export const excuses =
  /(?:please |kindly )?(?:excuse|pardon|forgive)\b.{0,60}|bitte (?:entschuldige|verzeih).{0,60}|(?:veuillez |merci de m['’])(?:excuse|pardonne).{0,60}|(?:disculp|perdon)\p{L}{1,5}.{0,60}|swiss[- ]based encrypted email|secure email/iu

/** Hosts of program and device vendors in links of such lines. */
export const vendorHosts =
  /(?:^|\.)(?:aka\.ms|microsoft\.com|onelink\.me|sprh\.mn|apple\.com|apple\.co|google\.com|yahoo\.com|avast\.com|avg\.com|norton\.com|eset\.com|kaspersky\.com|bitdefender\.com|mcafee\.com)$/

/** A person's words that refer to the text below: "to this address"; for text in lower case. */
export const announces =
  /\b(?:below|following|as follows|here(?:'s|’s| is| are)|th(?:is|ese) (?:new )?(?:person|people|address|contact|customer|client|user|colleague|details)|folgende\p{L}?|unten|nachstehend\p{L}{0,2}|hier (?:ist|sind|is|zijn)|diese\p{L}? (?:adresse|person|kontakt)|suivante?s?|ci-dessous|voici|cette (?:adresse|personne)|siguientes?|abajo|esta (?:dirección|persona)|seguent[ei]|ecco|quest[oa] (?:indirizzo|persona)|seguintes?|abaixo|est[ea] (?:endereço|pessoa)|volgende|onderstaande?|dit adres|deze persoon|nedan|nedenfor|poniż\p{L}{1,5})(?!\p{L})|följande|følgende|następując|следующ|ниже|以下|下記|次の|如下|下面|다음|아래/u
