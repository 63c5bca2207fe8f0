/** Mail against the rules, and what it means, written without a look at what is known of such. */
export const oddOnes: readonly {
  raw: string
  wanted: Record<string, string | null | readonly (string | null)[]>
}[] = [
  {
    raw: 'From: Jonas <jonas@berg.example>\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=r; start="<page>"; type="text/html"\n\n--r\nContent-Type: image/png; name=sign.png\nContent-ID: <sign>\n\nx\n--r\nContent-Type: text/html\nContent-ID: <page>\n\n<p>Below its picture</p>\n--r--\n',
    wanted: { text: 'Below its picture', files: ['sign.png'] },
  },
  {
    raw: '\n      \n\nFrom: Jonas <jonas@berg.example>\nSubject: Below lines of spaces\n\nHi\n',
    wanted: { subject: 'Below lines of spaces', from: 'jonas@berg.example', text: 'Hi' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nSubject: =?utf-8?Q?Kommst_du=2C_J=C3=BCrgen??= =?utf-8?Q?_Ja?_Nein??=\n\nHi\n',
    wanted: { subject: 'Kommst du, Jürgen? Ja? Nein?' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: =?utf-7?Q?Gr+APw-+AN8-e?=\n\nHi\n',
    wanted: { subject: 'Grüße' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: =?UNICODE-1-1-UTF-7?Q?+ZeVnLA-?=\n\nHi\n',
    wanted: { subject: '日本' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: =?utf-7?B?K0FPUS10ZXN0?=\n\nHi\n',
    wanted: { subject: 'ätest' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-7\n\nGr+APwA3w-e\n',
    wanted: { text: 'Grüße' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: Mon, 3 Mar 2025 03:05:06 PM +0100\n\nHi\n',
    wanted: { sentAt: '2025-03-03T14:05:06.000Z' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: Mon, 3 Mar 2025 12:05 AM GMT\n\nHi\n',
    wanted: { sentAt: '2025-03-03T00:05:00.000Z' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: Mon, 03 Mar 2025 10:00:00 +100\n\nHi\n',
    wanted: { sentAt: '2025-03-03T09:00:00.000Z' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: 3/3/2025 10:00:00 AM -0500\n\nHi\n',
    wanted: { sentAt: '2025-03-03T15:00:00.000Z' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: Mon,3 Mar 2025 10:00:00 GMT+0200\n\nHi\n',
    wanted: { sentAt: '2025-03-03T08:00:00.000Z' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: Monday, 03-Mar-25 10:00:00 EST\n\nHi\n',
    wanted: { sentAt: '2025-03-03T15:00:00.000Z' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: Mon Mar  3 10:00:00 CET 2025\n\nHi\n',
    wanted: { sentAt: '2025-03-03T10:00:00.000Z' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: 20250303.100000.77@berg.example\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\n\nHi\n',
    wanted: { messageId: '<20250303.100000.77@berg.example>' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <20250303.100000.77@berg.example\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\n\nHi\n',
    wanted: { messageId: '<20250303.100000.77@berg.example>' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: 0A1B2C3D4E5F\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\n\nHi\n',
    wanted: { messageId: '<0A1B2C3D4E5F>' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-Id: <[ab.cd@berg.example]>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\n\nHi\n',
    wanted: { messageId: '<[ab.cd@berg.example]>' },
  },
  {
    raw: 'From: jonas (the (old) one) @ berg.example\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\n\nHi\n',
    wanted: { from: 'jonas@berg.example' },
  },
  {
    raw: 'From: <@relay.example,@hub.example:jonas@berg.example>\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\n\nHi\n',
    wanted: { from: 'jonas@berg.example' },
  },
  {
    raw: 'From: jonas@berg.example (Jonas (JB) Berg)\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\n\nHi\n',
    wanted: { from: 'jonas@berg.example' },
  },
  {
    raw: 'From: "Berg, Jonas" <jonas@berg.example> (work)\nTo: undisclosed-recipients:;\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\n\nHi\n',
    wanted: { from: 'jonas@berg.example' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="=_abc123"\n\n--=_abc123 (first part)\nContent-Type: text/plain\n\nHello\n--=_abc123 second\nContent-Type: application/pdf; name=a.pdf\n\nX\n--=_abc123-- end\n',
    wanted: { text: 'Hello' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=ABCDEFG  ; charset=x\n\n--ABCDEFG\t \nContent-Type: text/plain\n\nHello\n--ABCDEFG\nContent-Type: text/html\n\n<p>Hello</p>\n--ABCDEFG--\n\n',
    wanted: { text: 'Hello' },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="zz9"\n\n--zz9\nContent-Type: text/plain\n\nHello\n--zz9\nContent-Type: pdf; name="Rechnung.pdf"\nContent-Transfer-Encoding: base64\n\nSGVsbG8=\n--zz9--\n\n',
    wanted: { files: ['Rechnung.pdf'] },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="zz9"\n\n--zz9\nContent-Type: text/plain\n\nHello\n--zz9\nContent-Type: application; name=bericht.doc\nContent-Disposition: attachment\n\nabc\n--zz9--\n\n',
    wanted: { files: ['bericht.doc'] },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="zz9"\n\n--zz9\nContent-Type: text/plain\n\nHello\n--zz9\nContent-Type: ; name=foto.jpg\nContent-Disposition: inline; filename=foto.jpg\n\nabc\n--zz9--\n\n',
    wanted: { files: ['foto.jpg'] },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\nTo: marta@muster.example\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: text\n\nHello\n',
    wanted: { files: [] },
  },
  {
    raw: 'From: Jonas <jonas@berg.example>\rTo: marta@muster.example\rMessage-ID: <m1@berg.example>\rDate: Mon, 3 Mar 2025 10:00:00 +0000\rSubject: x\r\rHello\r\rBob\r',
    wanted: { subject: '', flaws: ['header-malformed'] },
  },
  {
    raw: 'From: a@b.example\rMessage-ID: <m1@berg.example>\rDate: Mon, 3 Mar 2025 10:00:00 +0000\rSubject: old mac\rMIME-Version: 1.0\rContent-Type: multipart/mixed; boundary=QQQQ\r\r--QQQQ\rContent-Type: text/plain\r\rHello\r--QQQQ\rContent-Type: application/octet-stream; name=x.bin\r\rabc\r--QQQQ--\r',
    wanted: { subject: '', flaws: ['header-malformed'] },
  },
  {
    raw: 'From: a@b.example\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\nSchöne Grüße – José\n',
    wanted: { text: 'Schöne Grüße – José' },
  },
  {
    raw: 'From: a@b.example\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=us-ascii\n\nПривет, как дела?\n',
    wanted: { text: 'Привет, как дела?' },
  },
  {
    raw: 'From: a@b.example\nMessage-ID: <m1@berg.example>\nDate: Mon, 3 Mar 2025 10:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=gb2312\nContent-Transfer-Encoding: 8bit\n\n你好，请查收。谢谢！\n',
    wanted: { text: '你好，请查收。谢谢！' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: <m2@roca.example>\nDate: Tue, 4 Mar 2025 09:00:00 +0000\nSubject: Re: =?UTF-7?Q?caf+AOk-_au_lait?=\n\nHi\n',
    wanted: { subject: 'Re: café au lait' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: <m2@roca.example>\nDate: Tue, 4 Mar 2025 09:00:00 +0000\nSubject: =?unicode-1-1-utf-7?b?K0FNUS0=?=\n\nHi\n',
    wanted: { subject: 'Ä' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: Tue, 4 Mar 2025 9:00:00 PM GMT\n\nHi\n',
    wanted: { sentAt: '2025-03-04T21:00:00.000Z' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: Tue, 04 Mar 2025 12:30:00 PM -0800\n\nHi\n',
    wanted: { sentAt: '2025-03-04T20:30:00.000Z' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: 04 Mar 2025 09:00:00 -800\n\nHi\n',
    wanted: { sentAt: '2025-03-04T17:00:00.000Z' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: Tue, 4 Mar 2025 09:00 UT\n\nHi\n',
    wanted: { sentAt: '2025-03-04T09:00:00.000Z' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: Tue, 4 Mar 25 09:00:00 PST\n\nHi\n',
    wanted: { sentAt: '2025-03-04T17:00:00.000Z' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: Tue, 4 March 2025 09:00:00 +0100 (CET)\n\nHi\n',
    wanted: { sentAt: '2025-03-04T08:00:00.000Z' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: 2025-03-04T09:00:00+01:00\n\nHi\n',
    wanted: { sentAt: '2025-03-04T08:00:00.000Z' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: Tue Mar 4 09:00:00 2025\n\nHi\n',
    wanted: { sentAt: '2025-03-04T09:00:00.000Z' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: <a@b.example>\nSubject: x\nDate: 3/4/2025 9:00 PM\n\nHi\n',
    wanted: { sentAt: '2025-03-04T21:00:00.000Z' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: ABC123.456@roca.example (added by relay)\nSubject: x\n\nHi\n',
    wanted: { messageId: '<ABC123.456@roca.example>' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: c0ffee00.20250304@roca.example>\nSubject: x\n\nHi\n',
    wanted: { messageId: '<c0ffee00.20250304@roca.example>' },
  },
  {
    raw: 'From: ines (Ines) @roca.example\nMessage-ID: <m2@roca.example>\nDate: Tue, 4 Mar 2025 09:00:00 +0000\nSubject: x\n\nHi\n',
    wanted: { from: 'ines@roca.example' },
  },
  {
    raw: 'From: Ines (the "boss") <ines(comment)@roca.example>\nMessage-ID: <m2@roca.example>\nDate: Tue, 4 Mar 2025 09:00:00 +0000\nSubject: x\n\nHi\n',
    wanted: { from: 'ines@roca.example' },
  },
  {
    raw: 'From: ines@(work)roca.example (Ines Roca)\nMessage-ID: <m2@roca.example>\nDate: Tue, 4 Mar 2025 09:00:00 +0000\nSubject: x\n\nHi\n',
    wanted: { from: 'ines@roca.example' },
  },
  {
    raw: 'From: Roca@roca.example\nTo: team: a@x.example, "B, C" <b@x.example>;, d@x.example\nMessage-ID: <m2@roca.example>\nDate: Tue, 4 Mar 2025 09:00:00 +0000\nSubject: x\n\nHi\n',
    wanted: { from: 'Roca@roca.example' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: <m2@roca.example>\nDate: Tue, 4 Mar 2025 09:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="----=_NextPart_1"\n\n------=_NextPart_1 text\nContent-Type: text/plain\n\nHello\n------=_NextPart_1\nContent-Type: image/png; name=x.png\n\nX\n------=_NextPart_1--trailing\n',
    wanted: { text: 'Hello' },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: <m2@roca.example>\nDate: Tue, 4 Mar 2025 09:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=yy8\n\n--yy8\nContent-Type: text/plain\n\nHello\n--yy8\nContent-Type: application/ vnd.ms-excel; name="a b.xls"\n\nabc\n--yy8--\n\n',
    wanted: { files: ['a b.xls'] },
  },
  {
    raw: 'From: Ines <ines@roca.example>\nTo: marta@muster.example\nMessage-ID: <m2@roca.example>\nDate: Tue, 4 Mar 2025 09:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=yy8\n\n--yy8\nContent-Type: text/plain\n\nHello\n--yy8\nContent-Type: "image/jpeg"; name="a.jpg"\n\nabc\n--yy8--\n\n',
    wanted: { files: ['a.jpg'] },
  },
  {
    raw: 'From: Ines <ines@roca.example>\rTo: marta@muster.example\rMessage-ID: <m2@roca.example>\rDate: Tue, 4 Mar 2025 09:00:00 +0000\rSubject: mac mail\r\rOne\rTwo\r',
    wanted: { subject: '', flaws: ['header-malformed'] },
  },
  {
    raw: 'From: a@b.example\nMessage-ID: <m2@roca.example>\nDate: Tue, 4 Mar 2025 09:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=windows-1252\nContent-Transfer-Encoding: 8bit\n\nÀ bientôt, l’été arrive\n',
    wanted: { text: 'À bientôt, l’été arrive' },
  },
  {
    raw: 'From: a@b.example\nMessage-ID: <m2@roca.example>\nDate: Tue, 4 Mar 2025 09:00:00 +0000\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\nДобрый день, коллеги!\n',
    wanted: { text: 'Добрый день, коллеги!' },
  },
]

/** Fields that refer to another mail, or to nothing. */
export const referring: readonly (readonly [field: string, wanted: string | null])[] = [
  ['In-Reply-To: yes', null],
  ['In-Reply-To: Your message of "Mon, 03 Mar 2025 10:00:00 +0100." <jonas@berg.example>', null],
  ['In-Reply-To: Jonas Berg <jonas@berg.example>\n        "Re: kernel 2.2" (Mar  3, 10:00)', null],
  ['In-Reply-To: message from marta@muster.example on Monday', null],
  ['References: none', null],
  ['References: <>', null],
  ['In-Reply-To: <marta@muster.example>', null],
  ['In-Reply-To: Re: your mail', null],
  ['References: n/a, Ticket #4711', null],
  ['In-Reply-To: mail from Jonas <jonas@berg.example> dated 3 March 2025', null],
  ["In-Reply-To: Jonas Berg's message of 03 Mar 2025 10:00:00 +0100", null],
  ['In-Reply-To: jonas@berg.example', null],
  ['In-Reply-To: <CAF1+x=abc@mail.gmail.com>', '<CAF1+x=abc@mail.gmail.com>'],
  [
    'In-Reply-To: Message of "Mon, 03 Mar 1998" <199803031000.LAA01234@berg.example>',
    '<199803031000.LAA01234@berg.example>',
  ],
  [
    'In-Reply-To: <Pine.LNX.4.21.0003031000440.1@berg.example>; from jonas@berg.example on Fri, Mar 03, 2000 at 10:00:00AM +0100',
    '<Pine.LNX.4.21.0003031000440.1@berg.example>',
  ],
  [
    'In-Reply-To: <20000303100000.A123@berg.example> (Jonas Berg\'s message of "Fri, 3 Mar 2000 10:00:00 +0100")',
    '<20000303100000.A123@berg.example>',
  ],
  ['References: <1@x.example> <3E63.1@berg.example>', '<3E63.1@berg.example>'],
  [
    'In-Reply-To: Jonas Berg\'s message of "03 Mar 2000 10:00:00 +0100"\n\t<xxyz.fsf@berg.example>',
    '<xxyz.fsf@berg.example>',
  ],
  ['In-Reply-To: no', null],
  ['In-Reply-To: Mail from "Ines Roca" <ines@roca.example> of Tue, 4 Mar', null],
  ['References: Re[2]: room', null],
  ['In-Reply-To: 4711', null],
  ['In-Reply-To: The letter of Tuesday', null],
  ['In-Reply-To: <unknown>', null],
  ['References: <ines@roca.example>', null],
  ['In-Reply-To: "Ines Roca" <ines@roca.example>; on Tue, 04 Mar 2025', null],
  ['In-Reply-To: Message from ines@roca.example', null],
  [
    'In-Reply-To: <DB7PR01MB1234ABCDEF@DB7PR01MB1234.eurprd01.prod.outlook.com>',
    '<DB7PR01MB1234ABCDEF@DB7PR01MB1234.eurprd01.prod.outlook.com>',
  ],
  ['References: <E1abcde-0001ab-2C@mx.example>', '<E1abcde-0001ab-2C@mx.example>'],
  ['In-Reply-To: <87r5.fsf@x.example> (Ines Roca\'s message of "Tue, 04 Mar 2025")', '<87r5.fsf@x.example>'],
  ["In-Reply-To: ines's message of Fri, 4 Mar 94 <9403041000.AA01@x.example>", '<9403041000.AA01@x.example>'],
]
