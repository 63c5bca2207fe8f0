/** Reports of programs, written without a look at the words that are known: whom they name, and what they say. */
export interface WrittenReport {
  name: string
  to: string[]
  words: string
  /** X-Failed-Recipients. */
  failed?: string
  /** Of a delivery status (RFC 3464), where it has one. */
  status?: string
  diagnostic?: string
}

/** Of trouble that passes, or of the sender, or of the mail. */
export const passing: readonly WrittenReport[] = [
  {
    name: 'postfix-dns',
    to: ['k.braun@firma-nord.example'],
    words: `This is the mail system at host mx1.absender.example.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

<k.braun@firma-nord.example>: Host or domain name not found. Name service error
    for name=mail.firma-nord.example type=A: Host not found, try again`,
    status: '4.4.3',
    diagnostic:
      'X-Postfix; Host or domain name not found. Name service error for name=mail.firma-nord.example type=A: Host not found, try again',
  },
  {
    name: 'postfix-rbl',
    to: ['info@keller.example'],
    words: `<info@keller.example>: host mx.keller.example[192.0.2.7] said: 554 5.7.1 Service
    unavailable; Client host [198.51.100.4] blocked using zen.spamhaus.org;
    https://www.spamhaus.org/query/ip/198.51.100.4 (in reply to RCPT TO command)`,
    status: '5.7.1',
    diagnostic:
      'smtp; 554 5.7.1 Service unavailable; Client host [198.51.100.4] blocked using zen.spamhaus.org',
  },
  {
    name: 'postfix-rdns',
    to: ['anna@lind.example'],
    words: `<anna@lind.example>: host mail.lind.example[203.0.113.9] said: 550 5.1.8 Client does
    not have a valid reverse DNS entry (in reply to MAIL FROM command)`,
    status: '5.1.8',
    diagnostic: 'smtp; 550 5.1.8 Client does not have a valid reverse DNS entry',
  },
  {
    name: 'postfix-expired',
    to: ['tom@weg.example'],
    words: '<tom@weg.example>: connect to mx.weg.example[192.0.2.55]:25: Connection timed out',
    status: '4.4.1',
    diagnostic: 'X-Postfix; connect to mx.weg.example[192.0.2.55]:25: Connection timed out',
  },
  {
    name: 'postfix-quota',
    to: ['lena@post.example'],
    words: `<lena@post.example>: host mx.post.example[192.0.2.3] said: 552 5.2.2 <lena@post.example>:
    Recipient address rejected: Mailbox is over quota (in reply to RCPT TO command)`,
    status: '5.2.2',
    diagnostic: 'smtp; 552 5.2.2 <lena@post.example>: Recipient address rejected: Mailbox is over quota',
  },
  {
    name: 'postfix-pipe',
    to: ['tickets@desk.example'],
    words: `<tickets@desk.example>: Command died with status 127: "/usr/local/bin/rt-mailgate".
    Command output: sh: /usr/local/bin/rt-mailgate: No such file or directory`,
    status: '5.3.0',
    diagnostic: 'x-unix; sh: /usr/local/bin/rt-mailgate: No such file or directory',
  },
  {
    name: 'qmail-connect',
    to: ['bob@alt.example'],
    words: `Hi. This is the qmail-send program at alt.absender.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<bob@alt.example>:
Sorry, I wasn't able to establish an SMTP connection. (#4.4.1)
I'm not going to try again; this message has been in the queue too long.

--- Below this line is a copy of the message.

Return-Path: <me@absender.example>
Received: (qmail 1234 invoked by uid 89); 3 Mar 2025 10:00:00 -0000
Message-ID: <q1@absender.example>
From: me@absender.example
To: bob@alt.example
Subject: hello

hi`,
  },
  {
    name: 'qmail-hops',
    to: ['ring@loop.example'],
    words: `Hi. This is the qmail-send program at mail.loop.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ring@loop.example>:
This message is looping: it already has my Delivered-To line. (#5.4.6)

--- Below this line is a copy of the message.

Return-Path: <me@absender.example>
Received: (qmail 1 invoked by uid 89); 3 Mar 2025 10:00:00 -0000
Message-ID: <q2@absender.example>
From: me@absender.example
To: ring@loop.example
Subject: hello

hi`,
  },
  {
    name: 'exim-retry',
    to: ['sue@past.example'],
    words: `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  sue@past.example
    retry timeout exceeded`,
    failed: 'sue@past.example',
    status: '5.0.0',
  },
  {
    name: 'exim-unroutable-dns',
    to: ['max@kaputt.example'],
    words: `A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  max@kaputt.example
    host mx.kaputt.example [192.0.2.99]
    SMTP error from remote mail server after initial connection:
    421 Too many concurrent SMTP connections from this IP address; please try again later:
    retry timeout exceeded`,
    failed: 'max@kaputt.example',
  },
  {
    name: 'exim-sender-verify',
    to: ['jo@streng.example'],
    words: `  jo@streng.example
    host mx.streng.example [192.0.2.4]
    SMTP error from remote mail server after RCPT TO:<jo@streng.example>:
    550-Verification failed for <me@absender.example>
    550-No Such User Here
    550 Sender verify failed`,
    failed: 'jo@streng.example',
    status: '5.0.0',
    diagnostic: `smtp; 550-Verification failed for <me@absender.example>
 550-No Such User Here
 550 Sender verify failed`,
  },
  {
    name: 'sendmail-nameserver',
    to: ['pat@old.example'],
    words: `   ----- The following addresses had permanent fatal errors -----
<pat@old.example>
    (reason: 451 4.4.0 dns name server timeout)

   ----- Transcript of session follows -----
<pat@old.example>... Deferred: Name server: old.example: host name lookup failure
Message could not be delivered for 5 days
Message will be deleted from queue`,
    status: '4.4.7',
  },
  {
    name: 'sendmail-toomanyhops',
    to: ['kim@ring.example'],
    words: `   ----- The following addresses had permanent fatal errors -----
<kim@ring.example>
    (reason: 554 5.4.6 Too many hops)

   ----- Transcript of session follows -----
554 5.4.6 Too many hops 26 (25 max): from <me@absender.example> via localhost, to <kim@ring.example>`,
    status: '5.4.6',
    diagnostic: 'SMTP; 554 5.4.6 Too many hops',
  },
  {
    name: 'sendmail-size',
    to: ['eva@klein.example'],
    words: `   ----- The following addresses had permanent fatal errors -----
<eva@klein.example>
    (reason: 552 5.3.4 Message size exceeds fixed maximum message size)`,
    status: '5.3.4',
    diagnostic: 'SMTP; 552 5.3.4 Message size exceeds fixed maximum message size',
  },
  {
    name: 'm365-throttled',
    to: ['r.roth@konzern.example'],
    words: `Delivery has failed to these recipients or groups:

r.roth@konzern.example<mailto:r.roth@konzern.example>
Your message couldn't be delivered. Despite repeated attempts to contact the recipient's email system it didn't respond.

Diagnostic information for administrators:

Generating server: AM0PR01MB1234.eurprd01.prod.exchangelabs.com

r.roth@konzern.example
Remote Server returned '550 5.4.300 Message expired -> 451 4.7.0 Temporary server error. Please try again later. PRX5'`,
    status: '5.4.300',
    diagnostic:
      'smtp;550 5.4.300 Message expired -> 451 4.7.0 Temporary server error. Please try again later. PRX5',
  },
  {
    name: 'm365-restricted',
    to: ['leitung@konzern.example'],
    words: `Your message to leitung@konzern.example couldn't be delivered.

leitung wasn't reached because only certain senders may write there: security or policy settings.

550 5.7.124 RESOLVER.RST.SenderNotInAllowedSenders; not authorized to send to the recipient because the sender isn't on the recipient's allowed senders list`,
    status: '5.7.124',
    diagnostic: 'smtp;550 5.7.124 RESOLVER.RST.NotAuthorized; not authorized',
  },
  {
    name: 'm365-toobig',
    to: ['d.gross@konzern.example'],
    words: `The following recipient(s) cannot be reached:

      d.gross@konzern.example on 03.03.2025 10:12
            This message is larger than the current system limit or the recipient's mailbox is full. Create a shorter message body or remove attachments and try sending it again.
            <ex01.konzern.example #5.2.3>`,
  },
  {
    name: 'm365-spam',
    to: ['h.neu@konzern.example'],
    words: `Your message wasn't delivered because the recipient's email provider rejected it.

h.neu@konzern.example
Remote Server returned '550 5.7.606-649 Access denied, banned sending IP [198.51.100.4]; To request removal from this list please visit https://sender.office.com/'`,
    status: '5.7.606',
    diagnostic: 'smtp;550 5.7.606 Access denied, banned sending IP [198.51.100.4]',
  },
  {
    name: 'gmail-delay-fail',
    to: ['nina@fern.example'],
    words: `** Message not delivered **

There was a problem delivering your message to nina@fern.example. See the technical details below.

The response was:

The recipient server did not accept our requests to connect. Learn more at https://support.google.com/mail/answer/7720 
[mx.fern.example. 192.0.2.66: timed out]`,
    failed: 'nina@fern.example',
    status: '4.4.1',
    diagnostic:
      'smtp; The recipient server did not accept our requests to connect. [mx.fern.example. 192.0.2.66: timed out]',
  },
  {
    name: 'gmail-policy',
    to: ['news@grossmail.example'],
    words: `** Message blocked **

Your message to news@grossmail.example has been blocked. See technical details below for more information.

The response from the remote server was:

550-5.7.26 Your email has been blocked because the sender is unauthenticated.
550-5.7.26 Gmail requires all senders to authenticate with either SPF or DKIM.`,
    failed: 'news@grossmail.example',
    status: '5.7.26',
    diagnostic: 'smtp; 550-5.7.26 Your email has been blocked because the sender is unauthenticated.',
  },
  {
    name: 'mimecast',
    to: ['ops@bank.example'],
    words: `<ops@bank.example>: host eu-smtp-inbound-1.mimecast.com[192.0.2.30] said: 550 Rejected by header based
    Anti-Spoofing policy: me@absender.example - https://community.mimecast.com/docs/DOC-1369#550
    [abc123] (in reply to end of DATA command)`,
    status: '5.0.0',
    diagnostic: 'smtp; 550 Rejected by header based Anti-Spoofing policy: me@absender.example',
  },
  {
    name: 'proofpoint',
    to: ['hr@uni.example'],
    words: `<hr@uni.example>: host mx0a-00123.pphosted.com[192.0.2.31] said: 550 5.7.0 Local Policy
    Violation (in reply to end of DATA command)`,
    status: '5.7.0',
    diagnostic: 'smtp; 550 5.7.0 Local Policy Violation',
  },
  {
    name: 'yahoo-ts',
    to: ['zoe@yahoo.example'],
    words: `<zoe@yahoo.example>: host mta5.am0.yahoodns.example[192.0.2.32] refused to talk to me: 553 5.7.1
    [BL21] Connections not accepted from servers without valid sender domain`,
    status: '5.7.1',
    diagnostic: 'smtp; 553 5.7.1 [BL21] Connections not accepted from servers without valid sender domain',
  },
  {
    name: 'spanish-full',
    to: ['luis@correo.example'],
    words: `Su mensaje no pudo ser entregado a los siguientes destinatarios:

<luis@correo.example>: el buzón del destinatario está lleno, inténtelo de nuevo más tarde`,
  },
  {
    name: 'french-grey',
    to: ['marc@poste.example'],
    words: `Le message n'a pas pu être remis aux destinataires suivants :

marc@poste.example
    450 4.2.0 Adresse temporairement refusée (greylisting), abandon après 5 jours`,
  },
  {
    name: 'japanese-full',
    to: ['taro@keitai.example'],
    words: `次の宛先へのメールは配信できませんでした。

<taro@keitai.example>: メールボックスの容量が一杯です。`,
  },
  {
    name: 'zimbra-full',
    to: ['r.klein@zim.example'],
    words:
      '<r.klein@zim.example>: host zim.zim.example[192.0.2.1] said: 452 4.2.2 Over quota (in reply to end of DATA command)',
    status: '4.2.2',
    diagnostic: 'smtp; 452 4.2.2 Over quota',
  },
  {
    name: 'tonline-ip',
    to: ['uwe@t-online.example'],
    words:
      '<uwe@t-online.example>: host mx01.t-online.example[192.0.2.2] refused to talk to me: 554 IP=198.51.100.4 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.example to clarify.)',
    status: '4.0.0',
    diagnostic:
      'smtp; 554 IP=198.51.100.4 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.example to clarify.)',
  },
  {
    name: 'ionos-ip',
    to: ['ute@ionos.example'],
    words: `ute@ionos.example
SMTP error from remote server for TEXT command, host: mx00.ionos.example (192.0.2.3) reason: 554 Transaction failed. Reject due to policy restrictions. For explanation visit https://www.ionos.example/`,
  },
  {
    name: 'qq-freq',
    to: ['li@qq.example'],
    words:
      '<li@qq.example>: host mx3.qq.example[192.0.2.4] said: 550 Mail content denied. http://service.mail.qq.example/cgi-bin/help?id=20022 (in reply to end of DATA command)',
    status: '5.0.0',
    diagnostic: 'smtp; 550 Mail content denied.',
  },
  {
    name: '163-spf',
    to: ['wang@163.example'],
    words:
      '<wang@163.example>: host 163mx01.mxmail.netease.example said: 550 DT:SPM 163 mx12, please see http://mail.163.example/help/help_spam_16.htm (in reply to end of DATA command)',
    status: '5.0.0',
    diagnostic: 'smtp; 550 DT:SPM 163 mx12,please see http://mail.163.example/help',
  },
  {
    name: 'yandex-spam',
    to: ['ivan@yandex.example'],
    words:
      '<ivan@yandex.example>: host mx.yandex.example[192.0.2.5] said: 554 5.7.1 Message rejected under suspicion of SPAM; https://ya.cc/1IrBc',
    status: '5.7.1',
    diagnostic: 'smtp; 554 5.7.1 Message rejected under suspicion of SPAM',
  },
  {
    name: 'mailru-rate',
    to: ['nina@mail.example'],
    words:
      '<nina@mail.example>: host mxs.mail.example said: 451 Too many messages from 198.51.100.4; try later',
    status: '4.0.0',
    diagnostic: 'smtp; 451 Too many messages from 198.51.100.4; try later',
  },
  {
    name: 'ironport-dmarc',
    to: ['lee@corp.example'],
    words:
      '<lee@corp.example>: host esa1.corp.example said: 550 #5.1.8 Domain of sender address <me@absender.example> does not exist',
    status: '5.1.8',
    diagnostic: 'smtp; 550 #5.1.8 Domain of sender address <me@absender.example> does not exist',
  },
  {
    name: 'exchange-german-gross',
    to: ['b.lang@firma.example'],
    words: `Fehler bei der Nachrichtenzustellung an folgende Empfänger oder Gruppen:

b.lang@firma.example
Diese Nachricht ist zu groß. Verkleinern Sie sie, und senden Sie sie dann erneut.

#550 5.3.4 ROUTING.SizeLimit; message size exceeds fixed maximum size for route ##`,
    status: '5.3.4',
    diagnostic: 'smtp;550 5.3.4 ROUTING.SizeLimit; message size exceeds fixed maximum size for route',
  },
  {
    name: 'exchange-french-quota',
    to: ['c.petit@firma.example'],
    words: `Échec de la remise à ces destinataires ou groupes :

c.petit@firma.example
La boîte aux lettres du destinataire est pleine et ne peut pas accepter de messages pour l'instant.`,
    status: '5.2.2',
    diagnostic: 'smtp;554 5.2.2 mailbox full',
  },
  {
    name: 'exchange-hop',
    to: ['x.yan@firma.example'],
    words: `x.yan@firma.example
Remote Server returned '554 5.4.14 Hop count exceeded - possible mail loop ATTR34'`,
    status: '5.4.14',
    diagnostic: 'smtp;554 5.4.14 Hop count exceeded - possible mail loop ATTR34',
  },
  {
    name: 'm365-tls',
    to: ['z.od@firma.example'],
    words: `z.od@firma.example
Remote Server returned '550 5.4.317 Message expired, cannot connect to remote server(451 4.4.62 Mail sent to the wrong Office 365 region)'`,
    status: '5.4.317',
    diagnostic: 'smtp;550 5.4.317 Message expired, cannot connect to remote server',
  },
  {
    name: 'm365-quarantine-tenant',
    to: ['info@mieter.example'],
    words: `info@mieter.example
Remote Server returned '550 5.7.705 Access denied, tenant has exceeded threshold'`,
    status: '5.7.705',
    diagnostic: 'smtp;550 5.7.705 Access denied, tenant has exceeded threshold',
  },
  {
    name: 'gmail-over-quota-reply',
    to: ['kurt@gmail.example'],
    words:
      "<kurt@gmail.example>: host gmail-smtp-in.l.google.example said: 552-5.2.2 The recipient's inbox is out of storage space and inactive. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaPerm",
    status: '5.2.2',
    diagnostic: "smtp; 552-5.2.2 The recipient's inbox is out of storage space.",
  },
  {
    name: 'gmail-rate',
    to: ['rosa@gmail.example'],
    words:
      '<rosa@gmail.example>: host gmail-smtp-in.l.google.example said: 550-5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.',
    status: '5.2.1',
    diagnostic:
      'smtp; 550-5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.',
  },
  {
    name: 'gmail-suspicious',
    to: ['olaf@gmail.example'],
    words:
      '<olaf@gmail.example>: host gmail-smtp-in.l.google.example said: 550-5.7.1 [198.51.100.4 12] Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam sent to Gmail, this message has been blocked.',
    status: '5.7.1',
    diagnostic: 'smtp; 550-5.7.1 Our system has detected that this message is likely unsolicited mail.',
  },
  {
    name: 'procmail',
    to: ['dev@build.example'],
    words: `The original message was received at Mon, 3 Mar 2025 10:00:00 GMT
from localhost

   ----- The following addresses had permanent fatal errors -----
"|/usr/bin/procmail -Y"
    (reason: Can't create output)
    (expanded from: <dev@build.example>)`,
    status: '5.3.0',
    diagnostic: 'x-unix; 73',
  },
  {
    name: 'sieve-disk',
    to: ['ops@build.example'],
    words:
      '<ops@build.example>: temporary failure. Command output: lda(ops): Error: write() failed: No space left on device',
    status: '4.3.0',
    diagnostic: 'x-unix; lda(ops): Error: write() failed: No space left on device',
  },
  {
    name: 'polish',
    to: ['ewa@poczta.example'],
    words: `Wiadomość nie mogła zostać dostarczona do:

ewa@poczta.example: skrzynka odbiorcy jest przepełniona, spróbuj ponownie później`,
  },
  {
    name: 'italian',
    to: ['gino@posta.example'],
    words: `Il messaggio non è stato recapitato al destinatario seguente:

gino@posta.example
    connessione al server scaduta (timeout)`,
  },
  {
    name: 'sendgrid-deferred',
    to: ['amy@slow.example'],
    words: `Your message to amy@slow.example could not be delivered.

amy@slow.example: unable to get mx info: failed to get IPs from PTR record: lookup <nil>: unrecognized address`,
  },
  {
    name: 'mimecast-greylist',
    to: ['jim@law.example'],
    words:
      '<jim@law.example>: host us-smtp-inbound-2.mimecast.example said: 451 Internal resources are temporarily unavailable - https://community.mimecast.example/docs/DOC-1369#451',
    status: '4.0.0',
    diagnostic: 'smtp; 451 Internal resources are temporarily unavailable',
  },
  {
    name: 'barracuda',
    to: ['pam@inc.example'],
    words:
      '<pam@inc.example>: host d1.ess.barracudanetworks.example said: 550 permanent failure for one or more recipients (pam@inc.example:blocked)',
    status: '5.0.0',
    diagnostic: 'smtp; 550 permanent failure for one or more recipients (pam@inc.example:blocked)',
  },
  {
    name: 'postfix-toomany',
    to: ['a@viele.example'],
    words:
      '<a@viele.example>: host mx.viele.example said: 550 5.5.3 Too many recipients (in reply to RCPT TO command)',
    status: '5.5.3',
    diagnostic: 'smtp; 550 5.5.3 Too many recipients',
  },
]

