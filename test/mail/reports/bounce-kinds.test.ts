import { describe, expect, it } from 'vitest'
import { parseMail } from '../../../src/mail/parse'

const octets = (text: string) => new TextEncoder().encode(text.replaceAll('\n', '\r\n'))
const head =
  'From: Mail Delivery System <mailer-daemon@mx.example>\nTo: bounces@agents.example\nSubject: Undelivered Mail Returned to Sender\nReturn-Path: <>\n'
const inWords = (words: string, fields = head) => octets(`${fields}\n${words}\n`)
const status = (reply: string, code = '5.0.0', to = 'ann@there.example') =>
  octets(
    `${head}MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nYour message could not be delivered.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; ${to}\nAction: failed\nStatus: ${code}\nDiagnostic-Code: smtp; ${reply}\n\n--b--\n`,
  )
const recipients = async (raw: Uint8Array) =>
  (await parseMail(raw)).bounce?.recipients.map(({ address, kind }) => `${address} ${kind}`)

describe('a failed address', () => {
  it.each([
    ['550 5.1.1 invalid mailbox ann, user not found (in reply to end of DATA command)', 'hard'],
    ['550 User not found:ann@there.example', 'hard'],
    ['550 mailbox ann@there.example unavailable', 'hard'],
    ['550 5.1.1 <ann@there.example> Address is not configured to receive emails', 'hard'],
    ['an MX or SRV record indicated no SMTP service', 'hard'],
    ['No mx record found for domain=there.example', 'hard'],
    ['550 Host does not accept mail', 'hard'],
    ["Sorry, I couldn't find a mail exchanger or IP address. (#5.4.4)", 'hard'],
    ['450 4.1.2 Domain not found, try again later', 'soft'],
    ['SERVFAIL: no such domain, DNS lookup failed', 'soft'],
    ['there.example has no MX records', 'hard'],
    ['550 5.4.4 Unable to route: no mail hosts for domain', 'hard'],
    ['550 ann@there.example mailbox not available', 'hard'],
    ['550 5.1.1 recipient not configured to receive mail', 'hard'],
    ['550 recipient ann@there.example unavailable', 'hard'],
    ['550 Mailbox <ann@there.example> unavailable', 'hard'],
    ['550 This address does not receive mail', 'hard'],
    ['550 this account does not accept mail any more', 'hard'],
    ['no MX records found for there.example', 'hard'],
    ['there.example: no mail exchanger found', 'hard'],
    ['No valid mail servers for there.example', 'hard'],
    ['550 this account does not accept mail from you', 'soft'],
    ['my name (mx.agents.example) was rejected. 550 no such domain', 'soft'],
    ['550 mailbox not available, try again later', 'soft'],
    ['550 5.7.1 user not found in allow list, message rejected as spam (end of DATA command)', 'soft'],
    ['my name was rejected. Remote host said: 501 5.0.0 Invalid domain name', 'soft'],
    ["5.1.0 - Unknown address error 550-'5.7.1 <bounces@agents.example>... Access denied'", 'soft'],
    ['550 5.7.1 Message rejected as spam (in reply to end of DATA command)', 'soft'],
  ])('is judged by: %s', async (reply, kind) => {
    expect(await recipients(status(reply))).toEqual([`ann@there.example ${kind}`])
  })

  it('is judged by its own line among several', async () => {
    const group = (to: string) => `Final-Recipient: rfc822; ${to}\nAction: failed\nStatus: 5.0.0\n`
    const raw = octets(
      `${head}MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nann@there.example: 550 User unknown\n\nbo@there.example: 552 Mailbox full\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n${group('ann@there.example')}\n${group('bo@there.example')}\n--b--\n`,
    )
    expect(await recipients(raw)).toEqual(['ann@there.example hard', 'bo@there.example soft'])
  })

  it.each([
    'Sender Address:\nbounces+17@agents.example\n\nRecipient Address:\nann@there.example',
    'Absenderadresse: bounces+17@agents.example\nEmpfängeradresse: ann@there.example',
    'Adresse de l’expéditeur : bounces+17@agents.example\nAdresse du destinataire : ann@there.example',
    'Dirección del remitente: bounces+17@agents.example\nDirección del destinatario: ann@there.example',
  ])('is no sender: %j', async (words) => {
    const raw = inWords(`${words}\n550 5.1.1 user unknown`)
    expect(await recipients(raw)).toEqual(['ann@there.example hard'])
  })

  it('is judged by a reply further down', async () => {
    const words =
      'These could not be reached:\n\n* ann@there.example\n\nThe server said:\n\n553 5.3.0 <ann@there.example>... No such user here'
    expect(await recipients(inWords(words))).toEqual(['ann@there.example hard'])
  })

  it.each([
    [
      'Delivery has failed to these recipients:\n\nRecipient Address: ann@there.example\nError: 550 5.1.1 user unknown\nSender Address: bounces+17@agents.example',
      ['ann@there.example hard'],
    ],
    [
      'A message could not be delivered:\n\n  final@there.example\n    (generated from ann@there.example)\n    550 final@there.example: user unknown\n\n  final@there.example',
      ['ann@there.example hard'],
    ],
  ])('is the only one in: %s', async (words, expected) => {
    expect(await recipients(inWords(words))).toEqual(expected)
  })
})

describe('a report', () => {
  it('is recognised from a daemon without a domain', async () => {
    const fields =
      'From: "Mail Deliver System" <MAILER-DAEMON>\nTo: agent@agents.example\nSubject: Delivery failure\n'
    const words = 'The message could not be delivered to:\n\nann@there.example [User unknown]'
    expect(await recipients(inWords(words, fields))).toEqual(['ann@there.example hard'])
  })

  it('is recognised from a postmaster that answers', async () => {
    const fields =
      'From: post_master@there.example\nTo: agent@agents.example\nSubject: Re: Offer\nIn-Reply-To: <a@agents.example>\n'
    const words = '550 - <ann@there.example> no such user here'
    expect(await recipients(inWords(words, fields))).toEqual(['ann@there.example hard'])
    const letter = await parseMail(inWords('I am the postmaster. No such user ever wrote to us.', fields))
    expect([letter.bounce, letter.autoSubmitted]).toEqual([null, 'no'])
  })

  it('names a failed address that is its own receiver', async () => {
    const fields = head.replace('bounces@agents.example', 'ann@there.example')
    expect(await recipients(inWords('ann@there.example: 550 5.1.1 user unknown', fields))).toEqual([
      'ann@there.example hard',
    ])
  })
})
