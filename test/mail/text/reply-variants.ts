/** Introductions of quotes by mail programs, in the words and the order of many languages. */
export const introductions = `On Tue, 3 Apr 2012 at 16:19, Ann <ann@example.com> wrote:
On 3 April 2012 16:19, Ann Example wrote:
On Apr 3, 2012 4:19 PM, "Ann Example" <ann@example.com> wrote:
On Apr 3, 2012, 16:19 +0200, Ann <ann@example.com>, wrote:
On April 3, 2012 4:19:00 PM GMT+02:00, Ann <ann@example.com> wrote:
On Tue, Apr 03, 2012 at 04:19:00PM +0400, Ann wrote:
On Tue, 2012-04-03 at 16:19 +0400, Ann wrote:
On 04/03/2012 04:19 PM, Ann wrote:
On 3/4/12 16:19, Ann Example wrote:
On Tuesday, April 3rd, 2012 at 4:19 PM, Ann <ann@example.com> wrote:
On Tuesday, April 3, 2012, 4:19 PM, Ann <ann@example.com> wrote:
On Tuesday 03 April 2012 16:19:00 Ann wrote:
Tuesday, April 3, 2012, 4:19:00 PM, you wrote:
--- On Tue, 4/3/12, Ann <ann@example.com> wrote:
---- On Tue, 03 Apr 2012 16:19:00 +0200 Ann <ann@example.com> wrote ----
---- Le mar., 03 avr. 2012 16:19:00 +0200 Ann <ann@example.com> a écrit ----
---- Am Di, 03 Apr 2012 16:19:00 +0200 Ann <ann@example.com> schrieb ----
* Ann <ann@example.com> [2012-04-03 16:19]:
Quoting Ann Example <ann@example.com>:
Zitat von Ann Example <ann@example.com>:
Ann Example <ann@example.com> wrote:
Ann Example <ann@example.com> writes:
Ann Example <ann@example.com> schrieb am Di., 3. Apr. 2012, 16:19:
Ann Example <ann@example.com> schrieb am 03.04.2012 um 16:19 Uhr:
Am Dienstag, den 03.04.2012, 16:19 +0200 schrieb Ann Example:
Am Dienstag, 3. April 2012, 16:19:00 CEST schrieb Ann:
Am 2012-04-03 16:19, schrieb Ann Example:
Am 3. April 2012 16:19:00 MESZ schrieb Ann <ann@example.com>:
Am 03.04.12 um 16:19 schrieb Ann Example:
Le 3 avr. 2012 à 16:19, Ann <ann@example.com> a écrit :
Le mardi 03 avril 2012 à 16:19 +0200, Ann a écrit :
Le 03/04/2012 à 16:19, Ann Example a écrit :
Le mar. 3 avr. 2012, 16 h 19, Ann <ann@example.com> a écrit :
Le mardi 3 avril 2012 à 16:19:00 UTC+2, Ann <ann@example.com> a écrit :
El 3 abr 2012, a las 16:19, Ann <ann@example.com> escribió:
El mar., 3 abr. 2012 16:19, Ann <ann@example.com> escribió:
El martes, 3 de abril de 2012 16:19:00 CEST, Ann <ann@example.com> escribió:
El 03/04/2012 a las 16:19, Ann Example escribió:
Il giorno 03 apr 2012, alle ore 16:19, Ann <ann@example.com> ha scritto:
Il 03/04/2012 16:19, Ann Example ha scritto:
Il martedì 3 aprile 2012 16:19:00 CEST, Ann <ann@example.com> ha scritto:
Il mar 3 apr 2012, 16:19 Ann <ann@example.com> ha scritto:
Em 3 de abr. de 2012, à(s) 16:19, Ann <ann@example.com> escreveu:
Em ter, 3 de abr de 2012 16:19, Ann <ann@example.com> escreveu:
Em 03/04/2012 16:19, Ann Example escreveu:
No dia 03/04/2012, às 16:19, Ann <ann@example.com> escreveu:
Ann <ann@example.com> escreveu (terça, 3/04/2012 à(s) 16:19):
Op 3 apr. 2012 om 16:19 heeft Ann <ann@example.com> het volgende geschreven:
Op di 3 apr. 2012 16:19 schreef Ann <ann@example.com>:
Op 03-04-12 om 16:19 schreef Ann Example:
Op dinsdag 3 april 2012 16:19 schreef Ann Example:
3 apr. 2012 kl. 16:19 skrev Ann <ann@example.com>:
Den tis 3 apr. 2012 16:19 Ann <ann@example.com> skrev:
Den 2012-04-03 kl. 16:19, skrev Ann Example:
tis 2012-04-03 klockan 16:19 +0200 skrev Ann:
Den 3. apr. 2012 kl. 16.19 skrev Ann <ann@example.com>:
Den tirsdag den 3. april 2012 skrev Ann <ann@example.com>:
tir. 3. apr. 2012 kl. 16:19 skrev Ann <ann@example.com>:
ti 3. huhtik. 2012 klo 16.19 Ann (ann@example.com) kirjoitti:
Ann <ann@example.com> kirjoitti 3.4.2012 kello 16.19:
3.4.2012 16.19, Ann Example kirjoitti:
Wiadomość napisana przez Ann <ann@example.com> w dniu 3 kwi 2012, o godz. 16:19:
wt., 3 kwi 2012 o 16:19 Ann <ann@example.com> napisał(a):
W dniu 3.04.2012 o 16:19, Ann Example pisze:
Dnia 3 kwietnia 2012 16:19 Ann <ann@example.com> napisał(a):
3. 4. 2012 v 16:19, Ann <ann@example.com>:
út 3. 4. 2012 v 16:19 odesílatel Ann <ann@example.com> napsal:
Dne 3.4.2012 v 16:19 Ann Example napsal(a):
Dňa 3. apríla 2012 o 16:19, Ann <ann@example.com> napísal:
ut 3. 4. 2012 o 16:19 Ann <ann@example.com> napísal(a):
2012. ápr. 3. dátummal, 16:19 időpontban Ann <ann@example.com> írta:
Ann <ann@example.com> ezt írta (időpont: 2012. ápr. 3., K, 16:19):
2012. 04. 03. 16:19 keltezéssel, Ann Example írta:
Ann <ann@example.com> şunları yazdı (3 Nis 2012 16:19):
Ann <ann@example.com>, 3 Nis 2012 Sal, 16:19 tarihinde şunu yazdı:
3 апр. 2012 г., в 16:19, Ann <ann@example.com> написал(а):
вт, 3 апр. 2012 г., 16:19 Ann <ann@example.com>:
Вторник, 3 апреля 2012, 16:19 +04:00 от Ann <ann@example.com>:
Вторник,  3 апреля 2012, 16:19 +04:00 от "Ann Example" <ann@example.com>:
03.04.2012, 16:19, "Ann Example" <ann@example.com>:
3 апреля 2012 г., 16:19 пользователь Ann Example <ann@example.com> написал:
Вы писали 3 апреля 2012 г., 16:19:00:
3 квіт. 2012 р. о 16:19 Ann <ann@example.com> написав(ла):
вт, 3 квіт. 2012 р. о 16:19 Ann <ann@example.com> пише:
На вт, 3.04.2012 г. в 16:19 Ann <ann@example.com> написа:
Στις 3 Απρ 2012, στις 16:19, ο χρήστης Ann <ann@example.com> έγραψε:
Στις Τρί 3 Απρ 2012 στις 4:19 μ.μ., ο/η Ann <ann@example.com> έγραψε:
ב-3 באפר׳ 2012, בשעה 16:19, ‏Ann <ann@example.com> כתב/ה:
‫בתאריך יום ג׳, 3 באפר׳ 2012 ב-16:19 מאת ‪Ann‬‏ <‪ann@example.com‬‏>:‬
في ٣ أبريل ٢٠١٢، الساعة ٤:١٩ م، كتب/كتبت Ann <ann@example.com>:
في الثلاثاء، 3 أبريل 2012 في 4:19 م تمت كتابة ما يلي بواسطة Ann <ann@example.com>:
2012/04/03 16:19、Ann <ann@example.com>のメール:
2012年4月3日(火) 16:19 Ann <ann@example.com>:
On 2012/04/03 16:19, Ann Example wrote:
Ann <ann@example.com> 于2012年4月3日 16:19写道：
在 2012年4月3日，16:19，Ann <ann@example.com> 写道：
在 2012-04-03 16:19:00，"Ann" <ann@example.com> 写道：
Ann <ann@example.com> 於 2012年4月3日 下午4:19 寫道：
2012年4月3日火曜日、Ann <ann@example.com>さんは書きました:
2012. 4. 3. 오후 4:19, Ann <ann@example.com> 작성:
2012년 4월 3일 (화) 오후 4:19, Ann <ann@example.com>님이 작성:
Vào 3 thg 4, 2012, lúc 16:19, Ann <ann@example.com> đã viết:
Vào Th 3, 3 thg 4, 2012 vào lúc 16:19 Ann <ann@example.com> đã viết:
Pada 3 Apr 2012, pukul 16.19, Ann <ann@example.com> menulis:
Pada tanggal Sel, 3 Apr 2012 pukul 16.19 Ann <ann@example.com> menulis:
ในวันที่ อ. 3 เม.ย. 2012 16:19 Ann <ann@example.com> เขียนว่า:
Pe 3 apr. 2012, la 16:19, Ann <ann@example.com> a scris:
În mar., 3 apr. 2012 la 16:19, Ann <ann@example.com> a scris:
Dana 3. tra 2012., u 16:19, Ann <ann@example.com> napisao je:
uto, 3. tra 2012. u 16:19 Ann <ann@example.com> napisao je:
уто, 3. апр 2012. у 16:19 Ann <ann@example.com> је написао/ла:
El 3 abr 2012, a les 16:19, Ann <ann@example.com> va escriure:
Missatge de Ann <ann@example.com> del dia dt., 3 d’abr. 2012 a les 16:19:
2012-04-03, an, 16:19 Ann <ann@example.com> rašė:
otrd., 2012. g. 3. apr., plkst. 16:19 — lietotājs Ann (<ann@example.com>) rakstīja:
Kontakt Ann (<ann@example.com>) kirjutas kuupäeval T, 3. aprill 2012 kell 16:19:
V V tor., 3. apr. 2012 ob 16:19 je oseba Ann <ann@example.com> napisala:
در تاریخ سه‌شنبه ۳ آوریل ۲۰۱۲، ۱۶:۱۹ Ann <ann@example.com> نوشت:
मंगल, 3 अप्रैल 2012 को 4:19 pm बजे को Ann <ann@example.com> ने लिखा:
þri., 3. apr. 2012 kl. 16:19 skrifaði Ann <ann@example.com>:`.split('\n')

