import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { Mailbox, replyRecipients } from 'restante'
import { createMailboxAdapter } from 'restante/chat-sdk'
import { resumeByMail, sendQuestion } from 'restante/durable'
import type { ServiceOptions } from 'restante/service'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { answeredBy, audiencesOf } from '../../adapters/tools/flow'
import { parseMail } from '../../src/mail/parse'
import { isProven, passesFilter } from '../../src/mailbox/waits/wait-filter'
import { ignoredFields, provenView } from '../../src/protocol/proven-view'
import type { MessageSummary } from '../../src/protocol/records/message'
import { startScriptedMailbox } from '../service/connections/support/scripted-mailbox'
import { describeDatabases, postgresSchema, reachable } from '../support/databases'
import { createFakeResolver } from '../support/fake-resolver'
import { JumpClock } from '../support/jump-clock'
import { openService } from '../support/service'
import { type SignatureTags, signMail } from '../support/sign-mail'
import { perBlock, useDatabase, useService } from '../support/use-service'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const spki = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })).export({
  type: 'spki',
  format: 'der',
})
const dkimKey = { txt: [[`v=DKIM1; k=rsa; p=${spki.toString('base64')}`]] }
const reject = { txt: [['v=DMARC1; p=reject']] }
const resolver = createFakeResolver({
  'eve.example': { txt: [['v=spf1 ip4:127.0.0.1 -all']] },
  'friend.example': { txt: [['v=spf1 ip4:127.0.0.1 -all']] },
  '_dmarc.friend.example': reject,
  's1._domainkey.friend.example': dkimKey,
  'bank.example': { txt: [['v=spf1 ip4:203.0.113.7 -all']] },
  '_dmarc.bank.example': reject,
  's1._domainkey.bank.example': dkimKey,
})
const eve = 'eve@eve.example'
/** Blanks in a signature, which its signer need not have written: relaxed forms of a header collapse them. */
const padding = `;${'\r\n '.padEnd(900).repeat(10)} s=`
/** The fields that Microsoft 365 signs. */
const signedByDefault = 'from:date:subject:message-id:content-type:mime-version'

