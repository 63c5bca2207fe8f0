import type { CalendarEvent } from '../../src/mail/calendar'
import { foldedSignature, relaxedField, signedParts, unsignedField } from '../../src/mail/dkim'
import {
  addrSpec,
  asciiDomain,
  baseAddress,
  formatAddress,
  hasUtf8Local,
  isAddress,
  looksElsewhere,
  sameAddress,
  senderDomain,
  splitAddress,
} from '../../src/mail/headers/address'
import { oneSender, parseAddress, readAddressList } from '../../src/mail/headers/address-list'
import { hasUtf8Header } from '../../src/mail/headers/header-bytes'
import { headerValue, headerValues } from '../../src/mail/headers/header-reader'
import { hasStrayControl, headerBlockOf, withPlainHeader } from '../../src/mail/headers/line-reader'
import { makeMessageId } from '../../src/mail/headers/message-id'
import { replyRecipients } from '../../src/mail/headers/reply-recipients'
import { forwardSubject, isReply } from '../../src/mail/headers/subject'
import { readHtml } from '../../src/mail/html/html-to-text'
import { attachmentTypeOf, contentTypeOf, filenameOf } from '../../src/mail/mime/attachment'
import { endingOfType, typeOfFilename } from '../../src/mail/mime/file-type'
import { readTnef } from '../../src/mail/mime/tnef'
import { parseMail } from '../../src/mail/parse'
import { estimateTokens, largest } from '../../src/mail/prompt/token-estimate'
import { createHeldTexts } from '../../src/mail/text/held-quotes'
import { normalized } from '../../src/mail/text/normalized'
import { truncated, verbatimText, wellFormed, withoutEnd } from '../../src/mail/text/safe-text'
import { passesFilter } from '../../src/mailbox/waits/wait-filter'
import { fieldProof, provenView } from '../../src/protocol/proven-view'
import { mailOfMailgun } from '../../src/service/inbound/http/providers/mailgun'
import { mailOfPostmark } from '../../src/service/inbound/http/providers/postmark'
import { stateOf, type Version } from '../../src/service/invitations/agenda'
import { calendarAt, occurrencesOf } from '../../src/service/invitations/calendar-tasks'
import { changesBetween } from '../../src/service/invitations/changes'
import { answerCalendar } from '../../src/service/invitations/write-calendar'
import { documentTerms } from '../../src/service/search/terms/document-terms'
import { bytesOf } from '../support/timing'
import { summary } from './growing-inputs'
import { type GrowingCase, grown, named } from './growing-runs'

/** Names in the table of readers that no growing input can slow down, with the reason. */
export const unmeasured: Readonly<Record<string, string>> = {
  unreadMail: 'reads no bytes',
  malformedHeader: 'is a constant',
  isTnef: 'reads four bytes',
}

const lines = (text: string) => text.replace(/(.{40})/gs, '$1\r\n')

/** So many things, of 16 characters each. */
const many = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length: length / 16 }, (_, index) => make(index))

const time = { local: '2026-03-31T12:00:00', utc: '2026-03-31T10:00:00.000Z', timeZone: 'Europe/Berlin' }
const eventOf = (text: string): CalendarEvent => ({
  ...{ uid: text, recurrenceId: null, sequence: 0, stamp: null, isCancelled: false },
  organizer: { address: 'a@b.example', name: text, sentBy: null },
  ...{
    attendees: [],
    attendeeCount: 0,
    title: text,
    start: time,
    end: time,
    allDay: false,
    recurrence: null,
  },
  ...{ location: text, meetingLink: text, description: text, comment: text },
})

/** The calendar of one event with a part of a text in each of its properties: 512 KB are read in all. */
const calendarOf = (text: string) => {
  const folded = text.slice(-text.length / 20).replace(/(.{70})/gs, '$1\r\n ')
  const properties = ['UID', 'SUMMARY', 'LOCATION', 'DESCRIPTION', 'RRULE', 'EXDATE', 'DTSTAMP']
  const written = properties.map((name) => `${name}:${folded}`).join('\r\n')
  const person = `ATTENDEE;CN="${folded}";X-A=${folded}:mailto:${folded}`
  return calendar(`BEGIN:VEVENT\r\nDTSTART:20260331T120000Z\r\n${written}\r\n${person}\r\nEND:VEVENT\r\n`)
}

const calendar = (components: string) =>
  calendarAt(
    bytesOf(
      `Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\n${components}END:VCALENDAR\r\n`,
    ),
    0,
  )

/** Versions of one event, of 2 KB each: 512 at most. */
const versionsOf = (length: number): Version[] =>
  Array.from({ length: length / 2_048 }, (_, at) => ({
    ...{ method: at % 5 === 0 ? 'CANCEL' : 'REQUEST', direction: 'inbound', from: 'a@b.example' },
    ...{ isProven: at % 2 === 0, messageId: `${at}`, arrived: at },
    event: { ...eventOf('x'.repeat(400)), sequence: at % 3, recurrenceId: at % 7 === 0 ? null : `${at}` },
  }))

