import { charsetOfHtml, decodeText, decodeUtf7 } from '../../src/mail/charsets/charset'
import { decodeWords } from '../../src/mail/charsets/encoded-words'
import { findCodes } from '../../src/mail/codes'
import { forwardHtml, forwardText } from '../../src/mail/forward'
import { parseHeadersOnly } from '../../src/mail/head-only'
import { parseAddressList } from '../../src/mail/headers/address-list'
import { readAuthenticationResults, readPassedResults } from '../../src/mail/headers/authentication-results'
import { withoutTrace } from '../../src/mail/headers/header-bytes'
import { decodeHeader, readHeaders } from '../../src/mail/headers/header-reader'
import { parseMailDate } from '../../src/mail/headers/mail-date'
import {
  extractMessageIds,
  ownMessageId,
  referencesForReply,
  referredIds,
} from '../../src/mail/headers/message-id'
import { baseSubject, isForward, replySubject } from '../../src/mail/headers/subject'
import { htmlToText } from '../../src/mail/html/html-to-text'
import { picturesOf } from '../../src/mail/html/pictures'
import { textShown } from '../../src/mail/html/shown-text'
import { textToHtml } from '../../src/mail/html/text-to-html'
import { findLinks } from '../../src/mail/links'
import { readPartTree } from '../../src/mail/mime/part-tree'
import { parseMail, readAttachments } from '../../src/mail/parse'
import { createPrompt } from '../../src/mail/prompt/prompt'
import { preparePromptMessage } from '../../src/mail/prompt/prompt-message'
import { untrustedField, untrustedText } from '../../src/mail/prompt/untrusted-text'
import { quoteHtml, quoteText } from '../../src/mail/quote'
import { isAboutSender, refusesSender, takesNoMail } from '../../src/mail/reports/bounce'
import { splitQuote } from '../../src/mail/text/held-quotes'
import { extractReplyText } from '../../src/mail/text/reply-text'
import { previewOf, singleLine } from '../../src/mail/text/safe-text'
import { visibleText } from '../../src/mail/text/visible-text'
import { readBelievedVerdict } from '../../src/service/inbound/authentication/believed-results'
import { readForm } from '../../src/service/inbound/http/providers/form'
import { listedTextOf } from '../../src/service/store/message-text'
import { signWebhook, verifyWebhook, webhookSecret } from '../../src/webhook'
import { bytesOf } from '../support/timing'
import { type GrowingCase, grown, named, numbered } from './growing-runs'

/** The fields of a header that something here reads. */
const fields = [
  'From',
  'Sender',
  'To',
  'Cc',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'Return-Path',
  'List-Id',
  'List-Post',
  'List-Unsubscribe',
  'Mailing-List',
  'Precedence',
  'Auto-Submitted',
  'X-Failed-Recipients',
  'X-Original-From',
  'Content-Type',
  'Content-Disposition',
  'Content-Transfer-Encoding',
  'Authentication-Results',
  'DKIM-Signature',
  'ARC-Seal',
  'ARC-Message-Signature',
  'ARC-Authentication-Results',
  'User-Agent',
]

/** Each header field with each hostile run, in a whole message; the field is folded, so that no limit of a line helps. */
export const fieldCases: readonly GrowingCase[] = fields.flatMap((field) =>
  named(field, (text) => {
    const from = field === 'From' ? '' : 'From: a@example.com\r\n'
    return parseMail(bytesOf(`${from}${field}: ${text}\r\nX-Last: 1\r\n\r\nbody`))
  }),
)

const referring = { own: '<a@b>', isAddressee: () => false }
const quoted = (text: string) => ({ from: 'a@example.com', date: null, text })
const forwarded = (text: string, html: string | null) => ({
  from: 'a@example.com',
  date: null,
  subject: 'x',
  to: [],
  cc: [],
  text,
  html,
})
/** A record of a message without content. */
export const summary = {
  subject: 'x',
  from_addr: 'a@example.com',
  from_name: null,
  to_addrs: [],
  cc_addrs: [],
  reply_to: [],
  attachments: [],
  label_ids: [],
  auto_submitted: 'no',
  authentication: null,
  list: null,
  in_reply_to: null,
  references: [],
  flaws: [],
  direction: 'inbound',
  received_at: '2026-01-01T00:00:00.000Z',
  sent_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
} as never

function prompted(text: string, html: string | null): string {
  const prompt = createPrompt({ kind: 'thread', total: 1 } as never, { maxTokens: 8_000 })
  prompt.add(
    preparePromptMessage(
      { handle: 'm1', record: summary, body: { body_text: text, body_html: html } } as never,
      null,
    ),
  )
  return prompt.finish()
}

