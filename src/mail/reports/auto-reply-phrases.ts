const anyOf = (patterns: readonly string[], before = '', after = ''): RegExp =>
  new RegExp(`${before}(?:${patterns.join('|')})${after}`, 'iu')

const tag = '^(?:\\[[^\\]]{1,40}\\] ?)?'
/** Signs between a program's words and the subject of the answered message. */
const surePart = '(?:\\s?[:：]|[\\])】]|\\s?[-–—]\\s?re:)'
/** The same, with signs that people use as well. */
const part = `(?:${surePart}|\\s[-–—]\\s|['’"”»]?$)`

/** Words that mail programs put before the subject of an automatic reply. */
const automatic = [
  '(?:yahoo!? |gmail )?auto(?:matic(?:ally)?|mated)?[ -]?(?:re(?:ply|sponse|sponder|spond)?|generated (?:reply|message)|answer)|(?:out[ -]of[ -](?:the )?office|vacation|away) ?auto[ -]?(?:reply|response)',
  'auto(?:matische?)?[ -]?(?:antwort|abwesenheits(?:meldung|notiz)|empfangsbestätigung|eingangsbestätigung)|abwesenheits(?:notiz|meldung|benachrichtigung|agent|assistent)',
  "réponse automatique(?: d['’]absence(?: du bureau)?)?|reponse automatique|message (?:automatique )?d['’]absence|réponse d['’]absence|accusé de réception automatique",
  '(?:auto[ -]?respuesta|respuesta autom[áa]tica|contestación automática|respuesta (?:de )?fuera de (?:la )?oficina)|auto[ -]?resposta|resposta autom[àáa]tica|risposta automatica|risposta (?:di )?fuori sede|avviso di assenza|erantzun automatikoa',
  'automatisch(?:e)? (?:antwoord|beantwoord)|afwezigheids(?:bericht|assistent)|auto(?:matiskt? )?svar|automaattinen vastaus|poissaoloviesti|frånvaro(?:meddelande|assistent)|fraværs(?:assistent|melding)|sjálfvirkt svar',
  'automatyczna odpowied[źz]|odpowiedź automatyczna|automatick[áa] odpov[ěe][ďd]|automatická odpoveď|automatikus válasz|răspuns automat|automatski odgovor|samodejni odgovor|automaatvastus|automātisk[āa] atbilde|automatinis atsakymas',
  'автоматический ответ|автоответ(?:чик)?|автоматична відповідь|автоматичен отговор|аутоматски одговор|автоматты жауап|αυτόματη απάντηση|otomatik (?:yanıt|cevap)',
  'תשובה אוטומטית|מענה אוטומטי|رد تلقائي|پاسخ خودکار|स्वचालित (?:जवाब|उत्तर|प्रत्युत्तर)|(?:การ)?ตอบกลับอัตโนมัติ|trả lời tự động|balasan (?:otomatis|automatik)|jawapan automatik',
  '自動(?:応答|返信|回覆|回复|送信)|自动(?:答复|回复)|不在(?:通知|のお知らせ)|자동 ?(?:회신|응답|답장)|부재중(?: ?자동 ?(?:응답|회신))?',
]

/** Subjects with a prefix that people never write. */
export const autoReplySubject = anyOf(
  [
    `${tag}[([【]?(?:${automatic.join('|')})${surePart}(?=.)`,
    '^auto: .{2,100}(?:out of (?:the )?office|außer haus|nicht im (?:büro|haus)|\\((?:returning|rückkehr|zurück|retour|de retour|regres\\p{L}*|rientr\\p{L}*|ritorno|terug) )',
  ],
  '',
)

/** Words for absence, before the subject of the answered message. */
const away = [
  'auto(?=\\s?[:：])|out[ -]of[ -](?:the )?office|ooo|oof|out of town|away|on (?:vacation|holiday|leave)|vacation (?:message|notice|reply|response)|vacation|holiday|annual leave',
  'nicht im (?:büro|haus)|im urlaub|urlaub|abwesend|abwesenheit|en vacances|en congés?|absen(?:t|ce)(?: du bureau)?|fuera de (?:la )?oficina|ausen(?:te|cia)|de vacaciones|fuori (?:ufficio|sede)|assen(?:te|za)|in ferie',
  'fora do escritório|férias|afwezig|met vakantie|niet aanwezig|semester|frånvaro|ikke på kontoret|på ferie|fravær(?:ende)?|poissa|lomalla|poza biurem|biuro - nieobecność|nieobecno\\p{L}*|mimo kancelář|dovolen\\p{L}*',
  'вне офиса|в отпуске|отсутств\\p{L}*|(?:yanıt: )?ofis dışında|休假|外出|不在|출장|휴가',
]

