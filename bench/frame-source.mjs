// Sends frames as fast as they are taken: the events of a log to a mailbox at /v1/realtime, the same bytes at /raw.
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

const at = '2026-01-31T12:00:00.000Z'
const inbox = { id: 'inb_bench', address: 'agent@mail.example' }
const text = 'The quick brown fox jumps over the lazy dog while the agent reads its mail. '.repeat(8)

const message = (seq) => ({
  id: `msg_${seq}`,
  thread_id: `thr_${seq % 1_000}`,
  inbox_id: inbox.id,
  direction: 'inbound',
  from_addr: 'ana@example.com',
  from_name: 'Ana',
  to_addrs: [inbox.address],
  cc_addrs: [],
  bcc_addrs: [],
  reply_to: [],
  subject: `Question ${seq}`,
  preview: text.slice(0, 200),
  delivery_status: 'received',
  delivery_detail: null,
  labels: [],
  label_ids: [],
  attachments: [],
  rfc822_message_id: `<${seq}@example.com>`,
  in_reply_to: null,
  references: [],
  auto_submitted: 'no',
  auto_reason: null,
  new_participant: false,
  authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none', from_verified: true },
  flaws: [],
  size: 2_000,
  sent_at: at,
  received_at: at,
  created_at: at,
  seq,
  reply_text: text,
})

const eventOf = (seq) => ({
  id: `evt_${seq}`,
  type: 'message.received',
  seq,
  inbox_id: inbox.id,
  created_at: at,
  data: message(seq),
})

const account = {
  tenant_id: 'ten_bench',
  name: 'Bench',
  onboarding_state: 'claimed',
  claimed_at: at,
  sending_enabled_at: at,
  unclaimed_expires_at: null,
  expired: false,
  capabilities: { receive: true, read: true, send: true, manage: true },
  limits: { inboxes: 10, received_messages: null, received_bytes: null },
  usage: { received_messages: 0, received_bytes: 0 },
  inboxes: [inbox],
  sending_status: 'enabled',
  sending_paused_at: null,
}

let head = 0
const pageOf = (query) => {
  const after = query.get('after')
  const from = after === 'now' ? head : Number(after)
  const to = Math.min(head, from + Number(query.get('limit') ?? 100))
  const events = Array.from({ length: to - from }, (_, i) => eventOf(from + 1 + i))
  return { events, from, to, head }
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const answer = pathname === '/v1/account' ? account : pageOf(searchParams)
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
})

/** Sends a burst, made before its time is taken, with no more on the way than the network takes. */
async function send(socket, count) {
  const first = head + 1
  const frames = Array.from({ length: count }, (_, i) => {
    const seq = first + i
    return `{"type":"event","prev":${seq - 1},"event":${JSON.stringify(eventOf(seq))}}`
  })
  head += count
  for (let i = 0; i < count; i += 100) {
    for (const frame of frames.slice(i, i + 100)) socket.send(frame)
    if (socket.bufferedAmount > 1_000_000)
      await new Promise((resolve) => socket.send('{"type":"ping"}', resolve))
  }
}

const sockets = new WebSocketServer({ server, perMessageDeflate: false })
let reader
sockets.on('connection', (socket, { url }) => {
  if (url === '/go') return socket.on('message', (data) => void send(reader, Number(data)))
  reader = socket
  socket.on('message', (data) => {
    const { type, after } = JSON.parse(data)
    if (type !== 'subscribe') return
    socket.send(JSON.stringify({ type: 'subscribed', after, head }))
    socket.send(JSON.stringify({ type: 'caught-up', prev: after, seq: head }))
  })
})

server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ host: `127.0.0.1:${server.address().port}` }))
})
process.on('SIGTERM', () => process.exit(0))
