import type { Reply } from './programs'

/** The person's words, the introduction or head of the program, and the quote below. */
const above = (program: string, wanted: string, below: string): Reply => ({
  program,
  text: `${wanted}\n\n${below}`,
  wanted,
})

/** Replies of other manners than those of `programs.ts`, written without a look at what is known. */
export const plainReplies: readonly Reply[] = [
  above(
    'Gmail, Afrikaans',
    'Dankie, dit werk vir my.',
    'Op Ma. 03 Mrt. 2025 om 10:00 het Jonas Berg <jonas@berg.example> geskryf:\n\n> Donderdag?\n>',
  ),
  above(
    'Gmail, Swahili',
    'Asante, nitakuja.',
    'Mnamo Jtt, 3 Mac 2025 saa 10:00 Jonas Berg <jonas@berg.example> aliandika:\n\n> Alhamisi?\n>',
  ),
  above(
    'Gmail, Filipino',
    'Sige po, salamat.',
    'Noong Lun, Mar 3, 2025 nang 10:00 AM, isinulat ni Jonas Berg <\njonas@berg.example> ang sumusunod:\n\n> Huwebes?\n>',
  ),
  above(
    'Gmail, Malay',
    'Boleh, terima kasih.',
    'Pada Isn, 3 Mac 2025 10:00 PG Jonas Berg <jonas@berg.example> menulis:\n\n> Khamis?\n>',
  ),
  above(
    'Gmail, Catalan',
    'Perfecte!',
    'Missatge de Jonas Berg <jonas@berg.example> del dia dl., 3 de març 2025 a\nles 10:00:\n\n> Dijous?\n>',
  ),
  above(
    'Gmail, Catalan, a longer name',
    'Dimarts no, dijous sí.',
    'Missatge de Jonas Berg\n<jonas@berg.example> del dia dl., 3 de març 2025 a les 10:00:\n\n> Dijous?\n>',
  ),
  above(
    'Gmail, Basque',
    'Ados, eskerrik asko.',
    'Jonas Berg <jonas@berg.example> erabiltzaileak hau idatzi du (2025 mar. 3,\nal. (10:00)):\n\n> Osteguna?\n>',
  ),
  above(
    'Gmail, Galician',
    'De acordo.',
    'O Lun, 3 de mar. de 2025 ás 10:00, Jonas Berg (<jonas@berg.example>)\nescribiu:\n\n> O xoves?\n>',
  ),
  above(
    'Gmail, Icelandic',
    'Já, það hentar.',
    'mán., 3. mar. 2025 kl. 10:00 Jonas Berg <jonas@berg.example> skrifaði:\n\n> Fimmtudagur?\n>',
  ),
  above(
    'Gmail, Estonian',
    'Sobib küll.',
    'Kuupäev E, 3. märts 2025 kell 10:00 kirjutas Jonas Berg (<jonas@berg.example>):\n\n> Neljapäev?\n>',
  ),
  above(
    'Gmail, Latvian',
    'Jā, der.',
    'pirmd., 2025. g. 3. marts, plkst. 10:00 — lietotājs Jonas Berg (<\njonas@berg.example>) rakstīja:\n\n> Ceturtdien?\n>',
  ),
  above(
    'Gmail, Lithuanian',
    'Tinka.',
    '2025-03-03, pr, 10:00 Jonas Berg <jonas@berg.example> rašė:\n\n> Ketvirtadienį?\n>',
  ),
  above(
    'Gmail, Slovene',
    'V redu.',
    'V V pon., 3. mar. 2025 ob 10:00 je oseba Jonas Berg <jonas@berg.example>\nnapisala:\n\n> Četrtek?\n>',
  ),
  above(
    'Gmail, Serbian',
    'Може, видимо се.',
    'пон, 3. мар 2025. у 10:00 Jonas Berg <jonas@berg.example> је написао/ла:\n\n> Четвртак?\n>',
  ),
  above(
    'Gmail, Macedonian',
    'Може, се гледаме.',
    'На пон., 3 мар. 2025 г. во 10:00 Jonas Berg <jonas@berg.example> напиша:\n\n> Четврток?\n>',
  ),
  above(
    'Gmail, Slovak',
    'Áno, platí.',
    'po 3. 3. 2025 o 10:00 Jonas Berg <jonas@berg.example> napísal(a):\n\n> Štvrtok?\n>',
  ),
  above(
    'Gmail, Georgian',
    'კარგი, მადლობა.',
    'ორშ, 3 მარ. 2025, 10:00-ზე Jonas Berg <jonas@berg.example>-მა დაწერა:\n\n> ხუთშაბათს?\n>',
  ),
  above(
    'Gmail, Armenian',
    'Լավ, շնորհակալություն:',
    'Երկ, 3 մրտ, 2025 թ․, 10:00-ին Jonas Berg <jonas@berg.example>-ը գրել է․\n\n> Հինգշաբթի՞\n>',
  ),
  above(
    'Gmail, Bengali',
    'ঠিক আছে, ধন্যবাদ।',
    'সোম, ৩ মার্চ, ২০২৫ তারিখে ১০:০০ AM টায় Jonas Berg <jonas@berg.example> লিখেছেন:\n\n> বৃহস্পতিবার?\n>',
  ),
  above(
    'Gmail, Telugu',
    'సరే, ధన్యవాదాలు.',
    '3 మార్చి, 2025, సోమ 10:00 AMకి, Jonas Berg <jonas@berg.example> ఇలా రాసారు:\n\n> గురువారం?\n>',
  ),
  above(
    'Gmail, Urdu',
    'ٹھیک ہے، شکریہ۔',
    'پیر، 3 مارچ، 2025 کو 10:00 AM پر Jonas Berg <jonas@berg.example> نے لکھا:\n\n> جمعرات؟\n>',
  ),
  above(
    'Gmail, Burmese',
    'ဟုတ်ကဲ့၊ ကျေးဇူးတင်ပါတယ်။',
    '3 မတ် 2025၊ တနင်္လာ 10:00 တွင် Jonas Berg <jonas@berg.example> က ရေးခဲ့သည်:\n\n> ကြာသပတေး?\n>',
  ),
  above(
    'Gmail, Khmer',
    'បាទ អរគុណ។',
    'នៅ ថ្ងៃច័ន្ទ ទី3 ខែមីនា ឆ្នាំ2025 វេលាម៉ោង 10:00 Jonas Berg <jonas@berg.example> បានសរសេរ:\n\n> ថ្ងៃព្រហស្បតិ៍?\n>',
  ),
  above(
    'Gmail, Amharic',
    'እሺ፣ አመሰግናለሁ።',
    'በ ሰኞ፣ 3 ማርች 2025 በ10:00 Jonas Berg <jonas@berg.example> ጽፏል:\n\n> ሐሙስ?\n>',
  ),
  above(
    'Gmail, Mongolian',
    'За, баярлалаа.',
    '2025 оны 3-р сарын 3, Да 10:00 цагт Jonas Berg <jonas@berg.example> бичсэн:\n\n> Пүрэв?\n>',
  ),
  above(
    'Gmail, Portuguese of Portugal',
    'Certo, até lá.',
    'Jonas Berg <jonas@berg.example> escreveu (segunda, 3/03/2025 à(s) 10:00):\n\n> Quinta?\n>',
  ),
  above(
    'OX App Suite, German',
    'Das passt uns gut.',
    'Jonas Berg <jonas@berg.example> hat am 03.03.2025 10:00 CET geschrieben:\n\n\nDonnerstag?',
  ),
  above(
    'OX App Suite, English',
    'That suits us.',
    '> On 03/03/2025 10:00 CET Jonas Berg <jonas@berg.example> wrote:\n> \n>  \n> Thursday?',
  ),
  above(
    'GroupWise',
    'Room 12 is free.',
    '>>> Jonas Berg <jonas@berg.example> 03.03.2025 10:00 >>>\nWhich room?',
  ),
  above(
    'AOL',
    'Thank you so much!',
    '-----Original Message-----\nFrom: Jonas Berg <jonas@berg.example>\nTo: marta@aol.example\nSent: Mon, Mar 3, 2025 10:00 am\nSubject: Photos\n\n\nHere they are.',
  ),
  above(
    'AT&T webmail',
    'Thanks, paid.',
    '    On Monday, March 3, 2025 at 10:00:00 AM CST, Jonas Berg <jonas@berg.example> wrote:  \n\n Please pay.',
  ),
  above(
    'Comcast',
    'See you Sunday.',
    '> On 03/03/2025 10:00 AM EST Jonas Berg <jonas@berg.example> wrote:\n> \n> Sunday?',
  ),
  above(
    'T-Online',
    'Danke, angekommen.',
    '-----Original-Nachricht-----\nBetreff: Paket\nDatum: 2025-03-03T10:00:00+0100\nVon: "Jonas Berg" <jonas@berg.example>\nAn: "marta@t.example" <marta@t.example>\n\nIst es da?',
  ),
  above(
    'freenet',
    'Ja, alles gut.',
    '---- Ursprüngliche Nachricht ----\nVon: Jonas Berg <jonas@berg.example>\nDatum: 03.03.2025 10:00:00\nAn: marta@freenet.example\nBetreff: Frage\n\nAlles gut?',
  ),
  above(
    'La Poste',
    "Bonjour,\nc'est bien reçu.",
    '> Message du 03/03/25 à 10:00\n> De : "Jonas Berg" <jonas@berg.example>\n> A : "claire" <claire@laposte.example>\n> Objet : Colis\n> \n> Reçu ?',
  ),
  above(
    'SFR',
    'Bien reçu, merci.',
    '========================================\n\nMessage du : 03/03/2025 à 10:00\nDe : "Jonas Berg" <jonas@berg.example>\nA : claire@sfr.example\nSujet : Colis\n\nReçu ?',
  ),
  above(
    'Virgilio',
    'Ricevuto, grazie.',
    '----Messaggio originale----\nDa: jonas@berg.example\nData: 3-mar-2025 10.00\nA: <giulia@virgilio.example>\nOgg: Pacco\n\nArrivato?',
  ),
  above(
    'Terra, Portuguese',
    'Recebido, obrigada.',
    'Em Seg 03/03/25 10:00, Jonas Berg jonas@berg.example escreveu:\n\nChegou?',
  ),
  above(
    'UOL',
    'Recebi sim.',
    '-----Mensagem Original-----\nDe: Jonas Berg\nPara: bruna@uol.example\nData: 03/03/2025 10:00:00\nAssunto: Pacote\n\nChegou?',
  ),
  above(
    'Rambler',
    'Получила, спасибо.',
    '03.03.2025, 10:00, Jonas Berg <jonas@berg.example> написал(а):\n\nПолучили?',
  ),
  above(
    'ukr.net',
    'Отримала, дякую.',
    '--- Оригінальне повідомлення ---\nВід кого: "Jonas Berg" <jonas@berg.example>\nДата: 3 березня 2025, 10:00:00\n\nОтримали?',
  ),
  above(
    'i.ua',
    'Так, все добре.',
    '---Вихідне повідомлення---\nВід: Jonas Berg <jonas@berg.example>\nДо: olena@i.example\nДата: 3 березня 2025, 10:00\nТема: Пакунок\n\nВсе добре?',
  ),
  above(
    'Onet',
    'Odebrałam, dziękuję.',
    'W dniu 2025-03-03 10:00:00 użytkownik Jonas Berg <jonas@berg.example> napisał:\n> Odebrałaś?',
  ),
  above(
    'Interia',
    'Dotarło.',
    '---\nOd: "Jonas Berg" <jonas@berg.example>\nDo: anna@interia.example;\nWysłane: 10:00 Poniedziałek 2025-03-03\nTemat: Paczka\n\nDotarło?',
  ),
  above(
    'Centrum.cz',
    'Přišlo, děkuji.',
    '______________________________________________________________\n> Od: "Jonas Berg" <jonas@berg.example>\n> Komu: jana@centrum.example\n> Datum: 03.03.2025 10:00\n> Předmět: Balík\n>\n> Přišlo?',
  ),
  above('Freemail.hu', 'Megjött, köszönöm.', 'Jonas Berg <jonas@berg.example> írta:\n>Megjött?'),
  above(
    'Citromail',
    'Igen.',
    '----- Eredeti üzenet -----\nFeladó: Jonas Berg <jonas@berg.example>\nCímzett: eszter@c.example\nDátum: 2025. március 3. 10:00\nTárgy: Csomag\n\nMegjött?',
  ),
  above(
    'Abv.bg',
    'Да, получих го.',
    '>-------- Оригинално писмо --------\n>От: Jonas Berg jonas@berg.example\n>Относно: Пакет\n>До: maria@abv.example\n>Изпратено на: 03.03.2025 10:00\n\nПолучихте ли го?',
  ),
  above(
    'Sina',
    '已收到，谢谢。',
    '----- 原始邮件 -----\n发件人：Jonas Berg <jonas@berg.example>\n收件人：wang@sina.example\n主题：包裹\n日期：2025年03月03日 10点00分\n\n收到了吗？',
  ),
  above(
    '139',
    '好的。',
    '----邮件原文----\n发件人："Jonas Berg" <jonas@berg.example>\n收件人：wang <wang@139.example>\n抄　送： (无)\n发送时间：2025-03-03 10:00:00\n主题：包裹\n\n收到了吗？',
  ),
  above(
    'Alibaba Mail',
    '已经安排发货了。',
    '------------------------------------------------------------------\n发件人：Jonas Berg <jonas@berg.example>\n发送时间：2025年3月3日(星期一) 10:00\n收件人：王芳 <wang@alibaba.example>\n主　题：发货\n\n什么时候发货？',
  ),
  above(
    'Tencent Exmail',
    '好的，明天给您。',
    '------------------ Original ------------------\nFrom:  "Jonas Berg"<jonas@berg.example>;\nDate:  Mon, Mar 3, 2025 10:00 AM\nTo:  "wang"<wang@ex.example>;\nSubject:  报价\n\n报价好了吗？',
  ),
  above(
    'docomo',
    '了解しました！',
    '---元のメッセージ---\nFrom: Jonas Berg\nTo: hanako@docomo.example\n\n明日でいい？',
  ),
  above(
    'Shuriken, Japanese',
    'ありがとうございます。確認します。',
    'Jonas Berg さんは書きました (2025/03/03 10:00):\n> 送りました。',
  ),
  above(
    'Gmail Japanese, old',
    'はい、大丈夫です。',
    '2025年3月3日 10:00 Jonas Berg <jonas@berg.example>:\n> 大丈夫ですか。',
  ),
  above(
    'Nate',
    '감사합니다, 잘 받았습니다.',
    '---------[ 받은 메일 내용 ]---------\n제목 : 자료\n날짜 : 2025년 3월 3일 월요일, 10시 00분 00초 +0900\n보낸이 : "Jonas Berg" <jonas@berg.example>\n받는이 : minji@nate.example\n\n자료입니다.',
  ),
  above(
    'Outlook, Serbian Latin',
    'Važi, vidimo se.',
    'Od: Jonas Berg <jonas@berg.example>\nPoslato: ponedeljak, 3. mart 2025. 10:00\nKome: Ana <ana@a.example>\nTema: Sastanak\n\nČetvrtak?',
  ),
  above(
    'Outlook, Slovak',
    'Súhlasím.',
    'Od: Jonas Berg <jonas@berg.example>\nOdoslané: pondelok 3. marca 2025 10:00\nKomu: Zuzana <zuzana@z.example>\nPredmet: Stretnutie\n\nŠtvrtok?',
  ),
  above(
    'Outlook, Malay',
    'Baik, terima kasih.',
    'Daripada: Jonas Berg <jonas@berg.example>\nDihantar: Isnin, 3 Mac 2025 10:00\nKepada: Siti <siti@s.example>\nSubjek: Mesyuarat\n\nKhamis?',
  ),
  above(
    'Outlook, Persian',
    'باشه، ممنون.',
    'از: Jonas Berg <jonas@berg.example>\nارسال شده: دوشنبه, مارس 3, 2025 10:00 ق.ظ\nبه: سارا <sara@s.example>\nموضوع: جلسه\n\nپنجشنبه؟',
  ),
  above(
    'Outlook, Hindi',
    'ठीक है, धन्यवाद।',
    'From: Jonas Berg <jonas@berg.example>\nSent: 03 मार्च 2025 10:00\nTo: प्रिया <priya@p.example>\nSubject: बैठक\n\nगुरुवार?',
  ),
  above(
    'Outlook, Basque',
    'Ados.',
    'Nork: Jonas Berg <jonas@berg.example>\nBidalita: astelehena, 2025(e)ko martxoaren 3a 10:00\nNori: Ane <ane@a.example>\nGaia: Bilera\n\nOsteguna?',
  ),
  above(
    'Outlook, Spanish, on behalf',
    'Recibido, gracias.',
    'De: Soporte <soporte@berg.example> En nombre de Jonas Berg\nEnviado el: lunes, 3 de marzo de 2025 10:00\nPara: Ines Roca <ines@roca.example>\nCC: Per Holm\nAsunto: Paquete\n\n¿Recibido?',
  ),
  above(
    'Outlook, French, sent by a group',
    'Bien reçu.',
    'De : equipe@berg.example <equipe@berg.example> De la part de Jonas Berg\nEnvoyé : lundi 3 mars 2025 10:00\nÀ : Claire Petit\nCc : Per Holm\nObjet : Colis\nImportance : Haute\n\nReçu ?',
  ),
  above(
    'Outlook, encrypted note in the block',
    'Will do.',
    'From: Jonas Berg <jonas@berg.example>\nSent: Monday, March 3, 2025 10:00 AM\nTo: Marta\nSubject: [EXTERNAL] Re: plan\n\nCAUTION: This email originated from outside of the organization.\n\nPlease do.',
  ),
  above(
    'Salesforce',
    'The serial number is 5512.',
    '--------------- Original Message ---------------\nFrom: Acme Support [support@acme.example]\nSent: 3/3/2025, 10:00 AM\nTo: marta@muster.example\nSubject: Case 4412 [ ref:_00D1.5001:ref ]\n\nWhat is the serial number?\n\nref:_00D1.5001:ref',
  ),
  above(
    'ServiceNow',
    'Please reopen it.',
    'From: Acme IT <it@acme.example>\nSent: Monday, March 3, 2025 10:00\nTo: Marta\nSubject: INC0044120 resolved\n\nYour incident was resolved.\n\nRef:MSG1234567',
  ),
  above(
    'Intercom',
    'Yes, the second one please.',
    'On Mon, Mar 3, 2025 at 10:00 AM, "Jonas from Acme" <jonas@acme.intercom-mail.example> wrote:\n\n> Which plan?\n>\n> intercom\n> Powered by Intercom',
  ),
  above(
    'Basecamp',
    'Looks good to me.',
    'On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg (Basecamp) <notifications@3.basecamp.example> wrote:\n\n> Write ABOVE THIS LINE to post a reply or View this on Basecamp\n> <https://3.basecamp.example/1>\n>',
  ),
  above(
    'Trello',
    'Moved it to done.',
    'On Mon, Mar 3, 2025 at 10:00 AM, Trello <do-not-reply@trello.example> wrote:\n\n> Jonas Berg commented on the card Launch\n> Reply to this email to post a comment\n>',
  ),
  above('RT', 'It still fails.', 'On Mon Mar 03 10:00:00 2025, jonas wrote:\n> Try again please.'),
  above(
    'Redmine',
    'Fixed in r4412.',
    '-- Reply above this line --\n\nIssue #4412 has been updated by Jonas Berg.\n\nStatus changed from New to Assigned',
  ),
  above(
    'Asana',
    "I'll do it tomorrow.",
    'On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg <x+1@mail.asana.example> wrote:\n\n> Jonas Berg\n> assigned a task to you\n> Reply to this email to comment',
  ),
  above(
    'osTicket',
    'Here is the log.',
    '##- reply above this line -##\n\nHi Marta,\n\nplease send the log.\n\nYour Acme Team',
  ),
  above(
    'Gorgias',
    'Size M please!',
    'On Mon, Mar 03, 2025 at 10:00 AM, Acme <hello@acme.example> wrote:\n> Which size?\n>\n> [4412-55]',
  ),
  above(
    'Teamwork Desk',
    'Yes, on both machines.',
    '=== Please write your reply above this line ===\n\nJonas Berg\n3 March 2025 10:00\n\nOn both machines?',
  ),
  above(
    'Nine',
    'Ok, bis gleich!',
    '_____________________________________________________________\nVon: Jonas Berg <jonas@berg.example>\nGesendet: Montag, 3. März 2025 10:00\nAn: Marta\nBetreff: Essen\n\nWo bist du?',
  ),
  above(
    'Blue Mail',
    'Be there soon',
    'Get BlueMail for Android\nOn 3 Mar 2025, at 10:00, Jonas Berg <jonas@berg.example> wrote:\n\nWhere are you?',
  ),
  above(
    'Aqua Mail',
    'Sure thing',
    'Sent with AquaMail for Android\nhttp://www.mobisystems.com/aqua-mail\n\nOn 3 March 2025 10:00:00 am Jonas Berg <jonas@berg.example> wrote:\n\n> Really?',
  ),
  above(
    'myMail',
    'Yep',
    'Sent from myMail for iOS\n\n\nMonday, 3 March 2025, 10:00 +0100 from Jonas Berg  <jonas@berg.example>:\n>Really?',
  ),
  above(
    'Edison',
    'I am fine with that',
    'Sent from Edison Mail\n\nOn Mar 3, 2025 at 10:00 AM, <Jonas Berg> wrote:\n\nFine?',
  ),
  above(
    'Canary',
    'Fine',
    'Sent via Canary (https://canarymail.io)\n\n> On Monday, Mar 03, 2025 at 10:00 AM, Jonas Berg <jonas@berg.example (mailto:jonas@berg.example)> wrote:\n> Fine?',
  ),
  above(
    'Shortwave',
    'Great, booked!',
    'Sent via Shortwave ( https://www.shortwave.com?utm_medium=email )\n\nOn Mon Mar 3, 2025, 10:00 AM GMT, Jonas Berg ( jonas@berg.example ) wrote:\n\n> Booked?',
  ),
  above(
    'FairEmail',
    'Klar!',
    'Am 3. März 2025 10:00:00 MEZ schrieb Jonas Berg <jonas@berg.example>:\n>Kommst du?',
  ),
  above(
    'Thunderbird for Android',
    'Agreed.',
    'On 3 March 2025 10:00:00 CET, "Jonas Berg (via Acme)" <jonas@berg.example> wrote:\n>Agreed?',
  ),
  above(
    'Boxer',
    'On it.',
    'Sent from VMware Boxer\n\nOn Mar 3, 2025 at 10:00:00 AM, Jonas Berg (jonas@berg.example) wrote:\nCan you check?',
  ),
  above(
    'Huawei',
    'Ok danke',
    'Von meinem Huawei-Mobiltelefon gesendet\n\n\n-------- Originalnachricht --------\nBetreff: Essen\nVon: Jonas Berg\nAn: marta@muster.example\nCc:\n\n\nWo?',
  ),
  above(
    'Xiaomi',
    '好的',
    '发自我的小米\n在 Jonas Berg <jonas@berg.example>，2025年3月3日 10:00写道：\n\n去吗？',
  ),
  above(
    'vivo',
    '收到',
    '发自我的vivo智能手机\n\n-------- 原始邮件 --------\n发件人： Jonas Berg <jonas@berg.example>\n日期： 2025年3月3日周一 10:00\n收件人： wang@v.example\n主 题： 会议\n\n收到请回复',
  ),
  above(
    'LG',
    'Ja, bin da',
    'Gesendet von meinem LG Mobiltelefon\n\n------ Originalnachricht ------\nVon: Jonas Berg\nDatum: Mo., 3. März 2025 10:00\nAn: Marta\nCc: \nBetreff: Essen\n\nDa?',
  ),
  above(
    'Sony',
    'Ci sono',
    'Inviato dal mio dispositivo Sony Xperia™\n\n---- Jonas Berg ha scritto ----\n\nCi sei?',
  ),
  above(
    'Nokia, Finnish',
    'Tulossa',
    'Lähetetty Nokia-puhelimestani\n\n-----Alkuperäinen viesti-----\nLähettäjä: Jonas Berg\nLähetetty: 03/03/2025, 10:00\nVastaanottaja: Liisa\nAihe: Lounas\n\nMissä?',
  ),
  above(
    'Google Pixel',
    'Just landed',
    'Sent from my Pixel 8 Pro\n\nOn Mon, Mar 3, 2025, 10:00 Jonas Berg <jonas@berg.example> wrote:\n\n> Landed?\n>',
  ),
  above(
    'a watch',
    'Ok',
    'Sent from my Apple Watch\n\n> On Mar 3, 2025, at 10:00 AM, Jonas Berg <jonas@berg.example> wrote:\n> \n> Ok?',
  ),
  above(
    'dictated',
    'Please call the office at noon',
    'Sent from my iPhone - please excuse typos\n\n> On Mar 3, 2025, at 10:00 AM, Jonas Berg <jonas@berg.example> wrote:\n> \n> When?',
  ),
  above(
    'Apple Mail, Russian',
    'Хорошо, договорились.',
    '> 3 марта 2025 г., в 10:00, Jonas Berg <jonas@berg.example> написал(а):\n> \n> В четверг?',
  ),
  above(
    'Apple Mail, Polish',
    'Dobrze, dziękuję.',
    'Wysłane z iPhone’a\n\n> Wiadomość napisana przez Jonas Berg <jonas@berg.example> w dniu 3 mar 2025, o godz. 10:00:\n> \n> Czwartek?',
  ),
  above(
    'Apple Mail, Finnish',
    'Selvä!',
    'Lähetetty iPhonesta\n\n> Jonas Berg <jonas@berg.example> kirjoitti 3.3.2025 kello 10.00:\n> \n> Torstai?',
  ),
  above(
    'Apple Mail, Hungarian',
    'Oké!',
    'Elküldve az iPhone-omról\n\n> 2025. márc. 3. dátummal, 10:00 időpontban Jonas Berg <jonas@berg.example> írta:\n> \n> Csütörtök?',
  ),
  above(
    'Apple Mail, Hebrew',
    'מצוין',
    'נשלח מה-iPhone שלי\n\n> ‫ב-3 במרץ 2025, בשעה 10:00, ‏‏Jonas Berg ‏<jonas@berg.example> כתב/ה:‬\n> \n> יום חמישי?',
  ),
  above(
    'Apple Mail, Arabic',
    'ممتاز',
    'تم الإرسال من الـ iPhone\n\n> في ٣ مارس ٢٠٢٥، الساعة ١٠:٠٠ ص، كتب/كتبت Jonas Berg <jonas@berg.example>:\n> \n> الخميس؟',
  ),
  above(
    'Apple Mail, Vietnamese',
    'Vâng ạ',
    'Đã gửi từ iPhone của tôi\n\n> Vào 3 thg 3, 2025, lúc 10:00, Jonas Berg <jonas@berg.example> đã viết:\n> \n> Thứ năm?',
  ),
  above(
    'Apple Mail, Thai',
    'ได้ค่ะ',
    'ส่งจาก iPhone ของฉัน\n\n> เมื่อวันที่ 3 มี.ค. 2568 เวลา 10:00 น. Jonas Berg <jonas@berg.example> เขียนว่า:\n> \n> วันพฤหัส?',
  ),
  above(
    'Apple Mail, Greek',
    'Ωραία',
    'Στάλθηκε από το iPhone μου\n\n> Στις 3 Μαρ 2025, στις 10:00, ο χρήστης Jonas Berg <jonas@berg.example> έγραψε:\n> \n> Πέμπτη;',
  ),
  above(
    'Apple Mail, Portuguese',
    'Ótimo',
    'Enviado do meu iPhone\n\n> Em 3 de mar. de 2025, à(s) 10:00, Jonas Berg <jonas@berg.example> escreveu:\n> \n> Quinta?',
  ),
  above(
    'Apple Mail, Romanian',
    'Bine',
    'Trimis de pe iPhone-ul meu\n\n> Pe 3 mar. 2025, la 10:00, Jonas Berg <jonas@berg.example> a scris:\n> \n> Joi?',
  ),
  above(
    'Apple Mail, Ukrainian',
    'Добре',
    'Надіслано з iPhone\n\n> 3 бер. 2025 р. о 10:00 Jonas Berg <jonas@berg.example> пише:\n> \n> Четвер?',
  ),
]

