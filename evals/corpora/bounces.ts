import { parseMail } from '../../src/mail/parse'
import { count, type Row } from './row'

/** What servers say of an address that is gone: the status that they or the reporting program give, and the words. */
const gone: [status: string, words: string][] = [
  ['5.1.1', '550 5.1.1 <ADDRESS>: Recipient address rejected: User unknown in virtual mailbox table'],
  ['5.0.0', '550 Unknown user ADDRESS'],
  ['5.7.1', '550 5.7.1 User Unknown: ADDRESS'],
  ['5.2.0', '550 No such user here'],
  ['5.5.0', '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).'],
  [
    '5.4.1',
    '550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [x.prod.protection.outlook.com]',
  ],
  ['5.1.10', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'],
  ['5.4.310', '550 5.4.310 DNS domain there.example does not exist [Message=InfoDomainNonexistent]'],
  ['5.1.1', '550-5.1.1 The email account that you tried to reach does not exist. Please try double-checking'],
  ['5.2.1', '550 5.2.1 The email account that you tried to reach is disabled.'],
  ['5.0.0', "554 delivery error: dd This user doesn't have a yahoo.example account (ADDRESS) [0]"],
  ['5.0.0', '554 delivery error: dd Requested mail action aborted, mailbox not found'],
  ['5.1.1', '550 5.1.1 <ADDRESS>: inactive email address'],
  ['5.1.6', '550 5.1.6 recipient no longer on server: ADDRESS'],
  ['5.5.0', '550 5.5.0 Adresse destinataire invalide. Invalid recipient. LPN007_416'],
  ['5.0.0', '550 The recipient may contain a non-existent account, please check the recipient address.'],
  ['5.0.0', '550 Mailbox not found. http://service.mail.qq.example/'],
  ['5.0.0', '550 Invalid User: ADDRESS'],
  ['5.1.1', '550 5.1.1 Not our Customer'],
  [
    '5.0.0',
    '550 Message was not accepted -- invalid mailbox. Local mailbox ADDRESS is unavailable: user not found',
  ],
  [
    '5.4.4',
    'Host or domain name not found. Name service error for name=there.example type=A: Host not found',
  ],
  ['4.0.0', "DNS Error: DNS type 'mx' lookup of there.example responded with code NXDOMAIN"],
  ['5.1.2', '550 5.1.2 Host unknown (Name server: there.example: host not found)'],
  ['5.0.0', '550 <ADDRESS>: Benutzer unbekannt'],
  ['5.0.0', "550 L'adresse ADDRESS n'existe pas"],
  ['5.0.0', '550 El usuario ADDRESS no existe'],
  ['5.1.1', '550 5.1.1 Addressee unknown, relay=[192.0.2.1]'],
  ['', 'User bob (ADDRESS) not listed in Domino Directory'],
  ['', 'The recipient name is not recognized'],
  ['', 'Unrouteable address'],
]

/** What they say of trouble that passes, or of the sender, or of the mail. */
const passing: [status: string, words: string][] = [
  ['5.1.1', '550 5.1.1 <ADDRESS> - 203.0.113.222 has sent to too many recipients this hour. IB607'],
  ['5.1.0', '550 5.1.0 MXIN506 MailFrom domain is listed in Spamhaus'],
  ['5.1.1', '550 5.1.1 Client host rejected: cannot find your reverse hostname, [203.0.113.2]'],
  ['5.1.8', '501 5.1.8 Sender address rejected: Domain not found'],
  ['5.1.1', '554 5.1.1 <mx.ours.example>: Helo command rejected: Host not found'],
  ['5.1.1', '550 5.1.1 Sender verify failed: no such user'],
  ['5.1.2', '550 5.1.2 Blocked by reputation: see our block list'],
  ['5.1.1', '554 5.1.1 Message rejected due to content restrictions; spam score too high'],
  ['5.2.1', '550-5.2.1 The user you are trying to contact is receiving mail at a rate that prevents more'],
  ['5.0.0', '550 Rejected'],
  ['5.0.0', '554 Transaction failed'],
  ['5.0.0', '550 Message expired: unable to deliver in 840 minutes <421 4.4.2 Connection timed out>'],
  ['5.1.2', '550 5.1.2 DNS lookup failed, try again later'],
  ['5.0.0', '554 5.4.6 Too many hops 26 (25 max): from ann@ours.example to ADDRESS'],
  ['5.0.0', '552 Message size exceeds fixed maximum message size'],
  [
    '5.0.0',
    'Command died with status 17: "/usr/bin/procmail". Command output: cannot open spool: no such user',
  ],
  ['5.3.0', '554 5.3.0 Internal system error; user unknown to the database, retry later'],
  ['5.1.1', '452 4.2.2 The email account that you tried to reach is over quota'],
  ['5.2.0', '550 5.2.0 mailbox full'],
  ['5.7.1', '550 5.7.1 Recipient address rejected: Access denied'],
  ['5.0.0', '554 INVALID IP FOR SENDING MAIL OF DOMAIN ours.example'],
  ['5.0.0', '550-Please turn on SMTP Authentication in your mail client.'],
  [
    '5.0.0',
    'all hosts for there.example have been failing for a long time and were last tried after this message arrived',
  ],
  ['5.0.0', 'retry time not reached for any host after a long failure period'],
  [
    '5.0.0',
    'The account or domain may not exist, they may be blacklisted, or missing the proper dns entries.',
  ],
  ['5.4.312', '550 5.4.312 DNS query failed: ServerFailure'],
  ['5.4.316', '550 5.4.316 Message expired, connection refused'],
  ['', 'Name service error for domain there.example: Host not found, try again'],
  ['', 'connect to there.example[192.0.2.79]:25: Connection timed out'],
  ['', 'The mail has not been collected after 30 days'],
  ['5.7.26', '550-5.7.26 This mail has been blocked because the sender is unauthenticated'],
  ['', 'SMTP error from remote mail server after MAIL FROM:<ann@ours.example>: 550 no such user'],
]

const head = (from: string, type: string) =>
  `Return-Path: <>\r\nFrom: ${from}\r\nTo: ann@ours.example\r\nSubject: Undelivered Mail Returned to Sender\r\nContent-Type: ${type}\r\n\r\n`
const returned = (address: string) =>
  `Received: from a by b; Mon, 2 Nov 2026 10:00:00 +0000\r\nFrom: ann@ours.example\r\nTo: ${address}\r\nSubject: Hi\r\nMessage-ID: <1@ours.example>\r\n`

function dsn(address: string, status: string, words: string): string {
  const fields = `Final-Recipient: rfc822; ${address}\r\nAction: failed\r\nStatus: ${status || '5.0.0'}\r\nDiagnostic-Code: smtp; ${words}\r\n`
  const type = 'multipart/report; report-type=delivery-status; boundary=b'
  return `${head('MAILER-DAEMON@mx.example', type)}--b\r\n\r\nI'm sorry to have to inform you that your message could not be delivered.\r\n\r\n<${address}>: ${words}\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n${fields}\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\n${returned(address)}\r\n--b--\r\n`
}

/** What programs write, each with its own way to put the reason; the status is missing or says nothing in some. */
const shapes: Record<string, (address: string, status: string, words: string) => string> = {
  'delivery status': dsn,
  'delivery status without the words': (address, status, words) =>
    dsn(address, status, words).replace(/Diagnostic-Code: .*\r\n/, ''),
  'in words, below the address': (address, _, words) =>
    `${head('Mail Delivery System <Mailer-Daemon@mx.example>', 'text/plain')}This message was created automatically by mail delivery software.\r\n\r\nA message that you sent could not be delivered to one or more of its recipients. This is a permanent error. The following address(es) failed:\r\n\r\n  ${address}\r\n    ${words}\r\n\r\n------ This is a copy of the message, including all the headers. ------\r\n\r\n${returned(address)}\r\nHi\r\n`,
  'in words, behind the address': (address, _, words) =>
    `${head('MAILER-DAEMON@mx.example', 'text/plain')}Hi. This is the qmail-send program at mx.example.\r\nI'm afraid I wasn't able to deliver your message to the following addresses.\r\nThis is a permanent error; I've given up. Sorry it didn't work out.\r\n\r\n<${address}>:\r\n192.0.2.1 does not like recipient.\r\nRemote host said: ${words}\r\nGiving up on 192.0.2.1.\r\n\r\n--- Below this line is a copy of the message.\r\n\r\n${returned(address)}\r\nHi\r\n`,
}

const encoder = new TextEncoder()

/** Bounces of addresses that are gone and of such that are not, told as they are. */
export async function bounceRows(): Promise<Row[]> {
  const rows: Row[] = []
  for (const [kind, reasons] of [
    ['hard', gone],
    ['soft', passing],
  ] as const)
    for (const [shape, write] of Object.entries(shapes)) {
      const address = shape.startsWith('in') ? 'support@there.example' : 'bob@there.example'
      const kinds = await Promise.all(
        reasons.map(async ([status, words]) => {
          const { bounce } = await parseMail(
            encoder.encode(write(address, status, words.replaceAll('ADDRESS', address))),
          )
          const [only, ...others] = bounce?.recipients ?? []
          return only?.address === address && others.length === 0 ? only.kind : 'none'
        }),
      )
      rows.push([`own: told as ${kind}, ${shape}`, kinds.length, count(kinds, (one) => one === kind)])
    }
  return rows
}