/** The same as a whole subject or before another: people may write it, but seldom in a reply. */
export const awayBeforeSubject = anyOf([...automatic, ...away], `${tag}[([【]?`, part)

/** The same before the subject of a reply. */
export const awayBeforeReply = anyOf(away, tag, '\\s?[:：-]\\s?(?:re|aw|sv|rv|tr|fwd?|回复|答复)\\s?[:：]')

/** Subjects that programs use, and people as well. */
export const maybeAutoReplySubject = anyOf(
  [
    ...automatic,
    ...away.map((words) => `(?:${words})(?!\\p{L})`),
    "away (?:from|until|on|till)|i(?: am|['’]m) (?:away|out|on)|currently (?:away|out)|not in the office|maternity leave|parental leave|(?:.{2,60} )?(?:is )?no longer with|.{2,60} has left",
    '.{2,60} is (?:currently )?(?:out of (?:the )?office|on (?:vacation|leave))|.{0,200}\\((?:out of office|auto[ -]?reply|automatic reply)\\)$',
    "(?:we|i)(?:['’]ve| have)? received your|thank(?:s| you) for (?:your (?:e-?mail|message|enquiry|inquiry)|contacting)|your (?:request|ticket|case|message|enquiry|inquiry) (?:has been|was) (?:received|created)|(?:ticket|request) (?:received|created)|acknowledg",
  ],
  `${tag}(?:re ?: ?)?[([【]?`,
)

/** Subject of an assistant of Notes or Exchange, whose text says "I". */
export const awayByName = /^.{2,60} is (?:currently )?out of (?:the )?office\b/iu
export const awayOfMyself =
  /^\s{0,20}i(?: am| will be|['’]ll be|['’]m) (?:currently )?(?:away|out of (?:the )?office)/iu

/** Phrases at the start of such replies. */
export const autoReplyText = anyOf([
  "i(?: am|['’]m|['’]ll be| will be| am currently|['’]m currently) (?:currently |presently |now )?(?:away|out|on|off|traveling|travelling|not in|unavailable|in a)",
  'out of (?:the )?office|limited (?:access|email)|upon my return|when i (?:return|get back|am back)|as soon as i (?:return|get back)|will (?:respond|reply|get back)|annual leave|maternity leave',
  '(?:automatic(?:ally generated)?|automated|auto-?generated) (?:e-?mail |mail )?(?:reply|response|message|answer|acknowledg)|auto-?reply|autoresponder|do not reply to this|no longer (?:with|work|employed|monitored)',
  'bin ich (?:nicht|erst|ab|bis|wieder)|ich bin (?:ab|bis|zur zeit|derzeit|momentan|vom|nicht|im)|nicht im (?:büro|haus)|e-?mails? werden nicht|automatisch(?:e|es)? (?:antwort|generiert)',
  'je suis (?:actuellement |en |absent)|de retour le|absent(?:e)? (?:du|jusqu)|estoy|estaré|fuera de la oficina|sono (?:assente|fuori|in ferie)|sarò (?:assente|fuori)|estou (?:de|fora|ausente)|estarei',
  'ik ben (?:afwezig|niet|tot|van|momenteel)|jag är|jeg er|olen (?:lomalla|poissa)|jestem (?:nieobecn|na urlopie|poza)|nie ma mnie|budu|nebudu|jsem mimo|нахожусь в отпуске|в отпуске|отсутств|ofiste değil|izindeyim',
  '不在|休暇|外出|自動|休假|自动|부재|휴가|자동',
  'has been (?:received|opened|created|assigned)|we (?:have )?received your',
])

/** Subjects of programs that hold a message until its sender proves to be a person. */
export const challengeSubject =
  /\bverify#\w|^\[verify\]|\(verify ?#?\w{0,40}\)$|\brequires? (?:sender )?(?:verification|authentication)\b|demande d['’]authentification|sender (?:address )?verification/iu

