import { isRule } from './quote-lines'

const maxBanners = 3
const maxBannerLines = 8
const maxLength = 800
/** Shorter lines were not wrapped. */
const minWrapped = 55

/** Phrases for external messages; for text in lower case, like all below. */
const origin = new RegExp(
  [
    'outside (?:of )?(?:the|our|your|this|of) [\\p{L} ]{0,40}(?:organi[sz]ation|company|network|domain|university|tenant|agency|group)|(?:originat|sent|came|com)\\p{L}{0,3} (?:from )?(?:an )?(?:outside|external)|external (?:e-?mail|sender|source|mail|message)|extern(?:e[nrs]?|em)? (?:absender|e-?mail|mail|quelle)|(?:von )?außerhalb (?:der|unser|ihr|des)',
    "expéditeur externe|(?:provient|vient|émane) (?:de l['’]ext|d['’]un ext|d['’]une (?:source|adresse) ext)|(?:extérieur|externe) (?:à|de|au) |(?:e-?mail|courriel|message) externe|(?:remitente|correo|mensaje|origen|fuente) (?:es )?extern[oa]|fuera de (?:la|su|nuestra|tu) (?:organización|empresa)|(?:remetente|e-?mail|mensagem|origem) extern[oa]|fora d[ae] (?:sua |nossa )?(?:organização|empresa)|(?:mittente|e-?mail|messaggio) estern[oa]|estern[oa] (?:all|dell)['’](?:organizzazione|azienda)",
    'externe (?:afzender|bron)|(?:van )?buiten (?:de|uw|onze|het) (?:organisatie|bedrijf)|extern avsändare|externt (?:meddelande|mejl)|utanför (?:din |vår )?organisation|ekstern (?:afsender|mail|avsender|e-post)|uden ?for (?:din |vores )?(?:organisation|virksomhed)|utenfor (?:din |vår )?organisasjon|organisaation ulkopuol|ulkopuolinen lähettäjä',
    'spoza (?:\\p{L}+ )?organizacji|zewnętrzn\\p{L}+ (?:nadawc|wiadomoś|źród)|extern\\p{L}+ odes[ií]latel|mimo (?:\\p{L}+ )?organizac|külső (?:feladó|forrás)|szervezeten kívül|kurulu[sş]\\p{L}* dışından|harici (?:bir )?(?:gönder|e-posta)|внешн\\p{L}+ (?:отправител|источник|почт|адрес)|(?:из-за пределов|извне) \\p{L}+|зовнішн\\p{L}+ (?:відправник|джерел)',
    '社外|外部(?:から|の|メール|邮件|郵件|发件人|寄件|来源|來源)|組織外|来自(?:\\p{L}{0,6})外部|외부(?: ?메일|에서| ?발신| ?이메일)',
  ].join('|'),
  'u',
)

