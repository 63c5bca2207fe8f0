const anyOf = (patterns: readonly string[], before = '', after = ''): RegExp =>
  new RegExp(`${before}(?:${patterns.join('|')})${after}`, 'iu')

/** What a mail program puts before the subject of a reply that nobody wrote; no person types this. */
export const AUTO_REPLY_SUBJECT = anyOf(
  [
    'auto(?:matic(?:ally)?)?[ -]?(?:re(?:ply|sponse|sponder)|generated reply|answer)',
    'auto(?=:)|automated (?:reply|response)',
    'automatische (?:antwort|abwesenheitsmeldung)|abwesenheits(?:notiz|meldung|benachrichtigung|agent)|abwesend:',
    "réponse automatique|reponse automatique|message d['’]absence|réponse d['’]absence",
    'respuesta autom[áa]tica|contestación automática|resposta autom[áa]tica|risposta automatica|avviso di assenza',
    'automatisch(?:e)? (?:antwoord|beantwoord)|afwezigheidsbericht|autosvar|automatiskt? svar|automaattinen vastaus|poissaoloviesti|frånvaromeddelande|fraværsassistent|fraværsmelding',
    'automatyczna odpowied[źz]|odpowiedź automatyczna|automatick[áa] odpov[ěe][ďd]|automatická odpoveď|automatikus válasz|răspuns automat|automatski odgovor|samodejni odgovor|automaatvastus|automātiskā atbilde|automatinis atsakymas',
    'автоматический ответ|автоответ\\p{L}*|автоматична відповідь|автоматичен отговор|αυτόματη απάντηση|otomatik (?:yanıt|cevap)',
    'תשובה אוטומטית|מענה אוטומטי|رد تلقائي|پاسخ خودکار|स्वचालित (?:जवाब|उत्तर)|การตอบกลับอัตโนมัติ|trả lời tự động|balasan otomatis|jawapan automatik',
    '自動(?:応答|返信|回覆|回复|送信)|自动(?:答复|回复)|不在(?:通知|のお知らせ)|자동 ?(?:회신|응답|답장)|부재중',
  ],
  '^(?:\\[[^\\]]{1,40}\\] ?)?',
)

/** Subjects that programs use, and people too. */
export const MAYBE_AUTO_REPLY_SUBJECT = anyOf(
  [
    'out[ -]of[ -](?:the )?office|ooo\\b|out of town|away (?:from|until|on|till)|on (?:vacation|holiday|leave)|vacation (?:message|notice|reply|response)|vacation\\b|holiday (?:notice|message)',
    "i(?: am|['’]m) (?:away|out|on)|currently (?:away|out)|not in the office|absence|absent|maternity leave|parental leave|no longer with",
    'nicht im (?:büro|haus)|im urlaub|urlaub|abwesend|en vacances|en congés?|absent|fuera de (?:la )?oficina|ausen(?:te|cia)|de vacaciones|fuori (?:ufficio|sede)|assen(?:te|za)|in ferie',
    'fora do escritório|férias|afwezig|met vakantie|niet aanwezig|semester|ikke på kontoret|på ferie|lomalla|poza biurem|nieobecno|mimo kancelář|dovolen|вне офиса|в отпуске|отсутств|ofis dışında|休假|外出|不在|출장|휴가',
    "(?:we|i)(?:['’]ve| have)? received your|thank(?:s| you) for (?:your (?:e-?mail|message|enquiry|inquiry)|contacting)|your (?:request|ticket|case|message|enquiry|inquiry) (?:has been|was) (?:received|created)|ticket (?:received|created)|acknowledg",
  ],
  '^(?:\\[[^\\]]{1,40}\\] ?)?(?:re ?: ?)?',
)

/** How such replies begin. */
export const AUTO_REPLY_TEXT = anyOf([
  "i(?: am|['’]m|['’]ll be| will be| am currently|['’]m currently) (?:currently |presently |now )?(?:away|out|on|off|traveling|travelling|not in|unavailable|in a)",
  'out of (?:the )?office|limited (?:access|email)|upon my return|when i (?:return|get back|am back)|as soon as i (?:return|get back)|will (?:respond|reply|get back)|annual leave|maternity leave',
  '(?:automatic(?:ally generated)?|automated|auto-?generated) (?:e-?mail |mail )?(?:reply|response|message|answer|acknowledg)|auto-?reply|autoresponder|do not reply to this|no longer (?:with|work|employed|monitored)',
  'bin ich (?:nicht|erst|ab|bis|wieder)|ich bin (?:ab|bis|zur zeit|derzeit|momentan|vom|nicht|im)|nicht im (?:büro|haus)|e-?mails? werden nicht|automatisch(?:e|es)? (?:antwort|generiert)',
  'je suis (?:actuellement |en |absent)|de retour le|absent(?:e)? (?:du|jusqu)|estoy|estaré|fuera de la oficina|sono (?:assente|fuori|in ferie)|sarò (?:assente|fuori)|estou (?:de|fora|ausente)|estarei',
  'ik ben (?:afwezig|niet|tot|van|momenteel)|jag är|jeg er|olen (?:lomalla|poissa)|jestem (?:nieobecn|na urlopie|poza)|nie ma mnie|budu|nebudu|jsem mimo|нахожусь в отпуске|в отпуске|отсутств|ofiste değil|izindeyim',
  '不在|休暇|外出|自動|休假|自动|부재|휴가|자동',
  'has been (?:received|opened|created|assigned)|we (?:have )?received your|thank(?:s| you) for (?:your|contacting)',
])
