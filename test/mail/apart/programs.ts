/** A reply and what its writer wrote now. */
export interface Reply {
  program: string
  subject?: string
  text?: string
  html?: string
  wanted: string
  /** One may think otherwise of it. */
  taste?: true
}

/** Replies in plain text, as programs of many countries write them, written without a look at what is known. */
export const plainReplies: readonly Reply[] = [
  {
    program: 'Outlook, English',
    text: `Thanks Jonas, the numbers look right to me.

Could you send the contract as well?

Marta

From: Jonas Berg <jonas@berg.example>
Sent: Monday, March 3, 2025 10:00 AM
To: Marta Muster <marta@muster.example>
Cc: Ines Roca <ines@roca.example>
Subject: RE: Numbers for Q1

Hi Marta,

here they are.

Jonas`,
    wanted: `Thanks Jonas, the numbers look right to me.

Could you send the contract as well?

Marta`,
  },
  {
    program: 'Outlook, Danish',
    text: `Hej Jonas

Det lyder fint. Vi ses på torsdag.

Mvh
Mette

Fra: Jonas Berg <jonas@berg.example>
Sendt: 3. marts 2025 10:00
Til: Mette Holm <mette@holm.example>
Emne: SV: Møde

Kan vi mødes torsdag?`,
    wanted: `Hej Jonas

Det lyder fint. Vi ses på torsdag.

Mvh
Mette`,
  },
  {
    program: 'Outlook, Hebrew',
    text: `תודה רבה, קיבלתי.

מאת: Jonas Berg <jonas@berg.example>
נשלח: יום שני 03 מרץ 2025 10:00
אל: דנה לוי <dana@levi.example>
נושא: הצעת מחיר

שלום דנה, מצורפת ההצעה.`,
    wanted: 'תודה רבה, קיבלתי.',
  },
  {
    program: 'Outlook, Arabic',
    text: `شكرا لك، سأراجع الملف غدا.

من: Jonas Berg <jonas@berg.example>
تم الإرسال: الاثنين, 3 مارس, 2025 10:00 ص
إلى: سارة <sara@sara.example>
الموضوع: العقد

مرحبا سارة، هذا هو العقد.`,
    wanted: 'شكرا لك، سأراجع الملف غدا.',
  },
  {
    program: 'Outlook, Greek',
    text: `Καλημέρα,

εντάξει, την Πέμπτη στις 10.

Ελένη

Από: Jonas Berg <jonas@berg.example>
Στάλθηκε: Δευτέρα, 3 Μαρτίου 2025 10:00 πμ
Προς: Ελένη <eleni@e.example>
Θέμα: Συνάντηση

Πότε μπορείτε;`,
    wanted: `Καλημέρα,

εντάξει, την Πέμπτη στις 10.

Ελένη`,
  },
  {
    program: 'Outlook, Vietnamese',
    text: `Em đã nhận được, cảm ơn anh.

Từ: Jonas Berg <jonas@berg.example>
Đã gửi: Thứ Hai, 3 Tháng Ba, 2025 10:00 SA
Đến: Lan Nguyen <lan@nguyen.example>
Chủ đề: Báo giá

Chào Lan, gửi em báo giá.`,
    wanted: 'Em đã nhận được, cảm ơn anh.',
  },
  {
    program: 'Outlook, Hungarian',
    text: `Kedves Jonas!

Rendben van, köszönöm.

Üdv,
Eszter

Feladó: Jonas Berg <jonas@berg.example>
Küldve: 2025. március 3., hétfő 10:00
Címzett: Kiss Eszter <eszter@kiss.example>
Tárgy: RE: Ajánlat

Megfelel az ajánlat?`,
    wanted: `Kedves Jonas!

Rendben van, köszönöm.

Üdv,
Eszter`,
  },
  {
    program: 'Outlook, Romanian',
    text: `Bună ziua,

Da, suntem de acord.

De la: Jonas Berg <jonas@berg.example>
Trimis: luni, 3 martie 2025 10:00
Către: Ioana Pop <ioana@pop.example>
Subiect: Ofertă

Sunteți de acord?`,
    wanted: `Bună ziua,

Da, suntem de acord.`,
  },
  {
    program: 'Outlook, Croatian',
    text: `Može, vidimo se u petak.

Šalje: Jonas Berg <jonas@berg.example>
Poslano: 3. ožujka 2025. 10:00
Prima: Ana Horvat <ana@horvat.example>
Predmet: Sastanak

Može li u petak?`,
    wanted: 'Može, vidimo se u petak.',
  },
  {
    program: 'Outlook, Slovene',
    text: `Hvala, prejeto.

Od: Jonas Berg <jonas@berg.example>
Poslano: ponedeljek, 03. marec 2025 10:00
Za: Maja Novak <maja@novak.example>
Zadeva: Ponudba

Pošiljam ponudbo.`,
    wanted: 'Hvala, prejeto.',
  },
  {
    program: 'Outlook, Estonian',
    text: `Aitäh, sobib.

Saatja: Jonas Berg <jonas@berg.example>
Saatmisaeg: esmaspäev, 3. märts 2025 10:00
Adressaat: Kadri Tamm <kadri@tamm.example>
Teema: Koosolek

Kas neljapäev sobib?`,
    wanted: 'Aitäh, sobib.',
  },
  {
    program: 'Outlook, Latvian',
    text: `Paldies, viss kārtībā.

No: Jonas Berg <jonas@berg.example>
Nosūtīts: pirmdiena, 2025. gada 3. marts 10:00
Kam: Ilze Ozola <ilze@ozola.example>
Tēma: Līgums

Vai viss kārtībā?`,
    wanted: 'Paldies, viss kārtībā.',
  },
  {
    program: 'Outlook, Lithuanian',
    text: `Gerai, ačiū.

Nuo: Jonas Berg <jonas@berg.example>
Išsiųsta: 2025 m. kovo 3 d., pirmadienis 10:00
Kam: Rasa <rasa@r.example>
Tema: Sutartis

Ar gerai?`,
    wanted: 'Gerai, ačiū.',
  },
  {
    program: 'Outlook, Ukrainian',
    text: `Дякую, отримала.

Від: Jonas Berg <jonas@berg.example>
Надіслано: понеділок, 3 березня 2025 р. 10:00
Кому: Олена <olena@o.example>
Тема: Договір

Надсилаю договір.`,
    wanted: 'Дякую, отримала.',
  },
  {
    program: 'Outlook, Bulgarian',
    text: `Здравейте,

съгласни сме с цената.

От: Jonas Berg <jonas@berg.example>
Изпратено: понеделник, 3 март 2025 г. 10:00
До: Мария <maria@m.example>
Относно: Оферта

Съгласни ли сте?`,
    wanted: `Здравейте,

съгласни сме с цената.`,
  },
  {
    program: 'Outlook, Turkish',
    text: `Merhaba Jonas,

Perşembe uygundur.

Ayşe

Kimden: Jonas Berg <jonas@berg.example>
Gönderildi: 3 Mart 2025 Pazartesi 10:00
Kime: Ayşe Yılmaz <ayse@yilmaz.example>
Konu: YNT: Toplantı

Perşembe uygun mu?`,
    wanted: `Merhaba Jonas,

Perşembe uygundur.

Ayşe`,
  },
  {
    program: 'Outlook, Thai',
    text: `ได้รับแล้วค่ะ ขอบคุณมาก

จาก: Jonas Berg <jonas@berg.example>
ส่ง: วันจันทร์ที่ 3 มีนาคม 2568 10:00
ถึง: สมหญิง <somying@s.example>
เรื่อง: ใบเสนอราคา

ส่งใบเสนอราคาให้แล้ว`,
    wanted: 'ได้รับแล้วค่ะ ขอบคุณมาก',
  },
  {
    program: 'Outlook, Japanese',
    text: `山田です。

承知しました。木曜日でお願いします。

From: Jonas Berg <jonas@berg.example>
Sent: Monday, March 3, 2025 10:00 AM
To: 山田 花子 <hanako@yamada.example>
Subject: Re: 打ち合わせ

木曜日はいかがでしょうか。`,
    wanted: `山田です。

承知しました。木曜日でお願いします。`,
  },
  {
    program: 'Outlook, Japanese words',
    text: `お世話になっております。
資料を拝見しました。問題ございません。

差出人: Jonas Berg <jonas@berg.example>
送信日時: 2025年3月3日 10:00
宛先: 山田 花子 <hanako@yamada.example>
件名: 資料

資料をお送りします。`,
    wanted: `お世話になっております。
資料を拝見しました。問題ございません。`,
  },
  {
    program: 'Outlook, Chinese traditional',
    text: `收到，謝謝。

寄件者: Jonas Berg <jonas@berg.example>
寄件日期: 2025年3月3日 上午 10:00
收件者: 陳小姐 <chen@chen.example>
主旨: 報價

附上報價。`,
    wanted: '收到，謝謝。',
  },
  {
    program: 'Outlook, Korean',
    text: `확인했습니다. 감사합니다.

보낸 사람: Jonas Berg <jonas@berg.example>
보낸 날짜: 2025년 3월 3일 월요일 오전 10:00
받는 사람: 김민지 <minji@kim.example>
제목: 견적

견적을 보냅니다.`,
    wanted: '확인했습니다. 감사합니다.',
  },
  {
    program: 'Outlook, Indonesian',
    text: `Baik Pak, saya setuju.

Dari: Jonas Berg <jonas@berg.example>
Dikirim: Senin, 03 Maret 2025 10:00
Kepada: Dewi <dewi@d.example>
Subjek: Penawaran

Apakah setuju?`,
    wanted: 'Baik Pak, saya setuju.',
  },
  {
    program: 'OWA, rule of underscores, Finnish',
    text: `Hei,

sopii hyvin, nähdään silloin.

Terveisin
Liisa
________________________________
Lähettäjä: Jonas Berg <jonas@berg.example>
Lähetetty: maanantai 3. maaliskuuta 2025 10:00
Vastaanottaja: Liisa Virta <liisa@virta.example>
Aihe: VS: Kokous

Sopiiko torstai?`,
    wanted: `Hei,

sopii hyvin, nähdään silloin.

Terveisin
Liisa`,
  },
  {
    program: 'OWA, rule of underscores, Icelandic',
    text: `Takk fyrir, þetta er fínt.
________________________________
Frá: Jonas Berg <jonas@berg.example>
Sent: mánudagur, 3. mars 2025 10:00
Til: Anna <anna@a.example>
Efni: Fundur

Er fimmtudagur í lagi?`,
    wanted: 'Takk fyrir, þetta er fínt.',
  },
  {
    program: 'OWA, rule of underscores, Catalan',
    text: `D'acord, fins dijous.
________________________________
De: Jonas Berg <jonas@berg.example>
Enviat: dilluns, 3 de març de 2025 10:00
Per a: Núria <nuria@n.example>
Tema: Reunió

Et va bé dijous?`,
    wanted: "D'acord, fins dijous.",
  },
  {
    program: 'Outlook for iOS, English',
    text: `On my way, ten minutes late.

Get Outlook for iOS<https://aka.ms/o0ukef>
________________________________
From: Jonas Berg <jonas@berg.example>
Sent: Monday, March 3, 2025 10:00:00 AM
To: Marta Muster <marta@muster.example>
Subject: Re: Lunch

Where are you?`,
    wanted: 'On my way, ten minutes late.',
  },
  {
    program: 'Outlook for Android, German',
    text: `Passt, bis gleich!

Outlook für Android<https://aka.ms/AAb9ysg> beziehen
________________________________
Von: Jonas Berg <jonas@berg.example>
Gesendet: Montag, März 3, 2025 10:00:00 AM
An: Marta Muster <marta@muster.example>
Betreff: Re: Mittagessen

Kommst du?`,
    wanted: 'Passt, bis gleich!',
  },
  {
    program: 'Outlook for iOS, Dutch',
    text: `Ja hoor, geen probleem.

Outlook voor iOS downloaden<https://aka.ms/o0ukef>
________________________________
Van: Jonas Berg <jonas@berg.example>
Verzonden: maandag 3 maart 2025 10:00
Aan: Fleur <fleur@f.example>
Onderwerp: Re: Donderdag

Kan je donderdag?`,
    wanted: 'Ja hoor, geen probleem.',
  },
  {
    program: 'Outlook for Mac, English',
    text: `Approved. Please go ahead.

From: Jonas Berg <jonas@berg.example>
Date: Monday, 3 March 2025 at 10:00
To: Marta Muster <marta@muster.example>
Subject: Re: Budget

May I?`,
    wanted: 'Approved. Please go ahead.',
  },
  {
    program: 'Outlook for Mac, French',
    text: `Parfait, merci beaucoup.

De : Jonas Berg <jonas@berg.example>
Date : lundi 3 mars 2025 à 10:00
À : Claire Petit <claire@petit.example>
Objet : Re: Devis

Voici le devis.`,
    wanted: 'Parfait, merci beaucoup.',
  },
  {
    program: 'Outlook, bold marks of the plain part',
    text: `Sounds good!

*From:* Jonas Berg <jonas@berg.example>
*Sent:* Monday, March 3, 2025 10:00 AM
*To:* Marta Muster <marta@muster.example>
*Subject:* Re: Plan

What do you think?`,
    wanted: 'Sounds good!',
  },
  {
    program: 'Outlook, own words with From and To',
    text: `The train is booked:

From: Hamburg
To: Berlin
When: Thursday, 8:36

See you there.

From: Jonas Berg <jonas@berg.example>
Sent: Monday, March 3, 2025 10:00 AM
To: Marta Muster <marta@muster.example>
Subject: Trip

Have you booked?`,
    wanted: `The train is booked:

From: Hamburg
To: Berlin
When: Thursday, 8:36

See you there.`,
  },
  {
    program: 'Outlook, with Importance and Attachments',
    text: `I signed it.

From: Jonas Berg <jonas@berg.example>
Sent: Monday, March 3, 2025 10:00 AM
To: Marta Muster <marta@muster.example>; Ines Roca <ines@roca.example>; Per Holm
<per@holm.example>
Subject: Contract
Attachments: contract.pdf (120 KB)
Importance: High

Please sign.`,
    wanted: 'I signed it.',
  },
  {
    program: 'Outlook, -----Original Message-----',
    text: `No objections from our side.

Regards
Per

-----Original Message-----
From: Jonas Berg [mailto:jonas@berg.example]
Sent: Monday, March 03, 2025 10:00 AM
To: 'Per Holm'
Subject: Contract

Any objections?`,
    wanted: `No objections from our side.

Regards
Per`,
  },
  {
    program: 'Outlook, Message d’origine',
    text: `C'est noté, à jeudi.

-----Message d'origine-----
De : Jonas Berg <jonas@berg.example> 
Envoyé : lundi 3 mars 2025 10:00
À : Claire Petit <claire@petit.example>
Objet : Rendez-vous

Jeudi ?`,
    wanted: "C'est noté, à jeudi.",
  },
  {
    program: 'Outlook, Messaggio originale',
    text: `Va benissimo.

-----Messaggio originale-----
Da: Jonas Berg <jonas@berg.example> 
Inviato: lunedì 3 marzo 2025 10:00
A: Giulia Riva <giulia@riva.example>
Oggetto: Appuntamento

Giovedì?`,
    wanted: 'Va benissimo.',
  },
  {
    program: 'Outlook, Mensagem original',
    text: `Combinado, até quinta.

-----Mensagem original-----
De: Jonas Berg <jonas@berg.example> 
Enviada em: segunda-feira, 3 de março de 2025 10:00
Para: Bruna Lima <bruna@lima.example>
Assunto: Reunião

Quinta?`,
    wanted: 'Combinado, até quinta.',
  },
  {
    program: 'Outlook, Czech',
    text: `Dobrý den,

ano, to je v pořádku.

S pozdravem
Jana

From: Jonas Berg <jonas@berg.example>
Odesláno: pondělí 3. března 2025 10:00
Komu: Jana Nová <jana@nova.example>
Předmět: Nabídka

Je to v pořádku?`,
    wanted: `Dobrý den,

ano, to je v pořádku.

S pozdravem
Jana`,
  },
  {
    program: 'Outlook, Polish',
    text: `Dzień dobry,

potwierdzam odbiór.

Od: Jonas Berg <jonas@berg.example> 
Wysłano: poniedziałek, 3 marca 2025 10:00
Do: Anna Nowak <anna@nowak.example>
DW: biuro@nowak.example
Temat: Faktura

W załączeniu faktura.`,
    wanted: `Dzień dobry,

potwierdzam odbiór.`,
  },
  {
    program: 'Outlook, Swedish, quoted twice',
    text: `Bra, då kör vi.

Från: Jonas Berg <jonas@berg.example>
Skickat: den 3 mars 2025 10:00
Till: Karin Lund <karin@lund.example>
Ämne: Sv: Planen

Ska vi köra?

Från: Karin Lund <karin@lund.example>
Skickat: den 2 mars 2025 09:00
Till: Jonas Berg <jonas@berg.example>
Ämne: Planen

Här är planen.`,
    wanted: 'Bra, då kör vi.',
  },
  {
    program: 'Outlook, Russian',
    text: `Добрый день!

Счёт оплатили сегодня утром.

From: Jonas Berg <jonas@berg.example>
Sent: Monday, March 3, 2025 10:00 AM
To: Ольга Петрова <olga@petrova.example>
Subject: Счёт

Когда оплатите?`,
    wanted: `Добрый день!

Счёт оплатили сегодня утром.`,
  },
  {
    program: 'Gmail web, English',
    text: `Sure, that works.

On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg <jonas@berg.example> wrote:

> Would Thursday work?
>
> Jonas
>`,
    wanted: 'Sure, that works.',
  },
  {
    program: 'Gmail web, long name that breaks the line',
    text: `Received, thank you!

On Mon, Mar 3, 2025 at 10:00 AM Jonas Alexander von Bergen-Hohenstein <
jonas.alexander.von.bergen-hohenstein@berg.example> wrote:

> Here it is.
>`,
    wanted: 'Received, thank you!',
  },
  {
    program: 'Gmail web, via a group',
    text: `+1 from me.

On Mon, Mar 3, 2025 at 10:00 AM 'Jonas Berg' via Design Team <
design@berg.example> wrote:

> Vote please.
>
> --
> You received this message because you are subscribed to the Google Groups
> "Design Team" group.
> To unsubscribe from this group and stop receiving emails from it, send an
> email to design+unsubscribe@berg.example.
>`,
    wanted: '+1 from me.',
  },
  {
    program: 'Gmail web, Japanese',
    text: `承知いたしました。
よろしくお願いします。

2025年3月3日(月) 10:00 Jonas Berg <jonas@berg.example>:

> 木曜日はいかがですか。
>`,
    wanted: `承知いたしました。
よろしくお願いします。`,
  },
  {
    program: 'Gmail web, Korean',
    text: `네, 알겠습니다!

2025년 3월 3일 (월) 오전 10:00, Jonas Berg <jonas@berg.example>님이 작성:

> 목요일 괜찮으세요?
>`,
    wanted: '네, 알겠습니다!',
  },
  {
    program: 'Gmail web, Chinese',
    text: `好的，没问题。

Jonas Berg <jonas@berg.example> 于2025年3月3日周一 10:00写道：

> 星期四可以吗？
>`,
    wanted: '好的，没问题。',
  },
  {
    program: 'Gmail web, Chinese traditional',
    text: `可以，謝謝！

Jonas Berg <jonas@berg.example> 於 2025年3月3日 週一 上午10:00寫道：

> 星期四可以嗎？
>`,
    wanted: '可以，謝謝！',
  },
  {
    program: 'Gmail web, Arabic',
    text: `نعم، موافق.

في الاثنين، 3 مارس 2025 في 10:00 ص تمت كتابة ما يلي بواسطة ‪Jonas Berg‬‏ <‪jonas@berg.example‬‏>:‬

> هل يناسبك الخميس؟
>`,
    wanted: 'نعم، موافق.',
  },
  {
    program: 'Gmail web, Hebrew',
    text: `כן, מתאים לי.

‫בתאריך יום ב׳, 3 במרץ 2025 ב-10:00 מאת ‪Jonas Berg‬‏ <‪jonas@berg.example‬‏>:‬

> מתאים לך יום חמישי?
>`,
    wanted: 'כן, מתאים לי.',
  },
  {
    program: 'Gmail web, Persian',
    text: `بله، خوب است.

در تاریخ دوشنبه ۳ مارس ۲۰۲۵،‏ ۱۰:۰۰ Jonas Berg <jonas@berg.example> نوشت:

> پنجشنبه خوب است؟
>`,
    wanted: 'بله، خوب است.',
  },
  {
    program: 'Gmail web, Hindi',
    text: `ठीक है, गुरुवार को मिलते हैं।

सोम, 3 मार्च 2025 को 10:00 am बजे को Jonas Berg <jonas@berg.example> ने लिखा:

> गुरुवार ठीक है?
>`,
    wanted: 'ठीक है, गुरुवार को मिलते हैं।',
  },
  {
    program: 'Gmail web, Thai',
    text: `ตกลงค่ะ

ในวันที่ จ. 3 มี.ค. 2025 เวลา 10:00 Jonas Berg <jonas@berg.example> เขียนว่า:

> วันพฤหัสได้ไหม
>`,
    wanted: 'ตกลงค่ะ',
  },
  {
    program: 'Gmail web, Vietnamese',
    text: `Được ạ.

Vào Th 2, 3 thg 3, 2025 vào lúc 10:00 Jonas Berg <jonas@berg.example> đã
viết:

> Thứ năm được không?
>`,
    wanted: 'Được ạ.',
  },
  {
    program: 'Gmail web, Indonesian',
    text: `Siap, terima kasih.

Pada tanggal Sen, 3 Mar 2025 pukul 10.00 Jonas Berg <jonas@berg.example>
menulis:

> Kamis bisa?
>`,
    wanted: 'Siap, terima kasih.',
  },
  {
    program: 'Gmail web, Ukrainian',
    text: `Так, домовились.

пн, 3 бер. 2025 р. о 10:00 Jonas Berg <jonas@berg.example> пише:

> Четвер підходить?
>`,
    wanted: 'Так, домовились.',
  },
  {
    program: 'Gmail web, Bulgarian',
    text: `Да, става.

На пн, 3.03.2025 г. в 10:00 ч. Jonas Berg <jonas@berg.example> написа:

> Четвъртък става ли?
>`,
    wanted: 'Да, става.',
  },
  {
    program: 'Gmail web, Greek',
    text: `Ναι, εντάξει.

Στις Δευ 3 Μαρ 2025 στις 10:00 π.μ., ο χρήστης Jonas Berg <
jonas@berg.example> έγραψε:

> Πέμπτη;
>`,
    wanted: 'Ναι, εντάξει.',
  },
  {
    program: 'Gmail web, Hungarian',
    text: `Igen, jó lesz.

Jonas Berg <jonas@berg.example> ezt írta (időpont: 2025. márc. 3., H, 10:00):

> Csütörtök jó?
>`,
    wanted: 'Igen, jó lesz.',
  },
  {
    program: 'Gmail web, Turkish',
    text: `Olur, görüşürüz.

Jonas Berg <jonas@berg.example>, 3 Mar 2025 Pzt, 10:00 tarihinde şunu yazdı:

> Perşembe?
>`,
    wanted: 'Olur, görüşürüz.',
  },
  {
    program: 'Gmail web, signature above the quote',
    text: `Thanks, I will look into it today.

-- 
Marta Muster
Head of Purchasing
+49 40 1234567

On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg <jonas@berg.example> wrote:

> Any news?
>`,
    wanted: 'Thanks, I will look into it today.',
  },
  {
    program: 'Gmail web, interleaved',
    text: `Hi Jonas,

On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg <jonas@berg.example> wrote:

> Do you need the projector?
>

Yes please.

> And how many chairs?
>

Twelve, I think.

>
> Jonas
>`,
    wanted: `Hi Jonas,

On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg <jonas@berg.example> wrote:

> Do you need the projector?
>

Yes please.

> And how many chairs?
>

Twelve, I think.`,
  },
  {
    program: 'Gmail web, the answer below',
    text: `On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg <jonas@berg.example> wrote:
>
> Which branch should I use?
>
> Jonas

Use main, release is frozen.

Marta`,
    wanted: `Use main, release is frozen.

Marta`,
  },
  {
    program: 'Gmail on Android, French',
    text: `Oui, pas de souci

Le lun. 3 mars 2025, 10:00, Jonas Berg <jonas@berg.example> a écrit :

> Jeudi ?
>`,
    wanted: 'Oui, pas de souci',
  },
  {
    program: 'Gmail on Android, Polish',
    text: `Jasne, do zobaczenia

pon., 3 mar 2025, 10:00 użytkownik Jonas Berg <jonas@berg.example> napisał:

> Czwartek?
>`,
    wanted: 'Jasne, do zobaczenia',
  },
  {
    program: 'Gmail on Android, Russian',
    text: `Хорошо, буду.

пн, 3 мар. 2025 г., 10:00 Jonas Berg <jonas@berg.example>:

> В четверг?
>`,
    wanted: 'Хорошо, буду.',
  },
  {
    program: 'Gmail on iOS, Spanish',
    text: `Vale, nos vemos allí

El El lun, 3 mar 2025 a la(s) 10:00 a. m., Jonas Berg <jonas@berg.example>
escribió:

> ¿El jueves?
>`,
    wanted: 'Vale, nos vemos allí',
  },
  {
    program: 'Gmail on iOS, two lines of names',
    text: `Sent the file, check the folder.
On Mon, Mar 3, 2025 at 10:00 Jonas Berg <jonas@berg.example> wrote:

> Where is the file?
> --
> Jonas Berg
> Berg & Söhne
>`,
    wanted: 'Sent the file, check the folder.',
  },
  {
    program: 'Apple Mail, English',
    text: `Hi Jonas,

happy to help. Two things:

1. the address is wrong
2. the date is missing

Best,
Marta

> On 3 Mar 2025, at 10:00, Jonas Berg <jonas@berg.example> wrote:
> 
> Could you check the letter?
> 
> <letter.pdf>`,
    wanted: `Hi Jonas,

happy to help. Two things:

1. the address is wrong
2. the date is missing

Best,
Marta`,
  },
  {
    program: 'Apple Mail, German',
    text: `Alles klar!

> Am 03.03.2025 um 10:00 schrieb Jonas Berg <jonas@berg.example>:
> 
> Treffen wir uns?`,
    wanted: 'Alles klar!',
  },
  {
    program: 'Apple Mail, Norwegian',
    text: `Det er greit for meg.

> 3. mars 2025 kl. 10:00 skrev Jonas Berg <jonas@berg.example>:
> 
> Er torsdag greit?`,
    wanted: 'Det er greit for meg.',
  },
  {
    program: 'Apple Mail, Dutch, iPhone line',
    text: `Prima!

Verstuurd vanaf mijn iPhone

> Op 3 mrt 2025 om 10:00 heeft Jonas Berg <jonas@berg.example> het volgende geschreven:
> 
> ﻿Donderdag?`,
    wanted: 'Prima!',
  },
  {
    program: 'Apple Mail, Italian, iPhone line',
    text: `Perfetto, grazie

Inviato da iPhone

> Il giorno 3 mar 2025, alle ore 10:00, Jonas Berg <jonas@berg.example> ha scritto:
> 
> ﻿Giovedì?`,
    wanted: 'Perfetto, grazie',
  },
  {
    program: 'Apple Mail on iOS, Swedish',
    text: `Jag ringer dig sen

Skickat från min iPhone

> 3 mars 2025 kl. 10:00 skrev Jonas Berg <jonas@berg.example>:
> 
> ﻿
> Torsdag?`,
    wanted: 'Jag ringer dig sen',
  },
  {
    program: 'Apple Mail on iOS, Turkish',
    text: `Tamamdır

iPhone’umdan gönderildi

> Jonas Berg <jonas@berg.example> şunları yazdı (3 Mar 2025 10:00):
> 
> ﻿Perşembe?`,
    wanted: 'Tamamdır',
  },
  {
    program: 'Apple Mail on iOS, Chinese',
    text: `好的，明天见

发自我的iPhone

> 在 2025年3月3日，10:00，Jonas Berg <jonas@berg.example> 写道：
> 
> ﻿明天见？`,
    wanted: '好的，明天见',
  },
  {
    program: 'Apple Mail on iOS, Japanese',
    text: `了解です！

iPhoneから送信

> 2025/03/03 10:00、Jonas Berg <jonas@berg.example>のメール:
> 
> ﻿木曜日は？`,
    wanted: '了解です！',
  },
  {
    program: 'Apple Mail on iOS, Korean',
    text: `네 좋아요

나의 iPhone에서 보냄

> 2025. 3. 3. 오전 10:00, Jonas Berg <jonas@berg.example> 작성:
> 
> ﻿목요일?`,
    wanted: '네 좋아요',
  },
  {
    program: 'Apple Mail on iOS, Czech',
    text: `Dobře, díky

Odesláno z iPhonu

> 3. 3. 2025 v 10:00, Jonas Berg <jonas@berg.example>:
> 
> ﻿Čtvrtek?`,
    wanted: 'Dobře, díky',
  },
  {
    program: 'Apple Mail on iPad, Danish',
    text: `Ok, tak

Sendt fra min iPad

> Den 3. mar. 2025 kl. 10.00 skrev Jonas Berg <jonas@berg.example>:
> 
> ﻿Torsdag?`,
    wanted: 'Ok, tak',
  },
  {
    program: 'Apple Mail, interleaved below marks',
    text: `Answers inline:

> On 3 Mar 2025, at 10:00, Jonas Berg <jonas@berg.example> wrote:
> 
> Is the room free?

Yes, all day.

> Who has the key?

Reception. Ask for Per.`,
    wanted: `Answers inline:

> On 3 Mar 2025, at 10:00, Jonas Berg <jonas@berg.example> wrote:
> 
> Is the room free?

Yes, all day.

> Who has the key?

Reception. Ask for Per.`,
  },
  {
    program: 'Thunderbird, English, below',
    text: `On 03/03/2025 10:00, Jonas Berg wrote:
> Does the patch apply on your side?
> I had trouble with line 40.

It applies cleanly here (with -p1).

Cheers,
Marta`,
    wanted: `It applies cleanly here (with -p1).

Cheers,
Marta`,
  },
  {
    program: 'Thunderbird, Finnish',
    text: `Kiitos, katson huomenna.

Jonas Berg kirjoitti 3.3.2025 klo 10.00:
> Ehditkö katsoa?`,
    wanted: 'Kiitos, katson huomenna.',
  },
  {
    program: 'Thunderbird, Polish',
    text: `Dzięki!

W dniu 3.03.2025 o 10:00, Jonas Berg pisze:
> Przesyłam plik.`,
    wanted: 'Dzięki!',
  },
  {
    program: 'Thunderbird, Czech',
    text: `Děkuji za zprávu.

Dne 03. 03. 25 v 10:00 Jonas Berg napsal(a):
> Posílám soubor.`,
    wanted: 'Děkuji za zprávu.',
  },
  {
    program: 'Thunderbird, Portuguese',
    text: `Obrigada, vou ver.

Às 10:00 de 03/03/2025, Jonas Berg escreveu:
> Viste o ficheiro?`,
    wanted: 'Obrigada, vou ver.',
  },
  {
    program: 'Thunderbird, Hungarian',
    text: `Megnéztem, rendben.

2025. 03. 03. 10:00 keltezéssel, Jonas Berg írta:
> Megnézted?`,
    wanted: 'Megnéztem, rendben.',
  },
  {
    program: 'Thunderbird, Russian',
    text: `Спасибо, посмотрю.

03.03.2025 10:00, Jonas Berg пишет:
> Посмотрите файл.`,
    wanted: 'Спасибо, посмотрю.',
  },
  {
    program: 'Thunderbird, Chinese',
    text: `收到了。

在 2025/3/3 10:00, Jonas Berg 写道:
> 请查收。`,
    wanted: '收到了。',
  },
  {
    program: 'Thunderbird, Slovak, signature below the quote',
    text: `Ďakujem, mám to.

Dňa 3. 3. 2025 o 10:00 Jonas Berg napísal(a):
> Posielam súbor.

-- 
Zuzana Malá
Oddelenie nákupu`,
    wanted: 'Ďakujem, mám to.',
  },
  {
    program: 'Thunderbird, header of a forward in a reply',
    text: `I think this answers it.

-------- Original Message --------
Subject: 	Re: invoice
Date: 	Mon, 3 Mar 2025 10:00:00 +0100
From: 	Jonas Berg <jonas@berg.example>
To: 	Marta Muster <marta@muster.example>

Paid on Friday.`,
    wanted: 'I think this answers it.',
  },
  {
    program: 'Thunderbird, nested',
    text: `On 3/3/25 10:00, Jonas Berg wrote:
> On 3/2/25 09:00, Marta Muster wrote:
>> Should we ship?
> I would wait.
Then let us wait.

>> And the docs?
> They are done.
Great.`,
    wanted: `On 3/3/25 10:00, Jonas Berg wrote:
> On 3/2/25 09:00, Marta Muster wrote:
>> Should we ship?
> I would wait.
Then let us wait.

>> And the docs?
> They are done.
Great.`,
  },
  {
    program: 'Yahoo, English',
    text: ` Thanks, I got it. Will pay tomorrow.

    On Monday, March 3, 2025 at 10:00:00 AM GMT+1, Jonas Berg <jonas@berg.example> wrote:  
 
 Please find the invoice attached.
Jonas`,
    wanted: ' Thanks, I got it. Will pay tomorrow.',
  },
  {
    program: 'Yahoo, Portuguese',
    text: ` Pode ser às 15h.

    Em segunda-feira, 3 de março de 2025 às 10:00:00 BRT, Jonas Berg <jonas@berg.example> escreveu:  
 
 Que horas?`,
    wanted: ' Pode ser às 15h.',
  },
  {
    program: 'Yahoo on Android',
    text: `I can come at 5

Sent from Yahoo Mail on Android 
 
  On Mon, 3 Mar 2025 at 10:00, Jonas Berg<jonas@berg.example> wrote:   When can you come?`,
    wanted: 'I can come at 5',
  },
  {
    program: 'Yahoo for iPhone, French',
    text: `Oui bien sûr

Envoyé de Yahoo Mail pour iPhone


Le lundi, mars 3, 2025, 10:00 AM, Jonas Berg <jonas@berg.example> a écrit :

Tu viens ?`,
    wanted: 'Oui bien sûr',
  },
  {
    program: 'Yahoo Japan',
    text: `確認しました。ありがとうございます。

----- Original Message -----
From: "Jonas Berg" <jonas@berg.example>
To: "hanako" <hanako@yamada.example>
Date: 2025/03/03 月 10:00
Subject: 資料

資料をお送りします。`,
    wanted: '確認しました。ありがとうございます。',
  },
  {
    program: 'Proton, English',
    text: `Yes, let's do it.

Sent with [Proton Mail](https://proton.me/mail/home) secure email.

On Monday, March 3rd, 2025 at 10:00, Jonas Berg <jonas@berg.example> wrote:

> Shall we?`,
    wanted: "Yes, let's do it.",
  },
  {
    program: 'Proton, mobile, French',
    text: `Oui !

Envoyé depuis Proton Mail Android


-------- Message d'origine --------
Le 03/03/2025 10:00, Jonas Berg <jonas@berg.example> a écrit :

> On y va ?`,
    wanted: 'Oui !',
  },
  {
    program: 'Proton, German',
    text: `Gerne, ich bringe Kuchen mit.

Gesendet mit Proton Mail sicherer E-Mail.

Am Montag, 3. März 2025 um 10:00 schrieb Jonas Berg <jonas@berg.example>:

> Kommst du?`,
    wanted: 'Gerne, ich bringe Kuchen mit.',
  },
  {
    program: 'Fastmail',
    text: `Yep, deployed an hour ago.

On Mon, Mar 3, 2025, at 10:00 AM, Jonas Berg wrote:
> Is it out?`,
    wanted: 'Yep, deployed an hour ago.',
  },
  {
    program: 'Zoho',
    text: `Please proceed with option B.





---- On Mon, 03 Mar 2025 10:00:00 +0530 Jonas Berg <jonas@berg.example> wrote ---



A or B?`,
    wanted: 'Please proceed with option B.',
  },
  {
    program: 'Zoho, Spanish',
    text: `Opción B, por favor.


---- El lun, 03 mar 2025 10:00:00 +0100, Jonas Berg <jonas@berg.example> escribió ----


¿A o B?`,
    wanted: 'Opción B, por favor.',
  },
  {
    program: 'GMX',
    text: `Hallo Jonas,

das ist ja schön. Wir kommen gern!

Liebe Grüße
Marta

Gesendet: Montag, 03. März 2025 um 10:00 Uhr
Von: "Jonas Berg" <jonas@berg.example>
An: marta@gmx.example
Betreff: Einladung

Wir laden euch ein.`,
    wanted: `Hallo Jonas,

das ist ja schön. Wir kommen gern!

Liebe Grüße
Marta`,
  },
  {
    program: 'web.de app',
    text: `Bin dabei!
-- 
Diese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.
Am 03.03.25, 10:00 schrieb Jonas Berg <jonas@berg.example>:

> Wer ist dabei?`,
    wanted: 'Bin dabei!',
  },
  {
    program: 'Mail.ru',
    text: `Добрый день, всё получили.

 
--
Ольга Петрова
Отправлено из Почты Mail
 
 
  
>Понедельник, 3 марта 2025, 10:00 +03:00 от Jonas Berg <jonas@berg.example>:
> 
>Получили?`,
    wanted: 'Добрый день, всё получили.',
  },
  {
    program: 'Yandex',
    text: `Да, конечно.
 
 
03.03.2025, 10:00, "Jonas Berg" <jonas@berg.example>:
> Можно перенести?
 
 
-- 
С уважением, Ольга
 `,
    wanted: 'Да, конечно.',
  },
  {
    program: 'Yandex mobile',
    text: `Ок

----------------
Кому: olga@petrova.example;
Тема: Встреча;
03.03.2025, 10:00, "Jonas Berg" <jonas@berg.example>:

Во сколько?

-- 
Отправлено из мобильного приложения Яндекс Почты`,
    wanted: 'Ок',
  },
  {
    program: 'QQ',
    text: `合同已盖章，请查收附件。


------------------ 原始邮件 ------------------
发件人: "Jonas Berg" <jonas@berg.example>;
发送时间: 2025年3月3日(星期一) 上午10:00
收件人: "王芳"<wang@qq.example>;
主题: 合同

请盖章。`,
    wanted: '合同已盖章，请查收附件。',
  },
  {
    program: '163',
    text: `可以的，我下午发给你。








在 2025-03-03 10:00:00，"Jonas Berg" <jonas@berg.example> 写道：

请发报表。`,
    wanted: '可以的，我下午发给你。',
  },
  {
    program: '163, English, quoted on lines of the mark',
    text: `OK, I will send it this afternoon.

At 2025-03-03 10:00:00, "Jonas Berg" <jonas@berg.example> wrote:
>Please send the report.
>
>Jonas`,
    wanted: 'OK, I will send it this afternoon.',
  },
  {
    program: 'Foxmail',
    text: `您好，

样品已寄出。



王芳
wang@fox.example
 
发件人： Jonas Berg
发送时间： 2025-03-03 10:00
收件人： 王芳
主题： 样品
您好，样品何时寄出？`,
    wanted: `您好，

样品已寄出。



王芳
wang@fox.example`,
    taste: true,
  },
  {
    program: 'Foxmail, English',
    text: `Dear Jonas,

the sample was sent today.

 
From: Jonas Berg
Date: 2025-03-03 10:00
To: wang
Subject: sample
When do you send it?`,
    wanted: `Dear Jonas,

the sample was sent today.`,
  },
  {
    program: 'Naver',
    text: `네, 내일 뵙겠습니다.

-----Original Message-----
From: "Jonas Berg"<jonas@berg.example>
To: <minji@naver.example>;
Cc:
Sent: 2025-03-03 (월) 10:00:00 (GMT+09:00)
Subject: 회의

내일 괜찮으세요?`,
    wanted: '네, 내일 뵙겠습니다.',
  },
  {
    program: 'Daum',
    text: `첨부파일 확인했습니다.

--------- 원본 메일 ---------
보낸사람: Jonas Berg <jonas@berg.example>
받는사람: minji@daum.example
날짜: 25.03.03 10:00 GMT +0900
제목: 자료

자료 보냅니다.`,
    wanted: '첨부파일 확인했습니다.',
  },
  {
    program: 'Lotus Notes',
    text: `Dear Jonas,

the shipment left on Friday.

Best regards
Marta




From:	"Jonas Berg" <jonas@berg.example>
To:	<marta@muster.example>
Date:	03/03/2025 10:00
Subject:	Shipment



Has it left?`,
    wanted: `Dear Jonas,

the shipment left on Friday.

Best regards
Marta`,
  },
  {
    program: 'Lotus Notes, German',
    text: `Hallo Jonas,

die Ware ist unterwegs.

Marta



Von:    Jonas Berg/Berg/DE
An:     Marta Muster/Muster/DE@Muster
Datum:  03.03.2025 10:00
Betreff:        Lieferung



Ist die Ware unterwegs?`,
    wanted: `Hallo Jonas,

die Ware ist unterwegs.

Marta`,
  },
  {
    program: 'Lotus Notes, wrote on',
    text: `Agreed.

Jonas Berg <jonas@berg.example> wrote on 03/03/2025 10:00:00 AM:

> From: Jonas Berg <jonas@berg.example>
> To: Marta Muster
> Date: 03/03/2025 10:00 AM
> Subject: Price
> 
> 100 each?`,
    wanted: 'Agreed.',
  },
  {
    program: 'Samsung, English',
    text: `Running late sorry

Sent from my Galaxy


-------- Original message --------
From: Jonas Berg <jonas@berg.example>
Date: 03/03/2025 10:00 (GMT+01:00)
To: Marta Muster <marta@muster.example>
Subject: Lunch

Where are you?`,
    wanted: 'Running late sorry',
  },
  {
    program: 'Samsung, Spanish',
    text: `Ya llego

Enviado desde mi Galaxy


-------- Mensaje original --------
De: Jonas Berg <jonas@berg.example>
Fecha: 3/3/25 10:00 (GMT+01:00)
A: Ines Roca <ines@roca.example>
Asunto: Comida

¿Dónde estás?`,
    wanted: 'Ya llego',
  },
  {
    program: 'Samsung, Polish',
    text: `Zaraz będę

Wysłane z telefonu Galaxy


-------- Oryginalna wiadomość --------
Od: Jonas Berg <jonas@berg.example>
Data: 3.03.2025 10:00 (GMT+01:00)
Do: Anna Nowak <anna@nowak.example>
Temat: Obiad

Gdzie jesteś?`,
    wanted: 'Zaraz będę',
  },
  {
    program: 'Samsung, Korean',
    text: `지금 가는 중입니다

나의 Galaxy에서 보냄


-------- 원본 이메일 --------
발신: Jonas Berg <jonas@berg.example>
날짜: 25/3/3 오전 10:00 (GMT+09:00)
받은 사람: 김민지 <minji@kim.example>
제목: 점심

어디세요?`,
    wanted: '지금 가는 중입니다',
  },
  {
    program: 'Spark',
    text: `Looks great, ship it!

Sent with Spark
On 3 Mar 2025 at 10:00 +0100, Jonas Berg <jonas@berg.example>, wrote:
> How does it look?`,
    wanted: 'Looks great, ship it!',
  },
  {
    program: 'Superhuman',
    text: `Adding Per, who knows more.

Sent via Superhuman ( https://sprh.mn/?vip=marta@muster.example )

On Mon, Mar 03, 2025 at 10:00 AM, Jonas Berg < jonas@berg.example > wrote:

> 
> Who knows about this?
> `,
    wanted: 'Adding Per, who knows more.',
  },
  {
    program: 'Front',
    text: `Thanks for the quick fix!

On March 3, 2025 at 10:00 AM GMT+1 jonas@berg.example wrote:

It is fixed now.

Jonas`,
    wanted: 'Thanks for the quick fix!',
  },
  {
    program: 'HubSpot, sent from the timeline',
    text: `Hi Jonas,

happy to jump on a call Thursday.

Marta

On Mon, Mar 3, 2025 at 10:00 AM, Jonas Berg <jonas@berg.example> wrote:

> Could we talk?`,
    wanted: `Hi Jonas,

happy to jump on a call Thursday.

Marta`,
  },
  {
    program: 'Zendesk, answered by the customer',
    text: `It still does not work, I tried twice.

On Mon, Mar 3, 2025 at 10:00 AM Acme Support <support@acme.example> wrote:

> ##- Please type your reply above this line -##
>
> Your request (4821) has been updated. To add additional comments, reply to
> this email.
>`,
    wanted: 'It still does not work, I tried twice.',
  },
  {
    program: 'Zendesk, marker in the open',
    text: `My order number is 55120.

##- Please type your reply above this line -##

Your request (4821) has been updated. To add additional comments, reply to this email.

Jonas (Acme)
Mar 3, 2025, 10:00 GMT+1

What is your order number?`,
    wanted: 'My order number is 55120.',
  },
  {
    program: 'Freshdesk, answered',
    text: `Yes, the ticket can be closed.

On Mon, 3 Mar at 10:00 AM , Acme Support <support@acme.example> wrote:
Hi Marta,

May we close the ticket?

Jonas
Acme Support`,
    wanted: 'Yes, the ticket can be closed.',
  },
  {
    program: 'Help Scout, answered',
    text: `That did the trick, thanks!

On Mon, Mar 3, 2025 at 10:00 AM, Acme Support <help@acme.example> wrote:

> -- Please reply above this line --
>
> Try to clear the cache.`,
    wanted: 'That did the trick, thanks!',
  },
  {
    program: 'Help Scout, in the open',
    text: `That did the trick, thanks!

-- Please reply above this line --

Jonas Berg
Mar 3, 2025, 10:00am CET

Try to clear the cache.`,
    wanted: 'That did the trick, thanks!',
  },
  {
    program: 'Jira Service Desk',
    text: `Please use the second account.

—-—-—-—
Reply above this line.

Jonas Berg commented:

Which account should we use?

View request · Turn off this request's notifications`,
    wanted: 'Please use the second account.',
  },
  {
    program: 'GitHub, answered by mail',
    text: `I can reproduce this on 4.2 as well.

On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg ***@***.***>
wrote:

> Does it happen on 4.2?
>
> —
> Reply to this email directly, view it on GitHub
> <https://github.com/acme/widgets/issues/12#issuecomment-1>, or unsubscribe
> <https://github.com/notifications/unsubscribe-auth/AAA>.
> You are receiving this because you commented.Message ID:
> ***@***.***>
>`,
    wanted: 'I can reproduce this on 4.2 as well.',
  },
  {
    program: 'GitHub, notification of a comment',
    text: `I think we should revert this and try again next week.

-- 
Reply to this email directly or view it on GitHub:
https://github.com/acme/widgets/pull/12#issuecomment-2
You are receiving this because you were mentioned.

Message ID: <acme/widgets/pull/12/c2@github.com>`,
    wanted: 'I think we should revert this and try again next week.',
  },
  {
    program: 'GitLab, notification of a comment',
    text: `Jonas Berg commented:


Could you rebase, please?

-- 
Reply to this email directly or view it on GitLab: https://gitlab.example/acme/widgets/-/merge_requests/12#note_1
You're receiving this email because of your account on gitlab.example.`,
    wanted: 'Could you rebase, please?',
  },
  {
    program: 'GitLab, answered by mail',
    text: `Rebased.

Am Mo., 3. März 2025 um 10:00 Uhr schrieb Jonas Berg (@jonas) <
gitlab@gitlab.example>:

> Jonas Berg <https://gitlab.example/jonas> commented:
>
> Could you rebase, please?
>
> —
> Reply to this email directly or view it on GitLab
> <https://gitlab.example/acme/widgets/-/merge_requests/12#note_1>.
>`,
    wanted: 'Rebased.',
  },
  {
    program: 'mutt',
    text: `On Mon, Mar 03, 2025 at 10:00:00AM +0100, Jonas Berg wrote:
> The build fails with gcc 14:
> 
>   error: implicit declaration

Please add #include <string.h>.

> Otherwise fine.

Good.

-- 
Marta`,
    wanted: `On Mon, Mar 03, 2025 at 10:00:00AM +0100, Jonas Berg wrote:
> The build fails with gcc 14:
> 
>   error: implicit declaration

Please add #include <string.h>.

> Otherwise fine.

Good.`,
  },
  {
    program: 'mutt, own attribution',
    text: `* Jonas Berg <jonas@berg.example> [2025-03-03 10:00 +0100]:
> Who reviews this?

I will.

Marta`,
    wanted: `I will.

Marta`,
  },
  {
    program: 'mutt, quoted code in the answer',
    text: `Quoting Jonas Berg (2025-03-03 10:00:00)
> How do I redirect?

Like this:

    make > build.log 2>&1

and look at the end.`,
    wanted: `Like this:

    make > build.log 2>&1

and look at the end.`,
  },
  {
    program: 'Gnus',
    text: `Jonas Berg <jonas@berg.example> writes:

> Emacs hangs on start.

Try \`emacs -Q'.

-- 
Marta`,
    wanted: "Try `emacs -Q'.",
  },
  {
    program: 'Gnus, supercite',
    text: `>>>>> "Jonas" == Jonas Berg <jonas@berg.example> writes:

    Jonas> Emacs hangs on start.
    Jonas> What can I do?

Try emacs -Q first.`,
    wanted: 'Try emacs -Q first.',
  },
  {
    program: 'Gnus, time first',
    text: `On Mon 03 Mar 2025 at 10:00, Jonas Berg <jonas@berg.example> writes:

> Which version?

29.4, from the distribution.`,
    wanted: '29.4, from the distribution.',
  },
  {
    program: 'pine',
    text: `On Mon, 3 Mar 2025, Jonas Berg wrote:

> The disk is full again.

I removed the old logs. 40 GB free now.

Marta`,
    wanted: `I removed the old logs. 40 GB free now.

Marta`,
  },
  {
    program: 'K-9',
    text: `Ich bin um acht da.
-- 
Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.

Am 3. März 2025 10:00:00 MEZ schrieb Jonas Berg <jonas@berg.example>:
>Wann bist du da?`,
    wanted: 'Ich bin um acht da.',
  },
  {
    program: 'K-9, English, the quote above the signature',
    text: `At eight.

On 3 March 2025 10:00:00 CET, Jonas Berg <jonas@berg.example> wrote:
>When will you be there?

-- 
Sent from my Android device with K-9 Mail. Please excuse my brevity.`,
    wanted: 'At eight.',
  },
  {
    program: 'BlackBerry 10',
    text: `Call me in 5

Sent from my BlackBerry 10 smartphone on the Rogers network.
From: Jonas Berg
Sent: Monday, March 3, 2025 10:00 AM
To: Marta Muster
Subject: Call

When can we talk?`,
    wanted: 'Call me in 5',
  },
  {
    program: 'BlackBerry, old',
    text: `Yes go ahead
Sent via BlackBerry by AT&T

-----Original Message-----
From: "Jonas Berg" <jonas@berg.example>
Date: Mon, 3 Mar 2025 10:00:00 
To: <marta@muster.example>
Subject: Go

Go?`,
    wanted: 'Yes go ahead',
  },
  {
    program: 'Windows Mail',
    text: `See attached.

Sent from Mail for Windows

From: Jonas Berg
Sent: Monday, March 3, 2025 10:00 AM
To: Marta Muster
Subject: File

Can I have it?`,
    wanted: 'See attached.',
  },
  {
    program: 'Windows Mail, Portuguese',
    text: `Segue em anexo.

Enviado do Email para Windows

De: Jonas Berg
Enviado:segunda-feira, 3 de março de 2025 10:00
Para: Bruna Lima
Assunto: Arquivo

Pode enviar?`,
    wanted: 'Segue em anexo.',
  },
  {
    program: 'Roundcube',
    text: `On 2025-03-03 10:00, Jonas Berg wrote:

> Is the server up?

Yes, since nine.

-- 
Marta`,
    wanted: 'Yes, since nine.',
  },
  {
    program: 'Roundcube, Spanish, top',
    text: `Sí, desde las nueve.

El 2025-03-03 10:00, Jonas Berg escribió:

> ¿Está el servidor?`,
    wanted: 'Sí, desde las nueve.',
  },
  {
    program: 'SquirrelMail',
    text: `> Is the server up?

Yes, since nine.

Marta`,
    wanted: `> Is the server up?

Yes, since nine.

Marta`,
  },
  {
    program: 'Horde',
    text: `I fixed it.

Quoting Jonas Berg <jonas@berg.example>:

> The form is broken.
>
> Jonas



----------------------------------------------------------------
This message was sent using IMP, the Internet Messaging Program.`,
    wanted: 'I fixed it.',
  },
  {
    program: 'Horde, German',
    text: `Ist behoben.

Zitat von Jonas Berg <jonas@berg.example>:

> Das Formular ist kaputt.`,
    wanted: 'Ist behoben.',
  },
  {
    program: 'eM Client',
    text: `Agreed, thanks.

------ Original Message ------
From "Jonas Berg" <jonas@berg.example>
To "Marta Muster" <marta@muster.example>
Date 3/3/2025 10:00:00 AM
Subject Re: terms

>Are the terms fine?`,
    wanted: 'Agreed, thanks.',
  },
  {
    program: 'The Bat!',
    text: `Здравствуйте, Jonas.

Вы писали 3 марта 2025 г., 10:00:00:

> Когда отгрузка?

В пятницу.

-- 
С уважением,
 Ольга                          mailto:olga@petrova.example`,
    wanted: `Здравствуйте, Jonas.

В пятницу.`,
  },
  {
    program: 'Zimbra',
    text: `We will deliver on Friday.

Marta

From: "Jonas Berg" <jonas@berg.example>
To: "Marta Muster" <marta@muster.example>
Sent: Monday, March 3, 2025 10:00:00 AM
Subject: Delivery

When?`,
    wanted: `We will deliver on Friday.

Marta`,
  },
  {
    program: 'Zimbra, French, rule',
    text: `Livraison vendredi.

De: "Jonas Berg" <jonas@berg.example>
À: "Claire Petit" <claire@petit.example>
Envoyé: Lundi 3 Mars 2025 10:00:00
Objet: Livraison

Quand ?`,
    wanted: 'Livraison vendredi.',
  },
  {
    program: 'Orange, French',
    text: `Bonjour, c'est d'accord.





> Message du 03/03/25 10:00
> De : "Jonas Berg" <jonas@berg.example>
> A : claire@petit.example
> Copie à : 
> Objet : Jeudi
> 
> C'est d'accord ?`,
    wanted: "Bonjour, c'est d'accord.",
  },
  {
    program: 'Libero, Italian',
    text: `Ok, ci sentiamo domani.

Il 03/03/2025 10:00 Jonas Berg <jonas@berg.example> ha scritto:
 
Quando ci sentiamo?`,
    wanted: 'Ok, ci sentiamo domani.',
  },
  {
    program: 'Seznam, Czech',
    text: `Dobrý den, ano.

Jana

---------- Původní e-mail ----------
Od: Jonas Berg <jonas@berg.example>
Komu: jana@seznam.example
Datum: 3. 3. 2025 10:00:00
Předmět: Dotaz

Je to možné?`,
    wanted: `Dobrý den, ano.

Jana`,
  },
  {
    program: 'WP, Polish',
    text: `Tak, zapraszam.

Dnia 3 marca 2025 10:00 Jonas Berg <jonas@berg.example> napisał(a):

Czy można wpaść?`,
    wanted: 'Tak, zapraszam.',
  },
  {
    program: 'Tutanota',
    text: `Sounds like a plan.


--
Secured with Tuta Mail:
https://tuta.com/free-email



3. März 2025, 10:00 von jonas@berg.example:

> Plan?`,
    wanted: 'Sounds like a plan.',
  },
  {
    program: 'Mailspring',
    text: `Yes.

Sent from Mailspring (https://getmailspring.com/), the best free email app for work
On Mar 3 2025, at 10:00 am, Jonas Berg <jonas@berg.example> wrote:
> Yes or no?`,
    wanted: 'Yes.',
  },
  {
    program: 'Airmail',
    text: `Done, see the board.

On March 3, 2025 at 10:00:00 AM, Jonas Berg (jonas@berg.example) wrote:

Is it done?`,
    wanted: 'Done, see the board.',
  },
  {
    program: 'Newton',
    text: `OK by me

Sent from Newton [https://cloudmagic.com/k/d/mailapp?ct=pi&cv=10]

On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg <jonas@berg.example> wrote:
Is that OK?`,
    wanted: 'OK by me',
  },
  {
    program: 'HEY',
    text: `Nice one!

On March 3, 2025, Jonas Berg <jonas@berg.example> wrote:

> New logo.`,
    wanted: 'Nice one!',
  },
  {
    program: 'Missive',
    text: `I'll take this.

On Mar 3, 2025 at 10:00:00 AM, Jonas Berg <jonas@berg.example> wrote:

> Who takes this?`,
    wanted: "I'll take this.",
  },
  {
    program: 'aerc',
    text: `On Mon Mar 3, 2025 at 10:00 AM CET, Jonas Berg wrote:
> v2 of the series.

Reviewed-by: Marta Muster <marta@muster.example>`,
    wanted: 'Reviewed-by: Marta Muster <marta@muster.example>',
  },
  {
    program: 'Evolution',
    text: `On Mon, 2025-03-03 at 10:00 +0100, Jonas Berg wrote:
> Patch for the leak.

Applied, thanks.

johannes`,
    wanted: `Applied, thanks.

johannes`,
  },
  {
    program: 'KMail, German',
    text: `Am Montag, 3. März 2025, 10:00:00 Mitteleuropäische Normalzeit schrieb Jonas Berg:
> Geht es wieder?

Ja, seit heute früh.`,
    wanted: 'Ja, seit heute früh.',
  },
  {
    program: 'Claws',
    text: `On Mon, 3 Mar 2025 10:00:00 +0100
Jonas Berg <jonas@berg.example> wrote:

> Is there a release?

Next week.`,
    wanted: 'Next week.',
  },
  {
    program: 'Sylpheed, Japanese',
    text: `On Mon, 3 Mar 2025 10:00:00 +0900
Jonas Berg <jonas@berg.example> wrote:

> 会議は何時ですか。

十時からです。`,
    wanted: '十時からです。',
  },
  {
    program: 'Becky!, Japanese',
    text: `山田です。

On Mon, 03 Mar 2025 10:00:00 +0900
"Jonas Berg" <jonas@berg.example> wrote:

> 見積をお願いします。

明日お送りします。

-- 
山田花子`,
    wanted: `山田です。

明日お送りします。`,
  },
  {
    program: 'a security banner on top, English',
    text: `CAUTION: This email originated from outside of the organization. Do not click links or open attachments unless you recognize the sender and know the content is safe.

We accept the offer.

Per

From: Jonas Berg <jonas@berg.example>
Sent: Monday, March 3, 2025 10:00 AM
To: Per Holm <per@holm.example>
Subject: Offer

Please accept.`,
    wanted: `We accept the offer.

Per`,
  },
  {
    program: 'a security banner on top, Outlook',
    text: `You don't often get email from per@holm.example. Learn why this is important<https://aka.ms/LearnAboutSenderIdentification>
We accept the offer.

From: Jonas Berg <jonas@berg.example>
Sent: Monday, March 3, 2025 10:00 AM
To: Per Holm <per@holm.example>
Subject: Offer

Please accept.`,
    wanted: 'We accept the offer.',
  },
  {
    program: 'a security banner on top, German',
    text: `ACHTUNG: Diese E-Mail stammt von einem externen Absender. Bitte öffnen Sie keine Anhänge oder Links, wenn Sie den Absender nicht kennen.

Wir nehmen das Angebot an.

Am 03.03.2025 um 10:00 schrieb Jonas Berg:
> Angebot`,
    wanted: 'Wir nehmen das Angebot an.',
  },
  {
    program: 'a disclaimer below, English',
    text: `We will send the parts on Friday.

This email and any attachments are confidential and intended solely for the use of the individual or entity to whom they are addressed. If you have received this email in error please notify the sender immediately and delete it.

On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg <jonas@berg.example> wrote:

> When?
>`,
    wanted: 'We will send the parts on Friday.',
  },
  {
    program: 'a disclaimer below, Spanish',
    text: `Enviamos las piezas el viernes.

AVISO LEGAL: Este mensaje y sus archivos adjuntos son confidenciales y van dirigidos exclusivamente a su destinatario. Si ha recibido este mensaje por error, le rogamos que lo comunique al remitente y proceda a su eliminación.

El lun, 3 mar 2025 a las 10:00, Jonas Berg (<jonas@berg.example>) escribió:

> ¿Cuándo?
>`,
    wanted: 'Enviamos las piezas el viernes.',
  },
  {
    program: 'a disclaimer below, French, trees',
    text: `Nous expédions vendredi.

Pensez à l'environnement avant d'imprimer ce message.

Le lun. 3 mars 2025 à 10:00, Jonas Berg <jonas@berg.example> a écrit :

> Quand ?
>`,
    wanted: 'Nous expédions vendredi.',
  },
  {
    program: 'a virus note below',
    text: `It is paid.

-- 
This email has been checked for viruses by AVG antivirus software.
www.avg.com`,
    wanted: 'It is paid.',
  },
  {
    program: 'Avast in Outlook',
    text: `Fine by me.

Virus-free.www.avast.com<https://www.avast.com/sig-email?utm_medium=email>

On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg <jonas@berg.example> wrote:

> OK?
>`,
    wanted: 'Fine by me.',
  },
  {
    program: 'a footer of mailman below a quote',
    text: `On Mon, 3 Mar 2025, Jonas Berg wrote:

> Does anyone use the old API?

We do, until summer.

Marta
_______________________________________________
api-users mailing list -- api-users@lists.example.org
To unsubscribe send an email to api-users-leave@lists.example.org`,
    wanted: `We do, until summer.

Marta`,
  },
  {
    program: 'Discourse by mail',
    text: `The plugin fixed it for me.

On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg via Acme Forum <
notifications@acme.discoursemail.example> wrote:

> jonas
> March 3
>
> Try the plugin.
>
> Visit Topic <https://forum.acme.example/t/1> or reply to this email to respond.
>`,
    wanted: 'The plugin fixed it for me.',
  },
  {
    program: 'no quote mark, rule of the writer',
    text: `Part one is done.

---

Part two needs your input:

- which colour?
- which size?

Marta`,
    wanted: `Part one is done.

---

Part two needs your input:

- which colour?
- which size?

Marta`,
  },
  {
    program: 'own words: On Monday Jonas wrote:',
    text: `I found the reason. On Monday Jonas wrote:

"we pay in April"

so we need not worry.`,
    wanted: `I found the reason. On Monday Jonas wrote:

"we pay in April"

so we need not worry.`,
  },
  {
    program: 'own words: arrows',
    text: `The way is simple:
Settings -> Mail -> Rules
> 5 rules are too many, I think.

Thanks
Marta`,
    wanted: `The way is simple:
Settings -> Mail -> Rules
> 5 rules are too many, I think.

Thanks
Marta`,
    taste: true,
  },
  {
    program: 'own words: sent from',
    text: `The parcel was sent from our warehouse in Ghent on Friday.
It should be there today.

Sent from my iPhone`,
    wanted: `The parcel was sent from our warehouse in Ghent on Friday.
It should be there today.`,
  },
  {
    program: 'a table of signs',
    text: `Here are the prices:

| Item  | Price |
|-------|-------|
| Bolt  |  1.20 |
| Nut   |  0.80 |

-----------------
Total:     2.00

Regards, Per

On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg <jonas@berg.example> wrote:

> Prices?
>`,
    wanted: `Here are the prices:

| Item  | Price |
|-------|-------|
| Bolt  |  1.20 |
| Nut   |  0.80 |

-----------------
Total:     2.00

Regards, Per`,
  },
  {
    program: 'broken wrapping of an introduction',
    text: `Fits.

On Monday, March 3, 2025, Jonas Berg <
jonas@berg.example>
wrote:
> Does the part fit
> into the hole?`,
    wanted: 'Fits.',
  },
  {
    program: 'forward, Gmail',
    subject: 'Fwd: Prices',
    text: `Per, see below.

---------- Forwarded message ---------
From: Jonas Berg <jonas@berg.example>
Date: Mon, Mar 3, 2025 at 10:00 AM
Subject: Prices
To: Marta Muster <marta@muster.example>


Bolt 1.20, nut 0.80.`,
    wanted: `Per, see below.

---------- Forwarded message ---------
From: Jonas Berg <jonas@berg.example>
Date: Mon, Mar 3, 2025 at 10:00 AM
Subject: Prices
To: Marta Muster <marta@muster.example>


Bolt 1.20, nut 0.80.`,
    taste: true,
  },
  {
    program: 'forward, Apple Mail',
    subject: 'Fwd: Prices',
    text: `Per, see below.

> Begin forwarded message:
> 
> From: Jonas Berg <jonas@berg.example>
> Subject: Prices
> Date: 3 March 2025 at 10:00:00 CET
> To: Marta Muster <marta@muster.example>
> 
> Bolt 1.20, nut 0.80.`,
    wanted: `Per, see below.

Begin forwarded message:

From: Jonas Berg <jonas@berg.example>
Subject: Prices
Date: 3 March 2025 at 10:00:00 CET
To: Marta Muster <marta@muster.example>

Bolt 1.20, nut 0.80.`,
    taste: true,
  },
  {
    program: 'Outlook, interleaved below a header, own marks',
    text: `See my answers below in [Marta].

Marta

From: Jonas Berg <jonas@berg.example>
Sent: Monday, March 3, 2025 10:00 AM
To: Marta Muster <marta@muster.example>
Subject: Questions

1. Which colour?
[Marta] Blue.
2. Which size?
[Marta] Ten.`,
    wanted: `See my answers below in [Marta].

Marta`,
    taste: true,
  },
]