/** Phrases for advice on external messages. */
const advice = new RegExp(
  [
    "(?:do not|don['’]t|never|avoid) (?:click|open|respond|reply|enter|download|follow)|before (?:clicking|opening|responding)|(?:use|exercise|with) (?:extra |extreme )?caution|(?:be|please be) (?:cautious|careful|vigilant|wary)|take care when|unless you (?:recogni[sz]e|know|trust|are|have)|verify the sender|think before",
    "(?:klicken|öffnen) sie (?:keine|nur|nicht)|keine (?:links|anhänge)|seien sie vorsichtig|besondere vorsicht|ne (?:pas )?cliqu|n['’]ouvrez|soyez (?:prudent|vigilant|attentif)|prudence|no (?:haga|hagas) clic|no abr(?:a|as)|no pulse|(?:tenga|extreme) (?:cuidado|precauci)|precaución|não (?:clique|abra)|(?:tenha|tome) cuidado|non (?:cliccare|fare clic|aprire|aprite)|(?:prestare|fare) attenzione|massima attenzione",
    'klik niet|open geen|wees voorzichtig|klicka inte|öppna inte|var (?:försiktig|uppmärksam)|klik ikke|åbn ikke|vær (?:forsigtig|opmærksom|forsiktig|oppmerksom)|ikke (?:klik|åpne|åbn)|älä (?:klikkaa|avaa)|ole (?:varovainen|tarkkana)|nie (?:klikaj|otwieraj)|(?:zachowaj|zachować) ostrożność|neklikejte|neotv[íi]rejte|buďte opatrn|ne (?:kattintson|nyissa)|tıklamayın|açmayın|dikkatli ol|не (?:переходите|открывайте|нажимайте|відкривайте|натискайте)|будьте (?:осторожн|внимательн|обережн)|соблюдайте осторожность',
    'クリックし?ない|開かない|注意|慎重|请(?:勿|不要|谨慎|小心|注意)|請(?:勿|不要|謹慎|小心|注意)|谨防|주의|클릭하지|열지 마',
  ].join('|'),
  'u',
)
const alarm =
  /^[^\p{L}\p{N}]*(?:caution|warning|attention|alert|notice|be careful|achtung|vorsicht|warnung|avertissement|atención|precaución|advertencia|atenção|cuidado|aviso|attenzione|avviso|let op|waarschuwing|varning|obs|advarsel|varoitus|huomio|uwaga|ostrzeżenie|upozornění|pozor|figyelem|dikkat|uyarı|внимание|осторожно|увага|注意|警告|주의|경고)(?!\p{L})/u

