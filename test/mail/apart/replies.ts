import type { Written } from '../text/reply-classes'

/** Replies as programs write them, written without a look at the words that are known. */
export const replies: Readonly<Record<string, readonly Written[]>> = {
  'what programs of a second look write': [
    {
      text: 'Labi, tiekamies rīt.\n\nNo: Ilze <ilze@firma.example>\nDatums: 2025. 11. 3. 9:41\nKam: Pavel <pavel@b.example>\nTemats: Re: Plāns\n\nVai tiekamies?',
      wanted: 'Labi, tiekamies rīt.',
    },
    {
      text: 'It is broken again.\n\n-- please do not write below this line --\n\nHi Pavel, is it mended?',
      wanted: 'It is broken again.',
    },
    {
      text: 'Yes.\n\nOn Mon, 3 Nov 2025, Ilze Kalna wrote:\n| Do we meet?\n| At nine?',
      wanted: 'Yes.',
    },
    {
      text: 'On Monday Ilze wrote:\n| what | how many |\n| cups | 12 |',
      wanted: 'On Monday Ilze wrote:\n| what | how many |\n| cups | 12 |',
    },
    {
      text: 'Yes.\n\nOn Mon, 3 Nov 2025, at 09:41, ilze_kalna wrote:\n\nIlze> Do we meet?\nIlze> At nine?',
      wanted: 'Yes.',
    },
    {
      text: 'Landlord\n____________________\nTenant\n____________________\n\nBoth sign, please.',
      wanted: 'Landlord\n____________________\nTenant\n____________________\n\nBoth sign, please.',
    },
    {
      text: 'This Message Is From an External Sender\nThis message came from outside your organization.\n\nTuesday suits me.',
      wanted: 'Tuesday suits me.',
    },
    {
      text: "ATTENZIONE: Questo messaggio proviene dall'esterno. Mittente esterno dell'azienda: non aprire allegati.\n\nMartedì va bene.",
      wanted: 'Martedì va bene.',
    },
  ],
  'footers of lists': [
    {
      text: `I agree with that plan.

_______________________________________________
users mailing list -- users@lists.example.org
To unsubscribe send an email to users-leave@lists.example.org
%(web_page_url)slistinfo%(cgiext)s/%(_internal_name)s`,
      wanted: 'I agree with that plan.',
    },
    {
      text: `Sounds right.

-- 
You received this message because you are subscribed to the Google Groups "Widgets" group.
To unsubscribe from this group and stop receiving emails from it, send an email to widgets+unsubscribe@googlegroups.com.
To view this discussion visit https://groups.google.com/d/msgid/widgets/abc%40mail.example.`,
      wanted: 'Sounds right.',
    },
    {
      text: `Yes please.

_._,_._,_
------------------------------
Groups.io Links:

You receive all messages sent to this group.

View/Reply Online (#1234): https://groups.io/g/tools/message/1234`,
      wanted: 'Yes please.',
    },
    {
      text: `Works for me

---
Visit Topic or reply to this email to respond.

To unsubscribe from these emails, click here.`,
      wanted: 'Works for me',
    },
    {
      text: `Danke, habe ich so übernommen.

--
Mailingliste: freiwillige@listen.example.de
Abmelden: freiwillige-unsubscribe@listen.example.de`,
      wanted: 'Danke, habe ich so übernommen.',
    },
    {
      text: `Oui, d'accord.

--
Vous recevez ce message car vous êtes abonné au groupe Google Groupes "Asso".
Pour vous désabonner de ce groupe et ne plus recevoir d'e-mails le concernant, envoyez un e-mail à l'adresse asso+unsubscribe@googlegroups.com.`,
      wanted: "Oui, d'accord.",
    },
    {
      text: `Perfecto.

-- 
Has recibido este mensaje porque estás suscrito al grupo "Equipo" de Grupos de Google.
Para cancelar la suscripción a este grupo y dejar de recibir sus mensajes, envía un correo electrónico a equipo+unsubscribe@googlegroups.com.`,
      wanted: 'Perfecto.',
    },
    {
      text: `Ok for me, thanks.

--
To unsubscribe from this list: send the line "unsubscribe linux-tools" in
the body of a message to majordomo@vger.example.org
More majordomo info at  http://vger.example.org/majordomo-info.html`,
      wanted: 'Ok for me, thanks.',
    },
    {
      text: `+1

---------------------------------------------------------------------
To unsubscribe, e-mail: dev-unsubscribe@project.example.org
For additional commands, e-mail: dev-help@project.example.org`,
      wanted: '+1',
    },
    {
      text: `Please see the patch.

-- 
Reply to this email directly or view it on GitHub:
https://github.com/acme/widgets/issues/12#issuecomment-1
You are receiving this because you are subscribed to this thread.`,
      wanted: 'Please see the patch.',
    },
    {
      text: `Thanks for the pointer.

-- 
ubuntu-users mailing list
ubuntu-users@lists.example.com
Modify settings or unsubscribe at: https://lists.example.com/mailman/listinfo/ubuntu-users`,
      wanted: 'Thanks for the pointer.',
    },
    {
      text: `Yes, reproduced here.

_______________________________________________
Dev mailing list
Dev@lists.example.org
http://lists.example.org/mailman/listinfo/dev`,
      wanted: 'Yes, reproduced here.',
    },
    {
      text: `Ack.

--
Sie erhalten diese Nachricht, weil Sie in Google Groups E-Mails von der Gruppe "Chor" abonniert haben.
Wenn Sie sich von dieser Gruppe abmelden und keine E-Mails mehr von dieser Gruppe erhalten möchten, senden Sie eine E-Mail an chor+unsubscribe@googlegroups.com.`,
      wanted: 'Ack.',
    },
    {
      text: `I vote for B.

-=-=-=-=-=-=-=-=-=-=-=-
Groups.io Links: You receive all messages sent to this group.
View/Reply Online (#55): https://groups.io/g/x/message/55
-=-=-=-=-=-=-=-=-=-=-=-`,
      wanted: 'I vote for B.',
    },
    {
      text: `Looks good.

__._,_.___

------------------------------------
Posted by: Ann <ann@a.example>
------------------------------------

Visit Your Group`,
      wanted: 'Looks good.',
    },
    {
      text: `Confirmed.

########################################################################

To unsubscribe from the TOOLS list, click the following link:
https://listserv.uni.example/cgi-bin/wa?SUBED1=TOOLS&A=1`,
      wanted: 'Confirmed.',
    },
    {
      text: `Bon courage !

--
Pour se désinscrire de la liste : https://listes.example.fr/sympa/sigrequest/equipe`,
      wanted: 'Bon courage !',
    },
    {
      text: `LGTM

***
This mailing list is hosted by example.org
To unsubscribe: dev-leave@example.org`,
      wanted: 'LGTM',
    },
    {
      text: `At nine.

-- 
You received this message because you are subscribed to the Google Groups "Trains" group.
To unsubscribe from this group and stop receiving emails from it, send an email to trains+unsubscribe@googlegroups.com.
For more options, visit https://groups.google.com/d/optout.`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

-------------------------------------------------------
This SF.net email is sponsored by: OSDN
http://ads.osdn.com/
_______________________________________________
Spambayes mailing list
Spambayes@python.org
http://mail.python.org/mailman-21/listinfo/spambayes`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

--
Irish Linux Users' Group: ilug@linux.ie
http://www.linux.ie/mailman/listinfo/ilug for (un)subscription information.
List maintainer: listmaster@linux.ie`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

=====
To manage your subscription, go to https://lists.example.net/options/trains`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

_______________________________________________
Trains - zug@listen.example.de
Listeninfo: https://listen.example.de/listinfo/zug`,
      wanted: 'At nine.',
    },
    {
      text: `A las nueve.

_______________________________________________
Trenes mailing list
Para darse de baja: https://listas.example.es/mailman/options/trenes`,
      wanted: 'A las nueve.',
    },
    {
      text: `At nine.

---
You are currently subscribed to trains as: per@p.example.
To unsubscribe send a blank email to leave-1-2@lyris.example`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

-- 
Trains maillist  -  Trains@kde.example
http://mail.kde.example/mailman/listinfo/trains`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

.....................
This message was sent to the trains list.
Unsubscribe: trains-unsubscribe@lists.riseup.example`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

--
Besuchen Sie die Gruppe unter https://groups.google.com/group/zug.`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

________________________________

Wikimedia-l mailing list -- wikimedia-l@lists.example.org, guidelines at: https://meta.example.org/wiki/Mailing_lists/Guidelines`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

---------------------------------
PHP Internals - https://www.php.example
To unsubscribe, visit: https://www.php.example/unsub.php`,
      wanted: 'At nine.',
    },
  ],
  'quotes that were wrapped': [
    {
      text: `No, next week.

On Mon, 3 Mar 2025 at 10:00, Jonas Berg <jonas@berg.example> wrote:

> Hi Marta, can you send the offer by Friday, since the customer would like to
read
> it at the weekend and give us an answer on Monday morning at the latest?
>
> Jonas`,
      wanted: 'No, next week.',
    },
    {
      text: `Fine with me.

Am 03.03.2025 um 10:00 schrieb Jonas Berg:
> Liebe Marta, kannst du bitte das Angebot bis Freitag schicken, weil der Kunde
es
> am Wochenende lesen will und wir am Montag eine Antwort brauchen?
> Gruß
> Jonas`,
      wanted: 'Fine with me.',
    },
    {
      text: `See my notes in the file.

Le lun. 3 mars 2025 à 10:00, Jonas Berg <jonas@berg.example> a écrit :

> Bonjour Marta, peux-tu envoyer l'offre d'ici vendredi, car le client voudrait la
lire
> ce week-end
> Jonas`,
      wanted: 'See my notes in the file.',
    },
    {
      text: `Done.

"Jonas Berg" <jonas@berg.example> wrote on 03/03/2025 10:00:00 AM:

> From: "Jonas Berg" <jonas@berg.example>
> To: Marta
> Date: 03/03/2025 10:00 AM
> Subject: a very long subject that has been wrapped by the mail program of
somebody
>
> Hi Marta`,
      wanted: 'Done.',
    },
    {
      text: `Yes.

On 3/3/25 10:00 AM, Jonas Berg wrote:
>> On Friday we met with them and they asked for a discount of ten per cent on
all
>> items of the list.
> I would not give it to them without a longer contract, as they did not keep
the
> last one.`,
      wanted: 'Yes.',
    },
    {
      text: `Agreed.

El lun, 3 mar 2025 a las 10:00, Ines Roca (<ines@roca.example>) escribió:

> Hola a todos, la sala está reservada para el jueves por la tarde, desde las tres
hasta
> las seis, y hay café.
> Ines`,
      wanted: 'Agreed.',
    },
    {
      text: `ok

On 2025-03-03 10:00, Ines Roca wrote:
> The room is booked for Thursday afternoon and there will be coffee for all of us
there
> as always, please be on time.`,
      wanted: 'ok',
    },
  ],
  'introductions over lines': [
    {
      text: `I'll be there.

On Monday, March 3, 2025 at 10:00 AM Jonas Berg

<jonas@berg.example> wrote:

> Hi Marta,
>
> can you send the offer by Friday?
>
> Jonas`,
      wanted: "I'll be there.",
    },
    {
      text: `Klappt.

Am Montag, 3. März 2025 um 10:00 Uhr schrieb Jonas Berg

<jonas@berg.example>:

> Hi Marta,
>
> can you send the offer by Friday?
>
> Jonas`,
      wanted: 'Klappt.',
    },
    {
      text: `Merci !

Le lundi 3 mars 2025 à 10:00:00 UTC+1, Jonas Berg <jonas@berg.example>

a écrit :

> Hi Marta,
>
> can you send the offer by Friday?
>
> Jonas`,
      wanted: 'Merci !',
    },
    {
      text: `Va bene.

Il giorno lun 3 mar 2025 alle ore 10:00 Jonas Berg <
jonas@berg.example> ha scritto:

> Hi Marta,
>
> can you send the offer by Friday?
>
> Jonas`,
      wanted: 'Va bene.',
    },
    {
      text: `Vale.

El lun, 3 mar 2025 a las 10:00, Jonas Berg (<jonas@berg.example>)

escribió:

> Hi Marta,
>
> can you send the offer by Friday?
>
> Jonas`,
      wanted: 'Vale.',
    },
    {
      text: `Ok.

On Mon, Mar 3, 2025, 10:00

Jonas Berg <jonas@berg.example> wrote:

> Hi Marta,
>
> can you send the offer by Friday?
>
> Jonas`,
      wanted: 'Ok.',
    },
    {
      text: `Grand.

On Mon 3 Mar 2025, 10:00 Ines Roca,
<ines@roca.example> wrote:

> Dear all,
>
> the room is booked for Thursday.
>
> Ines`,
      wanted: 'Grand.',
    },
    {
      text: `Geht klar!

Ines Roca <ines@roca.example> schrieb am

Mo., 3. März 2025, 10:00:

> Dear all,
>
> the room is booked for Thursday.
>
> Ines`,
      wanted: 'Geht klar!',
    },
    {
      text: `Certo.

Il 03/03/2025 10:00, Ines Roca via Lista

ha scritto:

> Dear all,
>
> the room is booked for Thursday.
>
> Ines`,
      wanted: 'Certo.',
    },
    {
      text: `Jo!

Den mån 3 mars 2025 kl 10:00 skrev Ines Roca
<ines@roca.example>:

> Dear all,
>
> the room is booked for Thursday.
>
> Ines`,
      wanted: 'Jo!',
    },
    {
      text: `Dobrze

W dniu 3.03.2025 o 10:00, Ines Roca
pisze:

> Dear all,
>
> the room is booked for Thursday.
>
> Ines`,
      wanted: 'Dobrze',
    },
    {
      text: `At nine.

--- Per Ek <per@ek.example> schrieb am Mo, 3.3.2025:

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

----- Original Message -----
From: "Per Ek" <per@ek.example>
To: <marta@muster.example>
Sent: Monday, March 03, 2025 10:00 AM
Subject: train

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Per Ek writes:

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Quoting Per Ek <per@ek.example>:

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

* Per Ek <per@ek.example> [2025-03-03 10:00]:

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

>>> Per Ek <per@ek.example> 03.03.2025 10:00 >>>
Hello,

when does the train leave?`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Per Ek <per@ek.example>於 2025年3月3日 週一，上午10:00寫道：

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

March 3, 2025 10:00 AM, "Per Ek" <per@ek.example> wrote:

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

On 3. Mar 2025, at 10:00, Per Ek <per@ek.example> wrote:

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Per Ek írta ekkor: 2025. március 3., hétfő, 10:00:

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

În lun., 3 mar. 2025 la 10:00, Per Ek <per@ek.example> a scris:

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Dne 3.3.2025 v 10:00 Per Ek napsal(a):
> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Στις Δευ 3 Μαρ 2025 στις 10:00 π.μ., ο χρήστης Per Ek <per@ek.example> έγραψε:

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

ב-3 במרץ 2025, בשעה 10:00, Per Ek <per@ek.example> כתב:

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

3 марта 2025 г., 10:00 пользователь Per Ek <per@ek.example> написал:

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Pada tanggal Sen, 3 Mar 2025 pukul 10.00 Per Ek <per@ek.example> menulis:

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
  ],
  'introductions of programs': [
    {
      text: `Got it.

Jonas Berg <jonas@berg.example>, 3 Mar 2025 10:00:

> Hi Marta,
>
> can you send the offer by Friday?
>
> Jonas`,
      wanted: 'Got it.',
    },
    {
      text: `Got it.

2025-03-03 10:00 GMT+01:00 Jonas Berg <jonas@berg.example>:

> Hi Marta,
>
> can you send the offer by Friday?
>
> Jonas`,
      wanted: 'Got it.',
    },
    {
      text: `Ja.

Van: Jonas Berg <jonas@berg.example> 3 maart 2025 10:00

> Hi Marta,
>
> can you send the offer by Friday?
>
> Jonas`,
      wanted: 'Ja.',
    },
    {
      text: `Pasuje.

pon., 3 mar 2025 o 10:00 Jonas Berg <jonas@berg.example> napisał(a):

> Hi Marta,
>
> can you send the offer by Friday?
>
> Jonas`,
      wanted: 'Pasuje.',
    },
    {
      text: `Хорошо.

пн, 3 мар. 2025 г. в 10:00, Jonas Berg <jonas@berg.example>:

> Hi Marta,
>
> can you send the offer by Friday?
>
> Jonas`,
      wanted: 'Хорошо.',
    },
    {
      text: `好的。

Jonas Berg <jonas@berg.example> 于2025年3月3日周一 10:00写道：

> Hi Marta,
>
> can you send the offer by Friday?
>
> Jonas`,
      wanted: '好的。',
    },
    {
      text: `了解です。

2025年3月3日(月) 10:00 Jonas Berg <jonas@berg.example>:

> Hi Marta,
>
> can you send the offer by Friday?
>
> Jonas`,
      wanted: '了解です。',
    },
    {
      text: `Tamam.

Jonas Berg <jonas@berg.example>, 3 Mar 2025 Pzt, 10:00 tarihinde şunu yazdı:

> Hi Marta,
>
> can you send the offer by Friday?
>
> Jonas`,
      wanted: 'Tamam.',
    },
    {
      text: `Top.

Op ma 3 mrt 2025 om 10:00 schreef Ines Roca <ines@roca.example>:

> Dear all,
>
> the room is booked for Thursday.
>
> Ines`,
      wanted: 'Top.',
    },
    {
      text: `Selvä.

ma 3. maalisk. 2025 klo 10.00 Ines Roca (ines@roca.example) kirjoitti:

> Dear all,
>
> the room is booked for Thursday.
>
> Ines`,
      wanted: 'Selvä.',
    },
    {
      text: `Ok.

03.03.2025, 10:00, "Ines Roca" <ines@roca.example>:

> Dear all,
>
> the room is booked for Thursday.
>
> Ines`,
      wanted: 'Ok.',
    },
    {
      text: `Ano.

po 3. 3. 2025 v 10:00 odesílatel Ines Roca <ines@roca.example> napsal:

> Dear all,
>
> the room is booked for Thursday.
>
> Ines`,
      wanted: 'Ano.',
    },
    {
      text: `알겠습니다.

2025년 3월 3일 (월) 오전 10:00, Ines Roca <ines@roca.example>님이 작성:

> Dear all,
>
> the room is booked for Thursday.
>
> Ines`,
      wanted: '알겠습니다.',
    },
    {
      text: `Rendben.

Ines Roca <ines@roca.example> ezt írta (időpont: 2025. márc. 3., H, 10:00):

> Dear all,
>
> the room is booked for Thursday.
>
> Ines`,
      wanted: 'Rendben.',
    },
    {
      text: `Vâng.

Vào Th 2, 3 thg 3, 2025 vào lúc 10:00 Ines Roca <ines@roca.example> đã viết:

> Dear all,
>
> the room is booked for Thursday.
>
> Ines`,
      wanted: 'Vâng.',
    },
    {
      text: `بسيار خوب

On Mon, 3 Mar 2025, 10:00 Ines Roca, <ines@roca.example> wrote:

> Dear all,
>
> the room is booked for Thursday.
>
> Ines`,
      wanted: 'بسيار خوب',
    },
  ],
  'lines of devices': [
    {
      text: `On my way

Get Outlook for iOS<https://aka.ms/o0ukef>
________________________________
From: Jonas Berg <jonas@berg.example>
Sent: Monday, March 3, 2025 10:00:00 AM
To: Marta <marta@muster.example>
Subject: Offer

Hi Marta`,
      wanted: 'On my way',
    },
    {
      text: `Komme später

Von meinem iPhone gesendet

> Am 03.03.2025 um 10:00 schrieb Jonas Berg <jonas@berg.example>:
> 
> Hallo`,
      wanted: 'Komme später',
    },
    {
      text: `Sure thing

Sent from my Galaxy

-------- Original message --------
From: Jonas Berg <jonas@berg.example>
Date: 3/3/25 10:00 (GMT+01:00)
To: Marta <marta@muster.example>
Subject: Offer

Hi`,
      wanted: 'Sure thing',
    },
    {
      text: `Ok

Sent from Yahoo Mail on Android

  On Mon, Mar 3, 2025 at 10:00, Jonas Berg<jonas@berg.example> wrote:   Hi Marta`,
      wanted: 'Ok',
    },
    {
      text: `Thanks!

Sent from Proton Mail Android

-------- Original Message --------
On 03/03/2025 10:00, Jonas Berg <jonas@berg.example> wrote:

>  Hi Marta`,
      wanted: 'Thanks!',
    },
    {
      text: `Va bene, a domani

Inviato da Outlook per Android<https://aka.ms/AAb9ysg>`,
      wanted: 'Va bene, a domani',
    },
    {
      text: `Listo

Enviado desde mi iPhone`,
      wanted: 'Listo',
    },
    {
      text: `Отлично

Отправлено из мобильной Почты Mail`,
      wanted: 'Отлично',
    },
    {
      text: `Great idea.

Sent with Spark`,
      wanted: 'Great idea.',
    },
    {
      text: `Great idea.

Sent from Mailspring (https://getmailspring.com/), the best free email app for work`,
      wanted: 'Great idea.',
    },
    {
      text: `Prima

Verstuurd vanaf mijn iPad`,
      wanted: 'Prima',
    },
    {
      text: `Takk!

Sendt fra min iPhone`,
      wanted: 'Takk!',
    },
    {
      text: `承知しました。

iPhoneから送信`,
      wanted: '承知しました。',
    },
    {
      text: `Obrigado

Obter o Outlook para iOS<https://aka.ms/o0ukef>`,
      wanted: 'Obrigado',
    },
    {
      text: `Kiitos

Lähetetty iPhonesta`,
      wanted: 'Kiitos',
    },
    {
      text: `See you there

Sent from Outlook for Android<https://aka.ms/AAb9ysg>`,
      wanted: 'See you there',
    },
    {
      text: `À demain

Télécharger Outlook pour iOS<https://aka.ms/o0ukef>`,
      wanted: 'À demain',
    },
    {
      text: `Bis gleich

Von meinem Samsung Galaxy Smartphone gesendet.

-------- Ursprüngliche Nachricht --------
Von: Ines Roca <ines@roca.example>
Datum: 03.03.25 10:00 (GMT+01:00)
An: alle@roca.example
Betreff: Raum

Hallo`,
      wanted: 'Bis gleich',
    },
    {
      text: `ok

Sent from AOL on Android
Get the new AOL app: mail.mobile.aol.com`,
      wanted: 'ok',
    },
    {
      text: `Sure

Sent from my Pixel 8`,
      wanted: 'Sure',
    },
    {
      text: `Hvala

Poslano sa iPhonea`,
      wanted: 'Hvala',
    },
    {
      text: `Ευχαριστώ

Στάλθηκε από το iPhone μου`,
      wanted: 'Ευχαριστώ',
    },
    {
      text: `谢谢

发自我的iPhone`,
      wanted: '谢谢',
    },
    {
      text: `Obrigada

Enviado do meu iPhone`,
      wanted: 'Obrigada',
    },
    {
      text: `Дякую

Надіслано з iPhone`,
      wanted: 'Дякую',
    },
    {
      text: `Thanks

Sent via Superhuman iOS ( https://sprh.mn/?vip=a@b.example )`,
      wanted: 'Thanks',
    },
    {
      text: `ok thx

Sent from Front`,
      wanted: 'ok thx',
    },
    {
      text: `はい。

スマートフォンから送信`,
      wanted: 'はい。',
    },
    {
      text: `At nine.

Sent from my Huawei phone`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Verzonden vanuit Outlook voor Android<https://aka.ms/x>`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Enviado desde Outlook para iOS<https://aka.ms/x>`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Skickat från min iPad`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Inviato da iPhone`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

iPhone から送信
`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

나의 iPhone에서 보냄`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Wysłane z iPhone'a`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Envoyé depuis l'application Mail Orange`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Diese Nachricht wurde von meinem Android-Gerät mit GMX Mail gesendet.`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Sent from Yahoo Mail. Get the app`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Get BlueMail for Android`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Sent from Nine`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Sent from ProtonMail mobile`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Sent via BlackBerry from T-Mobile`,
      wanted: 'At nine.',
    },
  ],
  'lines of help desks': [
    {
      text: `The problem is still there.

##- Please type your reply above this line -##

Your request (4711) has been updated.`,
      wanted: 'The problem is still there.',
    },
    {
      text: `Es geht immer noch nicht.

##- Bitte geben Sie Ihre Antwort oberhalb dieser Zeile ein. -##

Ihre Anfrage (4711) wurde aktualisiert.`,
      wanted: 'Es geht immer noch nicht.',
    },
    {
      text: `Toujours pas.

##- Veuillez saisir votre réponse au-dessus de cette ligne -##

Votre demande a été mise à jour.`,
      wanted: 'Toujours pas.',
    },
    {
      text: `Sigue igual.

##- Escriba su respuesta por encima de esta línea -##

Su solicitud ha sido actualizada.`,
      wanted: 'Sigue igual.',
    },
    {
      text: `Not fixed.

--- Reply above this line to add a comment ---

Bob commented on ACME-12`,
      wanted: 'Not fixed.',
    },
    {
      text: `It is fine now.

———— Please reply above this line ————

Agent wrote: ok?`,
      wanted: 'It is fine now.',
    },
    {
      text: `Close it.

=-=-=-= Reply above this line to respond =-=-=-=

Ticket #5`,
      wanted: 'Close it.',
    },
    {
      text: `Werkt weer.

##- Typ uw antwoord boven deze regel -##

Uw verzoek is bijgewerkt`,
      wanted: 'Werkt weer.',
    },
    {
      text: `Funziona.

##- Digita la tua risposta sopra questa riga -##

La tua richiesta`,
      wanted: 'Funziona.',
    },
    {
      text: `Já está.

##- Digite sua resposta acima desta linha -##

Sua solicitação`,
      wanted: 'Já está.',
    },
    {
      text: `Ok!

[REPLY ABOVE THIS LINE]

Task: move boxes`,
      wanted: 'Ok!',
    },
    {
      text: `Reopen it please

-- Please reply above this line --

Hi, your ticket was closed.`,
      wanted: 'Reopen it please',
    },
    {
      text: `Thanks!

== Please reply above this line ==

Case 12`,
      wanted: 'Thanks!',
    },
    {
      text: `Nie działa

##- Prosimy o wpisanie odpowiedzi powyżej tej linii -##

Zgłoszenie`,
      wanted: 'Nie działa',
    },
    {
      text: `Fungerar nu

##- Skriv ditt svar ovanför den här raden -##

Din förfrågan`,
      wanted: 'Fungerar nu',
    },
    {
      text: `解決しました

##- この行より上に返信内容を入力してください -##

リクエスト`,
      wanted: '解決しました',
    },
    {
      text: `Работает

##- Введите свой ответ выше этой строки -##

Ваш запрос`,
      wanted: 'Работает',
    },
    {
      text: `ok

------ Responda acima desta linha ------

Chamado`,
      wanted: 'ok',
    },
    {
      text: `At nine.

-------- Reply above this line --------

x`,
      wanted: 'At nine.',
    },
    {
      text: `Um neun.

### Bitte antworten Sie über dieser Linie ###

Ticket`,
      wanted: 'Um neun.',
    },
    {
      text: `À neuf heures.

--- Répondez au-dessus de cette ligne ---

Ticket`,
      wanted: 'À neuf heures.',
    },
    {
      text: `At nine.

***** WRITE YOUR REPLY ABOVE THIS LINE *****

Ticket`,
      wanted: 'At nine.',
    },
    {
      text: `九点。

请在此行上方回复

工单`,
      wanted: '九点。',
    },
    {
      text: `At nine.

- - - Type your response above this line - - -

x`,
      wanted: 'At nine.',
    },
  ],
  'header blocks': [
    {
      text: `Passt.

Mit freundlichen Grüßen

Jonas

-----Ursprüngliche Nachricht-----
Von: Marta <marta@muster.example>
Gesendet: Montag, 3. März 2025 10:00
An: Jonas
Betreff: Angebot

Hallo`,
      wanted: `Passt.

Mit freundlichen Grüßen

Jonas`,
    },
    {
      text: `Will do

Best
Marta

________________________________________
From: Ines Roca <ines@roca.example>
Sent: 03 March 2025 10:00
To: All
Subject: Room

Dear all`,
      wanted: `Will do

Best
Marta`,
    },
    {
      text: `Anbei.

Gruß
Marta

Von: Ines Roca <ines@roca.example>
Datum: Montag, 3. März 2025 um 10:00
An: Alle <alle@roca.example>
Betreff: Raum

Hallo`,
      wanted: `Anbei.

Gruß
Marta`,
    },
    {
      text: `はい、大丈夫です。

-----Original Message-----
From: Ines Roca <ines@roca.example>
Sent: Monday, March 3, 2025 10:00 AM
To: All
Subject: 部屋

こんにちは`,
      wanted: 'はい、大丈夫です。',
    },
    {
      text: `At nine.

From: Per Ek [mailto:per@ek.example]
Sent: Monday, March 3, 2025 10:00 AM
To: Marta
Cc: Bo
Subject: train

Hello`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

De : Per Ek <per@ek.example>
Envoyé : lundi 3 mars 2025 10:00
À : Marta
Objet : train

Bonjour`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

Od: Per Ek <per@ek.example>
Wysłane: poniedziałek, 3 marca 2025 10:00
Do: Marta
Temat: pociąg

Cześć`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

差出人: Per Ek <per@ek.example>
送信日時: 2025年3月3日 10:00
宛先: Marta
件名: 電車

こんにちは`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

*Von:* Per Ek <per@ek.example>
*Gesendet:* Montag, 3. März 2025 10:00
*An:* Marta
*Betreff:* Zug

Hallo`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

________________________________
От: Per Ek <per@ek.example>
Отправлено: 3 марта 2025 г. 10:00
Кому: Marta
Тема: поезд

Привет`,
      wanted: 'At nine.',
    },
  ],
  signatures: [
    {
      text: `At nine.

-- 
Marta Muster
Muster AG`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

--
Marta`,
      wanted: 'At nine.',
    },
    {
      text: `At nine.

-- 
Marta

On Mon, 3 Mar 2025 at 10:00, Per Ek <per@ek.example> wrote:

> Hello,
>
> when does the train leave?
>
> Per`,
      wanted: 'At nine.',
    },
  ],
}

/** The same as HTML. */
export const pages: readonly Written[] = [
  {
    text: '<div dir="ltr">Yes, do it.<div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature"><div dir="ltr"><b>Marta Muster</b><div>Head of Things</div></div></div></div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Mon, Mar 3, 2025 at 10:00 AM Jonas &lt;<a href="mailto:j@berg.example">j@berg.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">Hi</blockquote></div>',
    wanted: 'Yes, do it.',
  },
  {
    text: '<html><body><div>Ja, gerne.</div><div id="ms-outlook-mobile-signature"><div><br></div>Gesendet von <a href="https://aka.ms/o0ukef">Outlook für iOS</a></div><hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr"><b>Von:</b> Jonas<br><b>Gesendet:</b> Montag<br><b>An:</b> Marta<br><b>Betreff:</b> Angebot</div><div>Hallo</div></body></html>',
    wanted: 'Ja, gerne.',
  },
  {
    text: '<html><body>Fine.<br><div class="moz-signature">-- <br>Marta Muster<br>Muster GmbH</div><div class="moz-cite-prefix">On 3/3/25 10:00, Jonas wrote:<br></div><blockquote type="cite" cite="mid:x@y">Hi</blockquote></body></html>',
    wanted: 'Fine.',
  },
  {
    text: '<div>Thanks, will do.</div><div><br></div><div class="protonmail_signature_block"><div class="protonmail_signature_block-user">Marta Muster</div><div class="protonmail_signature_block-proton">Sent with <a href="https://proton.me/">Proton Mail</a> secure email.</div></div><div class="protonmail_quote">On Monday, March 3rd, 2025 at 10:00, Jonas &lt;j@b.example&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">Hi</blockquote></div>',
    wanted: 'Thanks, will do.',
  },
  {
    text: '<html><body><div>OK, ship it.</div><div id="Signature"><div>Marta Muster</div><div>CEO</div></div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Jonas<br><b>Sent:</b> Monday<br><b>To:</b> Marta<br><b>Subject:</b> Offer<br></div><p>Hi</p></body></html>',
    wanted: 'OK, ship it.',
  },
  {
    text: '<body>Sure<div><br></div><div class="yahoo_signature">Marta<br>+49 123</div><div class="yahoo_quoted"><div>On Monday, March 3, 2025 at 10:00 AM, Jonas &lt;j@b.example&gt; wrote:</div><div>Hi</div></div></body>',
    wanted: 'Sure',
  },
  {
    text: '<div>Yes<br/></div><div data-zbluepencil-ignore="true" style="" id="Zm-_Id_-Sgn"><div>Marta Muster<br/>Muster GmbH</div></div><blockquote style="border-left: 1px dotted" id="blockquote_zmail"><div>---- On Mon, 03 Mar 2025 10:00:00 +0100 <b>Jonas &lt;j@b.example&gt;</b> wrote ---</div><div>Hi</div></blockquote>',
    wanted: 'Yes',
  },
  {
    text: '<html><body><div name="messageBodySection">Okay</div><div name="messageSignatureSection"><br/>Marta<br/>Muster GmbH</div><div name="messageReplySection">On 3 Mar 2025 at 10:00 +0100, Jonas &lt;j@b.example&gt;, wrote:<br/><blockquote type="cite">Hi</blockquote></div></body></html>',
    wanted: 'Okay',
  },
  {
    text: '<div>Super!</div><div class="mailspring-signature">Marta<br>Sent from Mailspring</div><div class="gmail_quote_attribution">On Mar 3 2025, at 10:00 am, Jonas &lt;j@b.example&gt; wrote:</div><blockquote>Hi</blockquote>',
    wanted: 'Super!',
  },
  {
    text: '<html><body><div>Perfekt, danke</div><div><div name="quote" style="border-left:2px solid"><div><b>Gesendet:</b>&nbsp;Montag, 03. März 2025 um 10:00 Uhr<br/><b>Von:</b>&nbsp;Jonas &lt;j@b.example&gt;<br/><b>An:</b>&nbsp;marta@m.example<br/><b>Betreff:</b>&nbsp;Angebot</div><div>Hallo</div></div></div></body></html>',
    wanted: 'Perfekt, danke',
  },
  {
    text: '<div dir="auto">Sure, go ahead</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">El lun, 3 mar 2025, 10:00, Ines &lt;<a href="mailto:i@r.example">i@r.example</a>&gt; escribió:<br></div><blockquote class="gmail_quote">Hola</blockquote></div>',
    wanted: 'Sure, go ahead',
  },
  {
    text: '<html><head><style>p{margin:0}</style></head><body><p>Done.</p><p><br></p><div class="elementToProof" id="Signature"><p>Marta</p><p>Muster AG</p></div><hr style="width:98%"><div id="divRplyFwdMsg"><b>Van:</b> Ines<br><b>Verzonden:</b> maandag<br><b>Aan:</b> Marta<br><b>Onderwerp:</b> Zaal</div><div>Hoi</div></body></html>',
    wanted: 'Done.',
  },
  {
    text: '<html><body>Fein!<div><br><div id="AppleMailSignature" dir="ltr">Marta<div>Muster GmbH</div></div><div dir="ltr"><br><blockquote type="cite">Am 03.03.2025 um 10:00 schrieb Ines &lt;i@r.example&gt;:<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">Hallo</div></blockquote></div></body></html>',
    wanted: 'Fein!',
  },
  {
    text: '<div>Okay.</div><div class="front-signature">Marta<br>Support</div><blockquote type="cite" class="front-blockquote">On March 3, 2025 at 10:00 AM GMT+1 i@r.example wrote:<br>Hi</blockquote>',
    wanted: 'Okay.',
  },
  { text: '<p>Ja</p><div class="x_gmail_signature">Marta Muster</div>', wanted: 'Ja' },
  {
    text: '<div style="font-family:sans-serif">Yep.</div><div id="x_Signature"><div>Marta</div></div>',
    wanted: 'Yep.',
  },
  {
    text: '<div>Let us do that</div><div class="hs_signature">Marta<br>HubSpot user</div>',
    wanted: 'Let us do that',
  },
  {
    text: '<div>Klar</div><div class="tutanota_signature">Marta<br>Gesendet mit Tuta</div><blockquote class="tutanota_quote">x</blockquote>',
    wanted: 'Klar',
  },
  { text: '<div>At nine.</div><div class="signature">Marta<br>Muster AG</div>', wanted: 'At nine.' },
  {
    text: '<div>At nine.</div><br><div class="gmail_signature">Marta</div><br><div class="gmail_extra">On 3 Mar 2025 10:00, "Per" &lt;p@e.example&gt; wrote:<br type="attribution"><blockquote class="quote">Hi</blockquote></div>',
    wanted: 'At nine.',
  },
  {
    text: '<div>At nine.</div><div class="zmail_extra"><div id="Zm-_Id_-Sgn1">---- On Mon, 03 Mar 2025 10:00:00 +0100 <b>per@ek.example</b> wrote ----</div><blockquote>Hi</blockquote></div>',
    wanted: 'At nine.',
  },
  {
    text: '<html><body>At nine.<br><br>Sent from my iPhone<div><br>On Mar 3, 2025, at 10:00, Per &lt;p@e.example&gt; wrote:<br><br></div><blockquote type="cite">Hi</blockquote></body></html>',
    wanted: 'At nine.',
  },
  {
    text: '<div dir="ltr">At nine.</div><div id="reply-intro">On 2025-03-03 10:00, Per wrote:</div><blockquote type="cite">Hi</blockquote>',
    wanted: 'At nine.',
  },
  {
    text: '<p class="MsoNormal">At nine.</p><p class="MsoNormal">&nbsp;</p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>From:</b> Per Ek &lt;p@e.example&gt;<br><b>Sent:</b> 03 March 2025 10:00<br><b>To:</b> Marta<br><b>Subject:</b> train</p></div><p class="MsoNormal">Hello</p>',
    wanted: 'At nine.',
  },
  { text: '<div>At nine.</div><div class="yahoo-signature">Marta</div>', wanted: 'At nine.' },
  {
    text: '<div>At nine.</div><div data-marker="__SIG_PRE__">Marta<br>Zimbra</div><hr data-marker="__DIVIDER__"><div data-marker="__HEADERS__"><b>De: </b>"Per" &lt;p@e.example&gt;<br><b>À: </b>"Marta"<br><b>Envoyé: </b>Lundi 3 Mars 2025 10:00<br><b>Objet: </b>train</div><div>Bonjour</div>',
    wanted: 'At nine.',
  },
  {
    text: '<div>At nine.</div><div class="pre-sig"><div class="hubspot-signature">Marta</div></div>',
    wanted: 'At nine.',
  },
]

/** Mail that is passed on, with words of it that are to be read. */
export const passedOn: readonly { subject: string; text: string; holds: string }[] = [
  {
    subject: 'FW: Invoice 17',
    text: `For you.

________________________________________
From: Jonas Berg <jonas@berg.example>
Sent: Montag, 3. März 2025 10:00
To: Marta <marta@muster.example>
Subject: Invoice 17

Please pay the amount of 400 EUR.

Jonas`,
    holds: 'Please pay the amount',
  },
  {
    subject: 'WG: Invoice 17',
    text: `________________________________
Von: Jonas Berg <jonas@berg.example>
Gesendet: Montag, 3. März 2025 10:00
An: Marta <marta@muster.example>
Betreff: Invoice 17

Please pay the amount of 400 EUR.

Jonas`,
    holds: 'Please pay the amount',
  },
  {
    subject: 'Fwd: Invoice 17',
    text: `---------- Forwarded message ---------
From: Jonas Berg <jonas@berg.example>
Date: Montag, 3. März 2025 10:00
To: Marta <marta@muster.example>
Subject: Invoice 17

Please pay the amount of 400 EUR.

Jonas`,
    holds: 'Please pay the amount',
  },
  {
    subject: 'I: Invoice 17',
    text: `-----Messaggio originale-----
Da: Jonas Berg <jonas@berg.example>
Inviato: Montag, 3. März 2025 10:00
A: Marta <marta@muster.example>
Oggetto: Invoice 17

Please pay the amount of 400 EUR.

Jonas`,
    holds: 'Please pay the amount',
  },
  {
    subject: 'TR: Invoice 17',
    text: `-----Message d'origine-----
De: Jonas Berg <jonas@berg.example>
Envoyé: Montag, 3. März 2025 10:00
À: Marta <marta@muster.example>
Objet: Invoice 17

Please pay the amount of 400 EUR.

Jonas`,
    holds: 'Please pay the amount',
  },
  {
    subject: 'VS: Invoice 17',
    text: `Til info

-----Opprinnelig melding-----
Fra: Jonas Berg <jonas@berg.example>
Sendt: Montag, 3. März 2025 10:00
Til: Marta <marta@muster.example>
Emne: Invoice 17

Please pay the amount of 400 EUR.

Jonas`,
    holds: 'Please pay the amount',
  },
  {
    subject: 'Doorst: Invoice 17',
    text: `Ter info

--
Marta

-----Oorspronkelijk bericht-----
Van: Jonas Berg <jonas@berg.example>
Verzonden: Montag, 3. März 2025 10:00
Aan: Marta <marta@muster.example>
Onderwerp: Invoice 17

Please pay the amount of 400 EUR.

Jonas`,
    holds: 'Please pay the amount',
  },
  {
    subject: 'Invoice 17',
    text: `Begin forwarded message:

From: Jonas Berg <jonas@berg.example>
Date: Montag, 3. März 2025 10:00
To: Marta <marta@muster.example>
Subject: Invoice 17

Please pay the amount of 400 EUR.

Jonas`,
    holds: 'Please pay the amount',
  },
  {
    subject: 'Invoice 17',
    text: `-------- Weitergeleitete Nachricht --------
Betreff: Jonas Berg <jonas@berg.example>
Datum: Montag, 3. März 2025 10:00
Von: Marta <marta@muster.example>
An: Invoice 17

Please pay the amount of 400 EUR.

Jonas`,
    holds: 'Please pay the amount',
  },
  {
    subject: 'Invoice 17',
    text: `-----Original Message-----
From: Jonas Berg <jonas@berg.example>
Sent: Montag, 3. März 2025 10:00
To: Marta <marta@muster.example>
Subject: Invoice 17

Please pay the amount of 400 EUR.

Jonas`,
    holds: 'Please pay the amount',
  },
  {
    subject: 'RV: Invoice 17',
    text: `-----Mensaje original-----
De: Jonas Berg <jonas@berg.example>
Enviado el: Montag, 3. März 2025 10:00
Para: Marta <marta@muster.example>
Asunto: Invoice 17

Please pay the amount of 400 EUR.

Jonas`,
    holds: 'Please pay the amount',
  },
  {
    subject: 'ENC: Invoice 17',
    text: `Segue.

-----Mensagem original-----
De: Jonas Berg <jonas@berg.example>
Enviada em: Montag, 3. März 2025 10:00
Para: Marta <marta@muster.example>
Assunto: Invoice 17

Please pay the amount of 400 EUR.

Jonas`,
    holds: 'Please pay the amount',
  },
  {
    subject: 'PD: Invoice 17',
    text: `-----Original Message-----
From: Jonas Berg <jonas@berg.example>
Sent: Montag, 3. März 2025 10:00
To: Marta <marta@muster.example>
Subject: Invoice 17

Please pay the amount of 400 EUR.

Jonas`,
    holds: 'Please pay the amount',
  },
  {
    subject: 'Vb: Invoice 17',
    text: `Zie onder

Verstuurd vanaf mijn iPhone

Begin doorgestuurd bericht:

> Van: Jonas Berg <jonas@berg.example>
> Datum: Montag, 3. März 2025 10:00
> Aan: Marta <marta@muster.example>
> Onderwerp: Invoice 17
> 
> Please pay the amount of 400 EUR.
> 
> Jonas`,
    holds: 'Please pay the amount',
  },
  {
    subject: 'Fwd: Room',
    text: `see below

Begin forwarded message:

> From: Ines Roca <ines@roca.example>
> Date: 3 March 2025 10:00
> To: All <all@roca.example>
> Subject: Room
> 
> The room is booked for Thursday.
> 
> Ines`,
    holds: 'The room is booked',
  },
  {
    subject: 'Videresend: Room',
    text: `-----Oprindelig meddelelse-----
Fra: Ines Roca <ines@roca.example>
Sendt: 3 March 2025 10:00
Til: All <all@roca.example>
Emne: Room

The room is booked for Thursday.

Ines`,
    holds: 'The room is booked',
  },
  {
    subject: 'Redir.: Room',
    text: `________________________________
De: Ines Roca <ines@roca.example>
Enviado: 3 March 2025 10:00
Para: All <all@roca.example>
Assunto: Room

The room is booked for Thursday.

Ines`,
    holds: 'The room is booked',
  },
  {
    subject: 'Fw: Room',
    text: `FYI

----- Forwarded Message -----
From: Ines Roca <ines@roca.example>
To: 3 March 2025 10:00
Sent: All <all@roca.example>
Subject: Room

The room is booked for Thursday.

Ines`,
    holds: 'The room is booked',
  },
  {
    subject: 'Room',
    text: `-------- Mensaje reenviado --------
Asunto: Ines Roca <ines@roca.example>
Fecha: 3 March 2025 10:00
De: All <all@roca.example>
Para: Room

The room is booked for Thursday.

Ines`,
    holds: 'The room is booked',
  },
  {
    subject: 'Fwd: Room',
    text: `-- 
Marta Muster

---------- Forwarded message ----------
From: Ines Roca <ines@roca.example>
Date: 3 March 2025 10:00
To: All <all@roca.example>
Subject: Room

The room is booked for Thursday.

Ines`,
    holds: 'The room is booked',
  },
  {
    subject: '转发: Room',
    text: `-----邮件原件-----
发件人: Ines Roca <ines@roca.example>
发送时间: 3 March 2025 10:00
收件人: All <all@roca.example>
主题: Room

The room is booked for Thursday.

Ines`,
    holds: 'The room is booked',
  },
  {
    subject: 'Room',
    text: `-----Ursprüngliche Nachricht-----
Von: Ines Roca <ines@roca.example>
Gesendet: 3 March 2025 10:00
An: All <all@roca.example>
Betreff: Room

The room is booked for Thursday.

Ines`,
    holds: 'The room is booked',
  },
  {
    subject: 'Ilt: Room',
    text: `-----Özgün İleti-----
Kimden: Ines Roca <ines@roca.example>
Tarih: 3 March 2025 10:00
Kime: All <all@roca.example>
Konu: Room

The room is booked for Thursday.

Ines`,
    holds: 'The room is booked',
  },
  {
    subject: 'Fwd: Room',
    text: `

-------- Перенаправленное сообщение --------
Тема: Ines Roca <ines@roca.example>
Дата: 3 March 2025 10:00
От: All <all@roca.example>
Кому: Room

The room is booked for Thursday.

Ines`,
    holds: 'The room is booked',
  },
]