/** Phrases of such programs: an email waits, and its sender must prove something. */
export const challengeText = anyOf([
  "(?:verify|confirm|prove|certify)[^.]{0,30} that you(?: are|[’']re) (?:not )?(?:an? )?(?:real|live|living|human|person|legitimate|spam\\p{L}*|robot)",
  '(?:message|e-?mail)(?: \\S+){0,4}? (?:held|on hold|quarantined|kept|queued)[^.]{0,80}(?:until|because|pending|unless)[^.]{0,120}(?:verif|confirm|authenticat|reply|click|approv)',
  "(?:allow|accept) (?:incoming )?(?:messages?|e-?mails?|mail) only from (?:\\S+ ){0,2}?(?:senders?|people|addresses|contacts) (?:that |who |whom )?(?:i|we)(?: have|[’']ve)? (?:approved|allowed|added|know)|to release your (?:message|e-?mail|mail)(?: for delivery)?, |only (?:accept|allow|receive) (?:incoming )?(?:messages?|e-?mails?|mail) from (?:\\S+ ){0,2}?(?:senders?|people|addresses|contacts) (?:that |who |whom )?(?:i|we)(?: have|[’']ve)? (?:approved|allowed|added|know)|(?:message|e-?mail) is being held because your (?:e-?mail )?address ",
  'to complete this verification|one[- ]time (?:verification|authentication) of (?:new )?senders?|challenge[- /]?response|added to (?:my|our) (?:list of )?(?:allowed|approved|safe|trusted|white)',
  "votre (?:message|e-?mail|courriel|mail) (?:est|a été)(?: mis)? en attente.{0,200}(?:authentifi|cliqu|confirm)|(?:prouve|confirme)\\p{L}{0,3} que vous (?:êtes (?:un humain|une personne)|n[’']êtes pas un robot)",
  '(?:bestätig|beweis)[^.]{0,40} dass sie (?:ein mensch|kein (?:spam\\p{L}*|roboter))|ihre (?:nachricht|e-?mail) (?:wird|wurde) .{0,40}zurückgehalten',
  '(?:demuestr|confirm|verifi)[^.]{0,30} que (?:usted )?(?:es (?:una persona|humano)|no es un robot)|su (?:mensaje|correo) (?:está|ha sido) (?:retenido|en espera).{0,120}(?:confirm|verifi|clic)',
  '(?:confirm|prov|comprov)[^.]{0,30} que (?:você |o senhor |a senhora )?(?:é|seja) (?:uma pessoa|um (?:ser )?humano|humano)|(?:conferm|dimostr)[^.]{0,30} (?:di essere|che (?:lei )?(?:è|sia)) (?:una persona|umano)|bevestig[^.]{0,30} dat u een (?:mens|persoon) bent|bekräfta[^.]{0,30} att du är en (?:människa|person)|potwierd[^.]{0,30} że (?:jesteś|jest pan\\p{L}*) (?:człowiekiem|osobą)|подтверд[^.]{0,30} что вы (?:человек|не робот)',
  '\\bprotect\\p{L}{0,3} (?:myself|ourselves|my inbox|my mailbox|our inbox)[^.]{0,40} (?:junk|spam|unsolicited)',
  'messaggio è (?:in attesa|trattenuto).{0,120}(?:conferm|autentic|clicc)|mensagem (?:está|foi) (?:retida|em espera).{0,120}(?:confirm|verifi|cliqu)',
])

/** Subject of an aggregate report of DMARC (RFC 9990) or TLS (RFC 8460 §5.3). */
export const domainReportSubject =
  /^(?:\[[^\]]{1,40}\] ?)?report[- ]domain\s?:\s?\S{1,255}\s{1,9}submitter\s?:\s?\S{1,255}\s{1,9}report-id\s?:/iu