/** Replies in HTML, alone and as the other part of a mail with both. */
export const htmlReplies: readonly Reply[] = [
  {
    program: 'Gmail web',
    html: `<div dir="ltr">Sure, that works.<div><br></div><div>Marta</div></div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg &lt;<a href="mailto:jonas@berg.example">jonas@berg.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><div dir="ltr">Would Thursday work?</div></blockquote></div>`,
    wanted: 'Sure, that works.\n\nMarta',
  },
  {
    program: 'Gmail web, signature between',
    html: `<div dir="ltr">I will look into it.</div><br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature"><div dir="ltr">Marta Muster<br>Head of Purchasing</div></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">Le lun. 3 mars 2025 à 10:00, Jonas Berg &lt;jonas@berg.example&gt; a écrit :<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex"><div>News?</div></blockquote></div>`,
    wanted: 'I will look into it.',
  },
  {
    program: 'Gmail web, interleaved',
    html: `<div dir="ltr"><div dir="ltr">Hi Jonas,</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Mon, Mar 3, 2025 at 10:00 AM Jonas Berg &lt;jonas@berg.example&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0"><div>Do you need the projector?</div></blockquote><div><br></div><div>Yes please.</div><div> </div><blockquote class="gmail_quote" style="margin:0"><div>How many chairs?</div></blockquote><div><br></div><div>Twelve.</div></div></div>`,
    wanted:
      'Hi Jonas,\n\nOn Mon, Mar 3, 2025 at 10:00 AM Jonas Berg <jonas@berg.example> wrote:\n> Do you need the projector?\n\nYes please.\n> How many chairs?\n\nTwelve.',
  },
  {
    program: 'Gmail on Android, Arabic',
    html: `<div dir="auto">نعم، موافق.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">في الاثنين، 3 مارس 2025، 10:00 ص Jonas Berg &lt;<a href="mailto:jonas@berg.example">jonas@berg.example</a>&gt; كتب:<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex"><div>الخميس؟</div></blockquote></div>`,
    wanted: 'نعم، موافق.',
  },
  {
    program: 'Outlook desktop, Word',
    html: `<html><head><style>@font-face{font-family:Calibri}p.MsoNormal{margin:0}</style></head><body lang="EN-US" link="#0563C1"><div class="WordSection1"><p class="MsoNormal">Thanks, the numbers look right.<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><p class="MsoNormal">Marta<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal"><b>From:</b> Jonas Berg &lt;jonas@berg.example&gt; <br><b>Sent:</b> Monday, March 3, 2025 10:00 AM<br><b>To:</b> Marta Muster &lt;marta@muster.example&gt;<br><b>Subject:</b> Numbers<o:p></o:p></p></div></div><p class="MsoNormal">Here they are.<o:p></o:p></p></div></body></html>`,
    wanted: 'Thanks, the numbers look right.\n\nMarta',
  },
  {
    program: 'Outlook desktop, Thai',
    html: `<div class="WordSection1"><p class="MsoNormal">ได้รับแล้วค่ะ<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>จาก:</b> Jonas Berg<br><b>ส่ง:</b> วันจันทร์ที่ 3 มีนาคม 2568 10:00<br><b>ถึง:</b> somying@s.example<br><b>เรื่อง:</b> ใบเสนอราคา<o:p></o:p></p></div><p class="MsoNormal">ส่งให้แล้ว<o:p></o:p></p></div>`,
    wanted: 'ได้รับแล้วค่ะ',
  },
  {
    program: 'OWA',
    html: `<div class="elementToProof" style="font-family: Aptos; font-size: 12pt;">We take it.</div><div class="elementToProof"><br></div><div class="elementToProof">Per</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000"><b>From:</b> Jonas Berg &lt;jonas@berg.example&gt;<br><b>Sent:</b> Monday, March 3, 2025 10:00 AM<br><b>To:</b> Per Holm<br><b>Subject:</b> Offer</font><div>&nbsp;</div></div><div>Do you take it?</div>`,
    wanted: 'We take it.\n\nPer',
  },
  {
    program: 'OWA, signature by id',
    html: `<div class="elementToProof">We take it.</div><div id="Signature" class="elementToProof"><p>Per Holm<br>Buyer, Holm AB</p></div><div id="appendonsend"></div><hr tabindex="-1" style="display:inline-block; width:98%"><div id="divRplyFwdMsg" dir="ltr"><span><b>Från:</b> Jonas Berg<br><b>Skickat:</b> den 3 mars 2025 10:00<br><b>Till:</b> Per Holm<br><b>Ämne:</b> Offert</span></div><div>Tar ni den?</div>`,
    wanted: 'We take it.',
  },
  {
    program: 'Outlook mobile',
    html: `<div dir="auto">On my way.</div><div id="ms-outlook-mobile-signature"><div><br></div>Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif"><b>From:</b> Jonas Berg<br><b>Sent:</b> Monday, March 3, 2025 10:00:00 AM<br><b>To:</b> Marta<br><b>Subject:</b> Lunch</font></div><div>Where are you?</div>`,
    wanted: 'On my way.',
  },
  {
    program: 'Outlook mobile, new container',
    html: `<div dir="ltr" style="font-family: Aptos;">Ja, gerne!</div><div dir="ltr" id="ms-outlook-mobile-signature"><br>Outlook für <a href="https://aka.ms/o0ukef">iOS</a> beziehen</div><div id="mail-editor-reference-message-container" dir="ltr"><hr><div style="text-align: left; padding: 3pt 0in 0in; border-width: 1pt medium medium;"><b>Von: </b>Jonas Berg &lt;jonas@berg.example&gt;<br><b>Datum: </b>Montag, 3. März 2025 um 10:00<br><b>An: </b>Marta<br><b>Betreff: </b>Kaffee?</div><div>Kaffee?</div></div>`,
    wanted: 'Ja, gerne!',
  },
  {
    program: 'Outlook for Mac',
    html: `<div class="WordSection1"><p class="MsoNormal">Approved.</p><p class="MsoNormal">&nbsp;</p><div id="mail-editor-reference-message-container"><div><div style="border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal" style="margin-bottom:12.0pt"><b><span style="color:black">From: </span></b><span style="color:black">Jonas Berg &lt;jonas@berg.example&gt;<br><b>Date: </b>Monday, 3 March 2025 at 10:00<br><b>To: </b>Marta<br><b>Subject: </b>Budget</span></p></div><p class="MsoNormal">May I?</p></div></div></div>`,
    wanted: 'Approved.',
  },
  {
    program: 'Apple Mail',
    html: `<html><head></head><body style="overflow-wrap: break-word;">Hi Jonas,<div><br></div><div>happy to help.</div><div><br></div><div>Marta<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>On 3 Mar 2025, at 10:00, Jonas Berg &lt;jonas@berg.example&gt; wrote:</div><br class="Apple-interchange-newline"><div><div>Could you check?</div></div></blockquote></div><br></div></body></html>`,
    wanted: 'Hi Jonas,\n\nhappy to help.\n\nMarta',
  },
  {
    program: 'Apple Mail on iOS',
    html: `<html><body dir="auto"><div dir="ltr"></div><div dir="ltr">Klingt gut</div><br id="lineBreakAtBeginningOfSignature"><div dir="ltr">Von meinem iPhone gesendet</div><div dir="ltr"><br><blockquote type="cite">Am 03.03.2025 um 10:00 schrieb Jonas Berg &lt;jonas@berg.example&gt;:<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">﻿Donnerstag?</div></blockquote></body></html>`,
    wanted: 'Klingt gut',
  },
  {
    program: 'Apple Mail, interleaved',
    html: `<body><div><blockquote type="cite"><div>On 3 Mar 2025, at 10:00, Jonas Berg &lt;jonas@berg.example&gt; wrote:</div><br class="Apple-interchange-newline"><div>Is the room free?</div></blockquote><div><br></div>Yes, all day.</div><div><br><blockquote type="cite"><div>Who has the key?</div></blockquote><div><br></div>Reception.</div></body>`,
    wanted:
      '> On 3 Mar 2025, at 10:00, Jonas Berg <jonas@berg.example> wrote:\n>\n> Is the room free?\n\nYes, all day.\n\n> Who has the key?\n\nReception.',
  },
  {
    program: 'Thunderbird, below, signature',
    html: `<html><body><div class="moz-cite-prefix">On 03/03/2025 10:00, Jonas Berg wrote:<br></div><blockquote type="cite" cite="mid:x@berg.example"><p>Does it apply?</p></blockquote><p>Cleanly.</p><div class="moz-signature">-- <br>Marta Muster<br>Hamburg</div></body></html>`,
    wanted: 'Cleanly.',
  },
  {
    program: 'Thunderbird, top, forwarded-header container in the quote',
    html: `<body><p>See you there.</p><pre class="moz-signature" cols="72">-- 
Marta</pre><div class="moz-cite-prefix">Am 03.03.25 um 10:00 schrieb Jonas Berg:<br></div><blockquote type="cite"><p>Kommst du?</p><div class="moz-forward-container">-------- Weitergeleitete Nachricht --------<table><tr><th>Betreff: </th><td>x</td></tr></table>y</div></blockquote></body>`,
    wanted: 'See you there.',
  },
  {
    program: 'Yahoo',
    html: `<html><body><div class="ydp1 yahoo-style-wrap" style="font-size:13px;"><div dir="ltr">Got it, thanks.</div><div><br></div></div><div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted"><div style="font-size:13px;color:#26282a;"><div>On Monday, March 3, 2025 at 10:00:00 AM GMT+1, Jonas Berg &lt;jonas@berg.example&gt; wrote: </div><div><br></div><div><div>Invoice attached.</div></div></div></div></body></html>`,
    wanted: 'Got it, thanks.',
  },
  {
    program: 'Yahoo on Android',
    html: `I can come at 5<br><br><div id="ymail_android_signature"><a id="ymail_android_signature_link" href="https://mail.onelink.me/1">Yahoo Mail: Search, Organize, Conquer</a></div> <br> <blockquote style="margin: 0 0 20px 0;"> <div style="font-family:Roboto, sans-serif; color:#6D00F6;"> <div>On Mon, 3 Mar 2025 at 10:00, Jonas Berg</div><div>&lt;jonas@berg.example&gt; wrote:</div> </div> <div style="padding: 10px 0 0 20px;">When?</div></blockquote>`,
    wanted: 'I can come at 5',
  },
  {
    program: 'Proton',
    html: `<div style="font-family: Arial;">Yes, let's do it.</div><div class="protonmail_signature_block" style="font-family: Arial;"><div class="protonmail_signature_block-user protonmail_signature_block-empty"></div><div class="protonmail_signature_block-proton">Sent with <a href="https://proton.me/mail/home">Proton Mail</a> secure email.</div></div><div class="protonmail_quote">On Monday, March 3rd, 2025 at 10:00, Jonas Berg &lt;jonas@berg.example&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">Shall we?</blockquote></div>`,
    wanted: "Yes, let's do it.",
  },
  {
    program: 'Fastmail',
    html: `<div style="font-family:Arial;">Yep, deployed.</div><div><br></div><div id="sig1"><div class="signature">--<br>Marta</div></div><div><br></div><div>On Mon, Mar 3, 2025, at 10:00 AM, Jonas Berg wrote:</div><blockquote type="cite" id="qt"><div>Is it out?</div></blockquote>`,
    wanted: 'Yep, deployed.',
  },
  {
    program: 'Zoho',
    html: `<div style="font-family: Verdana;"><div>Option B.<br></div><div><br></div><div class="zmail_extra_hr" style="border-top: 1px solid rgb(204, 204, 204);"><br></div><div class="zmail_extra" data-zbluepencil-ignore="true"><div><br></div><div id="Zm-_Id_-Sgn1">---- On Mon, 03 Mar 2025 10:00:00 +0530 <b>Jonas Berg &lt;jonas@berg.example&gt;</b> wrote ---<br></div><div><br></div><blockquote id="blockquote_zmail" style="margin: 0px;"><div>A or B?</div></blockquote></div></div>`,
    wanted: 'Option B.',
  },
  {
    program: 'GMX',
    html: `<html><body><div style="font-family: Verdana;"><div>Wir kommen gern!</div><div>&nbsp;</div><div>Marta</div><div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;"><div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Montag, 03. März 2025 um 10:00 Uhr<br/><b>Von:</b>&nbsp;"Jonas Berg" &lt;jonas@berg.example&gt;<br/><b>An:</b>&nbsp;marta@gmx.example<br/><b>Betreff:</b>&nbsp;Einladung</div><div name="quoted-content">Kommt ihr?</div></div></div></div></body></html>`,
    wanted: 'Wir kommen gern!\n\nMarta',
  },
  {
    program: 'Mail.ru',
    html: `<HTML><BODY><div>Всё получили.</div><div>&nbsp;</div><div data-signature-widget="container"><div data-signature-widget="content"><div>--<br>Ольга</div></div></div><div>&nbsp;</div><div>&nbsp;</div><blockquote style="border-left:1px solid #0857A6;margin:10px;padding:0 0 0 10px;">Понедельник, 3 марта 2025, 10:00 +03:00 от Jonas Berg &lt;jonas@berg.example&gt;:<br>&nbsp;<div id="">Получили?</div></blockquote></BODY></HTML>`,
    wanted: 'Всё получили.',
  },
  {
    program: 'Yandex',
    html: `<div>Да, конечно.</div><div> </div><div> </div><div>03.03.2025, 10:00, "Jonas Berg" &lt;jonas@berg.example&gt;:</div><blockquote><p>Можно перенести?</p></blockquote><div> </div><div> </div><div>-- <br />С уважением, Ольга</div>`,
    wanted: 'Да, конечно.',
  },
  {
    program: 'QQ',
    html: `<div>合同已盖章。</div><div><br></div><div style="position: relative;"><div style="font-size: 12px;font-family: Arial Narrow;padding:2px 0 2px 0;">------------------&nbsp;原始邮件&nbsp;------------------</div><div style="font-size: 12px;background:#efefef;padding:8px;"><div><b>发件人:</b>&nbsp;"Jonas Berg"&lt;jonas@berg.example&gt;;</div><div><b>发送时间:</b>&nbsp;2025年3月3日(星期一) 上午10:00</div><div><b>收件人:</b>&nbsp;"王芳"&lt;wang@qq.example&gt;;</div><div><b>主题:</b>&nbsp;合同</div></div><div><br></div>请盖章。</div>`,
    wanted: '合同已盖章。',
  },
  {
    program: '163',
    html: `<div style="line-height:1.7;color:#000000;font-size:14px;font-family:Arial"><p style="margin:0;">可以的。</p><div style="position:relative;zoom:1"></div><div id="divNeteaseMailCard"></div><p>在 2025-03-03 10:00:00，"Jonas Berg" &lt;jonas@berg.example&gt; 写道：</p><blockquote id="isReplyContent" style="PADDING-LEFT: 1ex; MARGIN: 0px 0px 0px 0.8ex; BORDER-LEFT: #ccc 1px solid"><pre>请发报表。</pre></blockquote></div>`,
    wanted: '可以的。',
  },
  {
    program: 'Foxmail',
    html: `<body><div><span></span>样品已寄出。</div><div><br></div><blockquote style="margin-Top: 0px; margin-Bottom: 0px; margin-Left: 0.5em; margin-Right: inherit"><div>&nbsp;</div><div style="border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0cm 0cm 0cm"><div style="PADDING-RIGHT: 8px; FONT-SIZE: 12px;BACKGROUND: #efefef;"><div><b>发件人：</b>&nbsp;<a href="mailto:jonas@berg.example">Jonas Berg</a></div><div><b>发送时间：</b>&nbsp;2025-03-03&nbsp;10:00</div><div><b>收件人：</b>&nbsp;王芳</div><div><b>主题：</b>&nbsp;样品</div></div></div><div>何时寄出？</div></blockquote></body>`,
    wanted: '样品已寄出。',
  },
  {
    program: 'Naver',
    html: `<html><head><style>p{margin:0}</style></head><body><div style="font-size:10pt; font-family:Gulim;"><p>네, 내일 뵙겠습니다.</p><p>&nbsp;</p><p>-----Original Message-----<br><b>From:</b>&nbsp;"Jonas Berg"&lt;jonas@berg.example&gt;<br><b>To:</b>&nbsp;&lt;minji@naver.example&gt;;<br><b>Cc:</b>&nbsp;<br><b>Sent:</b>&nbsp;2025-03-03 (월) 10:00:00 (GMT+09:00)<br><b>Subject:</b>&nbsp;회의</p><p>내일?</p></div></body></html>`,
    wanted: '네, 내일 뵙겠습니다.',
  },
  {
    program: 'Lotus Notes',
    html: `<font size=2 face="sans-serif">The shipment left on Friday.</font><br><br><font size=2 face="sans-serif">Marta</font><br><br><br><br><font size=1 color=#5f5f5f face="sans-serif">From: &nbsp; &nbsp; &nbsp; &nbsp;</font><font size=1 face="sans-serif">"Jonas Berg" &lt;jonas@berg.example&gt;</font><br><font size=1 color=#5f5f5f face="sans-serif">To: &nbsp; &nbsp; &nbsp; &nbsp;</font><font size=1 face="sans-serif">&lt;marta@muster.example&gt;</font><br><font size=1 color=#5f5f5f face="sans-serif">Date: &nbsp; &nbsp; &nbsp; &nbsp;</font><font size=1 face="sans-serif">03/03/2025 10:00</font><br><font size=1 color=#5f5f5f face="sans-serif">Subject: &nbsp; &nbsp; &nbsp; &nbsp;</font><font size=1 face="sans-serif">Shipment</font><br><hr noshade><br><br><font size=3>Has it left?</font>`,
    wanted: 'The shipment left on Friday.\n\nMarta',
  },
  {
    program: 'Samsung',
    html: `<html><head></head><body dir="auto"><div dir="auto">Running late</div><div dir="auto"><br></div><div dir="auto"><br></div><div id="composer_signature" dir="auto"><div style="font-size:12px;color:#575757" dir="auto">Sent from my Galaxy</div></div><div dir="auto"><br></div><div><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div>-------- Original message --------</div><div>From: Jonas Berg &lt;jonas@berg.example&gt; </div><div>Date: 03/03/2025  10:00  (GMT+01:00) </div><div>To: Marta &lt;marta@muster.example&gt; </div><div>Subject: Lunch </div><div><br></div></div>Where are you?</body></html>`,
    wanted: 'Running late',
  },
  {
    program: 'Spark',
    html: `<html><body><div name="messageBodySection"><div dir="auto">Ship it!</div></div><div name="messageSignatureSection"><br /><div class="matchFont">Sent with <a href="https://sparkmailapp.com">Spark</a></div></div><div name="messageReplySection">On 3 Mar 2025 at 10:00 +0100, Jonas Berg &lt;jonas@berg.example&gt;, wrote:<br /><blockquote type="cite" class="spark_quote" style="margin: 5px 5px;"><div>How does it look?</div></blockquote></div></body></html>`,
    wanted: 'Ship it!',
  },
  {
    program: 'Superhuman',
    html: `<html><body><div><div><div>Adding Per.</div></div><br/><div class="sh-signature"><div class="gmail_signature"><div>Sent via <a href="https://sprh.mn/?vip=m">Superhuman</a></div></div></div><br/><div><div class="gmail_quote">On Mon, Mar 03, 2025 at 10:00 AM, Jonas Berg <span dir="ltr">&lt;<a href="mailto:jonas@berg.example">jonas@berg.example</a>&gt;</span> wrote:<br/><blockquote class="gmail_quote" style="margin:0 0 0 .8ex"><div class="gmail_extra">Who knows?</div></blockquote></div></div></div></body></html>`,
    wanted: 'Adding Per.',
  },
  {
    program: 'Front',
    html: `<div>Thanks for the quick fix!</div><br><div class="front-signature"><div>--<br>Marta Muster</div></div><br><blockquote type="cite" class="front-blockquote"><div>On March 3, 2025 at 10:00 AM GMT+1 <a href="mailto:jonas@berg.example">jonas@berg.example</a> wrote:</div><div><br></div><div>It is fixed.</div></blockquote>`,
    wanted: 'Thanks for the quick fix!',
  },
  {
    program: 'GitHub, notification',
    html: `<p></p>
<div><strong>jonas</strong> left a comment <a href="https://github.com/acme/widgets/issues/12#issuecomment-1">(acme/widgets#12)</a></div>
<p dir="auto">Please try the nightly build.</p>

<p style="font-size:small;-webkit-text-size-adjust:none;color:#666;">&mdash;<br />Reply to this email directly, <a href="https://github.com/acme/widgets/issues/12">view it on GitHub</a>, or <a href="https://github.com/notifications/unsubscribe-auth/A">unsubscribe</a>.<br />You are receiving this because you commented.<img src="https://github.com/notifications/beacon/A.gif" height="1" width="1" alt="" /><span style="color: transparent; font-size: 0; display: none;">Message ID: <span>&lt;acme/widgets/issues/12/1@github.com&gt;</span></span></p>`,
    wanted: 'Please try the nightly build.',
  },
  {
    program: 'an Outlook banner in a table on top',
    html: `<table border="0" cellspacing="0" cellpadding="0" align="left" width="100%"><tr><td style="background:#ffb900;padding:5pt 2pt 5pt 2pt"></td><td width="100%" style="background:#fff8e5;padding:5pt 4pt 5pt 12pt;word-wrap:break-word"><div style="color:#222222;"><span style="color:#222; font-weight:bold;">Caution:</span> This is an external email and has a suspicious subject or content. Please take care when clicking links or opening attachments. When in doubt, contact your IT Department</div></td></tr></table><br><div><div>We accept.</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><b>From:</b> Jonas Berg<br><b>Sent:</b> Monday, March 3, 2025 10:00 AM<br><b>To:</b> Per<br><b>Subject:</b> Offer</div><div>Accept?</div></div>`,
    wanted: 'We accept.',
  },
  {
    program: 'Notion Mail, table in the answer',
    html: `<div dir="ltr"><p>Prices:</p><table><tbody><tr><td>Bolt</td><td>1.20</td></tr><tr><td>Nut</td><td>0.80</td></tr></tbody></table><p>Per</p></div><div class="gmail_quote"><div class="gmail_attr">Il giorno lun 3 mar 2025 alle ore 10:00 Jonas Berg &lt;jonas@berg.example&gt; ha scritto:<br></div><blockquote class="gmail_quote">Prezzi?</blockquote></div>`,
    wanted: 'Prices:\n\nBolt 1.20\nNut 0.80\n\nPer',
    taste: true,
  },
]

