/** Mail of classes that real programs write, with what the person wrote in it. */

/** A text that passes another mail on: all of it is to be read. */
export interface Forwarded {
  subject: string
  text: string
}

const block = (labels: string, rule = '') => {
  const [from, sent, to, subject] = labels.split('|')
  return `${rule && `${rule}\n`}${from}: Ann Lee <ann@example.com>\n${sent}: Monday, 2 November 2026 10:00\n${to}: Bob Ray <bob@example.com>\n${subject}: Offer`
}
const english = 'From|Sent|To|Subject'
const letter = 'Dear Bob,\n\nhere is the offer: 40 pieces.\n\nAnn'
const underscores = '________________________________'

/** Prefixes of forwarded mail, each with the labels of its language. */
const subjects: [prefix: string, labels: string][] = [
  ['Fwd: ', english],
  ['FW: ', english],
  ['I: ', 'Da|Inviato|A|Oggetto'],
  ['Videresend: ', 'Fra|Sendt|Til|Emne'],
  ['Redir.: ', 'De la|Data|Către|Subiect'],
  ['VS: ', 'Fra|Sendt|Til|Emne'],
  ['WG: ', 'Von|Gesendet|An|Betreff'],
  ['TR : ', 'De|Envoyé|À|Objet'],
  ['RV: ', 'De|Enviado|Para|Asunto'],
  ['ENC: ', 'De|Enviada em|Para|Assunto'],
  ['VB: ', 'Från|Skickat|Till|Ämne'],
  ['VL: ', 'Lähettäjä|Lähetetty|Vastaanottaja|Aihe'],
  ['PD: ', 'Od|Wysłano|Do|Temat'],
]

const titles = [
  '-----Original Message-----',
  '-----Ursprüngliche Nachricht-----',
  "-----Message d'origine-----",
  '-----Mensaje original-----',
  '-----Messaggio originale-----',
  '-----Mensagem original-----',
  '-----Oorspronkelijk bericht-----',
  '-----Ursprungligt meddelande-----',
  '-----Alkuperäinen viesti-----',
  '-----Исходное сообщение-----',
  '---------- Edelleenlähetetty viesti ---------',
  '---------- Yönlendirilen ileti ---------',
  '---------- Továbbított üzenet ---------',
  'Start på videresendt besked:',
]

/** What persons tell of letters, boards and minutes, which reads as introductions of mail do: all of it is theirs. */
export const reported = [
  'Hello,\n\nin the attic I found her diary:\nOn Friday, 2 March 1951 she wrote:\n"The river is up again."\n\nShall I keep it?\nAnn',
  'Minutes of 2 Nov 2026\n\n09:00 Bob opened.\n09:10 Ann read what the owner wrote:\nno rent is due in May.\n09:30 End.',
  'Hallo,\n\nam 2.11.2026 um 10:00 schrieb ich es an die Tür:\nHeute geschlossen.\n\nAnna',
  'Hallo,\n\nAm 2. November 2026 schrieb der Rat:\nDer Platz bleibt frei.\n\nAnna',
  'Bonjour,\n\nLe 2 novembre 2026, le maire a écrit :\nla place reste libre.\n\nAnne',
  'Hola,\n\nEl 2 de noviembre de 2026 el dueño escribió:\nno hay agua.\n\nAna',
  'Selam,\n\n2 Kasım 2026 günü komşu kapıya şunu yazdı:\nSu yok.\n\nAyşe',
  'Dear Bob,\n\nOn Monday, 2 November 2026 the union wrote:\n\nWe will not strike.\n\nAnn',
  'Please fill in:\n\nName: ____________\nBorn: ___ / ___ / ____\n______________________\n(Signature)\n\nSend it by Friday.\nAnn',
  'Please sign on the line:\n\n______________________\n(date and name)\n\nThen send it back.',
  'Put this into the file:\n\n```\nFrom: "Bot" <bot@x.example>\nTo: team@x.example\nSubject: nightly\nDate: Mon, 2 Nov 2026 10:00:00 +0000\n```\n\nThen start it again.',
  'Put this into the file:\n\n```\nOld\n-- \nNew\n```\n\nThen start it again.',
  'Hi,\n\nas on 3 May 2024 10:00, Bob Lee wrote:\nSQL> drop table x\nSQL> commit\n\nThis was run. Why?',
  'It is in the log.\n\nOn 3 May 2024 10:00, Bob Lee wrote:\n\nSQL> drop table x\nSQL> commit\n\nThis was run. Why?',
  'Dear all,\n\nOn 3 March 2024 at 10:15, you wrote:\n\nthat the roof would be repaired. It is not. Please act.',
  'Dear all,\n\nAnn wrote (3 May 2024, 10:15):\n\nthe roof leaks. Please send someone.',
  'Guten Tag,\n\nam 3. März 2024 schrieb Herr Müller:\n\nDie Heizung bleibt aus.\n\nWas nun?',
  'Guten Tag\n\nAm 3. März 2024 um 10:15 schrieb Herr Müller:\n\nDie Heizung bleibt aus.\n\nWas nun?',
  'Es ist kalt.\n\nIm Schreiben vom 3.5.2024 schrieb Frau Dr. Berger:\n\nDie Heizung geht.',
  'Es ist kalt.\n\nAm 03.05.2024 schrieb Frau Berger:\n\nDie Heizung geht.',
  'Il pleut.\n\nLe 3 mars 2024, Victor Hugo a écrit :\n\nil fait beau.',
  'The letters are found.\n\nOn 5 May 1945, Otto wrote:\n\nIt is over.',
]