/** Header blocks above a mail that is quoted without marks; `\\n` parts the lines. */
export const headerBlocks =
  String.raw`-------- Original message --------\nFrom: Ann <ann@example.com>\nDate: 03/04/2012 16:19 (GMT+01:00)\nTo: Bob\nSubject: Hi
-------- Ursprüngliche Nachricht --------\nVon: Ann <ann@example.com>\nDatum: 03.04.12 16:19 (GMT+01:00)\nAn: Bob\nBetreff: Hi
----- Ursprüngliche Mail -----\nVon: "Ann" <ann@example.com>
----- Mail original -----\nDe: "Ann" <ann@example.com>
----- Messaggio originale -----\nDa: "Ann"
------- Original Message -------\nOn Tuesday, April 3rd, 2012 at 4:19 PM, Ann <ann@example.com> wrote:
‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐\nOn Tuesday, April 3rd, 2012 at 4:19 PM, Ann <ann@example.com> wrote:
-------- Message d'origine --------\nDe : Ann <ann@example.com>\nDate : 03/04/2012 16:19 (GMT+01:00)
-------- Mensaje original --------\nDe: Ann
-------- Mensagem original --------\nDe: Ann
-------- Oorspronkelijk bericht --------\nVan: Ann
-------- Исходное сообщение --------\nОт: Ann
-------- Oprindelig besked --------\nFra: Ann
-------- Opprinnelig melding --------\nFra: Ann
-------- Ursprungligt meddelande --------\nFrån: Ann
-------- Alkuperäinen viesti --------\nLähettäjä: Ann
-------- Oryginalna wiadomość --------\nOd: Ann
-------- Původní zpráva --------\nOd: Ann
-------- Původní e-mail ----------\nOd: Ann
-------- Pôvodná správa --------\nOd: Ann
-------- Eredeti üzenet --------\nFeladó: Ann
-------- Orijinal mesaj --------\nKimden: Ann
-------- Αρχικό μήνυμα --------\nΑπό: Ann
-------- Mesaj original --------\nDe la: Ann
-------- Оригінальне повідомлення --------\nВід: Ann
-------- הודעה מקורית --------\nמאת: Ann
-------- Thư gốc --------\nTừ: Ann
-------- Pesan asli --------\nDari: Ann
------------------ 原始邮件 ------------------\n发件人: "Ann"
------------------ Original ------------------\nFrom: "Ann" <ann@example.com>\nDate: Tue, Apr 3, 2012 04:19 PM\nTo: "Bob"<bob@example.com>\nSubject: Hi
-------- 원본 이메일 --------\n보낸사람: Ann
-------- 元のメッセージ --------\nFrom: Ann
-----Original-Nachricht-----\nBetreff: Hi\nDatum: 2012-04-03T16:19:00+0200\nVon: Ann
Gesendet: Dienstag, 03. April 2012 um 16:19 Uhr\nVon: "Ann" <ann@example.com>\nAn: bob@example.com\nBetreff: Hi
Date: Tue, 3 Apr 2012 16:19:00 +0400\nFrom: ann@example.com\nTo: bob@example.com\nSubject: Hi
From: ann@example.com\nTo: bob@example.com\nSubject: Hi\nDate: Tue, 3 Apr 2012 16:19:00 +0400
From:\tAnn <ann@example.com>\nTo:\tBob\nDate:\t03/04/2012 16:19\nSubject:\tRe: Hi
Lähettäjä: Ann <ann@example.com>\nLähetetty: tiistai 3. huhtikuuta 2012 16.19\nVastaanottaja: Bob\nAihe: Hi
Od: Ann <ann@example.com>\nOdesláno: úterý 3. dubna 2012 16:19\nKomu: Bob\nPředmět: Hi
Feladó: Ann <ann@example.com>\nElküldve: 2012. április 3., kedd 16:19\nCímzett: Bob\nTárgy: Hi
Kimden: Ann <ann@example.com>\nGönderildi: 3 Nisan 2012 Salı 16:19\nKime: Bob\nKonu: Hi
Από: Ann <ann@example.com>\nΣτάλθηκε: Τρίτη, 3 Απριλίου 2012 16:19\nΠρος: Bob\nΘέμα: Hi
מאת: Ann <ann@example.com>\nנשלח: יום שלישי 03 אפריל 2012 16:19\nאל: Bob\nנושא: Hi
من: Ann <ann@example.com>\nتم الإرسال: 03/أبريل/2012 16:19\nإلى: Bob\nالموضوع: Hi
보낸 사람: Ann <ann@example.com>\n보낸 날짜: 2012년 4월 3일 화요일 오후 4:19\n받는 사람: Bob\n제목: Hi
De la: Ann <ann@example.com>\nTrimis: marți, 3 aprilie 2012 16:19\nCătre: Bob\nSubiect: Hi
Від: Ann <ann@example.com>\nНадіслано: 3 квітня 2012 р. 16:19\nКому: Bob\nТема: Hi
От: Ann <ann@example.com>\nИзпратено: вторник, 3 април 2012 г. 16:19\nДо: Bob\nОтносно: Hi
Từ: Ann <ann@example.com>\nĐã gửi: 03 Tháng Tư 2012 16:19\nTới: Bob\nChủ đề: Hi
จาก: Ann <ann@example.com>\nส่ง: 3 เมษายน 2555 16:19\nถึง: Bob\nเรื่อง: Hi
Dari: Ann <ann@example.com>\nDikirim: 03 April 2012 16:19\nKepada: Bob\nSubjek: Hi
Šalje: Ann <ann@example.com>\nPoslano: 3. travnja 2012. 16:19\nPrima: Bob\nPredmet: Hi
De: Ann <ann@example.com>\nEnviat: dimarts, 3 d'abril de 2012 16:19\nPer a: Bob\nAssumpte: Hi
Saatja: Ann <ann@example.com>\nSaadetud: teisipäev, 3. aprill 2012 16:19\nAdressaat: Bob\nTeema: Hi
寄件者: Ann <ann@example.com>\n寄件日期: 2012年4月3日 16:19\n收件者: Bob\n主旨: Hi
发件人：Ann <ann@example.com>\n发送时间：2012年4月3日 16:19\n收件人：Bob\n主题：Hi
________________________________\nXyz: Ann <ann@example.com>\nAbc: 3 April 2012 16:19:00\nDef: Bob\nGhi: Hi`
    .split('\n')
    .map((block) => block.replaceAll('\\n', '\n'))