/** Reads signatures over these names, which a server says passed, beside so many characters of other fields. */
function believed(names: string, length: number): Promise<unknown> {
  const signature = `v=1; a=rsa-sha256; d=a.example; s=s; h=from:x:${names.replaceAll(';', ':')}; bh=AA==; b=AA==`
  const fields = [
    { name: 'From', value: 'a@a.example' },
    {
      name: 'Authentication-Results',
      value: 'mx; dkim=pass header.d=a.example; dmarc=pass header.from=a.example',
    },
    ...Array.from({ length: 5 }, () => ({ name: 'DKIM-Signature', value: signature })),
    ...Array.from({ length: length / 16 }, () => ({ name: 'x', value: 'y' })),
  ]
  return readBelievedVerdict(fields, 'mx')
}

const secret = webhookSecret(new Uint8Array(32))

/** Verifies a webhook of the service with what a stranger wrote in it, and the same text as a forged webhook. */
async function verified(text: string): Promise<unknown> {
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'message.received',
    data: { preview: text, subject: text },
  })
  const headers = await signWebhook([secret], { id: 'evt_1', timestampMs: Date.now(), body })
  await verifyWebhook({ secret, headers: { ...headers }, body }).catch(() => {})
  return verifyWebhook({ secret, headers: { ...headers, 'webhook-signature': text }, body: text }).catch(
    () => {},
  )
}

/** Each public function that reads what a stranger wrote, with each hostile run. */
export const functionCases: readonly GrowingCase[] = [
  ...named('extractMessageIds', extractMessageIds),
  ...named('ownMessageId', ownMessageId),
  ...named('referredIds', (text) => referredIds(text, referring)),
  ...named('referencesForReply', (text) => referencesForReply({ rfc822MessageId: text, references: [text] })),
  ...named('parseAddressList', parseAddressList),
  ...named('isAboutSender', isAboutSender),
  ...named('refusesSender', refusesSender),
  ...named('parseMailDate', parseMailDate),
  ...named('decodeHeader', decodeHeader),
  ...named('replySubject', replySubject),
  ...named('baseSubject', baseSubject),
  ...named('isForward', (text) => isForward(text, text)),
  ...named('readHeaders', (text) => readHeaders(bytesOf(text), 1024 * 1024)),
  ...named('withoutTrace', (text) => withoutTrace(bytesOf(`Received: ${text}\r\n\r\n`))),
  ...named('readAuthenticationResults', (text) =>
    readAuthenticationResults([{ name: 'Authentication-Results', value: `mx; dmarc=${text}` }], 'mx'),
  ),
  ...named('readPassedResults', (text) =>
    readPassedResults([{ name: 'Authentication-Results', value: `mx; dkim=pass header.d=${text}` }], 'mx'),
  ),
  ...named('readBelievedVerdict, of signatures', (text) => believed(text.slice(0, 7_000), text.length)),
  ...named('parseHeadersOnly', (text) => parseHeadersOnly(bytesOf(`From: ${text}\r\n\r\n`), 'x')),
  ...named('readAttachments', (text) =>
    readAttachments(bytesOf(`Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${text}\r\n--b--`), [0]),
  ),
  ...named('readPartTree', (text) =>
    readPartTree(bytesOf(`Content-Type: multipart/mixed; boundary=">"\r\n\r\n${text}`), 30),
  ),
  ...named('decodeText', (text) => decodeText(bytesOf(text), 'iso-2022-jp')),
  ...named('charsetOfHtml', (text) => charsetOfHtml(bytesOf(`<meta ${text}`))),
  ...named('decodeWords', (text) => decodeWords(`=?utf-8?q?${text}`)),
  ...named('decodeUtf7', (text) => decodeUtf7(`+${text}`)),
  ...named('htmlToText', htmlToText),
  ...named('htmlToText, of attributes', (text) => htmlToText(`<p style='${text}' width='${text}'>x</p>`)),
  ...named('htmlToText, of a style sheet', (text) =>
    htmlToText(`<style>p { font: ${text} } ${text} {color:red}</style><p>x</p>`),
  ),
  ...named('htmlToText, of a media query', (text) =>
    htmlToText(`<style>@media (${text}) { p { color: red } }</style><p>x</p>`),
  ),
  ...named('textShown', (text) => textShown(text, `<p>${text}</p>`, 2 ** 21)),
  ...named('picturesOf', (text) => picturesOf(`<img src="${text}">`)),
  ...named('textToHtml', textToHtml),
  ...named('extractReplyText', (text) => extractReplyText(text)),
  ...named('extractReplyText, of lines', (text) => extractReplyText(text.replace(/(.{40})/gs, '$1\n'))),
  ...named('splitQuote', (text) => splitQuote(text.replace(/(.{40})/gs, '$1\n'), false)),
  ...named('previewOf', (text) => previewOf(text)),
  ...named('singleLine', singleLine),
  ...named('visibleText', visibleText),
  ...named('takesNoMail', (text) =>
    takesNoMail('5.1.1', text, text.replace(/(.{40})/gs, '$1\n').split('\n')),
  ),
  ...named('findCodes', (text) => findCodes(`Your code ${text}`, `Your code is ${text}`)),
  ...named('findCodes, of lines', (text) =>
    findCodes('Your code', text.replace(/(.{40})/gs, '$1\nYour code is ')),
  ),
  ...named('findLinks', (text) =>
    findLinks(text, `<a href="https://example.com/verify">${text}</a>`, 'example.com'),
  ),
  ...named('findLinks, of addresses', (text) =>
    findLinks(text.replace(/(.{900})/gs, 'https://example.com/verify$1\n'), null, null),
  ),
  ...named('quoteText', (text) => quoteText({ text: 'x' }, quoted(text))),
  ...named('quoteHtml', (text) => quoteHtml({ text: 'x' }, quoted(text))),
  ...named('forwardText', (text) => forwardText('x', forwarded(text, null) as never)),
  ...named('forwardHtml', (text) => forwardHtml({ text: 'x' }, forwarded(text, `<body>${text}`) as never)),
  ...named('untrustedText', (text) => untrustedText(text, { introduction: 'A text.' })),
  ...named('untrustedField', (text) => untrustedField(text)),
  ...named('createPrompt and preparePromptMessage', (text) => prompted(text, null)),
  ...named('createPrompt and preparePromptMessage, of HTML', (text) => prompted('', `<p>${text}</p>`)),
  ...named('createPrompt and preparePromptMessage, of a picture', (text) =>
    prompted('', `<img src="https://${text}/x"><p style="background:url(//${text})">x</p>`),
  ),
  ...named('verifyWebhook', verified),
  ...named('readForm', (text) => readForm(Buffer.from(text), 'application/x-www-form-urlencoded')),
  ...named('readForm, of parts', (text) =>
    readForm(
      Buffer.from(text.replace(/(.{900})/gs, '\r\n--b\r\n\r\n$1')),
      'multipart/form-data; boundary=b',
    ).catch(() => null),
  ),
  ...named('listedTextOf', (text) => listedTextOf({ body_text: text, verbatim: null })),
]

