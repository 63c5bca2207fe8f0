/** What a variant is expected to be: refused by SMTP for its lines, or taken and judged. */
export interface ForgedSender {
  name: string
  /** One character is one byte. */
  raw: string
  /** True if the header has a NUL, or a CR that ends no line. */
  isMalformed: boolean
}

const utf8 = (text: string) => Buffer.from(text).toString('latin1')

/** A sender whose domain vouches for the message, and one whose domain does not. */
export const attacker = 'a@evil.example'
export const victim = 'ceo@bank.example'

const body = 'Message-ID: <n@evil.example>\r\nTo: box@mx.test\r\nSubject: Hi\r\n\r\nHello\r\n'
const own = `From: ${attacker}\r\n`
const forged = `From: ${victim}`

/** Characters that some programs take for the end of a line, and others do not. */
const separators: [string, string][] = [
  ['CR', '\r'],
  ['CR CR', '\r\r'],
  ['CR space', '\r '],
  ['space CR', ' \r'],
  ['CR tab', '\r\t'],
  ['CR NUL', '\r\0'],
  ['NUL', '\0'],
  ['NUL CR', '\0\r'],
  ['VT', '\v'],
  ['FF', '\f'],
  ['VT CR', '\v\r'],
  ['backspace', '\b'],
  ['FS', '\x1c'],
  ['RS', '\x1e'],
  ['NEL in Latin-1', '\x85'],
  ['NEL', utf8('\u0085')],
  ['line separator', utf8('\u2028')],
  ['paragraph separator', utf8('\u2029')],
  ['escape', '\x1b'],
  ['LF', '\n'],
  ['CR CR LF', '\r\r\n'],
  ['LF CR', '\n\r'],
]

const hasStray = (raw: string) => {
  const header = /^[\s\S]*?\n\r*\n/.exec(raw)?.[0] ?? raw
  return header.includes('\0') || header.replace(/\r+\n/g, '').includes('\r')
}

const variant = (name: string, raw: string): ForgedSender => ({ name, raw, isMalformed: hasStray(raw) })

const separated = separators.flatMap(([name, end]) => [
  variant(`${name} before a forged From`, `X-A: 1${end}${forged}\r\n${own}${body}`),
  variant(
    `${name} as every line end of a forged header`,
    `X-A: 1${end}${forged}${end}Subject: x${end}${end}body\r\n${own}${body}`,
  ),
  variant(`${name} within From`, `From: ${victim}${end}<${attacker}>\r\n${body}`),
])