/** Lines that devices and programs add of their own. */
export const deviceLines = `Sent from my iPhone
Sent from my Verizon, Samsung Galaxy smartphone
Verzonden vanuit Outlook voor Android
Yahoo Mail: Search, Organize, Conquer
Sent from my iPad
Sent from my Verizon Wireless BlackBerry
Sent from my T-Mobile 4G LTE Device
Sent from my Samsung Galaxy smartphone.
Sent from my Android device with K-9 Mail. Please excuse my brevity.
Sent from Yahoo Mail for iPhone
Sent from Yahoo Mail on Android
Sent from Mail for Windows 10
Sent from Mail for Windows
Sent from Outlook for Android
Sent from Proton Mail for iOS
Sent with Proton Mail secure email.
Sent with [Proton Mail](https://proton.me/) secure email.
Sent from [ProtonMail](https://protonmail.com), Swiss-based encrypted email.
Sent from Gmail Mobile
Sent via BlackBerry by AT&T
Sent from my Huawei phone
Get Outlook for Android
Get Outlook for iOS<https://aka.ms/o0ukef>
Get BlueMail for Android
Sent from AOL Mobile Mail
Von meinem iPhone gesendet
Von meinem Samsung Galaxy Smartphone gesendet.
Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.
Gesendet mit der GMX Mail App
Gesendet von Mail für Windows 10
Gesendet von Outlook für Android
Outlook für Android herunterladen
Holen Sie sich Outlook für Android
Envoyé de mon iPhone
Envoyé depuis mon appareil Galaxy
Envoyé à partir de Outlook pour Android
Provenance : Courrier pour Windows 10
Télécharger Outlook pour Android
Obtenez Outlook pour Android
Enviado desde mi iPhone
Enviado desde Correo para Windows 10
Enviado desde Yahoo Mail para Android
Obtener Outlook para Android
Enviado do meu iPhone
Enviado do Email para Windows 10
Enviado a partir do meu smartphone Samsung Galaxy.
Inviato da iPhone
Inviato da Posta per Windows 10
Inviato dal mio dispositivo Samsung
Verstuurd vanaf mijn iPhone
Verzonden vanaf mijn Galaxy
Outlook voor Android downloaden
Skickat från min iPhone
Sendt fra min iPhone
Lähetetty iPhonesta
Wysłane z iPhone'a
Wysłano z aplikacji Poczta systemu Windows
Odesláno z iPhonu
Odoslané z iPhonu
iPhone'umdan gönderildi
Στάλθηκε από το iPhone μου
נשלח מה-iPhone שלי
تم الإرسال من الـ iPhone
Trimis de pe iPhone-ul meu
Надіслано з iPhone
Изпратено от моя iPhone
Được gửi từ iPhone của tôi
Dikirim dari iPhone saya
ส่งจาก iPhone ของฉัน
나의 iPhone에서 보냄
iPhoneから送信
发自我的 iPhone
從我的 iPhone 傳送
Poslano s mojeg iPhonea
Enviat des del meu iPhone
Elküldve az iPhone-omról
Отправлено с iPhone
Отправлено из мобильной Почты Mail.ru
Отправлено из Почты Mail.ru для iOS
Отправлено с устройства Samsung`.split('\n')

