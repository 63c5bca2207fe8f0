// A worker of `npm run soak`: answers every message of a consumer, and tells its parent of each. A share of its bodies
// throws, before the answer or after it. With several keys it has a mailbox for each.
import { setTimeout as sleep } from 'node:timers/promises'
import { Mailbox } from 'restante'

const { SOAK_URL: url, SOAK_KEY: keys, SOAK_CONSUMER: consumer, SOAK_KIND: kind } = process.env
const throwingShare = Number(process.env.SOAK_THROWING_SHARE ?? 0.02)
class Mishap extends Error {}

// A small cache is full soon: from then on memory is flat, or something leaks.
const maxCacheBytes = 4 * 1024 * 1024
const open = (apiKey) => Mailbox.open({ url, apiKey, maxCacheBytes, openTimeoutMs: 10 * 60_000 })
const tell = ({ code, message }) => process.send({ error: `${code}: ${message}` })

const now = () => performance.timeOrigin + performance.now()
const perhapsThrow = () => {
  if (Math.random() < throwingShare / 2) throw new Mishap()
}
async function handle(message) {
  const { id, threadId, subject, record } = message
  process.send({ handled: { id, threadId, subject, seq: record.seq, atMs: now() } })
  perhapsThrow()
  // In other words each time, as a model answers.
  const answer = { text: `Answer to ${subject}, by ${process.pid} at ${now()}` }
  const sent = await message.reply(answer).catch((error) => {
    // What a program wrote has no answer, and is done with.
    if (error.code !== 'automatic_mail') throw error
  })
  if (sent) process.send({ replied: { idempotent: sent.idempotent } })
  perhapsThrow()
}
const afterFailure = (error) => {
  if (error instanceof Mishap) process.send({ mishap: true })
  else tell(error)
}

process.on('message', () => {
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send({ memory: { heapUsed, external, rss } })
})

/** Tells how long it took until a mailbox whose connection was lost was live again. */
function tellWhenLive(mailbox) {
  let lostMs
  mailbox.on('state', ({ status, source }) => {
    if (status === 'stale') lostMs ??= now()
    else if (status === 'live' && lostMs !== undefined) {
      process.send({ live: { afterMs: now() - lostMs, source } })
      lostMs = undefined
    }
  })
}

const concurrency = Number(process.env.SOAK_CONCURRENCY ?? 10)
async function loop(mailbox) {
  for (;;) {
    try {
      for await (const message of mailbox.incoming({ consumer })) await handle(message)
    } catch (error) {
      afterFailure(error)
      if (!(error instanceof Mishap)) await sleep(200)
    }
  }
}

for (const key of keys.split(',')) {
  const mailbox = await open(key)
  mailbox.on('error', tell)
  tellWhenLive(mailbox)
  if (kind === 'run') mailbox.run(handle, { consumer, concurrency, onError: afterFailure })
  else void loop(mailbox)
}
process.send({ ready: true })