describeDatabases('a replayed message', (openDatabase) => {
  const begin = (options: ServiceOptions) => openService(options, { resolver })
  const { service } = useService(openDatabase, begin, perBlock)
  let count = 0

  interface Replay {
    /** Fields that the attacker adds on top, or changes. */
    added?: Record<string, string>
    h?: string
    tags?: SignatureTags
    domain?: string
    /** The envelope sender: of the attacker, whose SPF passes for himself. */
    mailFrom?: string
    to?: string
    subject?: string
    body?: string
    messageId?: string
  }
  /** Signs a message as its sender does, and sends it as an attacker who adds fields. */
  const bytesOf = ({
    added = {},
    h = signedByDefault,
    tags = {},
    domain = 'bank.example',
    ...more
  }: Replay) => {
    count += 1
    const fields = {
      From: `Ann <ann@${domain}>`,
      Date: 'Fri, 27 Nov 2026 08:00:00 +0000',
      Subject: more.subject ?? `Papers ${count}`,
      'Message-ID': more.messageId ?? `<r${count}@${domain}>`,
    }
    const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    const signed = signMail(`${head.join('')}\r\n${more.body ?? `Words ${count}`}\r\n`, domain, privateKey, {
      h,
      ...tags,
    })
    const extra = Object.entries(added).map(([name, value]) => `${name}: ${value}\r\n`)
    return `${extra.join('')}${signed}`
  }
  const bring = async (raw: string, { mailFrom = eve, to = service.home.address }: Replay = {}) => {
    const from = { from: mailFrom, to }
    await service.mail({ envelope: from, raw })
    const { messages } = (await service.call('GET', '/messages?direction=inbound&limit=1&include=all')).body
    return messages[0] as MessageSummary
  }
  const replayed = (replay: Replay) => bring(bytesOf(replay), replay)
  const owner = () => ({ inboxes: [{ id: service.home.inboxId, address: service.home.address }] })
  const repliesTo = (record: MessageSummary) => {
    const { to, cc } = replyRecipients(record, { inbox: service.home.address, ours: [], all: true })
    return [...to, ...cc]
  }

  it('is walked by all users of the proven view, none of which believes a field that was added', async () => {
    const first = await replayed({ h: `${signedByDefault}:to:cc` })
    const record = await replayed({
      added: {
        To: `${service.home.address}, to@eve.example`,
        Cc: 'cc@eve.example',
        'Reply-To': 'reply@eve.example',
        'In-Reply-To': first.rfc822_message_id!,
        References: first.rfc822_message_id!,
        'List-Id': '<talk.bank.example>',
        'List-Post': '<mailto:list@eve.example>',
        'X-Original-From': 'author@eve.example',
      },
    })
    expect(record.authentication).toMatchObject({
      ...{ from_verified: true, spf_aligned: false, source: 'smtp', replayed: false },
      signed_fields: signedByDefault.split(':'),
    })
    // The record shows what came; nothing acts on it.
    expect(record.cc_addrs).toContain('cc@eve.example')
    expect(ignoredFields(record)).toEqual(
      expect.arrayContaining(['to', 'cc', 'reply-to', 'in-reply-to', 'references', 'list-post']),
    )
    // The client: the exported replyRecipients, audiences, whom an answer is for, waits.
    expect(repliesTo(record)).toEqual(['ann@bank.example'])
    expect(answeredBy(record, owner())).toEqual(['ann@bank.example'])
    const audiences = audiencesOf([first, record], owner())
    expect([...audiences.get(record.id)!]).toEqual(['ann@bank.example'])
    expect([...audiences.get(first.id)!]).toEqual(['ann@bank.example'])
    // The service: replies, participants of the thread, which decide who merges threads.
    const reply = await service.call('POST', `/messages/${record.id}/reply`, {
      body: { text: 'Hi', reply_all: true },
    })
    const sent = (await service.call('GET', `/messages/${reply.body.id}`)).body
    expect([...sent.to_addrs, ...sent.cc_addrs]).toEqual(['ann@bank.example'])
    const thread = (await service.call('GET', `/threads/${record.thread_id}`)).body
    expect((thread.thread ?? thread).participants.filter((one: string) => /eve/.test(one))).toEqual([])
    const toList = { body: { text: 'Hi', target: 'list' } }
    expect((await service.call('POST', `/messages/${record.id}/reply`, toList)).body.error).toBe(
      'no_recipients',
    )
  })

  it('mentions no bot, diverts no answer to this service, and ends no wait in a thread', async () => {
    const { address } = (await service.call('POST', '/inboxes', { body: {} })).body
    const { address: home } = service.home
    await using mailbox = await Mailbox.open({ service: service.service })
    const adapter = createMailboxAdapter(mailbox)
    const isMention = (record: MessageSummary) => adapter.parseMessage(record).isMention
    // The Chat SDK: an inbox that only an added To names is not mentioned.
    const added = { To: home, Cc: `${address}, ${home}` }
    const own = { ...{ domain: 'friend.example', mailFrom: 'ann@friend.example' }, added }
    expect(isMention(await replayed(own))).toBe(true)
    expect(isMention(await replayed({ added }))).toBe(false)
    // The service (ownSenders): an added Reply-To to an inbox here would keep the message from every loop.
    const loop = { 'Reply-To': home }
    expect(await replayed({ added: loop })).toMatchObject({ unanswerable: null })
    expect((await replayed({ ...own, added: loop })).unanswerable).not.toBeNull()
    // Waits: a replay that refers to a thread is no answer in it.
    const first = await replayed({})
    const threadId = first.thread_id
    const raw = bytesOf({})
    await bring(raw, { to: address })
    const again = await bring(`In-Reply-To: ${first.rfc822_message_id}\r\n${raw}`)
    expect(again).toMatchObject({ thread_id: threadId, authentication: { replayed: true } })
    const filter = { from: ['ann@bank.example'], thread_id: threadId }
    expect([first, again].map((record) => isProven(record, home, filter))).toEqual([true, false])
  })

  it('is no answer to the question of a workflow', async () => {
    const { address } = (await service.call('POST', '/inboxes', { body: {} })).body
    await using mailbox = await Mailbox.open({ service: service.service })
    const question = { key: 'may', to: 'ann@bank.example', subject: 'May I?', text: 'Yes or no?' }
    const id = await sendQuestion(mailbox, { id: 'run-1' }, { ...question, inbox: service.home.address })
    const added = { 'In-Reply-To': (await service.call('GET', `/messages/${id}`)).body.rfc822_message_id }
    const answers: string[] = []
    const run = resumeByMail(mailbox, async (_token, answer) => answers.push(answer.id))
    const raw = bytesOf({})
    await bring(raw, { to: address })
    const again = await bring(`In-Reply-To: ${added['In-Reply-To']}\r\n${raw}`)
    expect(again.authentication).toMatchObject({ from_verified: true, replayed: true })
    const honest = await replayed({ domain: 'friend.example', mailFrom: 'ann@friend.example', added })
    expect(honest.thread_id).toBe(again.thread_id)
    await vi.waitFor(() => expect(answers).toEqual([honest.id]))
    await run.stop()
  })

  it('passes no list as an answer by a field that its sender did not sign', async () => {
    const body = { to: ['ann@bank.example'], text: 'Hi' }
    const sent = (await service.call('POST', '/messages', { body })).body
    const block = { pattern: '*@bank.example', kind: 'block' }
    const { id } = (await service.call('POST', '/lists', { body: block })).body
    await expect(replayed({ added: { 'In-Reply-To': sent.message_id } })).rejects.toThrow('550 5.7.1')
    await service.call('DELETE', `/lists/${id}`)
  })

  it('joins no threads, however it refers to them', async () => {
    const [one, two] = [await replayed({}), await replayed({})]
    const both = `${one.rfc822_message_id} ${two.rfc822_message_id}`
    const record = await replayed({ added: { References: both, 'In-Reply-To': two.rfc822_message_id! } })
    const [after, other] = await Promise.all(
      [one, two].map(async ({ id }) => (await service.call('GET', `/messages/${id}`)).body),
    )
    expect(after.thread_id).not.toBe(other.thread_id)
    expect([after.thread_id, other.thread_id]).toContain(record.thread_id)
    // Its sender does, once the fields are signed.
    const raw = signMail(
      `From: ann@bank.example\r\nTo: ${service.home.address}\r\nMessage-ID: <j@bank.example>\r\nReferences: ${both}\r\n\r\nJoin\r\n`,
      'bank.example',
      privateKey,
      { h: 'from:to:message-id:references:in-reply-to' },
    )
    await bring(raw)
    const joined = await Promise.all(
      [one, two].map(async ({ id }) => (await service.call('GET', `/messages/${id}`)).body.thread_id),
    )
    expect(joined[0]).toBe(joined[1])
  })

  it.each<[string, Replay]>([
    ['Cc', { added: { Cc: eve } }],
    ['a second Cc', { added: { Cc: eve, CC: 'x@eve.example' } }],
    ['Cc in other letters', { added: { cC: eve } }],
    ['Cc with a blank before the colon', { added: { 'Cc ': eve } }],
    ['a folded Cc', { added: { Cc: `\r\n ${eve}` } }],
    ['To', { added: { To: eve } }],
    ['To with a group', { added: { To: `friends: ${eve};` } }],
    ['Reply-To', { added: { 'Reply-To': eve } }],
    ['Reply-To with a name', { added: { 'Reply-To': `"ann@bank.example" <${eve}>` } }],
    ['two Reply-To', { added: { 'Reply-To': eve, 'REPLY-TO': 'ann@bank.example' } }],
    ['List-Post', { added: { 'List-Id': '<a.bank.example>', 'List-Post': `<mailto:${eve}>` } }],
    ['Mailing-List', { added: { 'Mailing-List': `list ${eve}; contact ${eve}` } }],
    ['X-BeenThere', { added: { 'X-BeenThere': eve } }],
    ['X-Mailing-List', { added: { 'X-Mailing-List': eve } }],
    ['X-Original-From', { added: { 'List-Id': '<ann.bank.example>', 'X-Original-From': eve } }],
    ['X-Original-Sender', { added: { 'List-Id': '<ann.bank.example>', 'X-Original-Sender': eve } }],
    ['Sender of a list', { added: { Sender: 'owner-ann@eve.example', Cc: eve } }],
    [
      'X-BeenThere beside a signed, absent List-Post',
      { h: `${signedByDefault}:list-post`, added: { 'X-BeenThere': eve } },
    ],
    ['Cc beside a signed To', { h: `${signedByDefault}:to`, added: { Cc: eve } }],
    [
      'a signature of somebody else over Cc',
      {
        added: { Cc: eve, 'DKIM-Signature': 'v=1; a=rsa-sha256; d=eve.example; s=s1; h=from:cc; bh=x; b=x' },
      },
    ],
    [
      'a broken signature in its name over Cc',
      {
        added: {
          Cc: eve,
          'DKIM-Signature': 'v=1; a=rsa-sha256; d=bank.example; s=s1; h=from:cc; bh=eHh4; b=eHh4',
        },
      },
    ],
    [
      'h= that names Cc once, with another Cc on top',
      { h: `${signedByDefault}:x-cc`, added: { 'X-Cc': eve, Cc: eve } },
    ],
  ])('lets nobody in by %s', async (_, replay) => {
    const record = await replayed(replay)
    const view = provenView(record)
    expect(record.authentication?.from_verified && repliesTo(record)).not.toContain(eve)
    if (!record.authentication?.from_verified) return
    expect([...view.to_addrs, ...view.cc_addrs, ...view.reply_to]).not.toContain(eve)
    expect([...audiencesOf([record], owner()).get(record.id)!]).not.toContain(eve)
    expect(answeredBy(record, owner())).not.toContain(eve)
    const { to } = replyRecipients(record, { inbox: service.home.address, ours: [], all: true, to: 'list' })
    expect(to).not.toContain(eve)
  })

  it('gains no field by a signature that stands in the place of the real one for one of two readers', async () => {
    const real = bytesOf({ h: 'from:subject:message-id' })
    const [field] = /^DKIM-Signature:(?:[^\r]|\r\n )*\r\n/.exec(real)!
    const forged = field.replace('h=from:subject:message-id', 'h=from:subject:message-id:cc:reply-to')
    expect(forged).not.toBe(field)
    // 5,000 characters in GBK, which a reader of UTF-8 takes for 10,000: too long for a signature, or not.
    const long = Array.from({ length: 100 }, () => ` ${'\xb0\xa1'.repeat(50)}\r\n`).join('')
    const added = `Cc: ${eve}\r\nReply-To: ${eve}\r\nX-Charset: charset=gbk\r\nDKIM-Signature: v=1;\r\n${long}${forged}`
    const raw = Buffer.from(`${added}${real}`, 'latin1')
    await service.mail({ envelope: { from: eve, to: service.home.address }, raw })
    const { messages } = (await service.call('GET', '/messages?direction=inbound&limit=1')).body
    const [record] = messages as [MessageSummary]
    expect(record.cc_addrs).toEqual([eve])
    expect(record.authentication).toMatchObject({ signed_fields: ['from', 'subject', 'message-id'] })
    expect(repliesTo(record)).toEqual(['ann@bank.example'])
  })

  it('has its fields where SPF is aligned, or where they are signed', async () => {
    const added = { Cc: 'bo@friend.example', 'Reply-To': 'desk@friend.example' }
    const own = await replayed({ domain: 'friend.example', mailFrom: 'ann@friend.example', added })
    expect(own.authentication).toMatchObject({ spf_aligned: true, from_verified: true, replayed: false })
    expect(repliesTo(own)).toEqual(['desk@friend.example', 'bo@friend.example'])
  })

  it.each<[string, Replay, boolean]>([
    [
      'whose signature is eight days old',
      { tags: { t: String(Math.floor(Date.now() / 1000) - 8 * 86_400) } },
      true,
    ],
    [
      'whose signature is six days old',
      { tags: { t: String(Math.floor(Date.now() / 1000) - 6 * 86_400) } },
      false,
    ],
    ['without a time', {}, false],
  ])('%s is marked or not', async (_, replay, isReplay) => {
    const domain = 'friend.example'
    const record = await replayed({ ...replay, domain, mailFrom: `ann@${domain}`, added: { Cc: eve } })
    expect(record.authentication).toMatchObject({
      from_verified: true,
      spf_aligned: true,
      replayed: isReplay,
    })
    expect(repliesTo(record).includes(eve)).toBe(!isReplay)
  })

  it('is marked where the same signature arrived before for another recipient', async () => {
    const { address } = (await service.call('POST', '/inboxes', { body: {} })).body
    const { address: home } = service.home
    const raw = bytesOf({})
    expect((await bring(raw)).authentication).toMatchObject({ replayed: false })
    expect((await bring(`Cc: ${eve}\r\n${raw}`, { to: address })).authentication).toMatchObject({
      replayed: true,
    })
    // For its first recipient it stays what it was.
    expect((await bring(`X-A: 1\r\n${raw}`)).authentication).toMatchObject({ replayed: false })
    // Copies that the server of the sender itself delivers at once are one arrival.
    const [domain, mailFrom] = ['friend.example', 'ann@friend.example']
    const copied = bytesOf({ domain })
    await bring(copied, { mailFrom })
    expect((await bring(`X-A: 1\r\n${copied}`, { mailFrom, to: address })).authentication).toMatchObject({
      ...{ replayed: false, spf_aligned: true },
    })
    // So are all recipients of one transaction, whoever sends it.
    const [{ address: second }, { address: third }] = await Promise.all(
      [1, 2].map(async () => (await service.call('POST', '/inboxes', { body: {} })).body),
    )
    await service.mail({ envelope: { from: eve, to: [second, third] }, raw: bytesOf({}) })
    const { messages } = (await service.call('GET', '/messages?direction=inbound&limit=2')).body
    expect(messages.map(({ authentication }: MessageSummary) => authentication?.replayed)).toEqual([
      false,
      false,
    ])
    // So are copies whose signed To names the recipient.
    const both = bytesOf({ h: `${signedByDefault}:to`, to: `${home}, ${address}` })
    const signedTo = signMail(
      `To: ${home}, ${address}\r\n${both.replace(/^DKIM-Signature[^\n]*\n/, '')}`,
      'bank.example',
      privateKey,
      { h: 'from:to' },
    )
    await bring(signedTo)
    expect((await bring(`X-A: 1\r\n${signedTo}`, { to: address })).authentication).toMatchObject({
      replayed: false,
    })
  })

  it('is marked where both arrive at once', async () => {
    const { address } = (await service.call('POST', '/inboxes', { body: {} })).body
    const raw = bytesOf({ subject: 'At once' })
    const [one, other] = [raw, `Cc: ${eve}\r\n${raw}`]
    await Promise.all([
      service.mail({ envelope: { from: eve, to: service.home.address }, raw: one }),
      service.mail({ envelope: { from: eve, to: address }, raw: other }),
    ])
    const { messages } = (await service.call('GET', '/messages?direction=inbound&limit=2')).body
    const marks = messages.map(({ authentication }: MessageSummary) => authentication?.replayed)
    expect(marks.sort()).toEqual([false, true])
  })

  it('loses its proof where an unsigned Content-Type hides signed text', async () => {
    const h = 'from:date:message-id'
    const body = `${'Signed words. '.repeat(20)}\r\n--x\r\n\r\nPay!\r\n--x--`
    const added = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=x' }
    expect((await replayed({ h, body, added })).authentication).toMatchObject({
      ...{ from_verified: false, dkim_aligned: false, signed_fields: [] },
    })
    // Lines that end a paragraph for a person begin the header of a part, which nobody sees.
    const ruled = `${'-'.repeat(10)}\r\n${'Signed words. '.repeat(20)}\r\n\r\nPay!`
    const byRules = { ...added, 'Content-Type': 'multipart/mixed; boundary="--------"' }
    expect((await replayed({ h, body: ruled, added: byRules })).authentication).toMatchObject({
      ...{ from_verified: false, dkim_aligned: false, signed_fields: [] },
    })
    const part = 'Content-Type: text/plain;\r\n charset=utf-8\r\nX-Attachment-Id: f_0123456789\r\n\r\nHi\r\n'
    const honest = `--x\r\n${part}`.repeat(9)
    expect((await replayed({ h, body: `${honest}--x--`, added })).authentication).toMatchObject({
      from_verified: true,
    })
    const short = 'This is a message in MIME format.\r\n--x\r\n\r\nPay!\r\n--x--'
    expect((await replayed({ h, body: short, added })).authentication).toMatchObject({ from_verified: true })
  })

  it('changes no Content-Type that is signed by a line below it', async () => {
    const h = 'from:subject:message-id:content-type'
    const signedType = signMail(
      'From: ann@bank.example\r\nSubject: Type\r\nMessage-ID: <type@bank.example>\r\nContent-Type: text/plain\r\n\r\nSigned\r\n',
      'bank.example',
      privateKey,
      { h },
    )
    const record = await bring(signedType.replace('text/plain\r\n', 'text/plain\r\ncharset=utf-16le;x:\r\n'))
    expect(record.authentication).toMatchObject({ from_verified: true, signed_fields: h.split(':') })
    expect(record.preview).toBe('Signed')
  })

  it('guesses no thread by a Subject or a topic that is not signed', async () => {
    const first = await replayed({ subject: 'Guesses' })
    expect((await replayed({ subject: 'Re: Guesses' })).thread_id).toBe(first.thread_id)
    const h = 'from:date:message-id'
    const unsigned = await replayed({ subject: 'Re: Guesses', h })
    expect(unsigned.authentication).toMatchObject({ from_verified: true, spf_aligned: false })
    expect(unsigned.thread_id).not.toBe(first.thread_id)
    const index = Buffer.alloc(27, 1).toString('base64')
    const byTopic = { subject: 'Re: Others', added: { 'Thread-Index': index, 'Thread-Topic': 'Guesses' } }
    expect((await replayed(byTopic)).thread_id).not.toBe(first.thread_id)
  })

  it('gives no one-time code by a Subject that is not signed', async () => {
    const h = 'from:date:message-id'
    const subject = 'Your verification code is 481 516'
    const unsigned = await replayed({ h, subject, body: 'Hello' })
    expect((await service.call('GET', `/messages/${unsigned.id}`)).body.codes).toEqual([])
    expect(passesFilter(unsigned, { subject: 'verification' })).toBe(false)
    const signed = await replayed({ subject, body: 'Hello' })
    expect((await service.call('GET', `/messages/${signed.id}`)).body.codes).toMatchObject([
      { code: '481516', in: 'subject' },
    ])
    expect(passesFilter(signed, { subject: 'verification' })).toBe(true)
  })
})