/** Whole messages that were slow, or that have many of something. */
export const messageCases: readonly GrowingCase[] = [
  ['empty lines beside HTML', (length) => alternative(grown('\r\n', length, 'a', 'b'), '<p>a</p>')],
  [
    'quotes that flow',
    (length) =>
      parseMail(bytesOf(`Content-Type: text/plain; format=flowed\r\n\r\n${grown('> > \r\n', length)}`)),
  ],
  ['elements in elements', (length) => html(grown('<div><b>', length))],
  [
    'selectors that are not closed',
    (length) => html(`<style>${grown(':is(', length)}{color:red}</style><p>x`),
  ],
  ['rules in rules', (length) => html(`<style>${grown('a{b{', length)}</style><p>x`)],
  [
    'many classes',
    (length) =>
      html(
        `<style>${grown('.a .b>.c{color:red}', length / 2)}</style>${grown('<p class="a b c">x', length / 2)}`,
      ),
  ],
  ['declarations for elements in elements', (length) => nested('color:red;', length)],
  ['variables for elements in elements', (length) => nested('--a:var(--b,var(--c));color:var(--a);', length)],
  ['siblings', (length) => sheet(grown('i~i+i{color:red}', length / 2), grown('<i></i>', length / 2))],
  [
    'words of an attribute',
    (length) =>
      sheet(
        grown('[title~=x]{color:red}', length / 2),
        grown(`<i title="${'a '.repeat(450)}">x`, length / 2),
      ),
  ],
  [
    'escapes in selectors',
    (length) =>
      html(`<style>${grown('\\a', length)}|x{color:red}[${grown('\\a', length)}{color:red}</style><p>x`),
  ],
  ['links to sheets', (length) => html(grown("'<LINK'", length))],
  ['colour schemes', (length) => html(grown('<meta x', length))],
  ['white space in an attribute', (length) => html(`<table width="0${grown('\t', length)}x"><tr><td>x`)],
  [
    'many parts',
    (length) =>
      parseMail(
        bytesOf(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${grown('--b\r\n\r\nx\r\n', length)}`),
      ),
  ],
  [
    'parameters that should be folded',
    (length) =>
      readHeaders(bytesOf(`Content-Type: text/plain\r\n${grown('charset=\r\n', length)}\r\n`), 1024 * 1024),
  ],
  ['many fields', (length) => parseMail(bytesOf(`${grown('Received: from a by b; x\r\n', length)}\r\nx`))],
  ['many addresses', (length) => parseMail(bytesOf(`To: ${grown('a@b.example, ', length)}\r\n\r\nx`))],
  [
    'addresses that differ',
    (length) => parseMail(bytesOf(`To: ${numbered(length, (n) => `a${n}@b${n}.example, `)}\r\n\r\nx`)),
  ],
  [
    'references that differ',
    (length) =>
      parseMail(
        bytesOf(
          `Message-ID: <x@y>\r\nReferences: ${numbered(length, (n) => `<${n}@b.example>\r\n `)}\r\n\r\nx`,
        ),
      ),
  ],
  [
    // Less than 50,000 lines, from which on a header is text.
    'fields that differ',
    (length) =>
      parseMail(bytesOf(`${numbered(length, (n) => `X-${n}: ${n}, in some words of a field\r\n`)}\r\nx`)),
  ],
  [
    'links that differ',
    (length) => html(numbered(length, (n) => `<a href="https://a${n}.example/">${n}</a>`)),
  ],
  [
    'links that differ, beside a text that has them',
    (length) =>
      alternative(
        numbered(length / 2, (n) => `click the link https://a${n}.example/\r\n`),
        numbered(length / 2, (n) => `<a href="https://a${n}.example/x">click here ${n}</a>`),
      ),
  ],
  [
    'classes that differ',
    (length) =>
      sheet(
        numbered(length / 2, (n) => `.c${n}{color:red}`),
        numbered(length / 2, (n) => `<i class="c${n} d" id="i${n}">x`),
      ),
  ],
  [
    'files that differ, which the page shows',
    (length) =>
      parseMail(
        bytesOf(
          `Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${numbered(length / 2, (n) => `<img src="cid:${n}">`)}\r\n${numbered(length / 2, (n) => `--b\r\nContent-Type: image/png; name=${n}.png\r\nContent-ID: <${n}>\r\n\r\nx\r\n`)}--b--`,
        ),
      ),
  ],
  [
    'lines that differ, quoted and answered',
    (length) =>
      parseMail(
        bytesOf(`From: a@b.example\r\n\r\n${numbered(length, (n) => `> line ${n}\r\nanswer ${n}\r\n`)}`),
      ),
  ],
  [
    'links to find that differ',
    (length) =>
      findLinks(
        numbered(length, (n) => `https://a${n}.example/verify\n`),
        null,
        'b.example',
      ),
  ],
  [
    'codes that differ',
    (length) =>
      findCodes(
        'Your code',
        numbered(length, (n) => `Your code is ${n}${n}${n}\n`),
      ),
  ],
  ['a bounce', (length) => bounce(grown('user@example.com host unknown 550 5.1.1 ', length))],
  ['a bounce of lines', (length) => bounce(grown('<a@b.example>: 550 no such user\r\n', length))],
  [
    'replacement characters',
    (length) => listedTextOf({ body_text: grown('\ufffd', length, '', 'xy'), verbatim: null }),
  ],
]

const sheet = (rules: string, body: string) => html(`<style>${rules}</style>${body}`)

/** One rule that says much, for elements each of which looks otherwise than the one around. */
const nested = (declarations: string, length: number) =>
  sheet(`*{font-size:.999em;${grown(declarations, length / 2)}}`, grown('<i>x', length / 2))

const html = (text: string) => parseMail(bytesOf(`Content-Type: text/html\r\n\r\n${text}`))

const alternative = (text: string, other: string) =>
  parseMail(
    bytesOf(
      `Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\r\n${text}\r\n--b\r\nContent-Type: text/html\r\n\r\n${other}\r\n--b--`,
    ),
  )

const bounce = (text: string) =>
  parseMail(
    bytesOf(
      `From: MAILER-DAEMON@a.example\r\nSubject: Undelivered Mail Returned to Sender\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\n${text}\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; a@b.example\r\nAction: failed\r\nDiagnostic-Code: ${text.slice(0, 8000).replaceAll('\r\n', '')}\r\n--b--`,
    ),
  )