/** Phrases of automatic acknowledgements and surveys from ticket systems and forms. */
export const acknowledgement = anyOf([
  "(?:we(?:[’']ve| have)?|i have) (?:successfully )?received your|your (?:\\S{1,20} ){0,2}(?:request|ticket|case|message|e-?mail|enquiry|inquiry|submission|order)(?: \\S{1,40}){0,3}? (?:has been|was|is) (?:now )?(?:received|created|opened|registered|logged|submitted|closed|resolved|solved|updated)",
  '(?:a|new) (?:ticket|case|request) (?:has been|was) (?:created|opened)|ticket (?:created|received|number is)|we will (?:get back|respond|reply) to you (?:as soon|within|shortly)|thank(?:s| you) for (?:contacting|reaching out|getting in touch|your (?:e-?mail|message|request|enquiry|inquiry|submission))[^.]{0,60}[.!](?:.{0,200})(?:ticket|request|case|reference|within|shortly|soon)',
  'how would you rate|rate (?:your|our|the) (?:experience|support|conversation|service|chat)|how (?:did we do|was your experience|satisfied)|satisfaction survey',
  '(?:ihre|deine) (?:anfrage|nachricht|e-?mail|mail|ticket)(?: \\S{1,40}){0,3}? (?:ist|wurde)[^.]{0,60}(?:eingegangen|erhalten|erstellt|geschlossen|gelöst|registriert)|wir haben (?:ihre|deine) (?:anfrage|nachricht|e-?mail|mail)[^.]{0,40}(?:erhalten|bekommen)|vielen dank für (?:ihre|deine) (?:anfrage|nachricht|e-?mail)[^.]{0,40}[.!](?:.{0,200})(?:ticket|bearbeit|schnellstmöglich|so schnell)',
  'votre (?:demande|message|ticket|courriel|e-?mail)(?: \\S{1,40}){0,3}? (?:a|est)(?: bien)? (?:été )?(?:reçue?|créée?|enregistrée?|fermée?|résolue?|clôturée?)|nous avons bien reçu votre',
  '(?:su|tu) (?:solicitud|consulta|mensaje|correo|ticket)(?: \\S{1,40}){0,3}? (?:ha sido|fue) (?:recibid|cread|registrad|cerrad|resuelt)[oa]|hemos recibido (?:su|tu)',
  '(?:la tua|la sua|il tuo|il suo) (?:richiesta|messaggio|ticket)(?: \\S{1,40}){0,3}? (?:è stat[oa]) (?:ricevut|creat|registrat|chius|risolt)[oa]|abbiamo ricevuto (?:la|il)|(?:sua|seu) (?:solicitação|mensagem|chamado|pedido)(?: \\S{1,40}){0,3}? foi (?:recebid|criad|registrad|fechad|resolvid)[oa]|recebemos (?:sua|seu)',
  'uw (?:verzoek|aanvraag|bericht|ticket|e-?mail)(?: \\S{1,40}){0,3}? (?:is|werd) (?:ontvangen|aangemaakt|geregistreerd|gesloten|opgelost)|wij hebben uw|(?:twoje|państ\\p{L}+) (?:zgłoszenie|wiadomość)[^.]{0,40}(?:otrzyma|utworzon|przyjęt|zarejestrowan|zamknięt)|otrzymaliśmy (?:twoj|państ)',
  'ваш(?:а|е)? (?:запрос|заявка|обращение|письмо|сообщение)[^.]{0,40}(?:получен|создан|принят|зарегистрирован|закрыт|решен)|мы получили ваш|受け付けました|受付(?:いたし|け)|お問い合わせ(?:いただき|を受)|已收到您的|工单已(?:创建|关闭|解决)|문의(?:가|를) 접수',
])

/** Phrases above a person's words in notices of trackers, ticket systems and networks. */
export const comment = anyOf([
  '(?:^|\\n)[^\\n]{2,80} (?:commented|(?:left|added|posted) (?:a |an? \\S+ )?comments?|replied|wrote|mentioned you|requested changes|sent you a message|messaged you|asked)(?!\\p{L})',
  'new (?:comment|message|reply) (?:from|on|by)|comments? added|comment #?\\d+ (?:from|by)|(?:updated|reported|posted) by \\p{Lu}',
  '(?:^|\\n)[^\\n]{2,80} (?:hat (?:\\S+ ){0,3}(?:kommentiert|geschrieben|geantwortet)|schrieb|a (?:commenté|répondu|écrit)|comentó|escribió|respondió|ha (?:commentato|scritto|risposto)|comentou|escreveu|respondeu|heeft (?:\\S+ ){0,3}(?:gereageerd|geschreven)|schreef|kommenterade|skrev|skomentował\\p{L}?|napisał\\p{L}?)(?!\\p{L})',
])
