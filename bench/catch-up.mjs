// Prints what a mailbox costs whose loop is slow, and one that comes back to 100,000 events. Run with --expose-gc.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Mailbox } from 'restante'
import { WebSocket } from 'ws'
import { startProgram } from './processes.mjs'

const cacheMb = 8
const data = await mkdtemp(join(tmpdir(), 'restante-bench-'))
const service = await startProgram([fileURLToPath(new URL('filled-service.mjs', import.meta.url)), data])
const { url, apiKey } = service.facts

const heapMb = () => {
  globalThis.gc()
  return process.memoryUsage().heapUsed / 2 ** 20
}

let away = false
const sockets = new Set()
const network = {
  url,
  apiKey,
  maxCacheBytes: cacheMb * 2 ** 20,
  fetch: (...request) => (away ? Promise.reject(new TypeError('away')) : fetch(...request)),
  openSocket({ url: address, apiKey: key }) {
    if (away) throw new TypeError('away')
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${key}` } })
    sockets.add(socket)
    return socket
  },
}

/** Resolves once the log has grown by so many events. */
async function grown(client, from, count) {
  for (;;) {
    const { to } = await client.events.list({ after: 'now' })
    if (to >= from + count) return to
    await pause(100)
  }
}

async function slowBody() {
  const mailbox = await Mailbox.open(network)
  const ends = new AbortController()
  const incoming = mailbox.incoming({ signal: ends.signal })
  let taken = 0
  const loop = (async () => {
    for await (const _ of incoming) {
      taken += 1
      await pause(1_000)
    }
  })().catch(() => {})
  const from = mailbox.state.cursor
  process.kill(service.pid, 'SIGUSR2')
  // Where the cache is full and the buffer of the loop too.
  while (mailbox.state.cursor < from + 8_000) await pause(20)
  const before = heapMb()
  const to = await grown(mailbox.client, from, 20_000)
  while (mailbox.state.cursor < to) await pause(20)
  await pause(1_000)
  const slowBodyMb = heapMb() - before
  ends.abort()
  await loop
  await mailbox.close()
  if (taken > 200) throw new Error(`the body was not slow: it took ${taken}`)
  return { slowBodyMb }
}

async function comeBack() {
  const mailbox = await Mailbox.open({ ...network, source: 'socket' })
  const incoming = mailbox.incoming()
  let taken = 0
  const loop = (async () => {
    for await (const _ of incoming) taken += 1
  })()
  const from = mailbox.state.cursor
  away = true
  for (const socket of sockets) socket.terminate()
  process.kill(service.pid, 'SIGUSR2')
  away = false
  const asked = Mailbox.open({ ...network, openSocket: undefined, fetch: undefined })
  away = true
  const beside = await asked
  const to = await grown(beside.client, from, 100_000)
  await beside.close()
  const before = heapMb()
  const rssBefore = process.memoryUsage().rss
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss - rssBefore)
  }, 10)
  away = false
  while (mailbox.state.cursor === from) await pause(1)
  const started = performance.now()
  while (mailbox.state.cursor < to) await pause(5)
  const seconds = (performance.now() - started) / 1_000
  while (taken < (to - from) / 2) await pause(5)
  const loopSeconds = (performance.now() - started) / 1_000
  clearInterval(watch)
  const heldMb = heapMb() - before
  await mailbox.close()
  await loop
  return { events: to - from, seconds, loopSeconds, peakMb: peak / 2 ** 20, heldMb }
}

let figures
try {
  figures = { cacheMb, ...(await slowBody()), ...(await comeBack()) }
} finally {
  await service.stop()
  await rm(data, { recursive: true })
}
console.log(JSON.stringify(figures))
