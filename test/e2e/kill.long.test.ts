import { randomBytes } from 'node:crypto'
import { Mailbox } from 'restante'
import type { MessageSummary } from 'restante/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '../../src/testing/virtual-clock'
import { type Flood, type FloodMail, startFlood } from '../support/flood'
import { smtpSinkIsMissing, startSmtpSink } from '../support/postfix'
import { powerFolder } from '../support/power-loss'
import { isMissing } from '../support/program'
import { seed } from '../support/seed'
import { type ServiceProcess, startDev } from '../support/service-process'
import { temporaryFolder } from '../support/temporary-folder'

/** Every hundredth mail is too large for the database and lies in a file. */
const sizeOf = (index: number) => (index % 100 === 50 ? 100_000 : 2_000)

function makeMails(count: number): FloodMail[] {
  return Array.from({ length: count }, (_, index) => {
    const messageId = `<flood-${index}@example.com>`
    const body = `${index} ${randomBytes(sizeOf(index) / 2).toString('hex')}`.replace(/.{70}/g, '$&\r\n')
    const head = `From: ana@example.com\r\nSubject: ${index}\r\nMessage-ID: ${messageId}\r\n`
    return { messageId, raw: Buffer.from(`${head}\r\n${body}\r\n`) }
  })
}

async function openMailbox({ facts }: ServiceProcess): Promise<Mailbox> {
  const mailbox = await Mailbox.open({ url: facts.url, apiKey: facts.api_key })
  onTestFinished(() => mailbox.close())
  return mailbox
}

/** Collects the ids that a loop is given, until the test ends. */
function readIncoming(mailbox: Mailbox): string[] {
  const yielded: string[] = []
  const messages = mailbox.incoming()
  const read = async () => {
    for await (const message of messages) yielded.push(message.id)
  }
  void read()
  return yielded
}