describe.skipIf(!reachable)('two nodes that get copies of one message at the same moment', () => {
  const database = useDatabase(postgresSchema)

  it('count one of them as the first, whichever it is', async () => {
    const begin = (options: ServiceOptions) => openService(options, { resolver })
    const [one, other] = [await database.start(begin), await database.start(begin)]
    const { address } = (await one.call('POST', '/inboxes', { body: {} })).body
    const copies = Array.from({ length: 12 }, (_, i) => {
      const from = `From: ann@bank.example\r\nSubject: Copy ${i}\r\nMessage-ID: <c${i}@bank.example>\r\n\r\nPay\r\n`
      return signMail(from, 'bank.example', privateKey, { h: 'from:subject:message-id' })
    })
    await Promise.all([one.listen(), other.listen()])
    for (const raw of copies)
      await Promise.all([
        one.mail({ envelope: { from: eve, to: one.home.address }, raw }),
        other.mail({ envelope: { from: eve, to: address }, raw: `Cc: ${eve}\r\n${raw}` }),
      ])
    const { messages } = (await one.call('GET', '/messages?direction=inbound&limit=100')).body
    const marks = new Map<string, MessageSummary[]>()
    for (const one of messages as MessageSummary[])
      marks.set(one.subject, [...(marks.get(one.subject) ?? []), one])
    expect(marks.size).toBe(copies.length)
    for (const [subject, both] of marks)
      expect(both.map(({ authentication }) => authentication?.replayed).sort(), subject).toEqual([
        false,
        true,
      ])
  })
})