/** "[EXTERNAL EMAIL]", with more words after it. */
const tagged = /^[[(*<{]{1,3}\s?extern/
/** Phrases for this message itself; a person's "outside" is about another message or a place. */
const thisMail = new RegExp(
  [
    "(?:this|the (?:following|attached)|present) (?:is an external |external |incoming |e-?mail )?(?:e-?mail|mail|message)|(?:this|the) sender|external (?:e-?mail|message) (?:warning|notice)|dies(?:e|er|es|em) (?:externe |eingehende )?(?:e-?mail|mail|nachricht|absender)|(?:ce|cet|cette) (?:e-?mail|mail|courriel|message|mél|expéditeur)|est[ea] (?:correo|e-?mail|mail|mensaje|mensagem|remitente|remetente)|quest[oa]['’]? ?(?:e-?mail|mail|messaggio)",
    'dez?e (?:e-?mail|mail)|dit (?:bericht|e-?mail)|det(?:ta|te) (?:mejl|mail|e-?post|meddeland|e-?post)\\p{L}*|den(?:ne|na|ne her) (?:mail|e-?mail|e-?post|besked|melding)\\p{L}*|tämä (?:viesti|sähköposti)|t[aę] (?:wiadomość|e-?mail)|ten e-?mail|tat[eo] (?:zpráva|správa)|tento (?:e-?mail)|ez (?:a levél|az? (?:e-?mail|üzenet))|bu (?:e-?posta|mesaj|ileti)|(?:это|данное|настоящее) (?:письмо|сообщение)|(?:це|цей) (?:лист|повідомлення)\\p{L}*',
    '(?:この|本)(?:電子)?(?:メール|メッセージ)|(?:此|该|該|本|这封|這封)(?:电子|電子)?(?:邮件|郵件)|이 ?(?:메일|이메일|메시지)',
  ].join('|'),
  'u',
)
/** Words for parts of a message, in advice below a note. */
const ofMail =
  /link|url|attach|anh[äa]ng|sender|absender|e-?mail|message|nachricht|pi[eè]ces? jointe|liens?\b|expéditeur|enlace|adjunt|remitente|anexo|remetente|allegat|mittente|bijlage|afzender|bilag|bilaga|avsändare|liite|linkk|załącz|nadawc|příloh|odes[ií]latel|melléklet|feladó|gönderen|ekler|bağlant|вложен|ссылк|отправител|вкладен|посилан|添付|リンク|送信者|附件|链接|鏈接|连结|連結|发件人|寄件|첨부|링크|발신자/u

/** "[EXTERNAL]", "*** External Email ***" */
const tag =
  /^(?:[^\p{L}\p{N}\s]{1,12}\s?extern(?:al|e|o|a|í)?(?: (?:e-?mail|sender|message|mail|absender|expéditeur))?\s?[^\p{L}\p{N}\s]{1,12}|this message is from an external sender|(?:this is an )?external (?:e-?mail|sender|message|mail))[\s.:!]*$/iu

/** Outlook's note above the first messages of a sender. */
const seldom =
  /^(?:some people who received this message don['’]t often get e-?mail from|you don['’]t often get e-?mail from|sie (?:erhalten|bekommen) nicht (?:oft|häufig) e-?mails? von|(?:einige personen|personen), die diese nachricht|vous n['’](?:obtenez|recevez) pas souvent d['’]e-?mails?|no (?:suele|sueles) recibir correos?|(?:você )?não (?:recebe|costuma receber) (?:frequentemente )?e-?mails?|non (?:si ricevono|ricevi) spesso|(?:u|je) ontvangt? niet vaak e-?mail|du får (?:inte|ikke) ofta?e? (?:e-post|mails?)|nie otrzymujesz często|не часто получаете|вы (?:не часто|нечасто) получаете|.{0,80} からメールを受け取ることはあまりありません|您(?:通常)?不(?:会|经常|常).{0,80}(?:邮件|郵件))/u

/**
 * Finds the end of notes that company servers put above external messages: "CAUTION: This email originated
 * from outside of the organization." A note names this message, its origin and advice; a person's text has
 * only one of these.
 *
 * @returns the index of the first line below; 0 if there is no such note, or nothing else
 */
export function endOfBanner(lines: readonly string[]): number {
  let end = 0
  for (let count = 0; count < maxBanners; count++) {
    const next = bannerAt(lines, nextWord(lines, end))
    if (next === 0) break
    end = next
  }
  if (end === 0) return 0
  while (end < lines.length && (!lines[end]!.trim() || isRule(lines[end]!))) end++
  return end < lines.length ? end : 0
}

function bannerAt(lines: readonly string[], start: number): number {
  const first = (lines[start] ?? '').slice(0, maxLength).trim()
  if (tag.test(first) || (first.includes('@') && seldom.test(first.toLowerCase())))
    return endOfReason(lines, start + 1)
  let said = ''
  for (let at = start; at < Math.min(lines.length, start + maxBannerLines); at++) {
    const line = lines[at]!.trim()
    if (!line || said.length + line.length >= maxLength) return 0
    said = `${said} ${line.toLowerCase()}`.trimStart()
    if (isWrapped(line, lines[at + 1])) continue
    if (isBanner(said)) return endOfAdvice(lines, at + 1)
  }
  return 0
}

/** Finds the end of the line right below a tag: "This message came from outside your organization." */
function endOfReason(lines: readonly string[], start: number): number {
  const said = (lines[start] ?? '').slice(0, maxLength).toLowerCase()
  return origin.test(said) && thisMail.test(said) ? endOfAdvice(lines, start + 1) : start
}

/** Finds the end of advice on separate lines below. */
function endOfAdvice(lines: readonly string[], start: number): number {
  let at = start
  while (at < start + 3 && isAdvice((lines[at] ?? '').slice(0, maxLength).toLowerCase())) at++
  return at
}

const isWrapped = (line: string, next: string | undefined): boolean =>
  line.length >= minWrapped && !/[.!?*\])>:。！]$/.test(line) && !!next?.trim()

const isAdvice = (said: string): boolean => advice.test(said) && ofMail.test(said)

/**
 * Returns whether words are such a note. People write "outside" and "be careful" as well, so alarm or advice
 * must be about this message, or both must occur.
 */
function isBanner(said: string): boolean {
  if (!origin.test(said)) return false
  const [isAlarm, hasAdvice] = [alarm.test(said) || tagged.test(said), isAdvice(said)]
  return thisMail.test(said) ? isAlarm || hasAdvice : isAlarm && hasAdvice
}

/** Returns the next line with a letter or a digit. */
function nextWord(lines: readonly string[], start: number): number {
  let at = start
  while (at < lines.length && !/[\p{L}\p{N}]/u.test(lines[at]!)) at++
  return at
}
