// How long a mail that one node commits takes to reach a socket at another, on one PostgreSQL.
//   node bench/node-wakes.mjs postgres://…   (after npm run build)
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createService } from 'restante/service'

const [url = process.env.RESTANTE_TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/test', times = '200'] =
  process.argv.slice(2)
const schema = `bench_${randomUUID().replaceAll('-', '').slice(0, 12)}`
const client = new pg.Client({ connectionString: url })
await client.connect()
await client.query(`create schema ${schema}`)

const databaseUrl = `${url}?options=-c%20search_path%3D${schema}`
const openNode = () => createService({ databaseUrl, secret: 'only for this measurement', log: 'silent' })
const [first, second] = [await openNode(), await openNode()]
const { address, apiKey } = await first.home()
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
await pause(1_000)

const socket = second.socket({ apiKey })
let onMail = () => {}
socket.onmessage = ({ data }) => {
  const frame = JSON.parse(data)
  if (frame.type === 'event' && frame.event.type === 'message.received') onMail()
}
await new Promise((resolve) => {
  socket.onopen = resolve
})
socket.send(JSON.stringify({ type: 'subscribe', after: 'now' }))
await pause(200)

const raw = new TextEncoder().encode('From: ana@example.com\r\nSubject: Hello\r\n\r\nHi\r\n')
const took = []
for (let i = 0; i < Number(times); i++) {
  const arrived = new Promise((resolve) => {
    onMail = resolve
  })
  await first.receive({ mailFrom: 'ana@example.com', recipients: [address] }, new Uint8Array(raw))
  const committed = performance.now()
  await arrived
  took.push(performance.now() - committed)
  await pause(Math.random() * 20)
}
took.sort((a, b) => a - b)
const at = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))].toFixed(1)
console.log(
  `from commit at one node to event at another, ${took.length} mails: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
)

await first.close()
await second.close()
await client.query(`drop schema ${schema} cascade`)
await client.end()