/** Of addresses that are gone. */
export const gone: readonly WrittenReport[] = [
  {
    name: 'closed-after-data',
    to: ['lia.moreno@correo.example'],
    words: `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  lia.moreno@correo.example
    SMTP error from remote mail server after end of data:
    host mx1.correo.example [192.0.2.8]: 554 delivery error: dd Sorry your message
    cannot be delivered. This mailbox has been closed or discontinued [#102].`,
  },
  {
    name: 'scanned-below',
    to: ['lia.moreno@correo.example'],
    words: `This is an automatically generated Delivery Status Notification.

Delivery to the following recipients failed.

       lia.moreno@correo.example

__________ Information from an antivirus product, version 4711 __________

This message was checked by an antivirus product. No virus was found.`,
    status: '5.1.1',
  },
  ...[
    "554 RCPT (lia.moreno@correo.example) dosn't exist",
    'Esta cuenta ha caducado por falta de uso.',
    'Ce compte a été désactivé.',
    'Das Postfach wurde vom Kunden gelöscht.',
    'Questa casella è stata chiusa.',
    'A conta foi encerrada.',
    'Konto zostało usunięte przez właściciela.',
    'Почтовый ящик удалён владельцем.',
    '该邮箱已注销。',
    'このアカウントは現在無効です。',
    '해당 계정은 휴면 상태입니다.',
  ].map((words, at) => ({
    name: `closed-${at}`,
    to: ['lia.moreno@correo.example'],
    words: `I'm afraid I wasn't able to deliver your message to the following addresses.\n\n<lia.moreno@correo.example>:\n${words}`,
  })),
  {
    name: 'korean-gone',
    to: ['sora@naver.example'],
    words: `보내신 메일이 아래의 수신자에게 전달되지 못했습니다.

받는 사람: sora@naver.example
실패 사유: 존재하지 않는 사용자입니다.`,
  },
  {
    name: 'postfix-unknown',
    to: ['g.hahn@firma.example'],
    words: `<g.hahn@firma.example>: host mx.firma.example[192.0.2.7] said: 550 5.1.1
    <g.hahn@firma.example>: Recipient address rejected: User unknown in virtual
    mailbox table (in reply to RCPT TO command)`,
    status: '5.1.1',
    diagnostic:
      'smtp; 550 5.1.1 <g.hahn@firma.example>: Recipient address rejected: User unknown in virtual mailbox table',
  },
  {
    name: 'postfix-nodomain',
    to: ['x@gibtsnicht.example'],
    words: `<x@gibtsnicht.example>: Host or domain name not found. Name service error for
    name=gibtsnicht.example type=AAAA: Host not found`,
    status: '5.4.4',
    diagnostic:
      'X-Postfix; Host or domain name not found. Name service error for name=gibtsnicht.example type=AAAA: Host not found',
  },
  {
    name: 'postfix-nullmx',
    to: ['y@nomail.example'],
    words: '<y@nomail.example>: Domain nomail.example does not accept mail (nullMX)',
    status: '5.1.0',
    diagnostic: 'X-Postfix; Domain nomail.example does not accept mail (nullMX)',
  },
  {
    name: 'gmail-nouser',
    to: ['quentin@gmail.example'],
    words: `** Address not found **

Your message wasn't delivered to quentin@gmail.example because the address couldn't be found, or is unable to receive mail.

The response was:

550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces.`,
    failed: 'quentin@gmail.example',
    status: '5.1.1',
    diagnostic: 'smtp; 550-5.1.1 The email account that you tried to reach does not exist.',
  },
  {
    name: 'gmail-disabled',
    to: ['rita@gmail.example'],
    words: `** Address not found **

Your message wasn't delivered to rita@gmail.example because the address couldn't be found, or is unable to receive mail.

The response from the remote server was:

550 5.2.1 The email account that you tried to reach is disabled.`,
    failed: 'rita@gmail.example',
    status: '5.2.1',
    diagnostic: 'smtp; 550-5.2.1 The email account that you tried to reach is disabled.',
  },
  {
    name: 'm365-notfound',
    to: ['p.weiss@konzern.example'],
    words: `Your message to p.weiss@konzern.example couldn't be delivered.
p.weiss wasn't found at konzern.example.

550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient p.weiss@konzern.example not found by SMTP address lookup`,
    status: '5.1.10',
    diagnostic: 'smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
  },
  {
    name: 'm365-dbeb',
    to: ['old@konzern.example'],
    words: `old@konzern.example
Remote Server returned '550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB5EUR01FT001.eop-EUR01.prod.protection.outlook.com]'`,
    status: '5.4.1',
    diagnostic: 'smtp;550 5.4.1 Recipient address rejected: Access denied. AS(201806281)',
  },
  {
    name: 'm365-nxdomain',
    to: ['a@konzren.example'],
    words: `a@konzren.example
Remote Server returned '550 5.4.310 DNS domain konzren.example does not exist [Message=InfoDomainNonexistent]'`,
    status: '5.4.310',
    diagnostic: 'smtp;550 5.4.310 DNS domain konzren.example does not exist [Message=InfoDomainNonexistent]',
  },
  {
    name: 'yahoo-nouser',
    to: ['vera@yahoo.example'],
    words: `<vera@yahoo.example>: host mta7.yahoodns.example[192.0.2.32] said: 554 delivery error: dd
    This user doesn't have a yahoo.com account (vera@yahoo.example) [0]
    (in reply to end of DATA command)`,
    status: '5.0.0',
    diagnostic:
      "smtp; 554 delivery error: dd This user doesn't have a yahoo.com account (vera@yahoo.example) [0]",
  },
  {
    name: 'yahoo-552',
    to: ['wim@yahoo.example'],
    words:
      '<wim@yahoo.example>: host mta6.yahoodns.example[192.0.2.33] said: 552 1 Requested mail action aborted, mailbox not found (in reply to end of DATA command)',
    status: '5.0.0',
    diagnostic: 'smtp; 552 1 Requested mail action aborted, mailbox not found',
  },
  {
    name: 'icloud',
    to: ['una@icloud.example'],
    words:
      '<una@icloud.example>: host mx01.mail.icloud.example[192.0.2.34] said: 550 5.1.1 <una@icloud.example>: user does not exist (in reply to RCPT TO command)',
    status: '5.1.1',
    diagnostic: 'smtp; 550 5.1.1 <una@icloud.example>: user does not exist',
  },
  {
    name: 'gmx',
    to: ['theo@gmx.example'],
    words: `theo@gmx.example
SMTP error from remote server for RCPT TO command, host: mx00.gmx.example (192.0.2.35) reason: 550 Requested action not taken: mailbox unavailable
For explanation visit http://postmaster.gmx.example`,
  },
  {
    name: 'qmail-nouser',
    to: ['carl@alt.example'],
    words: `Hi. This is the qmail-send program at alt.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<carl@alt.example>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <me@absender.example>
Received: (qmail 1 invoked by uid 89); 3 Mar 2025 10:00:00 -0000
Message-ID: <q3@absender.example>
From: me@absender.example
To: carl@alt.example
Subject: hello

hi`,
  },
  {
    name: 'qmail-vpopmail',
    to: ['dora@alt.example'],
    words: `Hi. This is the qmail-send program at alt.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<dora@alt.example>:
This address no longer accepts mail.

--- Below this line is a copy of the message.

Return-Path: <me@absender.example>
Message-ID: <q4@absender.example>
Received: (qmail 1 invoked by uid 89); 3 Mar 2025 10:00:00 -0000
From: me@absender.example
To: dora@alt.example
Subject: hello

hi`,
  },
  {
    name: 'exim-unrouteable',
    to: ['emil@exim.example'],
    words: `A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  emil@exim.example
    Unrouteable address`,
    failed: 'emil@exim.example',
  },
  {
    name: 'exim-nouser',
    to: ['fritz@exim.example'],
    words: `  fritz@exim.example
    host mail.exim.example [192.0.2.36]
    SMTP error from remote mail server after RCPT TO:<fritz@exim.example>:
    550 No such user here`,
    failed: 'fritz@exim.example',
    status: '5.0.0',
    diagnostic: 'smtp; 550 No such user here',
  },
  {
    name: 'sendmail-unknown',
    to: ['hans@send.example'],
    words: `   ----- The following addresses had permanent fatal errors -----
<hans@send.example>
    (reason: 550 5.1.1 <hans@send.example>... User unknown)

   ----- Transcript of session follows -----
... while talking to mx.send.example.:
>>> DATA
<<< 550 5.1.1 <hans@send.example>... User unknown
550 5.1.1 <hans@send.example>... User unknown
<<< 503 5.0.0 Need RCPT (recipient)`,
    status: '5.1.1',
    diagnostic: 'SMTP; 550 5.1.1 <hans@send.example>... User unknown',
  },
  {
    name: 'sendmail-hostunknown',
    to: ['ida@nix.example'],
    words: `   ----- The following addresses had permanent fatal errors -----
<ida@nix.example>
    (reason: 550 Host unknown)

   ----- Transcript of session follows -----
550 5.1.2 <ida@nix.example>... Host unknown (Name server: nix.example: host not found)`,
    status: '5.1.2',
    diagnostic: 'SMTP; 550 Host unknown',
  },
  {
    name: 'notes',
    to: ['jan@domino.example'],
    words: `Your message

  Subject: Angebot

was not delivered to:

  jan@domino.example

because:

  User jan (jan@domino.example) not listed in Domino Directory`,
  },
  {
    name: 'groupwise',
    to: ['karl@gw.example'],
    words: `The message that you sent was undeliverable to the following:
	karl@gw.example (user not found)`,
  },
  {
    name: 'helpdesk-role',
    to: ['support@weg.example'],
    words: `Your mail could not be delivered to:

support@weg.example: 550 5.1.1 mailbox unknown, no such address`,
  },
  {
    name: 'german',
    to: ['lotte@post.example'],
    words: `Ihre Nachricht konnte nicht zugestellt werden an:

lotte@post.example
    Der Empfänger ist unbekannt.`,
  },
  {
    name: 'french',
    to: ['marie@poste.example'],
    words: `Votre message n'a pas pu être remis au destinataire suivant :

<marie@poste.example>: utilisateur inconnu`,
  },
  {
    name: 'portuguese',
    to: ['nuno@correio.example'],
    words: `A sua mensagem não pôde ser entregue ao seguinte destinatário:

nuno@correio.example
    550 5.1.1 Usuário inexistente`,
  },
  {
    name: 'russian',
    to: ['olga@pochta.example'],
    words: `Ваше сообщение не было доставлено следующему получателю:

<olga@pochta.example>: 550 5.1.1 пользователь не найден`,
  },
  {
    name: 'mailru',
    to: ['petr@mail.example'],
    words:
      '<petr@mail.example>: host mxs.mail.example[192.0.2.37] said: 550 Message was not accepted -- invalid mailbox. Local mailbox petr@mail.example is unavailable: account is disabled (in reply to end of DATA command)',
    status: '5.0.0',
    diagnostic:
      'smtp; 550 Message was not accepted -- invalid mailbox. Local mailbox petr@mail.example is unavailable: account is disabled',
  },
  {
    name: 'exchange-german',
    to: ['w.alt@firma.example'],
    words: `Fehler bei der Nachrichtenzustellung an folgende Empfänger oder Gruppen:

w.alt@firma.example
Die eingegebene E-Mail-Adresse konnte nicht gefunden werden. Überprüfen Sie die E-Mail-Adresse des Empfängers.

#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##`,
    status: '5.1.1',
    diagnostic: 'smtp;550 5.1.1 RESOLVER.ADR.RecipNotFound; not found',
  },
  {
    name: 'exchange-spanish',
    to: ['m.viejo@firma.example'],
    words: `No se pudo entregar el mensaje a estos destinatarios o grupos:

m.viejo@firma.example
No se encontró la dirección de correo electrónico que especificó.`,
    status: '5.1.10',
    diagnostic: 'smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
  },
  {
    name: 'outlook-5500',
    to: ['bo@outlook.example'],
    words:
      '<bo@outlook.example>: host outlook-com.olc.protection.outlook.example said: 550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [DB5EUR01FT031.eop-EUR01] (in reply to RCPT TO command)',
    status: '5.5.0',
    diagnostic: 'smtp; 550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).',
  },
  {
    name: 'protonmail',
    to: ['ed@proton.example'],
    words:
      '<ed@proton.example>: host mail.protonmail.example said: 550 5.1.1 <ed@proton.example>: Recipient address rejected: Address does not exist (in reply to RCPT TO command)',
    status: '5.1.1',
    diagnostic: 'smtp; 550 5.1.1 Recipient address rejected: Address does not exist',
  },
  {
    name: 'yandex-nouser',
    to: ['oleg@yandex.example'],
    words:
      '<oleg@yandex.example>: host mx.yandex.example said: 550 5.7.1 No such user! (in reply to RCPT TO command)',
    status: '5.7.1',
    diagnostic: 'smtp; 550 5.7.1 No such user!',
  },
  {
    name: 'qq-nouser',
    to: ['zhang@qq.example'],
    words:
      '<zhang@qq.example>: host mx1.qq.example said: 550 The recipient may contain a non-existent account, please check the recipient address. (in reply to RCPT TO command)',
    status: '5.0.0',
    diagnostic:
      'smtp; 550 The recipient may contain a non-existent account, please check the recipient address.',
  },
  {
    name: '163-nouser',
    to: ['zhao@163.example'],
    words:
      '<zhao@163.example>: host 163mx03.mxmail.netease.example said: 550 User not found: zhao@163.example (in reply to RCPT TO command)',
    status: '5.0.0',
    diagnostic: 'smtp; 550 User not found: zhao@163.example',
  },
  {
    name: 'naver',
    to: ['kim@naver.example'],
    words:
      '<kim@naver.example>: host mx1.naver.example said: 550 5.1.1 Recipient Not Found NoBrH - nsmtp (in reply to RCPT TO command)',
    status: '5.1.1',
    diagnostic: 'smtp; 550 5.1.1 Recipient Not Found',
  },
  {
    name: 'zoho-inactive',
    to: ['raj@zoho.example'],
    words:
      '<raj@zoho.example>: host mx.zoho.example said: 550 5.1.1 User does not exist - <raj@zoho.example>',
    status: '5.1.1',
    diagnostic: 'smtp; 550 5.1.1 User does not exist',
  },
  {
    name: 'dovecot-lmtp',
    to: ['tina@dov.example'],
    words:
      "<tina@dov.example>: host dov.example[private/dovecot-lmtp] said: 550 5.1.1 <tina@dov.example> User doesn't exist: tina@dov.example (in reply to RCPT TO command)",
    status: '5.1.1',
    diagnostic: "smtp; 550 5.1.1 <tina@dov.example> User doesn't exist: tina@dov.example",
  },
  {
    name: 'ovh',
    to: ['luc@ovh.example'],
    words:
      '<luc@ovh.example>: host mx1.mail.ovh.example said: 550 5.1.1 <luc@ovh.example>: Recipient address rejected: User unknown (in reply to RCPT TO command)',
    status: '5.1.1',
    diagnostic: 'smtp; 550 5.1.1 User unknown',
  },
  {
    name: 'orange',
    to: ['eve@orange.example'],
    words:
      '<eve@orange.example>: host smtp-in.orange.example said: 550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR204_418 [418]',
    status: '5.1.1',
    diagnostic: 'smtp; 550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient.',
  },
  {
    name: 'free',
    to: ['guy@free.example'],
    words:
      '<guy@free.example>: host mx1.free.example said: 550 5.2.1 This mailbox has been blocked due to inactivity (in reply to RCPT TO command)',
    status: '5.2.1',
    diagnostic: 'smtp; 550 5.2.1 This mailbox has been blocked due to inactivity',
  },
  {
    name: 'comcast',
    to: ['joe@comcast.example'],
    words:
      '<joe@comcast.example>: host mx1.comcast.example said: 550 5.1.1 Account not available (in reply to RCPT TO command)',
    status: '5.1.1',
    diagnostic: 'smtp; 550 5.1.1 Account not available',
  },
  {
    name: 'att',
    to: ['sal@att.example'],
    words:
      '<sal@att.example>: host ff-ip4-mx.att.example said: 553 5.3.0 <sal@att.example>... Addressee unknown, relay=[198.51.100.4]',
    status: '5.3.0',
    diagnostic: 'smtp; 553 5.3.0 <sal@att.example>... Addressee unknown',
  },
  {
    name: 'exim-german-host',
    to: ['tim@exim.example'],
    words: `Diese Nachricht wurde automatisch von der Mail-Software erstellt.

Eine Nachricht, die Sie versandt haben, konnte an einen oder mehrere der folgenden Empfänger nicht zugestellt werden:

  tim@exim.example
    host mx.exim.example [192.0.2.7]
    SMTP error from remote mail server after RCPT TO:<tim@exim.example>:
    550 5.1.1 unknown recipient`,
    failed: 'tim@exim.example',
  },
  {
    name: 'mailenable',
    to: ['sam@me.example'],
    words: `Message could not be delivered to the following recipient(s):

    Recipient: [SMTP:sam@me.example]
    Reason: The message could not be delivered because the mailbox does not exist.`,
  },
  {
    name: 'hmail',
    to: ['pia@hm.example'],
    words: `Your message did not reach some or all of the intended recipients.

   Sent: Mon, 3 Mar 2025 10:00:00 +0100
   Subject: Angebot

The following recipient(s) could not be reached:

pia@hm.example
   Error Type: SMTP
   Remote server (192.0.2.8) issued an error.
   hMailServer sent: RCPT TO:<pia@hm.example>
   Remote server replied: 550 Unknown user`,
  },
  {
    name: 'aol',
    to: ['gus@aol.example'],
    words:
      '<gus@aol.example>: host mx-aol.mail.gm0.yahoodns.example said: 554 30 Sorry, your message to gus@aol.example cannot be delivered. This mailbox is disabled (554.30).',
    status: '5.0.0',
    diagnostic:
      'smtp; 554 30 Sorry, your message to gus@aol.example cannot be delivered. This mailbox is disabled (554.30).',
  },
  {
    name: 'role',
    to: ['helpdesk@firma.example', 'sales@firma.example'],
    words: `This is the mail system at host mx1.absender.example.

<helpdesk@firma.example>: unknown user: "helpdesk"

<sales@firma.example>: unknown user: "sales"`,
  },
  {
    name: 'dutch',
    to: ['jan@bedrijf.example'],
    words: `Uw bericht kon niet worden bezorgd bij:

jan@bedrijf.example: onbekende gebruiker`,
  },
  {
    name: 'swedish',
    to: ['sven@firma.example'],
    words: `Meddelandet kunde inte levereras till:

sven@firma.example
  550 5.1.1 Mottagaren finns inte`,
  },
  {
    name: 'czech',
    to: ['jana@posta.example'],
    words: `Vaši zprávu se nepodařilo doručit:

<jana@posta.example>: uživatel neexistuje`,
  },
  {
    name: 'turkish',
    to: ['ali@posta.example'],
    words: `İletiniz teslim edilemedi:

ali@posta.example: 550 5.1.1 Kullanıcı bulunamadı`,
  },
  {
    name: 'chinese',
    to: ['wu@youxiang.example'],
    words: `您的邮件无法投递到以下收件人：

wu@youxiang.example
    收件人邮箱不存在`,
  },
  {
    name: 'korean',
    to: ['lee@mail.example'],
    words: `다음 수신자에게 메일을 배달하지 못했습니다.

lee@mail.example: 존재하지 않는 사용자입니다`,
  },
]