describe('a message of a connected mailbox', () => {
  const clock = new JumpClock()
  let service: Awaited<ReturnType<typeof openService>>
  let mailbox: Awaited<ReturnType<typeof startScriptedMailbox>>
  beforeAll(async () => {
    service = await openService({ checkSenders: true }, { clock, resolver })
    mailbox = await startScriptedMailbox()
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await mailbox[Symbol.asyncDispose]()
  })

  it('is a replay by the time at which its server got it, whenever it is read', async () => {
    const dayMs = 86_400_000
    const signedAtMs = clock.now() - 100 * dayMs
    const append = (subject: string, days: number) => {
      const at = new Date(signedAtMs + days * dayMs)
      const [, day, month, year] = /^\w+, (\d+) (\w+) (\d+)/.exec(at.toUTCString())!
      mailbox.imap.append(
        signMail(
          `From: ann@bank.example\r\nSubject: ${subject}\r\n\r\n${subject}\r\n`,
          'bank.example',
          privateKey,
          {
            h: 'from:subject',
            t: String(Math.floor(signedAtMs / 1_000)),
          },
        ),
        'INBOX',
        [],
        `${day}-${month}-${year} 12:00:00 +0000`,
      )
    }
    append('soon', 2)
    append('late', 20)
    const body = mailbox.body({ since: 'all' })
    expect(await service.call('POST', '/connections', { body })).toMatchObject({ status: 201 })
    const judged = async () => {
      const { messages } = (await service.call('GET', '/messages?include=all')).body
      const named = messages as MessageSummary[]
      return Object.fromEntries(named.map((one) => [one.subject, one.authentication]))
    }
    await expect
      .poll(async () => Object.keys(await judged()).sort(), { timeout: 20_000 })
      .toEqual(['late', 'soon'])
    const common = { source: 'imap', from_verified: true, signed_fields: ['from', 'subject'] }
    expect(await judged()).toMatchObject({
      soon: { ...common, replayed: false },
      late: { ...common, replayed: true },
    })
  })

  it('has no fields of a signature beside a real one that our reader skips and its server does not', async () => {
    await using other = await startScriptedMailbox()
    const real = signMail(
      'From: ann@bank.example\r\nSubject: padded\r\n\r\nHi\r\n',
      'bank.example',
      privateKey,
      {
        h: 'from:subject',
      },
    )
    const [field] = /^DKIM-Signature:(?:[^\r]|\r\n )*\r\n/.exec(real)!
    const padded = real.replace('; s=', padding)
    const forged = field.replace('h=from:subject', 'h=from:subject:cc')
    const results = 'mx.company.test; dkim=pass header.d=bank.example; dmarc=pass header.from=bank.example'
    other.imap.append(`Authentication-Results: ${results}\r\nCc: ${eve}\r\n${forged}${padded}`)
    const body = other.body({ since: 'all', authserv_id: 'mx.company.test' })
    expect(await service.call('POST', '/connections', { body })).toMatchObject({ status: 201 })
    const found = async () => {
      const { messages } = (await service.call('GET', '/messages?include=all')).body
      return (messages as MessageSummary[]).find(({ subject }) => subject === 'padded')?.authentication
    }
    await expect.poll(found, { timeout: 20_000 }).toMatchObject({ from_verified: true, signed_fields: [] })
  })
})

