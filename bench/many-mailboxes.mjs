// Prints what 1,000 mailboxes, each of an account of its own, cost on one service, and how soon they wake.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Mailbox } from 'restante'
import { percentile } from './figures.mjs'
import { residentMb, startProgram } from './processes.mjs'
import { signUp } from './sign-up.mjs'
import { openDialogue } from './smtp-dialogue.mjs'

const count = 1_000
const atOnce = 20
const mails = 400
const warmUp = 100
/** Sockets that are opened before it is counted: a process sets memory aside for its first ones. */
const first = 200

const data = await mkdtemp(join(tmpdir(), 'restante-bench-'))
const service = await startProgram([fileURLToPath(new URL('service.mjs', import.meta.url)), data])
const { url, smtp } = service.facts

async function each(count, work) {
  const results = []
  const one = async () => {
    while (results.length < count) {
      const at = results.push(null) - 1
      results[at] = await work(at)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return results
}

async function wakeLatencies(agents, mailboxes) {
  const { socket, begin, reply } = await openDialogue(smtp)
  const latencies = []
  for (let i = 0; i < warmUp + mails; i++) {
    const at = (i * 7) % count
    const incoming = mailboxes[at].incoming()
    await begin('ana@example.com', agents[at].address)
    const woken = incoming.next()
    const sent = performance.now()
    const head = `From: Ana <ana@example.com>\r\nTo: agent\r\nSubject: Mail ${i}\r\nMessage-ID: <many-${i}@example.com>`
    socket.write(`${head}\r\n\r\n${'Some words of a mail.\r\n'.repeat(100)}.\r\n`)
    await woken
    if (i >= warmUp) latencies.push(performance.now() - sent)
    await reply()
    await incoming.return()
  }
  socket.end()
  return latencies
}

let figures
try {
  const agents = await each(count, () => signUp(url))
  const open = ({ apiKey }) => Mailbox.open({ url, apiKey, openTimeoutMs: 60_000 })
  const mailboxes = await each(first, (at) => open(agents[at]))
  const memory = async () => {
    await pause(2_000)
    return { service: residentMb(service.pid), own: residentMb(process.pid) }
  }
  const before = await memory()
  mailboxes.push(...(await each(count - first, (at) => open(agents[first + at]))))
  const after = await memory()
  const kbEach = (side) => Math.max(0, (after[side] - before[side]) * 1_024) / (count - first)
  const latencies = await wakeLatencies(agents, mailboxes)
  figures = {
    serviceKb: kbEach('service'),
    ownKb: kbEach('own'),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  }
  await Promise.all(mailboxes.map((mailbox) => mailbox.close()))
} finally {
  await service.stop()
  await rm(data, { recursive: true })
}
console.log(JSON.stringify(figures))
