// A service whose process has no file handle left for a moment. Run with few of them allowed (ulimit -n).
import { closeSync, openSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { createService } from 'restante/service'

const options = { data: process.argv[2], http: '127.0.0.1:0', smtp: '127.0.0.1:0', log: 'silent' }
const service = await createService(options)
const { smtp } = await service.listen()
const { address, apiKey } = await service.home()
const origin = 'http://127.0.0.1:4525'

const taken = []
function takeHandles() {
  try {
    for (;;) taken.push(openSync('/dev/null'))
  } catch {}
}
function giveBack() {
  for (const handle of taken.splice(0)) closeSync(handle)
}

async function call(path, body, headers = {}) {
  const request = new Request(`${origin}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', origin, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const response = await service.fetch(request)
  const text = await response.text()
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text }
}

/** Sends a mail on a connection that was opened while there were handles. */
async function openSmtp() {
  const [host, port] = smtp.split(':')
  const socket = connect(Number(port), host)
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const reply = async () => {
    for (;;) {
      const { value } = await lines.next()
      if (value[3] === ' ') return value
    }
  }
  await reply()
  const say = (line) => {
    socket.write(`${line}\r\n`)
    return reply()
  }
  await say('EHLO client.example')
  return async (content) => {
    await say('MAIL FROM:<ana@example.com>')
    await say(`RCPT TO:<${address}>`)
    await say('DATA')
    return say(`${content}\r\n.`)
  }
}

const largeMail = (subject) =>
  `From: ana@example.com\r\nSubject: ${subject}\r\n\r\nWords.\r\n${'many more of them\r\n'.repeat(5_000)}`
const operator = { email: 'op@example.com', password: 'long enough for anyone', name: 'Op' }
const signUp = () => call('/console/auth/sign-up', operator)
const readReady = async () => JSON.parse((await call('/readyz')).text)

async function observe(subject) {
  const seen = { mail: (await sendMail(largeMail(subject))).slice(0, 9), signUp: await signUp() }
  return { ...seen, openapi: (await call('/v1/openapi.json')).status, ready: await readReady() }
}

const sendMail = await openSmtp()
takeHandles()
const starved = await observe('starved')
giveBack()
const after = await observe('after')
const { messages } = JSON.parse((await call('/v1/messages')).text)
const [{ id }] = messages.filter(({ subject }) => subject === 'after')
const { flaws, body_text } = JSON.parse((await call(`/v1/messages/${id}`)).text)
console.log(
  JSON.stringify({
    starved,
    after,
    stored: messages.map(({ subject }) => subject),
    flaws,
    words: body_text.slice(0, 6),
  }),
)
await service.close()
process.exit(0)