export const forwards: Forwarded[] = [
  ...subjects.map(([prefix, labels]) => ({
    subject: `${prefix}Offer`,
    text: `FYI\n\n${block(labels, underscores)}\n\n${letter}`,
  })),
  ...subjects.map(([prefix, labels]) => ({
    subject: `${prefix}Offer`,
    text: `Please have a look.\n\n-- \nCy\n\n${block(labels, '-------------------')}\n\n${letter}\n\n-- \nAnn Lee`,
  })),
  {
    subject: 'Offer',
    text: `See below.\n\n> Begin forwarded message:\n>\n> ${block(english).replaceAll('\n', '\n> ')}\n>\n> 40 pieces.`,
  },
  ...titles.map((title) => ({ subject: 'Offer', text: `${title}\n${block(english)}\n\n${letter}` })),
  { subject: 'Offer', text: `${block(english, underscores)}\n\n${letter}` },
  { subject: 'RE: Offer', text: `${block(english)}\n\n${letter}\n\n${block(english, underscores)}\n\nOlder` },
  { subject: '[Fwd: Offer]', text: `-------- Original Message --------\n${block(english)}\n\n${letter}` },
  {
    subject: 'Offer (fwd)',
    text: `See below.\n\n---------- Forwarded message ----------\n${block(english)}\n\n${letter}`,
  },
]

/** A text and what its writer wrote now, by class. */
export interface Written {
  text: string
  wanted: string
}

const answer = 'Yes, at eight.\n\nShall I bring anything?'
const quoted = '> Can you come?\n> Ann'
const on = 'On Mon, 2 Nov 2026 at 10:00, Ann Lee <ann@example.com> wrote:'
const below = (lines: readonly string[], write: (one: string) => string): Written[] =>
  lines.map((one) => ({ text: write(one), wanted: answer }))

const footers = [
  '---\nYou are receiving this message because you are subscribed to the list talk.',
  '-\nTo unsubscribe from this list: send the line "unsubscribe talk" in\nthe body of a message to majordomo@lists.example',
  '---\nTo unsubscribe, e-mail: talk-unsubscribe@lists.example\nFor additional commands, e-mail: talk-help@lists.example',
  '__\ntalk mailing list\ntalk@lists.example\nhttps://lists.example/mailman/listinfo/talk',
  '=====\nTo unsubscribe send a mail to talk-request@lists.example',
  '***\nMailing list: https://lists.example/talk',
  '--\nYou received this message because you are subscribed to the Google Groups "talk" group.\nTo unsubscribe from this group and stop receiving emails from it, send an email to talk+unsubscribe@googlegroups.com.',
  '-=-=-=-\nGroups.io Links: You receive all messages sent to this group.\nView/Reply Online (#12): https://groups.io/g/talk/message/12',
  '---\nSie erhalten diese Nachricht, weil Sie die Liste talk abonniert haben.',
  '---\nVous recevez ce message car vous êtes inscrit à la liste talk.',
  '----\nHas recibido este mensaje porque estás suscrito al grupo talk.',
  '---\nвы получили это сообщение, поскольку подписаны на группу talk.',
  '_______________________________________________\ntalk mailing list -- talk@lists.example\nTo unsubscribe send an email to talk-leave@lists.example',
]

