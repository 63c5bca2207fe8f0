// node bench/hostile-mail.mjs: how soon the service answers while one hostile message of each kind is on its way.
import { fork } from 'node:child_process'
import { createHash, createSign, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { percentile } from './figures.mjs'
import { startProgram } from './processes.mjs'
import { openDialogue } from './smtp-dialogue.mjs'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const seconds = Number(process.argv[2] ?? 60)
const warmMs = 5_000

const message = (head, body = 'x') =>
  `From: eve@evil.example\r\nTo: you@example.com\r\n${head}\r\n\r\n${body}\r\n`
const html = (body) => message('Subject: html\r\nContent-Type: text/html', body)
const lines = (text, width = 900) => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\r\n')
const signature = (length) =>
  `DKIM-Signature: v=1; a=rsa-sha256; d=evil.example; s=s; h=from; l=${length}; bh=${'A'.repeat(43)}=; b=AAAA`
const chain = (instance) =>
  [
    `ARC-Seal: i=${instance}; a=rsa-sha256; cv=none; d=evil.example; s=s; b=AAAA`,
    `ARC-Message-Signature: i=${instance}; a=rsa-sha256; d=evil.example; s=s; h=from; bh=${'A'.repeat(43)}=; b=AAAA`,
    `ARC-Authentication-Results: i=${instance}; mx.example; none`,
  ].join('\r\n')

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const dkimRecord = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
const fieldsOfOneName = 850

/** A right signature over From, all fields of one name, and thousands more that are not there. */
function longSignature(time) {
  const names = `from${`${':x'.repeat(400)}\r\n `.repeat(9)}`
  const bodyHash = createHash('sha256').update('x\r\n').digest('base64')
  const tags = `v=1; a=rsa-sha256; c=relaxed/simple; d=evil.example; s=s; t=${time}; bh=${bodyHash};\r\n h=${names}; b=`
  const relaxed = `dkim-signature:${tags.replaceAll('\r\n', '').replace(/ +/g, ' ')}`
  const signed = ['from:eve@evil.example', ...Array(fieldsOfOneName).fill('x:y'), relaxed].join('\r\n')
  return `DKIM-Signature: ${tags}\r\n ${createSign('sha256').update(signed).sign(privateKey, 'base64')}`
}

/** Messages, each of a kind that once kept a thread busy for long. */
const kinds = [
  [
    'Message-ID of closing brackets',
    message(`Message-ID: x${lines('>'.repeat(250_000)).replaceAll('\r\n', '\r\n ')}b`),
  ],
  ['white space in a field', message(`Sender: ${lines(' '.repeat(90_000)).replaceAll('\r\n', '\r\n ')}x`)],
  ['escapes of a style sheet', html(`<style>${'\\a'.repeat(60)}!|x{color:red}</style><p>x`)],
  [
    'styles of many classes',
    html(
      lines(`<style>${'.a .b>.c{color:red} '.repeat(20_000)}</style>${'<p class="a b c">x '.repeat(20_000)}`),
    ),
  ],
  [
    'a rule for elements in elements',
    html(
      lines(`<style>*{font-size:.999em;${'color:red; '.repeat(20_000)}}</style>${'<i>x '.repeat(40_000)}`),
    ),
  ],
  [
    'an introduction of commas',
    message(
      'Subject: Re: x',
      `Thanks.\r\n\r\nAm 12.05.2024 um 10:00 Uhr schrieb${',A'.repeat(60)} b:\r\n\r\nx`,
    ),
  ],
  ['elements in elements', html(lines('<div><b>'.repeat(60_000)))],
  [
    'empty lines beside HTML',
    message(
      'Content-Type: multipart/alternative; boundary=b',
      `--b\r\n\r\n${'\r\n'.repeat(200_000)}x\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>x</p>\r\n--b--`,
    ),
  ],
  ['quotes that flow', message('Content-Type: text/plain; format=flowed', '> > \r\n'.repeat(200_000))],
  ['many addresses', message(`Cc: ${'a@b.example,\r\n '.repeat(15_000)}a@b.example`)],
  ['many parts', message('Content-Type: multipart/mixed; boundary=b', '--b\r\n\r\nx\r\n'.repeat(50_000))],
  [
    'a bounce of many lines',
    message(
      'Subject: Undelivered Mail Returned to Sender\r\nContent-Type: multipart/report; boundary=b',
      `--b\r\n\r\n${'<a@b.example>: 550 5.1.1 no such user\r\n'.repeat(20_000)}--b--`,
    ),
  ],
  [
    'signatures of 20 MB',
    message(
      `${Array.from({ length: 10 }, (_, i) => signature(20_000_000 - i)).join('\r\n')}\r\n${[1, 2, 3, 4, 5].map(chain).join('\r\n')}`,
      lines('y'.repeat(20_000_000)),
    ),
  ],
  [
    'combining marks',
    message(
      `Subject: =?utf-8?b?${Buffer.from('a\u0301\u0327').toString('base64')}?=\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64`,
      lines(Buffer.from(`a${'\u0301\u0327'.repeat(50_000)}b`).toString('base64')),
    ),
  ],
  [
    'signatures over thousands of names',
    message([...[1, 2, 3, 4, 5].map(longSignature), ...Array(fieldsOfOneName).fill('x: y')].join('\r\n')),
  ],
  ['11 MB to thirty inboxes', message('Subject: large', lines('z'.repeat(11_000_000))), 30],
]

/** A form of 79 MB for a provider endpoint, whose signature is wrong. */
const form = Buffer.concat([
  Buffer.from('--x\r\n'),
  Buffer.alloc(79_000_000, '\r\n\r'),
  Buffer.from('\r\n--x--'),
])

/** Sends one kind again and again until a time; counts what came of it. */
async function attack(service, [kind, raw, recipients = 1], endsAtMs, reported) {
  while (Date.now() < endsAtMs) {
    try {
      const { socket, begin, reply } = await openDialogue(service.smtp)
      await begin('eve@evil.example', ...[service.address, ...service.others].slice(0, recipients))
      socket.write(`${raw.replace(/^\./gm, '..')}\r\n.\r\n`)
      await reply()
      socket.destroy()
      reported.set(kind, (reported.get(kind) ?? 0) + 1)
    } catch {
      await pause(50)
    }
  }
}

/** A message of 20 MB in JSON, beside 42 MB of the same in other forms, as Postmark posts it. */
const json = (to) =>
  Buffer.from(
    JSON.stringify({
      ...{
        MessageID: '1',
        From: 'eve@evil.example',
        OriginalRecipient: to,
        HtmlBody: '<p>'.repeat(14_000_000),
      },
      RawEmail: message('Subject: large', lines('w'.repeat(20_000_000))),
    }),
  )

/** Returns requests as providers send them: name, URL, header fields and body. */
function postsOf({ mailgun, postmark, address }) {
  const formType = { 'content-type': 'multipart/form-data; boundary=x' }
  const basic = (password) => ({
    'content-type': 'application/json',
    authorization: `Basic ${Buffer.from(`restante:${password}`).toString('base64')}`,
  })
  const body = json(address)
  return [
    ['a form of 79 MB with a wrong signature', mailgun.url, formType, form],
    ['JSON of 62 MB with a wrong password', postmark.url, basic('rst_wrong'), body],
    ['JSON of 62 MB with the right password', postmark.url, basic(postmark.apiKey), body],
  ]
}

/** Posts one kind again and again until a time; counts the answers by their status. */
async function attackByPost([kind, url, headers, body], endsAtMs, reported) {
  while (Date.now() < endsAtMs) {
    try {
      const answer = await fetch(url, { method: 'POST', headers, body })
      await answer.text()
      const what = `${kind} (${answer.status})`
      reported.set(what, (reported.get(what) ?? 0) + 1)
    } catch {
      await pause(50)
    }
  }
}

/** Creates inboxes beside the first. */
async function createInboxes({ url, apiKey }, count) {
  const addresses = []
  for (let number = 0; number < count; number += 1) {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/inboxes`, { method: 'POST', headers, body: '{}' })
    const { address } = await answer.json()
    if (!address) throw new Error(`no inbox: ${answer.status}`)
    addresses.push(address)
  }
  return addresses
}

/** Measures from a process of its own: this one is busy with what it sends. Resolves with what it found. */
async function measure(service, forMs) {
  const child = fork(at('honest-clients.mjs'), [JSON.stringify(service), String(forMs)])
  const [found] = await once(child, 'message')
  return found
}

const data = await mkdtemp(join(tmpdir(), 'restante-bench-'))
const program = await startProgram([at('hostile-service.mjs'), data, dkimRecord, 'key'])
const service = { ...program.facts, others: await createInboxes(program.facts, 29) }
try {
  // Threads start, and patterns are made.
  await measure(service, warmMs)
  const reported = new Map()
  const endsAtMs = Date.now() + seconds * 1_000
  const attacks = [
    ...kinds.map((kind) => attack(service, kind, endsAtMs, reported)),
    ...postsOf(service).map((post) => attackByPost(post, endsAtMs, reported)),
  ]
  const { health, greeting, honest } = await measure(service, seconds * 1_000)
  await Promise.race([Promise.all(attacks), pause(60_000)])
  const row = (figure, { found, failed }, aim) =>
    console.log(
      `| ${figure} | ${percentile(found, 0.5).toFixed(0)} ms | ${percentile(found, 0.99).toFixed(0)} ms | ${failed} of ${found.length + failed} | ${aim} |`,
    )
  console.log(
    '| beside one hostile message of each kind | p50 | p99 | failed | aim of p99 |\n|---|---|---|---|---|',
  )
  row('`/healthz`', health, '≤ 250 ms')
  row('SMTP greeting', greeting, '≤ 1,000 ms')
  row('honest message accepted', honest, 'accepted')
  const [accepted, sent] = [honest.found.length, honest.found.length + honest.failed]
  console.log(
    `\nHonest messages accepted: ${accepted} of ${sent} (${((100 * accepted) / sent).toFixed(1)} %), ${(accepted / seconds).toFixed(1)} a second.`,
  )
  console.log(
    `\nHostile messages taken: ${[...reported].map(([kind, count]) => `${kind} ${count}`).join(', ')}.`,
  )
} finally {
  await program.stop()
  await rm(data, { recursive: true, force: true })
}