/** A `winmail.dat` of attributes with a content. */
function tnefOf(id: number, content: Uint8Array, count = 1): Uint8Array {
  const size = 9 + content.length + 2
  const bytes = new Uint8Array(6 + Math.floor(count) * size)
  bytes.set([0x78, 0x9f, 0x3e, 0x22])
  const view = new DataView(bytes.buffer)
  for (let at = 6; at < bytes.length; at += size) {
    view.setUint32(at + 1, id, true)
    view.setUint32(at + 5, content.length, true)
    bytes.set(content, at + 9)
  }
  return bytes
}
const tnef = { subject: 0x18004, properties: 0x69003, recipients: 0x69004, file: 0x69002, title: 0x18010 }

const addressed = (addresses: string[]) => ({
  ...{ direction: 'inbound' as const, from_addr: 'a@b.example', reply_to: addresses },
  ...{ to_addrs: addresses, cc_addrs: addresses, list: null },
  authentication: {
    ...{ spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none', from_verified: true, spf_aligned: false },
    signed_fields: ['from', ...addresses],
  },
})

/** All that is indexed of a message with a text in each field. */
function termsOf(text: string) {
  const fields = { subject: text, sender: text, recipients: text, files: text, body: text, reply: text }
  const terms = documentTerms({
    ...fields,
    ...{ senders: [text], addressees: [text], direction: 'inbound', hasAttachment: false },
  })
  for (;;) {
    const { done, value } = terms.next()
    if (done) return value
  }
}

/** Each other function of the table of readers in ARCHITECTURE.md, with each hostile run. */
const runCases: readonly GrowingCase[] = [
  ...named('parseMail', (text) => parseMail(bytesOf(`From: a@b.example\r\n\r\n${lines(text)}`))),
  ...named('mailOfMailgun', (text) =>
    mailOfMailgun(
      Buffer.from(`sender=${text}&recipient=${text}&body-mime=${text}`),
      'application/x-www-form-urlencoded',
    ).catch(() => null),
  ),
  ...named('mailOfPostmark', (text) => {
    const headers = ['Received-SPF', 'Return-Path'].map((name) => ({ Name: name, Value: text }))
    return mailOfPostmark(Buffer.from(JSON.stringify({ RawEmail: text, From: text, Headers: headers })))
  }),
  ...named('calendarAt', calendarOf),
  ...named('changesBetween', (text) => changesBetween(eventOf(text), eventOf(`${text}x`))),
  // A calendar that was read has 4,096 characters of a text at most.
  ...named('answerCalendar', (text) =>
    answerCalendar(eventOf(text.slice(0, 16_384)), {
      ...{ method: 'REPLY', status: 'ACCEPTED', stamp: '2026-03-31T10:00:00.000Z' },
      ...{ comment: text.slice(0, 16_384), attendee: { address: 'a@b.example', name: null } },
    }),
  ),
  ...named('readAddressList and parseAddress', (text) => [readAddressList(text), parseAddress(text)]),
  ...named('oneSender', (text) => oneSender([{ name: 'From', value: text }])),
  ...named('looksElsewhere', (text) => looksElsewhere({ name: `${text}@x`, address: 'a@b.example' })),
  ...named('isReply and forwardSubject', (text) => [isReply(`Re: ${text}`), forwardSubject(text)]),
  ...named('splitAddress, isAddress, hasUtf8Local, addrSpec and baseAddress', (text) =>
    [text, `a@${text}`, `${text}@b.example`, `"${text}"@b.example`].map((address) => [
      ...[splitAddress(address), isAddress(address), hasUtf8Local(address)],
      ...[addrSpec(address), baseAddress(address)],
    ]),
  ),
  ...named('sameAddress and formatAddress', (text) => [
    sameAddress(`${text}@b.example`, `a@${text}`),
    formatAddress({ address: `a@${text}`, name: text }),
  ]),
  ...named('asciiDomain and senderDomain', (text) => [
    ...[text, `ü.${text}`].map(asciiDomain),
    senderDomain(`a@ü.${text}`),
  ]),
  ...named('hasUtf8Header, hasStrayControl, headerBlockOf and withPlainHeader', (text) =>
    [`\r\n${text}`, lines(text), `A: ${text.replaceAll('a', '\r')}\n\r\n`].map((raw) => {
      const bytes = bytesOf(raw)
      return [hasUtf8Header(bytes), hasStrayControl(bytes), headerBlockOf(bytes), withPlainHeader(bytes)]
    }),
  ),
  ...named('verbatimText, truncated, withoutEnd and wellFormed', (text) => [
    ...[verbatimText(bytesOf(lines(text))), truncated(text, text.length - 1)],
    ...[withoutEnd(text.slice(1), /[^x]/), wellFormed(text.replaceAll('a', '\ud800'))],
  ]),
  ...named('contentTypeOf, attachmentTypeOf and endingOfType', (text) => [
    ...[contentTypeOf(text), attachmentTypeOf(text), attachmentTypeOf(`text/plain; charset="${text}"`)],
    endingOfType(text),
  ]),
  ...named('filenameOf and typeOfFilename', (text) => [filenameOf(text), typeOfFilename(text)]),
  ...named('signedParts, relaxedField and foldedSignature', (text) => [
    ...[signedParts(`From: ${text}\r\nTo: ${lines(text)}\r\n\r\n${text}`), relaxedField(`From: ${text}`)],
    foldedSignature(text),
  ]),
  ...named('createHeldTexts', (text) => {
    const held = createHeldTexts()
    held.add(text)
    return held.holds(text)
  }),
  ...named('readHtml', (text) =>
    readHtml(`<p title="${text}">${text}`, undefined, 1, () => text.slice(0, 9)),
  ),
  ...named('readTnef', (text) => readTnef(tnefOf(tnef.subject, bytesOf(text)))),
  ...named('readTnef, of properties', (text) => readTnef(tnefOf(tnef.properties, bytesOf(text)))),
  ...named('estimateTokens', estimateTokens),
  ...named('documentTerms', termsOf),
  ...named('normalized', (text) => normalized(text, 'NFKD')),
  ...named('passesFilter', (text) =>
    passesFilter({ ...(summary as object), labels: [], subject: text } as never, { subject: 'code' }),
  ),
]

/** The same functions with many of something. */
export const readerCases: readonly GrowingCase[] = [
  ...runCases,
  [
    'headerValue and headerValues: many fields',
    (length) => {
      const fields = many(length, () => ({ name: 'FROM', value: 'x' }))
      return [headerValue(fields, 'date'), headerValues(fields, 'from')]
    },
  ],
  [
    'replyRecipients, fieldProof and provenView: many addresses',
    (length) => {
      const message = addressed(many(length, (at) => `a${at}@b.example`))
      const options = { inbox: 'x@y.example', ours: message.to_addrs, all: true }
      return [replyRecipients(message, options), fieldProof(message)('from'), provenView(message)]
    },
  ],
  ['forwardSubject: many prefixes', (length) => forwardSubject(grown('Fwd: ', length))],
  ['unsignedField: many names', (length) => signatureOver(many(length, (at) => `x-field-${at}`))],
  ['makeMessageId: a long one', (length) => makeMessageId(grown('a-', length), grown('b.', length))],
  [
    'largest: a long text',
    (length) => {
      const text = grown('word 中 1 ', length)
      return largest(length, length / 8, (end) => estimateTokens(text.slice(0, end)))
    },
  ],
  ['readTnef: many attributes', (length) => readTnef(tnefOf(tnef.title, bytesOf('title'), length / 16))],
  ['readTnef: many files', (length) => readTnef(tnefOf(tnef.file, new Uint8Array(7), length / 18))],
  [
    'readTnef: many recipients',
    (length) => readTnef(tnefOf(tnef.recipients, new Uint8Array(length).fill(1))),
  ],
  ['calendarAt: many attendees', (length) => calendar(eventWith('ATTENDEE:mailto:a@b.example\r\n', length))],
  ['calendarAt: many dates', (length) => calendar(eventWith('RDATE:20260401T120000Z\r\n', length))],
  ['calendarAt: many rules', (length) => calendar(eventWith('RRULE:FREQ=DAILY;COUNT=9\r\n', length))],
  ['calendarAt: many events', (length) => calendar(grown(eventWith('UID:1\r\n', 8), length))],
  [
    'calendarAt: components in components',
    (length) => calendar(grown('BEGIN:VEVENT\r\n', length / 2) + grown('END:VEVENT\r\n', length / 2)),
  ],
  [
    'calendarAt: many parameters',
    (length) => calendar(eventWith(`ATTENDEE${grown(';X=1', length)}:mailto:a@b.example\r\n`, 1)),
  ],
  [
    'occurrencesOf: many series',
    (length) =>
      occurrencesOf(
        Array.from({ length: length / 2_048 }, () => ({ ...eventOf('x'), recurrence: yearly })),
        { after: time.utc, before: '2030-01-01T00:00:00.000Z', timeZone: 'UTC', limit: 3 },
      ),
  ],
  ['stateOf: versions of many occurrences', (length) => stateOf(versionsOf(length), 'me@here.example')],
]

const yearly = { rules: ['FREQ=YEARLY'], added: [], removed: [], words: 'every year' }

const eventWith = (property: string, length: number): string =>
  `BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260331T120000Z\r\n${grown(property, length)}END:VEVENT\r\n`

const signatureOver = (names: string[]) =>
  unsignedField({ domain: 'b.example', selector: 's1', signedAt: 1, names, bodyHash: 'AAAA' })