const markers = [
  '##- Please type your reply above this line -##',
  '--- Reply above this line ---',
  '-- reply above this line --',
  '=-=-=-= Please reply above this line =-=-=-=',
  '##- Bitte geben Sie Ihre Antwort oberhalb dieser Linie ein -##',
  '##- Veuillez répondre au-dessus de cette ligne -##',
  '##- Por favor, responda por encima de esta línea -##',
  '##- Per favore rispondi sopra questa riga -##',
  '##- Por favor, responda acima desta linha -##',
  '##- Typ uw antwoord boven deze lijn -##',
  '##- Пожалуйста, введите ответ выше этой строки -##',
  '##- Proszę odpowiedzieć powyżej tej linii -##',
  '##- この行より上に返信を記入してください -##',
  '##- 请在此行上方输入您的回复 -##',
]

const devices = [
  'Get Outlook for iOShttps://aka.ms/o0ukef',
  'Sent from Yahoo Mail on Android https://go.onelink.me/107872968',
  'Sent from Outlook for Android<https://aka.ms/AAb9ysg>',
  'Sent from Mail<https://go.microsoft.com/fwlink/?LinkId=550986> for Windows',
  'Sent from Workspace ONE Boxer',
  'Sent with Spark',
  'Sent via Superhuman ( https://sprh.mn/?vip=x )',
  'Sent on the go',
  'Sent on the move from my iPad',
  'Typed on my phone, please excuse typos',
  'Written on my phone',
  'Dictated with Siri',
  'Sent while mobile',
]

const twoLines = [
  'Envoyé de mon Galaxy\nOrange',
  'Envoyé depuis mon appareil mobile Samsung\nBouygues Telecom',
  'Sent from my Galaxy\nT-Mobile',
  'Von meinem Galaxy gesendet\nGalaxy S23 Ultra',
  'Sent from my mobile device\nAT&T',
  'Sent with Tuta; enjoy secure & ad-free emails:\nhttps://tuta.com',
  'Gesendet mit Tuta; ein sicheres, werbefreies E-Mail-Postfach:\nhttps://tuta.com/free-email',
  'Sent from Outlook for Android, the mobile one:\nhttps://aka.ms/AAb9ysg',
  '<<sent from my Galaxy>>',
  '\u202bأُرسلت من الـ iPhone\u202c\n\u200b',
  'Az iPhone-omról küldve',
  'Sent from Yahoo Mail: Search, Organize, Conquer',
  'Sent from my iPhone, please excuse typos\nhttps://example.net',
]

/** Marks that show nothing, as writing from right to left, tracking and programs leave them. */
const unseen = [
  '\u1427',
  '\u200b',
  '\u200e',
  '\ufeff',
  '\u200b\u200b',
  ' \u2060',
  '\u00ad',
  '\u061c',
  '\u202b\u202c',
  '\u00a0',
]

const cards = [
  '—————',
  '-----',
  '_____',
  '=======',
  '*****',
  '---',
  '________',
  '___',
  '––––––––––',
  '- ---- -',
].map(
  (rule, at) =>
    `${rule}\nBob Ray\nHead of Sales${at % 2 ? ', ACME' : ''}\n${at % 3 ? '+49 40 123 45 67' : 'bob@example.com'}`,
)

const drawnMarkers = [
  '>> Please reply above this line <<',
  '>>> Reply above this line <<<',
  '> Reply above this line <',
  '##- Wpisz odpowiedź powyżej tej linii -##',
  '##- Kérjük, e sor fölé írja a válaszát -##',
  '##- Vui lòng nhập phản hồi của bạn phía trên dòng này -##',
  '##- Introduceți răspunsul deasupra acestei linii -##',
  '##- Πληκτρολογήστε την απάντησή σας πάνω από αυτή τη γραμμή -##',
  '##- Harap ketik balasan Anda di atas baris ini -##',
  '—-—-—-—\nReply above this line.',
  '--- Reply ABOVE THIS LINE to add a comment ---',
  'Write ABOVE THIS LINE to post a reply or view this on Basecamp',
  'Please reply above this line to respond to the ticket.',
]

