// The 50 hostile clients of `npm run soak -- --hostile`: each kind comes from addresses of its own, and tells its parent
// what became of what it tried.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'

const { SOAK_URL: url, SOAK_SMTP: smtp, SOAK_ADDRESS: honest } = process.env
const [smtpHost, smtpPort] = smtp.split(':')
const tell = (count) => process.send({ count })
const secret = (bytes) => randomBytes(bytes).toString('base64url')
let lastAddress = 0
/** An address of this machine that nobody else comes from. */
const ownAddress = () => `127.0.${10 + Math.floor(++lastAddress / 250)}.${1 + (lastAddress % 250)}`

/** Asks over a connection of its own; resolves with the status, 0 where there is none. */
function ask(method, path, { address, key, body, headers = {} } = {}) {
  return new Promise((resolve) => {
    const sent = request(`${url}${path}`, {
      method,
      localAddress: address,
      agent: false,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    sent.on('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode, text })
    })
    sent.on('error', () => resolve({ status: 0, text: '' }))
    sent.end(body)
  })
}

const signUp = (address) =>
  ask('POST', '/agent-signups', { address, body: '{}', headers: { 'idempotency-key': secret(32) } })

/** A connection for SMTP that reads, and tells what it is told. */
async function dial(address) {
  const socket = connect({ host: smtpHost, port: Number(smtpPort), localAddress: address })
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString()
  })
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await Promise.race([once(socket, 'connect').catch(() => {}), closed])
  return { socket, closed, heard: () => heard }
}

/** Says each line once the one before was answered. */
async function say(dialogue, lines) {
  for (const line of lines) {
    const before = dialogue.heard().length
    dialogue.socket.write(`${line}\r\n`)
    for (let waited = 0; dialogue.heard().length === before && waited < 100; waited += 1) await sleep(50)
  }
}

/** Writes a byte a second until it is ended; how long that took is told in halves of a minute. */
async function drip(kind, { socket, closed }) {
  const startedMs = Date.now()
  const timer = setInterval(() => socket.writable && socket.write('x'), 1_000)
  await closed
  clearInterval(timer)
  tell(`${kind} ended within ${30 * Math.ceil((Date.now() - startedMs) / 30_000)} s`)
}

let account
const hostileAccount = async () => {
  for (;;) {
    const { status, text } = await signUp(ownAddress())
    if (status === 201) return JSON.parse(text)
    await sleep(1_000)
  }
}

const kinds = {
  async stallingSocket(address) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime`, {
      headers: { authorization: `Bearer ${account.api_key}` },
      localAddress: address,
    })
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', (code) => resolve(code)))
    socket.on('open', () => socket.pause())
    const timer = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN) return
      socket.send('{"type":"subscribe","after":0}')
      for (let i = 0; i < 5; i += 1) socket.send('{"type":"ping"}')
    }, 300)
    // It reads again now and then, to hear whether it is still there.
    const listening = setInterval(() => socket.isPaused && socket.resume(), 30_000)
    tell(`socket closed with ${await closed}`)
    clearInterval(timer)
    clearInterval(listening)
  },
  async shoutingSocket(address) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime`, {
      headers: { authorization: `Bearer ${account.api_key}` },
      localAddress: address,
    })
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', (code) => resolve(code)))
    socket.on('open', () => {
      for (let i = 0; i < 2_000; i += 1) socket.send('{"type":"subscribe","after":0}')
    })
    tell(`shouting socket closed with ${await closed}`)
    await sleep(1_000)
  },
  async guessedKey(address) {
    const { status } = await ask('GET', '/account', { address, key: `rst_${secret(32)}` })
    tell(`guessed key answered with ${status}`)
    await sleep(20)
  },
  async drippingCommand(address) {
    await drip('dripping command', await dial(address))
  },
  async drippingMail(address) {
    const dialogue = await dial(address)
    await say(dialogue, [
      'EHLO x.example',
      'MAIL FROM:<x@x.example>',
      `RCPT TO:<${account.inbox.address}>`,
      'DATA',
    ])
    await drip('dripping mail', dialogue)
  },
  async drippingBody(address) {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), localAddress: address })
    socket.on('error', () => {})
    socket.resume()
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const head = `POST /v1/agent-signups HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900000`
    socket.write(`${head}\r\nIdempotency-Key: ${secret(32)}\r\n\r\n`)
    await drip('dripping body', { socket, closed })
  },
  async forgedReport(address) {
    if (!lastMessageId) return sleep(1_000)
    const dialogue = await dial(address)
    await say(dialogue, ['EHLO mx.example.com', 'MAIL FROM:<>', `RCPT TO:<${honest}>`, 'DATA'])
    await say(dialogue, [`${report(lastMessageId).replace(/\n/g, '\r\n')}\r\n.`, 'QUIT'])
    dialogue.socket.destroy()
    tell(`forged report answered with ${/^250 2\.0\.0/m.test(dialogue.heard()) ? 250 : 'a refusal'}`)
    await sleep(500)
  },
  async signup(address) {
    const { status } = await signUp(address)
    tell(`signup answered with ${status}`)
    await sleep(100)
  },
}

let lastMessageId
process.on('message', ({ messageId }) => {
  lastMessageId = messageId
})

const report = (messageId) => `From: MAILER-DAEMON@mx.example.com
To: ${honest}
Subject: Undelivered Mail Returned to Sender
Message-ID: <${secret(12)}@mx.example.com>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

Your mail could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; ana@example.com
Action: failed
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: ${messageId}
To: ana@example.com

--b--`

account = await hostileAccount()
// What its sockets ask for and do not read.
for (let i = 0; i < 40; i += 1) {
  const dialogue = await dial(ownAddress())
  await say(dialogue, [
    'EHLO x.example',
    'MAIL FROM:<x@x.example>',
    `RCPT TO:<${account.inbox.address}>`,
    'DATA',
  ])
  await say(dialogue, [`Subject: ${i}\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(400)}.`, 'QUIT'])
  dialogue.socket.destroy()
}

const crowd = {
  stallingSocket: 15,
  shoutingSocket: 3,
  guessedKey: 8,
  drippingCommand: 6,
  drippingMail: 4,
  drippingBody: 4,
  forgedReport: 5,
  signup: 5,
}
for (const [kind, count] of Object.entries(crowd))
  for (let i = 0; i < count; i += 1) {
    const address = ownAddress()
    void (async () => {
      for (;;) {
        await kinds[kind](address)
        await sleep(50)
      }
    })()
  }