const returned = `Return-Path: <me@absender.example>
Received: from pc (pc.absender.example [198.51.100.4]) by mx1.absender.example with ESMTP id X; Mon, 3 Mar 2025 10:00:00 +0000
Message-ID: <orig-77@absender.example>
Date: Mon, 3 Mar 2025 10:00:00 +0000
From: Me <me@absender.example>
To: someone@absender.example
Subject: Angebot
`

/** Writes the mail of a report. */
export function reportMail({ name, to, words, failed, status, diagnostic }: WrittenReport): string {
  const head = [
    'Return-Path: <>',
    'From: Mail Delivery System <MAILER-DAEMON@mx1.absender.example>',
    'To: me@absender.example',
    'Subject: Undelivered Mail Returned to Sender',
    `Message-ID: <b-${name}@mx1.absender.example>`,
    ...(failed ? [`X-Failed-Recipients: ${failed}`] : []),
  ].join('\n')
  if (status === undefined) {
    const below = /^Return-Path:/m.test(words) ? '' : `\n--- The header of your mail:\n\n${returned}`
    return `${head}\nContent-Type: text/plain; charset=utf-8\n\n${words}\n${below}`
  }
  const group = `Final-Recipient: rfc822; ${to[0]}\nAction: failed\nStatus: ${status}${diagnostic ? `\nDiagnostic-Code: ${diagnostic}` : ''}`
  return `${head}\nContent-Type: multipart/report; report-type=delivery-status; boundary="B1"\n\n--B1\nContent-Type: text/plain; charset=utf-8\n\n${words}\n\n--B1\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx1.absender.example\n\n${group}\n\n--B1\nContent-Type: text/rfc822-headers\n\n${returned}\n--B1--\n`
}
