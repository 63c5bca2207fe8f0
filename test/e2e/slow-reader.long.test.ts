import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Mailbox } from 'restante'
import type { ServerFrame } from 'restante/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { type FloodMail, startFlood } from '../support/flood'
import { type ServiceProcess, startMeasured } from '../support/service-process'
import { startSlowWire } from '../support/slow-wire'
import { temporaryFolder } from '../support/temporary-folder'

const megabyte = 1024 * 1024
const count = 5_000
/** Long enough that what five readers do not read is far more than the sockets of the system hold. */
const line = `${'x'.repeat(70)}\r\n`.repeat(45)

const mails: FloodMail[] = Array.from({ length: count }, (_, index) => {
  const messageId = `<slow-${index}@example.com>`
  const raw = Buffer.from(
    `From: a@example.com\r\nMessage-ID: ${messageId}\r\nSubject: ${index}\r\n\r\n${line}`,
  )
  return { messageId, raw }
})

interface PausedReader {
  resume(): void
  /** The positions of the events that came, and whether each said which was before it. */
  readonly seqs: number[]
  readonly holes: string[]
}

/** A bare socket that subscribes to everything and then reads no more; where it was given up, it comes back. */
async function openPaused({ facts }: ServiceProcess): Promise<PausedReader> {
  const url = `${facts.url.replace('http', 'ws')}/realtime`
  const seqs: number[] = []
  const holes: string[] = []
  let covered = 0
  let finished = false
  let socket: WebSocket
  onTestFinished(() => {
    finished = true
    socket.terminate()
  })
  const connect = (after: number | 'now') =>
    new Promise<void>((resolve) => {
      socket = new WebSocket(url, { headers: { authorization: `Bearer ${facts.api_key}` } })
      socket.on('error', () => {})
      socket.on('open', () => socket.send(JSON.stringify({ type: 'subscribe', after })))
      socket.on('close', () => !finished && void connect(covered))
      socket.on('message', (data) => {
        const frame = JSON.parse(data.toString()) as ServerFrame
        if (frame.type === 'event') {
          const event = frame.event as { seq: number }
          if (seqs.length > 0 && frame.prev !== covered) holes.push(`${frame.prev} after ${covered}`)
          covered = event.seq
          seqs.push(event.seq)
        }
        if (frame.type === 'caught-up') {
          covered = frame.seq as number
          resolve()
        }
      })
    })
  await connect('now')
  socket!.pause()
  return { resume: () => socket.resume(), seqs, holes }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** A mailbox whose loop rests, in this process. */
async function openResting({ facts }: ServiceProcess) {
  const bounds = { readAhead: 100, maxCacheBytes: megabyte }
  const mailbox = await Mailbox.open({ url: facts.url, apiKey: facts.api_key, ...bounds })
  onTestFinished(() => mailbox.close())
  const messages = mailbox.incoming()
  return {
    mailbox,
    /** The live memory of this process, in bytes. */
    memory() {
      collectGarbage()
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    },
    async take(max: number): Promise<string[]> {
      const subjects: string[] = []
      while (subjects.length < max) subjects.push((await messages.next()).value!.subject)
      return subjects
    },
  }
}

async function subjectsInLog({ client }: Mailbox): Promise<unknown[]> {
  const subjects: unknown[] = []
  for (let after = 0, head = 1; after < head; ) {
    const page = await client.events.list({ after, limit: 500, types: 'message.received' })
    subjects.push(...page.events.map(({ data }) => data.subject))
    after = page.to
    head = page.head
  }
  return subjects
}

test('S7: readers that stop, and loops that rest, cost no memory, and get everything in order when they go on', async () => {
  const service = await startMeasured({ data: await temporaryFolder() })
  const { facts, smtpPort, httpPort } = service
  const wire = await startSlowWire(httpPort)
  const mailbox = await Mailbox.open({
    url: `http://127.0.0.1:${wire.port}/v1`,
    apiKey: facts.api_key,
    source: 'socket',
  })
  onTestFinished(() => mailbox.close())
  const messages = mailbox.incoming()
  const subjects: string[] = []
  const read = async () => {
    for await (const message of messages) subjects.push(message.subject)
  }
  void read()

  // What is made once, such as caches and compiled code, is there before the measurement begins.
  const flood = (some: readonly FloodMail[]) =>
    startFlood({ port: smtpPort, recipient: facts.address, mails: some }).done
  await flood(mails.slice(0, 500))
  await expect.poll(() => subjects.length).toBe(500)
  const paused = await Promise.all(Array.from({ length: 5 }, () => openPaused(service)))
  wire.hold()
  const resting = await openResting(service)
  const before = await service.memory()
  const restingBefore = resting.memory()

  await flood(mails.slice(500))
  const after = await service.memory()
  const grown = (after.live - before.live) / megabyte
  const resident = (after.rss - before.rss) / megabyte
  const { messages: newest } = await resting.mailbox.client.messages.list({ limit: 1 })
  const head = Number(newest[0]!.seq)
  await expect.poll(() => resting.mailbox.state.cursor).toBe(head)
  const rested = (resting.memory() - restingBefore) / megabyte
  const figures = `live memory grew by ${grown.toFixed(1)} MB, resident by ${resident.toFixed(0)} MB to ${(after.rss / megabyte).toFixed(0)}; that of a mailbox whose loop rests by ${rested.toFixed(1)} MB`
  expect(subjects.length, figures).toBe(500)
  // What a reader does not take is hardly held. All that they did not read is some 100 MB.
  expect(grown, figures).toBeLessThan(50)
  expect(after.rss / megabyte, figures).toBeLessThan(500)

  // It has heard of all of it, which is some 30 MB.
  expect(rested, figures).toBeLessThan(10)

  wire.release()
  for (const reader of paused) reader.resume()
  await expect.poll(() => subjects.length).toBe(count)
  for (const { seqs, holes } of paused) {
    await expect.poll(() => seqs.at(-1)).toBe(head)
    expect(seqs).toEqual(seqs.map((_, i) => seqs[0]! + i))
    expect(holes).toEqual([])
  }
  expect(new Set(subjects).size).toBe(count)
  expect(subjects).toEqual(await subjectsInLog(mailbox))
  expect(await resting.take(count - 500)).toEqual(subjects.slice(500))
  expect(service.complaints).toBe('')
  console.info(figures)
})