/** Introductions that people chose or that programs write in further languages, above marks of a quote. */
const chosen = [
  '[Ann Lee]',
  '[Ann Lee <ann@example.com>]:',
  "[Ann O'Lee-Ray]:",
  'Also sprach Ann Lee:',
  'Thus spake Ann Lee (ann@example.com):',
  'Dixit Ann Lee:',
  'Nov 2, 2026, 10:00 by ann@example.com:',
  'Ann Lee igorleak hau idatzi du (2026 aza. 2, 10:00):',
  'O lun, 2 nov 2026 ás 10:00, Ann Lee (<ann@example.com>) escribiu:',
  'Mnamo Jtt, 2 Nov 2026 10:00 Ann Lee <ann@example.com> aliandika:',
]

/** First lines of a person that look as introductions begin, which stand apart. */
const alike = [
  'Ja, um 9:30.',
  'Ja, um 9:30',
  'Si, va bene: ci vediamo lunedì alle 9:30.',
  'On 3 May 2026, as said.',
  'At 9:30 then',
  'Le 3/5/2026 me va',
  '2026-05-03 it is',
  'Am 3.5.2026 passt es mir.',
  'El 3/5/2026, claro!',
  'At 9:30, ask Ann',
]

const trackerHeads = [
  'annlee left a comment (acme/tool#123)',
  'ann-lee left a comment (acme/tool.js#7)',
  '@annlee commented on this pull request.',
  '@annlee approved this pull request.',
  '@annlee requested changes on this pull request.',
  'copilot[bot] left a comment (acme/tool#12)',
].flatMap((head) => [head, `\n${head}`])

const broken = [
  'On Mon, 2 Nov 2026 at 10:00, Ann Lee\n\n<ann@example.com> wrote:',
  'On Mon, 2 Nov 2026 at 10:00,\n\nAnn Lee <ann@example.com> wrote:',
  'On 2 November 2026 10:00:00 GMT, Ann Lee\n\n<ann@example.com>\n\nwrote:',
  'Am Mo., 2. Nov. 2026 um 10:00 Uhr schrieb Ann Lee\n\n<ann@example.com>:',
  'Le lun. 2 nov. 2026 à 10:00, Ann Lee\n\n<ann@example.com> a écrit :',
  'El lun, 2 nov 2026 a las 10:00, Ann Lee\n\n(<ann@example.com>) escribió:',
  'Em seg., 2 de nov. de 2026 às 10:00, Ann Lee\n\n<ann@example.com> escreveu:',
  'Il giorno lun 2 nov 2026 alle ore 10:00 Ann Lee\n\n<ann@example.com> ha scritto:',
  'Op ma 2 nov 2026 om 10:00 schreef Ann Lee\n\n<ann@example.com>:',
  'Den mån 2 nov. 2026 kl 10:00 skrev Ann Lee\n\n<ann@example.com>:',
]

const bare = [
  'Ann Lee <ann@example.com> 2 Nov 2026 10:00',
  'Ann Lee <ann@example.com>, 2026-11-02 10:00',
  '2026-11-02 10:00 Ann Lee <ann@example.com>',
  'ann@example.com, 02.11.2026 10:00',
  'ann@example.com 11/02/2026 10:00 AM',
  '02/11/2026 10:00, ann@example.com',
  'From ann@example.com, Mon, 2 Nov 2026',
  'Mon, Nov 2, 2026 at 10:00 AM, ann@example.com',
  '[02.11.2026 10:00] ann@example.com',
  'ann@example.com - 2. November 2026 - 10:00',
]

const wrapped = Array.from({ length: 10 }, (_, at) => {
  const long = `> This line of the mail that is answered is as long as a program lets it be, so it ${'x'.repeat(at % 3)}`
  return at % 2
    ? `${long}\nwraps here\n> and goes on\n> ${'and on '.repeat(at)}`
    : `> Hello Bob,\n${long}\nwraps once more\n> and goes on, with more of the same that is long enough to be\nwrapped`
})

const pages = [
  'class="gmail_signature" data-smartmail="gmail_signature"',
  'class="x_gmail_signature"',
  'class="moz-signature"',
  'id="Signature"',
  'id="x_Signature"',
  'id="ms-outlook-mobile-signature" class="ms-outlook-mobile-signature"',
  'class="protonmail_signature_block protonmail_signature_block-user"',
  'class="ydpb8d3f1c4signature"',
  'class="yahoo_signature"',
  'class="apple-mail-signature"',
  'class="zimbra_signature"',
]