/** What servers write above mail from outside. */
export const banners: readonly string[] = [
  '[EXTERNAL]',
  '[EXTERNAL EMAIL] Use caution with links and attachments.',
  '*** EXTERNAL EMAIL ***',
  '[External Sender]',
  'WARNING: This email is from an external source. Do not click links or open attachments unless you trust the sender.',
  'This message came from outside the company. Be careful with links.',
  'EXTERNAL: Do not click links or open attachments if you do not recognize the sender. This is an external email.',
  '-----------------\nCAUTION: This e-mail originated outside of our organization. Use caution when opening attachments.\n-----------------',
  'Vorsicht: Diese E-Mail kommt von einem externen Absender. Klicken Sie nicht auf Links.',
  'Diese Nachricht wurde von außerhalb der Firma gesendet. Öffnen Sie keine Anhänge von Unbekannten.',
  "ATTENTION : ce courriel provient de l'extérieur. Ne cliquez pas sur les liens.",
  'ATENCIÓN: este correo es externo a la organización. Correo externo: no abra adjuntos que no espera.',
  'Atenção: este e-mail externo não deve ser aberto sem cuidado. Não clique em links.',
  'Attenzione: questo messaggio proviene da un mittente esterno. Non aprire gli allegati se non si conosce il mittente.',
  'Let op: deze e-mail komt van buiten de organisatie. Klik niet op links.',
  'OBS! Extern avsändare. Klicka inte på länkar.',
  'ADVARSEL: Denne mail kommer fra en ekstern afsender. Klik ikke på links.',
  'UWAGA: wiadomość spoza organizacji. Nie klikaj w linki.',
  'Внимание! Письмо от внешнего отправителя. Не открывайте вложения.',
  'DİKKAT: Bu e-posta kuruluş dışından geldi. Bağlantılara tıklamayın.',
  '【注意】このメールは社外から送信されています。',
  '注意：此邮件来自公司外部，请勿点击链接。外部邮件',
  '[주의] 외부에서 발송된 메일입니다. 링크를 클릭하지 마세요.',
  'Sie erhalten nicht häufig E-Mails von jonas@berg.example. Erfahren Sie, warum dies wichtig ist<https://aka.ms/x>',
  'Vous n’obtenez pas souvent d’e-mail à partir de jonas@berg.example. Pourquoi c’est important<https://aka.ms/x>',
]