describe('a verdict that is completed', () => {
  it('is none where an unsigned Content-Type leaves signed text outside of all parts', async () => {
    const raw = (words: string) =>
      `From: a@b.com\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n${words}\r\n--x\r\n\r\nHi\r\n--x--\r\n${words}\r\n`
    const outsideOf = async (words: string) => (await parseMail(Buffer.from(raw(words)))).outsideParts
    expect(await outsideOf('ab c')).toBe(6)
    expect(await outsideOf('x'.repeat(150))).toBe(300)
    expect((await parseMail(Buffer.from('From: a@b.com\r\n\r\nHi'))).outsideParts).toBeUndefined()
  })

  it('is none where a changed type or encoding hides signed text otherwise', async () => {
    const words = 'Signed words. '.repeat(30)
    const read = async (fields: string, body: string) => {
      const { outsideParts, outsideField } = await parseMail(
        Buffer.from(`From: a@b.com\r\n${fields}\r\n\r\n${body}`),
      )
      return [(outsideParts ?? 0) > 200, outsideField]
    }
    const inner = `--x\r\nContent-Type: multipart/mixed; boundary=y\r\n\r\n${words}\r\n--y\r\n\r\nPay!\r\n--y--\r\n`
    expect(await read('Content-Type: multipart/mixed; boundary=x', `${inner}--x--\r\n`)).toEqual([
      true,
      'content-type',
    ])
    const behind = inner.replace(`${words}\r\n`, '').replace('--y--\r\n', `--y--\r\n${words}\r\n`)
    expect((await read('Content-Type: multipart/mixed; boundary=x', `${behind}--x--\r\n`))[0]).toBe(true)
    const block = `${words}\r\nbegin 644 x\r\n#0V%T\r\n\`\r\nend\r\n`
    expect(await read('Content-Transfer-Encoding: x-uuencode', block)).toEqual([
      true,
      'content-transfer-encoding',
    ])
    expect(await read('Content-Type: text/html', `Pay! <!-- ${words}`)).toEqual([true, 'content-type'])
    expect(await read('Content-Type: text/html', `<p>${words}</p>`)).toEqual([false, 'content-type'])
  })
})

describe('a record of an older service', () => {
  it('counts only its sender as audience, and says whom that service answers', () => {
    const record = {
      ...{ id: 'm', direction: 'inbound', inbox_id: 'i', from_addr: 'ann@bank.example' },
      ...{ to_addrs: [], cc_addrs: [eve], bcc_addrs: [], reply_to: [eve], subject: 'Hi', labels: [] },
      ...{ rfc822_message_id: null, in_reply_to: null, references: [], list: null },
      authentication: { spf: '', dkim: '', dmarc: '', arc: '', from_verified: true },
    } as unknown as MessageSummary
    const owner = { inboxes: [] }
    expect([...audiencesOf([record], owner).get('m')!]).toEqual(['ann@bank.example'])
    expect(replyRecipients(record, { inbox: 'x@y.example', ours: [], all: false }).to).toEqual([eve])
  })
})
