// Prints what realtime sockets cost the service: 8,000 that are idle, and 1,000 that ask for everything and read nothing.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { residentMb, startProgram } from './processes.mjs'
import { openDialogue } from './smtp-dialogue.mjs'

const idle = 8_000
const hostile = 1_000
const atOnce = 50
/** Sockets that are opened before it is counted: a process sets memory aside for its first ones. */
const first = 200
const mails = 300
const text = `${'x'.repeat(70)}\r\n`.repeat(400)
/** Seconds for which the hostile sockets go on. */
const seconds = 20

const data = await mkdtemp(join(tmpdir(), 'restante-bench-'))
const anyNumber = {
  RESTANTE_MAX_SOCKETS_PER_KEY: '20000',
  RESTANTE_MAX_SOCKETS_PER_ACCOUNT: '20000',
  RESTANTE_REQUESTS_PER_MINUTE: '1000000',
}
const service = await startProgram([fileURLToPath(new URL('service.mjs', import.meta.url)), data], anyNumber)
const { url, smtp, address, apiKey } = service.facts

function connect() {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime`, {
    headers: { authorization: `Bearer ${apiKey}` },
    perMessageDeflate: false,
  })
  socket.on('error', () => {})
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })
}

async function connectMany(count, begin) {
  const sockets = []
  for (let left = count; left > 0; left -= atOnce) {
    const some = await Promise.all(Array.from({ length: Math.min(atOnce, left) }, connect))
    for (const socket of some) begin(socket)
    sockets.push(...some)
  }
  return sockets
}

const subscribe = (after) => JSON.stringify({ type: 'subscribe', after })
const listen = (socket) => {
  socket.on('message', (frame) => {
    if (JSON.parse(frame.toString()).type === 'ping') socket.send('{"type":"pong"}')
  })
  socket.send(subscribe('now'))
}
const endAll = async (sockets) => {
  for (const socket of sockets) socket.terminate()
  await pause(2_000)
}

async function idleKb() {
  const few = await connectMany(first, listen)
  await pause(2_000)
  const before = residentMb(service.pid)
  const many = await connectMany(idle, listen)
  await pause(5_000)
  const kilobytes = ((residentMb(service.pid) - before) * 1_024) / idle
  await endAll([...few, ...many])
  return kilobytes
}

async function fill() {
  const { socket, begin, reply } = await openDialogue(smtp)
  for (let i = 0; i < mails; i++) {
    await begin('ana@example.com', address)
    socket.write(`From: ana@example.com\r\nTo: agent\r\nMessage-ID: <s${i}@example.com>\r\n\r\n${text}.\r\n`)
    await reply()
  }
  socket.end()
}

/** They take the place of those that were closed, and how much more memory there was at most. */
async function hostileMb() {
  const before = residentMb(service.pid)
  let max = before
  let closed = 0
  const ask = (socket) => {
    socket.pause()
    socket.on('close', () => (closed += 1))
    socket.send(subscribe(0))
  }
  const sockets = await connectMany(hostile, ask)
  const endsAtMs = Date.now() + seconds * 1_000
  while (Date.now() < endsAtMs) {
    for (const socket of sockets) if (socket.readyState === WebSocket.OPEN) socket.send(subscribe(0))
    const startedMs = performance.now()
    await fetch(url.replace('/v1', '/healthz'))
    slowestMs = Math.max(slowestMs, performance.now() - startedMs)
    max = Math.max(max, residentMb(service.pid))
    await pause(500)
  }
  await endAll(sockets)
  return { mb: max - before, closed }
}

let slowestMs = 0
try {
  const idleSocketKb = await idleKb()
  await fill()
  const { mb } = await hostileMb()
  console.log(JSON.stringify({ idleSocketKb, hostileMb: mb, healthMs: slowestMs }))
} finally {
  await service.stop()
  await rm(data, { recursive: true })
}