/** Words of persons that look like what programs write. */
export const wordsOfPersons: readonly string[] = [
  'Achtung: Außerhalb der Geschäftszeiten erreichen Sie mich unter 0171 555.\n\nJo',
  'Bitte seien Sie vorsichtig: das Tor ist außerhalb der Öffnungszeiten verschlossen, Code 4711.\n\nJo',
  'Please come outside at five and be careful with the step.\n\nJo',
  'Attention : l’accès extérieur de l’immeuble est fermé lundi.\n\nJo',
  'Warning: the external mail server stops on Friday at 5 pm.\n\nJo',
  'Use caution with the new external source: it doubles orders.\n\nJo',
  'Let op: wij zijn van buiten de organisatie ingehuurd, en komen maandag.\n\nJo',
  '社外の方には共有しないようご注意ください。\n\n田中',
  'お世話になります。外部の会議室は10時から使えます。注意してください。\n\n田中',
  'Bob forwarded a message from an external sender. Please do not open the attached invoice, pay 300 EUR instead.\n\nThanks, Ann',
  'You don’t often get email from me because I am shy, but please cancel my order 17.\n\nJo',
  '> Which day suits you\ntuesday\n> and at what time\nat noon',
  'Caution: the ladder is wet.\n\nMarta',
  'Warning, long mail!\n\nFirst, the external audit begins on Monday.',
  'Please do not click the links in the mail from IT, they are dead.\n\nMarta',
  'External review is done.\n\nMarta',
  'Attention: the meeting was moved outside.\n\nMarta',
  'Jonas commented:\n\n"Good idea."\n\nI agree.',
  'Jonas wrote in the plan:\n\nwe begin in May.',
  'Quoting the law (section 12):\nno car may stand here.',
  'Here is what I have:\n\n--- first part ---\nDone.\n\n--- second part ---\nOpen.',
  '------- Agenda -------\n\n1. Money\n2. Rooms',
  'Name: Jonas Berg\nE-Mail: jonas@berg.example\nDatum: 3.3.2025\nRaum: 5',
  'I sent the iPhone back with DHL.',
  'We found no virus in the message, Norton says so.\nMarta',
  'Bold: the title > the author > the year',
  'mysql> select 1;\nERROR 1045\n\nDo you know why?',
  'On 3 March 2025 at 10:00 we met.\nWe agreed on this:\n\n- blue\n- ten',
]