/** Notes that companies have their lawyers add. */
export const disclaimers = [
  'This e-mail and any attachments are confidential and intended solely for the use of the individual or entity to whom they are addressed. If you have received this email in error please notify the sender immediately and delete it.',
  'CONFIDENTIALITY NOTICE: This email message, including any attachments, is for the sole use of the intended recipient(s) and may contain confidential and privileged information. Any unauthorized review, use, disclosure or distribution is prohibited.',
  'Diese E-Mail enthält vertrauliche und/oder rechtlich geschützte Informationen. Wenn Sie nicht der richtige Adressat sind oder diese E-Mail irrtümlich erhalten haben, informieren Sie bitte sofort den Absender und vernichten Sie diese Mail.',
  "Ce message et toutes les pièces jointes sont confidentiels et établis à l'intention exclusive de ses destinataires. Si vous avez reçu ce message par erreur, merci d'en avertir immédiatement l'expéditeur et de le détruire.",
  'Este mensaje y sus archivos adjuntos son confidenciales y van dirigidos exclusivamente a su destinatario. Si ha recibido este mensaje por error, le rogamos que lo comunique al remitente y lo elimine.',
  'Le informazioni contenute in questo messaggio sono riservate e destinate esclusivamente al destinatario. Se avete ricevuto questo messaggio per errore, vi preghiamo di eliminarlo e di avvisare il mittente.',
  'Esta mensagem pode conter informação confidencial e destina-se exclusivamente ao seu destinatário. Se recebeu esta mensagem por engano, por favor avise o remetente e elimine-a.',
  'Dit bericht kan vertrouwelijke informatie bevatten die niet voor u is bestemd. Indien u dit bericht per abuis heeft ontvangen, verzoeken wij u dat aan de afzender te melden en het bericht te verwijderen.',
]

