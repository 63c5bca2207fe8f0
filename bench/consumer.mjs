// Prints how many messages a second a loop with a named consumer handles and acknowledges, over HTTP and a database on disk.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Mailbox } from 'restante'
import { median } from './figures.mjs'
import { startProgram } from './processes.mjs'

const messages = 10_000
const perRound = 3_000
const rounds = 3

const data = await mkdtemp(join(tmpdir(), 'restante-bench-'))
const service = await startProgram([fileURLToPath(new URL('filled-service.mjs', import.meta.url)), data])
const { url, apiKey } = service.facts
const mailbox = await Mailbox.open({ url, apiKey })

const waiting = async (name) => (await mailbox.client.consumers.get({ name })).waiting

async function round(name) {
  const started = performance.now()
  let handled = 0
  for await (const message of mailbox.incoming({ consumer: name })) {
    if (message.text.length === 0) throw new Error('a message without a text')
    handled += 1
    if (handled < perRound) continue
    await message.ack()
    break
  }
  return (perRound / (performance.now() - started)) * 1_000
}

let figures
try {
  process.kill(service.pid, 'SIGUSR2')
  await mailbox.client.consumers.create({ name: 'filled' })
  while ((await waiting('filled')) < messages) await pause(200)
  await round('warm')
  const perSecond = []
  for (let i = 0; i < rounds; i++) perSecond.push(await round(`bench-${i}`))
  for (let i = 0; i < rounds; i++)
    if ((await waiting(`bench-${i}`)) !== messages - perRound) throw new Error('not all was acknowledged')
  figures = { perSecond: median(perSecond) }
} finally {
  await mailbox.close()
  await service.stop()
  await rm(data, { recursive: true })
}
console.log(JSON.stringify(figures))