/** Everything that the service has, the oldest first. */
async function listAll({ client }: Mailbox, direction: 'inbound' | 'outbound'): Promise<MessageSummary[]> {
  const all: MessageSummary[] = []
  let cursor: string | undefined
  do {
    const page = await client.messages.list({ direction, order: 'asc', limit: 100, cursor })
    all.push(...page.messages)
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return all
}

async function readLog({ client }: Mailbox) {
  const events: { seq: number; type: string; data: Record<string, unknown> }[] = []
  for (let after = 0, head = 1; after < head; ) {
    const page = await client.events.list({ after, limit: 500 })
    events.push(...page.events)
    after = page.to
    head = page.head
  }
  return events
}

function countOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const dense = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
async function startAgain(service: ServiceProcess, options: object, env = {}): Promise<ServiceProcess> {
  const { smtp, url } = service.facts
  const next = await startDev({ ...options, smtp, http: new URL(url).host }, env)
  // The link that signs in at the console is a process's own.
  const { sign_in_url } = next.facts as { sign_in_url?: string }
  expect(next.facts).toEqual({ ...service.facts, sign_in_url })
  return next
}
async function restart(service: ServiceProcess, data: string, options = {}): Promise<ServiceProcess> {
  await service.end('SIGKILL')
  return startAgain(service, { ...options, data })
}

/** Checks a flood once it is over: each mail is there once, as it was sent, and was told once. */
async function expectEverythingOnce(
  flood: Flood,
  mails: readonly FloodMail[],
  mailbox: Mailbox,
  yielded: readonly string[],
  figures: () => string,
): Promise<void> {
  const stored = await listAll(mailbox, 'inbound')
  const times = countOf(stored.map((one) => one.rfc822_message_id!))
  const lost = mails.filter((mail) => !times.has(mail.messageId)).map((mail) => mail.messageId)
  const doubled = [...times].filter(([, n]) => n > 1)
  expect({ lost, doubled, count: times.size }, figures()).toEqual({
    lost: [],
    doubled: [],
    count: mails.length,
  })
  for (const { rfc822_message_id, id } of stored)
    expect(flood.accepted.get(rfc822_message_id!), figures()).toBe(`2.0.0 Accepted as ${id}`)
  const events = await readLog(mailbox)
  expect(
    events.map((event) => event.seq),
    figures(),
  ).toEqual(dense(events.length))
  const sample = stored.filter((one) => Number(one.subject) % 50 === 0)
  for (const { id, subject } of sample) {
    const raw = await mailbox.client.messages.raw({ id })
    expect(Buffer.from(raw).equals(mails[Number(subject)]!.raw), `${subject} ${figures()}`).toBe(true)
  }
  await expect.poll(() => yielded.length).toBeGreaterThanOrEqual(stored.length)
  expect(yielded, figures()).toEqual(stored.map((one) => one.id))
}

test.skipIf(isMissing('cc'))(
  'a machine that loses its power in a flood keeps every mail it said 250 to, once, and its keys',
  async () => {
    const random = seededRandom(seed)
    const mails = makeMails(300)
    const disk = await powerFolder()
    let service = await startDev({ data: disk.path }, disk.env)
    const mailbox = await openMailbox(service)
    const yielded = readIncoming(mailbox)
    const flood = startFlood({ port: service.smtpPort, recipient: service.facts.address, mails })
    const figures = () =>
      `RESTANTE_TEST_SEED=${seed}, accepted ${flood.accepted.size}, repeated ${flood.repeated.size}`
    for (const count of [20, 120, 220]) {
      await flood.untilAccepted(count + Math.floor(random() * 60))
      await service.end('SIGKILL')
      await disk.lose(random)
      service = await startAgain(service, { data: disk.path }, disk.env)
      flood.resume()
    }
    await flood.done
    await expectEverythingOnce(flood, mails, mailbox, yielded, figures)
    expect(service.complaints).not.toContain('Nobody wrote down')
  },
  300_000,
)

describe('a service that is killed', () => {
  test('in a flood keeps every mail it said 250 to, once; a mailbox carries on by itself', async () => {
    const random = seededRandom(seed)
    const killAt = [300 + Math.floor(random() * 500), 1_100 + Math.floor(random() * 600)]
    const mails = makeMails(2_000)
    const data = await temporaryFolder()
    let service = await startDev({ data })
    const mailbox = await openMailbox(service)
    const yielded = readIncoming(mailbox)
    const seqs: number[] = []
    mailbox.on('event', ({ seq }) => seqs.push(seq))
    const before = mailbox.state.cursor

    const flood = startFlood({ port: service.smtpPort, recipient: service.facts.address, mails })
    const figures = () =>
      `RESTANTE_TEST_SEED=${seed} kills at ${killAt}, accepted ${flood.accepted.size}, repeated ${flood.repeated.size}, yielded ${yielded.length}`
    for (const count of killAt) {
      await flood.untilAccepted(count)
      service = await restart(service, data)
      flood.resume()
    }
    await flood.done
    await expectEverythingOnce(flood, mails, mailbox, yielded, figures)
    expect(seqs, figures()).toEqual(dense(seqs.length).map((n) => n + before))
    expect(service.complaints).toBe('')
    console.info(figures())
  })

  test.skipIf(smtpSinkIsMissing())(
    'while it answers sends each reply, and twice only what was on its way',
    async () => {
      const count = 80
      // Each mail takes a second or more to be taken, so that a kill finds many on their way.
      const sink = await startSmtpSink(['-W', '.:1:40'])
      const options = { delivery: `smtp://127.0.0.1:${sink.port}` }
      const data = await temporaryFolder()
      let service = await startDev({ ...options, data })
      const mailbox = await openMailbox(service)
      const sentEvents: string[] = []
      let onSent = () => {}
      mailbox.on('event', (event) => {
        if (event.type === 'message.sent') sentEvents.push(String(event.data.rfc822_message_id))
        onSent()
      })
      const untilSent = (wanted: number) =>
        new Promise<void>((resolve) => {
          onSent = () => {
            if (sentEvents.length >= wanted) resolve()
          }
          onSent()
        })
      const replies: Promise<string>[] = []
      const messages = mailbox.incoming()
      const answer = async () => {
        for await (const message of messages) {
          const text = `You wrote ${message.subject}`
          replies.push(message.reply({ text }).then(({ messageId }) => messageId))
        }
      }
      void answer()

      const mails = makeMails(count)
      const flood = startFlood({ port: service.smtpPort, recipient: service.facts.address, mails })
      const knownSent: Set<string>[] = []
      for (const wanted of [15, 45]) {
        await untilSent(wanted)
        service = await restart(service, data, options)
        // What was told as sent is committed, and never sent again.
        knownSent.push(new Set(sentEvents))
        flood.resume()
      }
      await flood.done
      await untilSent(count)
      const messageIds = await Promise.all(replies)
      const arrived = (await sink.mails()).map(({ content }) => /^Message-ID: (\S+)/im.exec(content)![1]!)
      const times = countOf(arrived)
      const figures = `${arrived.length} arrived for ${count} replies, ${knownSent.map((one) => one.size)} sent before the kills`
      expect([...times.keys()].toSorted(), figures).toEqual(messageIds.toSorted())
      expect(new Set(messageIds).size, figures).toBe(count)
      expect(sentEvents.toSorted(), figures).toEqual(messageIds.toSorted())
      const twice = [...times].filter(([, n]) => n > 1).map(([id]) => id)
      for (const id of knownSent[0]!) expect(twice, figures).not.toContain(id)
      for (const [, n] of times) expect(n, figures).toBeLessThanOrEqual(1 + knownSent.length)
      // The worker has at most 20 on their way at a time.
      expect(arrived.length - count, figures).toBeLessThanOrEqual(20 * knownSent.length)
      expect(await listAll(mailbox, 'outbound'), figures).toHaveLength(count)
      console.info(figures)
    },
  )
})

test('mail of senders that die after the dot and send again at once is kept once', async () => {
  const mails = makeMails(200)
  const service = await startDev({ data: await temporaryFolder() })
  const mailbox = await openMailbox(service)
  const yielded = readIncoming(mailbox)
  const { smtpPort: port, facts } = service
  const flood = startFlood({ port, recipient: facts.address, mails, hangUpOn: (index) => index % 2 === 0 })
  await flood.done
  const figures = () => `repeated ${flood.repeated.size}, yielded ${yielded.length}`
  await expectEverythingOnce(flood, mails, mailbox, yielded, figures)
})
