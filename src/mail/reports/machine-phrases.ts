const anyOf = (patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'), 'iu')
/** For text in lower case: patterns that ignore case are much slower. */
const anyLower = (patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'))

/** "Not delivered", "delivery failed", in languages without lines of their own below. */
const notDelivered = [
  'δεν (?:παραδόθηκε|μπόρεσε να παραδοθεί|ήταν δυνατή η παράδοση)|(?:αποτυχία|αδυναμία|σφάλμα) παράδοσης|не (?:вдалося доставити|доставлен[оаий])|недоставлен|не (?:е|беше|може да бъде) доставен\\p{L}{0,2}|неуспешн\\p{L}+ (?:доставка|доставяне)|(?:није|nije) (?:испоручен|isporučen)\\p{L}{0,2}|neisporučen|isporuka nije uspjela|ni (?:bil[oai]? |mogoče )dostav\\p{L}+|nedostavljiv',
  'nu a (?:putut fi|fost) livrat|(?:eșec|eroare|esec) (?:de|la) livrare|nelivrat|nem (?:sikerült )?kézbesít|kézbesítési hiba|ei õnnestunud (?:edastada|toimetada|saata)|edastamine ebaõnnestus|nepavyko (?:pristatyti|išsiųsti)|nepristatyt|neizdevās (?:piegādāt|nosūtīt)|nav piegādāt|ei voitu (?:toimittaa|lähettää)|toimitus epäonnistui',
  'לא (?:נמסרה?|ניתן (?:היה )?למסור)|(?:המסירה|מסירה) נכשלה|כשל במסירה|(?:تعذر|تعذّر|فشل(?: في)?) (?:تسليم|إرسال|توصيل)|لم يتم (?:تسليم|إرسال)|تحویل (?:داده )?نشد|(?:không (?:thể )?(?:gửi|chuyển)|gửi thất bại|không gửi được)|(?:ส่ง|นำส่ง)(?:อีเมล|ข้อความ)?ไม่สำเร็จ|ไม่สามารถ(?:ส่ง|นำส่ง)|gagal (?:terkirim|dikirim|mengirim)|tidak (?:dapat (?:dikirim|terkirim)|terkirim)|(?:डिलीवर|वितरित) नहीं',
]

/** Subjects of programs that return messages, in the main languages. */
export const failureSubject = anyOf([
  ...notDelivered,
  'undeliver(?:able|ed)|nondeliver|non[- ]?delivery|non remis|not delivered|unzustellbar|onbestelbaar',
  'fail(?:ed|ure) (?:notice|mail|deliver)|failed mail|mail (?:delivery )?(?:failed|failure|error|problem)',
  'mail (?:system|delivery|processing) (?:error|warning|problem|failed|failure|notification|report)',
  'deliver\\w* (?:status|failure|failed|failing|problem|report|warning|notif\\w*|error|incomplete|delay\\w*|unsuccess\\w*|has failed)',
  'deliver mail failed|delivery (?:has )?(?:failed|failure)|(?:error|problem|trouble)[\\s\\w]{0,20} (?:sending|delivering|delivery)',
  'return(?:ed|ing) (?:mail|message|e-?mail|to sender)|(?:mail|message) returned',
  'could not (?:be )?(?:deliver|send|sent)|cannot (?:be deliver|send)|unable to deliver|not been delivered',
  'warning: (?:message|mail|could not|[^ ]{1,64}@)|warning--could not|message delayed|delivery delay|processing error',
  'user unknown|unknown user|mailbox (?:is )?full|rejected (?:mail|message)|message rejected|mail rejected',
  'nicht zugestellt|zustellung fehlgeschlagen|zustellungsfehler|unzustellbarkeit',
  "échec (?:de (?:la )?)?(?:remise|distribution|livraison)|echec de|non distribu|n['’]a pas pu être",
  'no (?:se )?(?:pudo|ha podido)[\\s\\w]{0,12} ?entreg|no entregad|error (?:de|en la) entrega|fallo (?:de|en la) entrega|devuelto',
  'mancata consegna|mancato recapito|non consegnat|errore di consegna|impossibile recapitare',
  'não (?:foi |é possível |pode ser )?entreg|não pôde ser entregue|falha (?:na|de) entrega|devolvid',
  'niet (?:te bezorgen|bezorgd|afgeleverd|verzonden)|kunde inte lever|ikke leveres|kunne ikke lever|ei voitu toimittaa',
  'niedostarcz|nie (?:można )?dostarcz|kan inte levereras|kan ikke leveres|nedoruč|kézbesíthetetlen|teslim edilemedi|iletilemedi',
  'не (?:может быть )?доставлен|недоставлен|не удалось доставить|не доставлено',
  '配信(?:エラー|不能|失敗|できません|不可)|送信(?:エラー|できません)|配送(?:エラー|できません|不能)|届きません|返送|メール(?:エラー|送信できません)',
  '退信|无法(?:发送|投递|送达)|投递失败|发送失败|無法(?:傳送|投遞|遞送|傳遞)|系统退信|배달(?:되지| 못함|할 수)|(?:발송|전송|배달|전달|발신)(?:이|을|에)? ?(?:실패|오류|불가)|반송',
])

/** Phrases in the text of such programs. */
export const failureText = anyOf([
  ...notDelivered,
  "(?:could|can|would|was|were|has|have|did|does)(?: not|n['’]t|not)(?: yet)?(?: be| been)? (?:deliver|reach|sent|send|receive)",
  'unable to (?:deliver|send|forward|be delivered|establish)|not able to deliver|error deliver|trouble deliver|difficulty deliver',
  'undeliver(?:able|ed)|non-deliver|deliver\\w* (?:to|of|for)? ?[^.]{0,60}(?:failed|failure|aborted|delayed|postponed|unsuccessful)',
  'fail(?:ed|ure)s? (?:recipient|address|to deliver|reason|delivery)|deliver\\w* (?:error|problem|failure|failed|status)',
  'permanent(?:ly)? (?:fatal )?(?:error|failure|failed)|fatal error|returned (?:mail|message|to sender|because)|has been returned',
  '(?:user|recipient|address|mailbox|account|host|domain|addressee) (?:name )?(?:is )?(?:unknown|unavailable|not found|not known|disabled|invalid|rejected|full)',
  '(?:unknown|invalid|no such|bad|nonexistent) (?:local )?(?:user|recipient|address|mailbox|host|domain|account|final)',
  "(?:does|did)(?: not|n['’]t) (?:exist|have an? [\\w.-]{1,60} account|exactly match|accept)|exceed\\w* (?:\\w+ ){0,3}(?:quota|size|limit)|over quota|quota (?:exceeded|violation)",
  '(?:mail)?(?:box|folder) (?:is |was )?full|no mailbox here|transcript of session|delivery (?:status )?notification',
  '(?:rejected|refused) by|rejected a message|was rejected|smtp error|rcpt to:|said: ?[45]\\d\\d|may not exist|encountered (?:an error|delivery problems)',
  'no longer (?:valid|exists|active)|message[\\s\\w]{0,20} (?:is|been) delayed|will be retried|address(?:\\(es\\)|es)? failed',
  "n['’]a pas (?:pu|été)|non remis|adresse[^.]{0,40}n['’]existe pas|konnten? nicht|nicht zugestellt|unzustellbar|unbekannt",
  "no (?:se )?(?:pudo|ha podido|pudieron)|no existe|no fue entregad|non (?:è|e[´`']) stat\\w (?:possibile|consegnat|recapitat)|impossibile (?:recapitare|consegnare)",
  'não (?:pôde|foi (?:possível|entregue)|pode|existe)|desconhecid|nao (?:pode|foi)|kon(?:den)? niet|kan niet worden|niet (?:bezorgd|afgeleverd)|onbekend',
  'kunde inte|kunne ikke|nie (?:mogła|można|został)|nedoruč|teslim edilem|iletilem',
  'не может быть доставлен|не (?:было )?доставлен|невозможно доставить|не удалось доставить|не существует',
  'でき(?:ません|なかった)|エラー|存在しません|見つかりません|届き(?:ません)|ありません|失敗しました',
  '无法(?:发送|投递|送达|到达)|失败|退信|不存在|無法|失敗|배달|(?:전송|발송|전달)(?:되지|할 수|에 실패)|존재하지 않|반송',
])

/** Phrases for a message that is still on its way, so that the sender need do nothing. */
export const stillTrying = anyOf([
  'will (?:be retried|continue (?:to|trying)|keep trying|be made|retry|try again)|still trying|(?:attempts|continue) will continue',
  'not yet been delivered|has(?: not|n.t) been delivered yet|warning message only|temporary failure report|do(?:es)? not need to re-?send|need not resend',
  'is delayed|been delayed|delivery delayed|been postponed|delayed for more|just a warning|this is (?:only )?a warning|attempts will continue|deliver\\w* incomplete|warning\\W{1,3}could not send',
  'verzögert|noch nicht zugestellt|retardé|se ha retrasado|in ritardo|atrasada|задержан|遅延|遅れて|延迟|延遲',
  'vom (?:mai )?încerca din nou|újra (?:megpróbáljuk|próbálkozunk)|késik|θα (?:ξανα)?προσπαθήσουμε|προσπαθούμε ακόμα|سنحاول مرة أخرى|سنعيد المحاولة|mēģināsim vēlreiz|bandysime (?:dar kartą|vėl)|proovime uuesti|повторн\\p{L}+ спроб|спробуємо ще раз|ще раз опитаме|опитаме отново|akan (?:dicoba|mencoba) (?:lagi|kembali)|sẽ thử lại|ננסה שוב|จะลองใหม่|pokusit ćemo ponovo|poskusili znova|попытаемся (?:снова|ещё раз|еще раз)|yritetään uudelleen',
])

/** Phrases for the end of all attempts, despite words about waiting. */
export const givenUp = anyOf([
  'giv(?:en|ing) up',
  'not going to try',
  'has been removed from the',
  'message expired',
  'could not be delivered for',
])

/** Replies of a mailbox that accepts messages again once its owner frees some space. */
export const mailboxFull = anyOf([
  '(?:mail ?box|mailfolder|account|inbox|folder|storage|disk)[^.]{0,30} (?:is |was |has )?(?:full|over ?quota|exceed)|mailbox full|mail ?box space not enough',
  '(?:over|exceed\\w*|exceeding)(?: \\w+){0,3} (?:quota|mail ?box|storage|disk)|quota (?:exceed|violation|full|has been)|over ?quota|out of (?:storage|disk) (?:space|quota)|too much mail',
  'local limit|mailbox exceeds|insufficient (?:disk|system storage)|(?:mailbox|recipient|storage)\\S{0,20} quota|quota for',
  'postfach (?:ist )?voll|bo[îi]te (?:aux lettres |mail )?pleine|buz[óo]n (?:est[áa] )?lleno|casella (?:[èe] )?piena|caixa (?:de correio )?cheia|ящик переполнен|容量|いっぱい|已满|已滿|超过',
  '(?:postafiók|postaláda|fiók)\\p{L}*[^.]{0,30} (?:megtelt|tele van|betelt)|megtelt a post|(?:γραμματοκιβώτιο|θυρίδα)[^.]{0,30} (?:γεμάτ[οη]|πλήρ(?:ες|ης))|γεμάτ[οη]|πλήρες|ممتلئ|امتلأ|(?:cutia|căsuța|casuta)[^.]{0,40} plin[ăa]|pilna|pilns|перевищен|переповнен|перевищено квоту|квот[ау] (?:превышена|перевищена|надвишена|исчерпана|вичерпана)|превышена? квот|переполнен|препълнен|превышен\\p{L}* (?:лимит|размер) ящика',
  'postkast[^.]{0,20} täis|pašto dėžutė[^.]{0,20} (?:pilna|perpildyta)|(?:pretinac|sandučić|nabiralnik|predal)[^.]{0,30} (?:pun|poln)|kotak (?:surat|masuk)[^.]{0,20} penuh|(?:hộp thư|hòm thư)[^.]{0,20} đầy|(?:התיבה|תיבת הדואר)[^.]{0,20} מלאה|เต็ม|brevlådan[^.]{0,20} full|postkassen[^.]{0,20} (?:fuld|full)|postilaatikko[^.]{0,20} täynnä|schránka[^.]{0,20} (?:plná|je plna)|skrzynka[^.]{0,40} (?:pełna|przepełniona)|posta kutusu[^.]{0,20} dolu|postvak[^.]{0,20} vol(?!\\p{L})|मेलबॉक्स[^.]{0,20} भर',
])

/** Replies for a domain that does not exist, or accepts no messages. */
export const noSuchDomain = anyLower([
  "(?:host|domain)(?: or domain)?(?: name)? (?:is )?(?:unknown|not found(?!,? try)|does ?n[o’']t exist)|(?:unknown|no such|invalid|nonexistent|non-existent|illegal|bad) (?:host|domain|destination host|destination domain)",
  "mx or srv record indicated no smtp service|no mx records? found(?:$| for)|no mail exchangers? (?:was |were )?found|no valid mail (?:servers?|exchangers?)|has no mx records?|no (?:mail|mx) hosts? for (?:the )?domain|(?:host|domain) does ?n[o’']t accept (?:any )?(?:e-?)?mail|mail exchanger or ip address",
  "nxdomain|null ?mx|mx record is \\.|domain \\S+ does ?n[o’']t (?:exist|receive e-?mail|accept (?:e-?)?mail)|(?:could ?n[o’']t|unable to|cannot) find (?:a |any )?(?:mail exchanger|host named|the domain)|had no relevant answers|no mx (?:record )?or a\\b|(?:host|domain|^\\W{0,6}(?:[45]\\d\\d )?(?:[45]\\.\\d{1,3}\\.\\d{1,3} )?<>)(?: \\S{1,80})? (?:accepts no|does ?n[o’']t accept(?: any)?) (?:e-?mail|mail|smtp)(?! from)",
])

/** Replies for an address that does not exist, or no longer. */
export const noSuchAddress = anyLower([
  "(?:user|userid|account|recipient|mailbox|address|addressee|e-?mail|inbox|alias|customer|person|name)(?: name)?(?: \\S+){0,2}? ?(?:(?:is|was|are|has been|have been|because) )?(?:currently )?(?:unknown|invalid|not (?:found|known|exist\\w*|listed|valid|recogni[sz]ed|registered)|disabled|inactive|deactivated|discontinued|deleted|terminated|does ?n[o\u2019']t exist)",
  '(?:unknown|invalid|no such|nonexistent|non-existent|non-existing|bad|disabled|inactive|undefined|incorrect) (?:or (?:illegal|unknown|invalid) )?(?:local |final |delivery |destination |e-?mail |recipient )*(?:user|userid|account|recipient|mailbox|address|addressee|person|alias|name|destination)s?\\b(?! of sender)',
  "(?<!may )(?:does ?n[o\u2019']t|dosn't|did ?n[o\u2019']t) (?:exist|have an? \\S+ account|exactly match)|(?:user|mailbox|recipient) (?:not|n.o) exist|no mailbox here|no user by that name|unrouteable|not a (?:registered|valid|known) \\w+|not our (?:customer|user)",
  "(?:recipient|user|address|name|account|mailbox)\\b[^.]{0,60} (?:could ?n[o\u2019']t|was ?n[o\u2019']t|could not be|was not|were not) (?:be )?(?:found|recogni[sz]ed)|recip(?:ient)?notfound|nosuchuser|no longer (?:accepts? (?:e-?)?mail|receives? (?:e-?)?mail|on (?:this )?server|valid|in use|exists|with us|employed|at this)|has moved|fails, try|possibly incorrect",
  '(?:empf(?:ä|ae)nger|adressat|benutzer|adresse|postfach)[^.]{0,30} (?:unbekannt|existiert nicht|nicht (?:gefunden|bekannt))|unbekannte[rs]? (?:empfänger|benutzer|adresse)|kein solcher benutzer',
  "(?:adresse|destinataire|utilisateur|compte|bo[îi]te)[^.]{0,60} (?:invalide|inconnue?|inexistante?|introuvable|n['\u2019]existe pas)",
  '(?:usuario|cuenta|destinatario|direcci[óo]n|buz[óo]n|utente|indirizzo|casella|usu[áa]rio|endere[çc]o|conta|destinat[áa]rio)[^.]{0,40} (?:no existe|desconocid[oa]|no encontrad[oa]|sconosciut[oa]|non (?:esiste|trovat[oa]|valid[oa])|inesistente|n[ãa]o existe|desconhecid[oa]|n[ãa]o encontrad[oa]|inexistente|inv[áa]lid[oa])',
  '(?:gebruiker|adres|ontvanger)[^.]{0,30} (?:onbekend|bestaat niet)|(?:użytkownik|adres|skrzynka)[^.]{0,30} nie istnieje|nieznany (?:użytkownik|adresat)|(?:пользовател|адрес|ящик|получател)[^.]{0,40} (?:не существует|не найден|неизвест)|нет такого (?:пользователя|ящика)',
  '(?:リストにありません|存在しません|存在しない|見つかりません|(?:あて先|宛先)不明|收件人不存在|用户不存在|(?:地址|邮箱|帐号|账号|用户|用戶|信箱)[^。]{0,10}不存在|无此用户|無此用戶|找不到收件人|존재하지 않|사용자를 찾을 수 없)',
  '(?:blocked|suspended|disabled|closed|deactivated) (?:due to|because of|for) inactivity|onbekende? (?:gebruiker|ontvanger|geadresseerde)|okänd (?:mottagare|användare|adress)|(?:mottagaren|användaren|adressen)[^.]{0,30} (?:finns inte|existerar inte|är okänd|finnes ikke|er ukjent)|(?:modtageren|brugeren|adressen)[^.]{0,30} (?:findes ikke|eksisterer ikke|er ukendt)|(?:ukendt|ukjent) (?:modtager|bruger|mottaker|bruker|adresse)',
  '(?:vastaanottaja|käyttäjä|osoite)[^.]{0,30} (?:ei ole olemassa|tuntematon)|tuntematon (?:vastaanottaja|käyttäjä)|(?:uživatel|adresa|příjemce|schránka|používateľ)[^.]{0,30} (?:neexistuje|nenalezena?)|neznámý (?:uživatel|příjemce|adresát)|kullanıcı (?:bulunamadı|yok|mevcut değil)|bilinmeyen (?:kullanıcı|alıcı)|(?:címzett|felhasználó|postafiók)[^.]{0,30} (?:ismeretlen|nem létezik)|ismeretlen (?:címzett|felhasználó)',
  '(?:casilla|cuenta|buz[óo]n)[^.]{0,30} (?:expirad[oa]|ha expirado|caducad[oa]|dad[oa] de baja|deshabilitad[oa]|desactivad[oa]|eliminad[oa]|cancelad[oa]|cerrad[oa])|(?:compte|bo[îi]te)[^.]{0,30} (?:désactivée?|fermée?|supprimée?|clôturée?)|(?:casella|account)[^.]{0,30} (?:disattivat[oa]|chius[oa]|scadut[oa]|eliminat[oa]|cancellat[oa])|(?:conta|caixa)[^.]{0,30} (?:desativad[oa]|encerrad[oa]|cancelad[oa]|exclu[íi]d[oa])|(?:postfach|konto|mailbox)[^.]{0,30} (?:deaktiviert|geschlossen|gelöscht|gekündigt|stillgelegt)',
  '(?:konto|skrzynka)[^.]{0,30} (?:usunięt[eay]|zamknięt[eay]|wyłączon[eay]|nieaktywn[eay])|(?:аккаунт|ящик|уч[её]тная запись|пользовател)[^.]{0,40} (?:удал[её]н|отключ[её]н|закрыт)|(?:帐号|账号|帳號|邮箱|信箱|用户)[^。]{0,10}(?:已?(?:停用|注销|註銷|删除|刪除|禁用))|(?:アカウント|メールボックス)[^。]{0,15}(?:無効|解約|削除)|(?:계정|메일함|사서함)[^.]{0,15}(?:휴면|삭제|해지)',
  '(?:utilizator|destinatar|adresa)[^.]{0,30} (?:inexistent|necunoscut|nu există)|(?:άγνωστος|ανύπαρκτος) (?:παραλήπτης|χρήστης)|(?:користувач|адреса|скринька)[^.]{0,30} не (?:існує|знайдено)|невідомий (?:користувач|отримувач)|người (?:nhận|dùng) không tồn tại|địa chỉ không tồn tại|(?:pengguna|penerima|alamat)[^.]{0,30} tidak (?:ditemukan|dikenal|ada)',
])

/** Replies about the sender, or about a step before any recipient was named. */
export const aboutSender = anyLower([
  'sender|(?:after|to|at) (?:mail from|ehlo|helo|initial connection|mail_from)|\\[(?:mail_from|helo)\\]|mail ?from domain|envelope.from|return.path|from (?:header|address|domain)|from: (?:header|address|field)|performing the [he]+lo',
  'reverse dns|\\brdns\\b|\\bptr\\b|reverse (?:lookup|hostname|mapping)|forward.confirmed|\\b(?:helo|ehlo)\\b|(?:client|your|sending) (?:host|ip|hostname|server|domain|mta|system)|ip address|(?:invalid|banned|blocked|bad|dynamic) ip\\b',
  'domain \\S+ mismatch|identit(?:y|ies) failed|not verified|callback|call.?out|unresolvable',
])

/** Replies of a server that refuses this sender or this message. */
export const refusedSender = anyLower([
  'spam|\\bube\\b|junk|virus|phish|malware|block(?:ed|list| list)|black ?list|deny ?list|dnsbl|\\brbl\\b|spamhaus|denied|forbidden|prohibit|bad ?mail ?from|banned|polic(?:y|ies)|reputation|dmarc|\\bspf\\b|dkim',
  'not (?:authori[sz]ed|permitted|allowed)|un-?authori[sz]ed|unauthenticated|authenticat|smtp auth|relay(?:ing)? |permission|\\bgroup\\b|moderat|(?<!not )listed (?:in|at|on|by)|complain|(?:message|content|mail) (?:content )?(?:rejected|refused|blocked)',
])

/** Lines above the returned message, in reports that include it in their text. */
export const returnedBelow = anyOf([
  '^[\\s>|*=-]{0,20}(?:below )?(?:this|the next)? ?(?:line )?(?:this |is |here is )?(?:is )?a copy of (?:the|your|this) (?:original )?(?:message|mail)',
  '^[\\s|*=#-]{2,80} ?(?:(?:the )?header of the )?(?:original|returned|unsent|undelivered|source|attached) (?:message|mail)',
  '^[\\s|*=#-]{2,80} ?(?:message (?:header|text|content)|start of returned|header of|mensaje original|the header and)',
  '^(?:original (?:message|mail)(?: as received is as)? follows|message headers? follows?|original message headers|here is a copy of|included is a copy of)',
  '^ {0,8}(?:below is|this is|the following is|here is|enclosed is) (?:a|the) (?:copy|first)',
  'original message (?:below this line|follow)|your message reads|first \\d+ lines of',
  '^[\\s-]{0,20}附件中|^---\\s?ниже|^---\\s?original',
])

/** Reasons that may not apply on another day, or to another message. */
export const unreached = anyLower([
  'tim(?:ed?|ing)[- ]?out|seconds\\. giving up|queue too long|expired|too long in (?:the )?queue|in the queue too long|unable to connect|(?:could ?n.t|could not|cannot) connect|not responding|did not (?:respond|accept our requests)|(?:failed|after) \\d+ attempts|(?:turned|powered) off|maximum[- ]?(?:time|delivery attempts)|collected after|retry time',
  'connection (?:timed|refused|dropped|lost|reset|closed|aborted|rejected|failed|was |not )|connections not|lost connection|unreachable|not reachable|no route to|hosts have been failing|network (?:error|problem)|establish an smtp connection|handshake|\\btls\\b|starttls|certificate|socket',
  'temporar|try (?:again )?later|try again|defer(?:red|ral)|gr[ae]y ?list|busy|resources|please try (?:to )?(?:again|later|re-?send)|in error while|r[ée]essayer|essayer plus tard|später|más tarde|servfail|dns (?:error|failure|timeout|server|lookup|query|problem)|(?:name ?server|lookup) (?:error|fail|problem|timeout)|name service error[^:]{0,200}: try',
  'too many|rate limit|at a rate|(?:rate|limit)s? (?:is |was |has been )?exceeded|exceed\\w* [^.]{0,40}(?:limit|rate|maximum|number)|frequen(?:cy|tly)|throttl|per (?:hour|day|minute)|this hour|concurren|quota of (?:messages|recipients)|volume',
  'too (?:large|big|long)|size limit|message (?:size|length)|maximum (?:message )?size|fixed maximum|line (?:limit|too long|length)|\\bhops?\\b|\\bloop',
  "command (?:died|failed|output)|child (?:status|exit)|exit(?:ed)? (?:with )?(?:status|code)|\\bpipe\\b|procmail|maildrop|local delivery (?:agent|failed|error)|/usr/|/var/|(?:can[’']?t|cannot|could not|unable to) (?:create|open|write|lock|fork|execute)|permission denied|internal (?:server |system |software )?error|(?:system|software|server|configuration|config|protocol|i/o) (?:error|problem|violation)|not configured|bad file|no space",
  'receiving mail (?:too quickly|at a rate)|too quickly|not (?:found )?on the allow ?list|allow ?list|disabled for sending|sending policy',
  'momentan|temporan|provizor|sementara|tạm thời|ชั่วคราว|זמני|مؤقت|προσωριν|тимчасов|временн|временно|ajuti|laikinai|īslaicīg|uz laiku|ideiglenes|átmeneti|dočasn|privremen|začasn|tymczasow|vorübergehend|tijdelijk|tillfällig|midlertidig|väliaikai|geçici|अस्थायी|mai târziu|încerca din nou|később|αργότερα|позже|пізніше|по-късно|kasnije|vēlāk|vėliau|hiljem|\\bnanti\\b|לאחר מכן|لاحقا|لاحقًا',
])