/** Bodies of other manners in HTML. */
export const htmlReplies: readonly Reply[] = [
  {
    program: 'Gmail web, confidential note below',
    html: `<div dir="ltr">Paid today.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, 3 Mar 2025 at 10:00, Jonas Berg &lt;j@berg.example&gt; wrote:<br></div><blockquote class="gmail_quote">Paid?</blockquote></div><br><div><i>This e-mail is confidential and intended only for the addressee. If you received it in error, notify the sender and delete it; any disclosure is prohibited.</i></div>`,
    wanted: 'Paid today.',
  },
  {
    program: 'Word, a border at the left',
    html: `<div class="WordSection1"><p class="MsoNormal">Fine.</p><p class="MsoNormal">&nbsp;</p><div style="border:none;border-left:solid blue 1.5pt;padding:0cm 0cm 0cm 4.0pt"><div><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b><span lang="DE">Von:</span></b><span lang="DE"> Jonas Berg<br><b>Gesendet:</b> Montag, 3. März 2025 10:00<br><b>An:</b> Marta<br><b>Betreff:</b> Plan</span></p></div></div><p class="MsoNormal">Gut so?</p></div></div>`,
    wanted: 'Fine.',
  },
  {
    program: 'OX App Suite',
    html: `<div>Das passt.</div><blockquote type="cite"><div>Jonas Berg &lt;jonas@berg.example&gt; hat am 03.03.2025 10:00 CET geschrieben:</div><div><br></div><div>Donnerstag?</div></blockquote>`,
    wanted: 'Das passt.',
  },
  {
    program: 'web.de app',
    html: `<html><head></head><body><div dir="auto">Bin dabei!</div><div dir="auto">-- <br>Diese Nachricht wurde von meinem Android Mobiltelefon mit <b>WEB.DE Mail</b> gesendet.</div><div class="gmail_quote">Am 03.03.25, 10:00 schrieb Jonas Berg &lt;jonas@berg.example&gt;:<blockquote class="gmail_quote">Wer?</blockquote></div></body></html>`,
    wanted: 'Bin dabei!',
  },
  {
    program: 'Alibaba Mail',
    html: `<div class="__aliyun_email_body_block"><div>已安排。</div><div><br></div><blockquote style="margin-right:0;margin-top:0;margin-bottom:0;"><div style="clear:both;">------------------------------------------------------------------</div><div>发件人：Jonas Berg &lt;jonas@berg.example&gt;</div><div>发送时间：2025年3月3日(星期一) 10:00</div><div>收件人：王芳</div><div>主　题：发货</div><div>何时？</div></blockquote></div>`,
    wanted: '已安排。',
  },
  {
    program: 'Shortwave',
    html: `<div>Great, booked!</div><div><br></div><div data-signature="true">Sent via <a href="https://www.shortwave.com?utm=e">Shortwave</a></div><div><br></div><div class="gmail_quote">On Mon Mar 3, 2025, 10:00 AM GMT, <a href="mailto:jonas@berg.example">Jonas Berg</a> wrote:<blockquote class="gmail_quote">Booked?</blockquote></div>`,
    wanted: 'Great, booked!',
  },
  {
    program: 'Mimecast banner on top',
    html: `<div><p style="background:#ffeb9c;border:1px solid #9c6500;padding:2pt"><strong>Warning:</strong> This message came from an external sender. Please be careful with links and attachments.</p><p>We ship on Friday.</p><p>Per</p></div>`,
    wanted: 'We ship on Friday.\n\nPer',
  },
  {
    program: 'right to left, Gmail',
    html: `<div dir="rtl">מתאים לי.</div><br><div class="gmail_quote"><div dir="rtl" class="gmail_attr">‫בתאריך יום ב׳, 3 במרץ 2025 ב-10:00 מאת ‪Jonas Berg‬‏ &lt;‪<a href="mailto:jonas@berg.example">jonas@berg.example</a>‬‏&gt;:‬<br></div><blockquote class="gmail_quote" style="margin:0px 0.8ex 0px 0px">יום חמישי?</blockquote></div>`,
    wanted: 'מתאים לי.',
  },
]