const others: [string, string][] = [
  ['a second From above', `${forged}\r\n${own}${body}`],
  ['a second From below', `${own}${forged}\r\n${body}`],
  ['an empty From above', `From:\r\n${own}${body}`],
  ['an empty From below a forged one', `${forged}\r\nFrom:\r\n${body}`],
  ['From with a blank before the colon', `From : ${victim}\r\n${own}${body}`],
  ['From with a tab before the colon', `From\t: ${victim}\r\n${own}${body}`],
  ['From after a byte order mark', `${utf8('\ufeff')}${forged}\r\n${own}${body}`],
  ['From after a space of no break', `${utf8('\u00a0')}${forged}\r\n${own}${body}`],
  ['From after a vertical tab', `\v${forged}\r\n${own}${body}`],
  ['From after a blank', ` ${forged}\r\n${own}${body}`],
  ['blank lines above', `\r\n\r\n${forged}\r\n\r\n${own}${body}`],
  ['a line of blanks above', ` \t\r\n${forged}\r\n\r\n${own}${body}`],
  ['a line of blanks between', `X-A: 1\r\n \r\n${forged}\r\n${own}${body}`],
  ['a header that ends with blanks', `${own}X-A: 1\r\n  \r\n${forged}\r\n${body}`],
  ['an mbox line', `From ${victim} Thu Jan  1 00:00:00 1970\r\n${own}${body}`],
  ['an mbox line that is folded', `From ${victim} x\r\n ${forged}\r\n${own}${body}`],
  ['a line without a colon', `${victim}\r\n${own}${body}`],
  ['two addresses', `From: ${victim}, ${attacker}\r\n${body}`],
  ['two addresses, the other first', `From: ${attacker}, ${victim}\r\n${body}`],
  ['a group', `From: ${victim}: ${attacker};\r\n${body}`],
  ['a group of both', `From: x: ${victim}, ${attacker};\r\n${body}`],
  ['an empty group', `From: ${victim}:;\r\n${own}${body}`],
  ['a comment', `From: ${victim} (x) <${attacker}>\r\n${body}`],
  ['a comment without end', `From: (${attacker}) ${victim} (\r\n${body}`],
  ['a comment in the domain', `From: ceo@(evil.example)bank.example\r\n${own}${body}`],
  ['a name that is an address', `From: "${victim}" <${attacker}>\r\n${body}`],
  ['a quoted local part', `From: "ceo@bank.example>"@evil.example\r\n${body}`],
  ['a quote without end', `From: "${victim} <${attacker}>\r\n${body}`],
  ['two at signs', `From: ceo@bank.example@evil.example\r\n${body}`],
  ['a route', `From: <@bank.example:${attacker}>\r\n${body}`],
  ['two brackets', `From: <${victim}><${attacker}>\r\n${body}`],
  ['no bracket at the end', `From: ${victim} <${attacker}\r\n${body}`],
  ['an encoded word', `From: =?utf-8?q?ceo=40bank.example?= <${attacker}>\r\n${body}`],
  ['an encoded line end', `From: =?utf-8?q?x=0D=0AFrom:_ceo=40bank.example?= <${attacker}>\r\n${body}`],
  ['an encoded address', `From: =?utf-8?b?Y2VvQGJhbmsuZXhhbXBsZSw=?= ${attacker}\r\n${body}`],
  ['a full-width at sign', utf8(`From: ceo＠bank.example <${attacker}>\r\n${body}`)],
  ['a domain in 8 bits', `From: ceo@b\xe4nk.example\r\n${own}${body}`],
  ['a domain that ends with a dot', `From: ceo@bank.example.\r\n${own}${body}`],
  ['a domain with a path beyond ASCII', utf8(`From: a@evil.example/ü.bank.example\r\n${body}`)],
  ['a domain with a query beyond ASCII', utf8(`From: a@evil.example?ü.bank.example\r\n${body}`)],
  ['a domain with a fragment beyond ASCII', utf8(`From: a@evil.example#ü.bank.example\r\n${body}`)],
  ['a domain with a port beyond ASCII', utf8(`From: a@evil.example:ü.bank.example\r\n${body}`)],
  ['a domain with a soft hyphen', utf8(`From: ceo@bank\u00ad.example\r\n${body}`)],
  ['a domain with an ideographic dot', utf8(`From: ceo@bank。example\r\n${body}`)],
  [
    'a domain in UTF-16',
    `From: ${attacker}\r\nContent-Type: text/plain; charset=utf-16\r\nX: \xff\r\n${body}`,
  ],
  ['a name in another charset', `\x1b(J${forged}\r\nContent-Type: a/b; charset=iso-2022-jp\r\n${own}${body}`],
  ['From in another case', `fRoM: ${victim}\r\n${own}${body}`],
  ['folded From', `From:\r\n ${victim}\r\n ,${attacker}\r\n${body}`],
  ['From that is folded by a bare LF', `From: ${victim}\n <${attacker}>\r\n${body}`],
  ['no header', `\r\nHello\r\n${forged}\r\n\r\nHello\r\n`],
]

/** Messages of an attacker who is proven as {@link attacker}, and wants to be taken for {@link victim}. */
export const forgedSenders: readonly ForgedSender[] = [
  ...separated,
  ...others.map(([name, raw]) => variant(name, raw)),
]
