// A service on disk that takes as many mails in as it is told to by a signal, without a sender in its way.
import { createService } from 'restante/service'

const [data] = process.argv.slice(2)
const service = await createService({ data, http: '127.0.0.1:0', smtp: '127.0.0.1:0' })
const { url, smtp } = await service.listen()
const { address, apiKey } = await service.home()
console.log(JSON.stringify({ url, smtp, address, apiKey }))

const text = 'The quick brown fox jumps over the lazy dog while the agent reads its mail.\r\n'.repeat(8)
let sent = 0

async function takeIn(count) {
  const end = sent + count
  const one = async () => {
    while (sent < end) {
      const i = sent++
      const head = `From: Ana <ana@example.com>\r\nTo: ${address}\r\nSubject: Mail ${i}\r\nMessage-ID: <${i}@example.com>`
      const raw = new TextEncoder().encode(`${head}\r\n\r\n${text}`)
      await service.receive({ mailFrom: 'ana@example.com', recipients: [address] }, raw)
    }
  }
  await Promise.all(Array.from({ length: 200 }, one))
}

process.on('SIGUSR2', () => void takeIn(sent === 0 ? 10_000 : 50_000))
const alive = setInterval(() => {}, 60_000)
process.on('SIGTERM', async () => {
  clearInterval(alive)
  await service.close()
})
