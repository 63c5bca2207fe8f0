import { type LatePattern, latePattern } from '../text'

const anyOf = (patterns: readonly string[], before = '', after = ''): LatePattern =>
  latePattern(`${before}(?:${patterns.join('|')})${after}`, 'iu')

const TAG = '^(?:\\[[^\\]]{1,40}\\] ?)?'
/** Signs between the words of a program and the subject that it answers. */
const SURE_PART = '(?:\\s?[:：]|[\\])】]|\\s?[-–—]\\s?re:)'
/** The same where a person may write so too. */
const PART = `(?:${SURE_PART}|\\s[-–—]\\s|['’"”»]?$)`

/** Words that mail programs put before the subject of an automatic reply. */
const AUTOMATIC = [
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

/** A subject that begins as no person begins one, with more behind it. */
export const AUTO_REPLY_SUBJECT = anyOf(
  [
    `${TAG}[([【]?(?:${AUTOMATIC.join('|')})${SURE_PART}(?=.)`,
    '^auto: .{2,100}(?:out of (?:the )?office|außer haus|nicht im (?:büro|haus)|\\((?:returning|rückkehr|zurück|retour|de retour|regres\\p{L}*|rientr\\p{L}*|ritorno|terug) )',
  ],
  '',
)

/** Words for being away, before the subject of what is answered. */
const AWAY = [
  'auto(?=\\s?[:：])|out[ -]of[ -](?:the )?office|ooo|oof|out of town|away|on (?:vacation|holiday|leave)|vacation (?:message|notice|reply|response)|vacation|holiday|annual leave',
  'nicht im (?:büro|haus)|im urlaub|urlaub|abwesend|abwesenheit|en vacances|en congés?|absen(?:t|ce)(?: du bureau)?|fuera de (?:la )?oficina|ausen(?:te|cia)|de vacaciones|fuori (?:ufficio|sede)|assen(?:te|za)|in ferie',
  'fora do escritório|férias|afwezig|met vakantie|niet aanwezig|semester|frånvaro|ikke på kontoret|på ferie|fravær(?:ende)?|poissa|lomalla|poza biurem|biuro - nieobecność|nieobecno\\p{L}*|mimo kancelář|dovolen\\p{L}*',
  'вне офиса|в отпуске|отсутств\\p{L}*|(?:yanıt: )?ofis dışında|休假|外出|不在|출장|휴가',
]

/** The same as a whole subject or before another: a person may write so, but seldom in answer to a mail. */
export const AWAY_BEFORE_SUBJECT = anyOf([...AUTOMATIC, ...AWAY], `${TAG}[([【]?`, PART)

/** The same before the subject of an answer. */
export const AWAY_BEFORE_REPLY = anyOf(AWAY, TAG, '\\s?[:：-]\\s?(?:re|aw|sv|rv|tr|fwd?|回复|答复)\\s?[:：]')

/** Subjects that programs use, and people too. */
export const MAYBE_AUTO_REPLY_SUBJECT = anyOf(
  [
    ...AUTOMATIC,
    ...AWAY.map((words) => `(?:${words})(?!\\p{L})`),
    "away (?:from|until|on|till)|i(?: am|['’]m) (?:away|out|on)|currently (?:away|out)|not in the office|maternity leave|parental leave|(?:.{2,60} )?(?:is )?no longer with|.{2,60} has left",
    '.{2,60} is (?:currently )?(?:out of (?:the )?office|on (?:vacation|leave))|.{0,200}\\((?:out of office|auto[ -]?reply|automatic reply)\\)$',
    "(?:we|i)(?:['’]ve| have)? received your|thank(?:s| you) for (?:your (?:e-?mail|message|enquiry|inquiry)|contacting)|your (?:request|ticket|case|message|enquiry|inquiry) (?:has been|was) (?:received|created)|(?:ticket|request) (?:received|created)|acknowledg",
  ],
  `${TAG}(?:re ?: ?)?[([【]?`,
)

/** The subject that an assistant of Notes or Exchange writes; the mail below speaks of "I". */
export const AWAY_BY_NAME = /^.{2,60} is (?:currently )?out of (?:the )?office\b/iu
export const AWAY_OF_MYSELF =
  /^\s{0,20}i(?: am| will be|['’]ll be|['’]m) (?:currently )?(?:away|out of (?:the )?office)/iu

/** Beginnings of such replies. */
export const AUTO_REPLY_TEXT = anyOf([
  "i(?: am|['’]m|['’]ll be| will be| am currently|['’]m currently) (?:currently |presently |now )?(?:away|out|on|off|traveling|travelling|not in|unavailable|in a)",
  'out of (?:the )?office|limited (?:access|email)|upon my return|when i (?:return|get back|am back)|as soon as i (?:return|get back)|will (?:respond|reply|get back)|annual leave|maternity leave',
  '(?:automatic(?:ally generated)?|automated|auto-?generated) (?:e-?mail |mail )?(?:reply|response|message|answer|acknowledg)|auto-?reply|autoresponder|do not reply to this|no longer (?:with|work|employed|monitored)',
  'bin ich (?:nicht|erst|ab|bis|wieder)|ich bin (?:ab|bis|zur zeit|derzeit|momentan|vom|nicht|im)|nicht im (?:büro|haus)|e-?mails? werden nicht|automatisch(?:e|es)? (?:antwort|generiert)',
  'je suis (?:actuellement |en |absent)|de retour le|absent(?:e)? (?:du|jusqu)|estoy|estaré|fuera de la oficina|sono (?:assente|fuori|in ferie)|sarò (?:assente|fuori)|estou (?:de|fora|ausente)|estarei',
  'ik ben (?:afwezig|niet|tot|van|momenteel)|jag är|jeg er|olen (?:lomalla|poissa)|jestem (?:nieobecn|na urlopie|poza)|nie ma mnie|budu|nebudu|jsem mimo|нахожусь в отпуске|в отпуске|отсутств|ofiste değil|izindeyim',
  '不在|休暇|外出|自動|休假|自动|부재|휴가|자동',
  'has been (?:received|opened|created|assigned)|we (?:have )?received your',
])

/** The subject of an aggregate report of DMARC (RFC 7489 §7.2.1.1) or TLS (RFC 8460 §5.3). */
export const DOMAIN_REPORT_SUBJECT =
  /^(?:\[[^\]]{1,40}\] ?)?report[- ]domain\s?:\s?\S{1,255}\s{1,9}submitter\s?:\s?\S{1,255}\s{1,9}report-id\s?:/iu