/** Words of a person that look like something else. */
export const persons = [
  'Hi\n\nSent from my desk, is much easier than my phone.',
  'On 2 hosts you can run:\n\n  telnet 127.0.0.1',
  'From: Paris\nTo: London\nDate: 5 May 2026',
  'Please keep this confidential.\n\nAnn',
  'Please send it by 10:30 to ann@example.com:\n\n- the plan\n- the list',
  'Here is what I said:\n\nWe meet at 10:30.',
  'Our plan for 2026-05-05:\n- a\n- b',
  'I wrote:\n\n  SELECT 1',
  'I sent the form from my iPhone',
  'Did you get it? It was sent from Outlook.',
  'The people who wrote:\nAnn, Bob',
  'Subject: the new plan\n\nI think it is good.',
  'To: do\nFrom: scratch\nwe build.',
  'On Monday at 10:30 we said:\n\nNo.',
]

const parcel = 'Maria Lopez\nCalle Mayor 5\n28013 Madrid\nTel +34 600 123 456'

/** Cards that are what the mail is about: the line above says so. */
export const announcedCards = [
  `Please ship the parcel to this address:\n\n-----\n${parcel}`,
  `Please ship the parcel to this address:\n***\n${parcel}\n***\nThanks`,
  `Please ship the parcel to this address:\n________________\n${parcel}`,
  `Ship it to *my sister:*\n\n—\n${parcel}`,
  'Please add this person to the account:\n***\nJohn Smith\njohn.smith@example.com',
  'Please add this person to the account.\n\n=====\nJohn Smith\njohn.smith@example.com',
  `請寄到這個地址：\n\n-----\n${parcel}`,
  `荷物を以下に送ってください。\n-----\n${parcel}`,
  `Bitte an folgende Anschrift liefern\n\n-----\n${parcel}`,
  `Envíelo a la dirección siguiente.\n\n-----\n${parcel}`,
]

/** Lines that begin as a device's and go on as a person's. */
export const devicesInClauses = [
  'Fixed.\n\nSent from my Android test run, the log is here:\nhttps://example.net/log',
  'Fixed.\n\nSent from my Android test run, the log is here: https://example.net/log',
  'Fixed.\n\nSent from my Android test run:\nhttps://example.net/log',
  'Fixed.\n\nSent with Outlook for testing; see what came:\nhttps://android.example.net/outlook',
  'Fixed.\n\nSent from my iPhone: call me at noon',
  'Fixed.\n\nSent from my Galaxy:\nGalaxy S23',
]

/** Words about a line, which are no marker of a help desk. */
export const linesSpokenOf = [
  'Looks good.\n-----\nAnswer above this line of the contract is fine for me, but please change clause 4.\nThanks',
  'Looks good.\n\nReply above this line is fine.\nThanks',
  'Looks good.\n\n- Answer above this line of the contract, then sign\n- Send it',
  'Looks good.\n\n-- Answer above this line of the well-known contract, but change clause 4.\nThanks',
  'Looks good.\n\nI put my answer above this line.\nThanks',
  'Gut.\n\nDie Antwort oberhalb dieser Linie passt, aber bitte Punkt 4 noch ändern.\nDanke',
]