/** HTML with a signature that only its name shows. */
export const signedPages: Written[] = pages.map((attributes) => ({
  text: `<div>Yes, at eight.</div><div><br></div><div>Shall I bring anything?</div><div><br></div><div ${attributes}><div>Bob Ray</div><div>Head of Sales, <b>ACME</b></div></div><br><div class="gmail_quote"><div>${on.replace('<', '&lt;').replace('>', '&gt;')}</div><blockquote class="gmail_quote">Can you come?</blockquote></div>`,
  wanted: answer,
}))

export const written: Record<string, Written[]> = {
  'footers of lists': below(footers, (one) => `${answer}\n\n${one}\n`),
  'footers of lists below a signature': below(footers, (one) => `${answer}\n\n-- \nBob Ray\n\n${one}\n`),
  'quotes that were wrapped': below(wrapped, (one) => `${answer}\n\n${on}\n${one}\n`),
  'introductions broken over empty lines': below(broken, (one) => `${answer}\n\n${one}\n\n${quoted}\n`),
  'an address and a date above a quote': below(bare, (one) => `${answer}\n\n${one}\n${quoted}\n`),
  'lines of apps': below(devices, (one) => `${answer}\n\n${one}\n`),
  'lines of help desks': below(
    markers,
    (one) => `${answer}\n\n${one}\n\nYour request (1234) has been updated.\n\nAnn\n`,
  ),
  'marker lines however they are drawn': below(
    drawnMarkers,
    (one) => `${answer}\n\n${one}\n\nYour request (1234) has been updated.\n\nAnn\n`,
  ),
  'lines of apps that show more than one thing': below(twoLines, (one) => `${answer}\n\n${one}\n`),
  'lines that show nothing': below(unseen, (one) => `${answer}\n\n${one}\n\nSent from my iPhone\n${one}\n`),
  'cards below a rule': below(cards, (one) => `${answer}\n\n${one}\n`),
  'introductions that people chose': below(chosen, (one) => `${answer}\n\n${one}\n${quoted}\n`),
  'introductions below lines that begin as these do': alike.flatMap((one) =>
    [
      `${one}\n\n${on}\n\n${quoted}\n`,
      `${one}\n\nSent from my iPhone\n\n${on}\n\nCan you come?\nAnn\n`,
      `${one}\n\n> ${on}\n>\n${quoted}\n`,
      `${one}\n\nSent from my iPhone\n\n> ${on}\n> \n${quoted}\n`,
    ].map((text) => ({ text, wanted: one })),
  ),
  'links about what programs say of themselves': below(
    [
      '<https://www.avast.com/sig-email?utm_medium=email>\nVirus-free.www.avast.com\n<https://www.avast.com/sig-email?utm_medium=email>',
      'https://www.avg.com/email-signature\nVirus-free. www.avg.com',
      'Virus-free.www.avast.com\n<https://www.avast.com/sig-email>',
    ],
    (one) => `${answer}\n\n${one}\n\n${on}\n${quoted}\n`,
  ),
  'no link that a person sends above such a line': [
    'See\n\nhttps://www.google.com/maps/x\nhttps://www.apple.com/y',
    'You need this download:\nhttps://www.avast.com/free\nhttps://www.avg.com/free',
    'You need this download:\n\nhttps://www.avast.com/free',
    'You need this download\nhttps://www.avast.com/free',
  ].map((one) => ({ text: `${one}\nSent from my iPhone\n`, wanted: one })),
  'rules above what lawyers add': below(
    ['----------', '_____________________', '='.repeat(70)],
    (one) =>
      `${answer}\n\n${one}\nThis e-mail is confidential and intended solely for the addressee. If you are not the intended recipient, please delete it.\n`,
  ),
  'quotes marked with initials': below(
    ['AL> Can you come?\nAL> Ann', ' AL> Can you come?\n AL>\n AL> Ann'],
    (one) => `${answer}\n\nMonday, November 2, 2026, 10:00:00 AM, you wrote:\n\n${one}\n`,
  ),
  'quotes marked with the initials of who is named': below(
    ['AL> Can you come?\nAL> Ann', ' AL> Can you come?\n AL>\n AL> Ann'],
    (one) => `${answer}\n\nOn Monday, November 2, 2026, 10:00 AM, Ann Lee wrote:\n${one}\n`,
  ),
  'the heads of comments in trackers': below(
    trackerHeads,
    (one) =>
      `${one}\n\n${answer}\n\n-- \nReply to this email directly or view it on GitHub:\nhttps://github.com/a/b\n`,
  ),
}
