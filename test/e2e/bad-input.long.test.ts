import { randomBytes } from 'node:crypto'
import { Mailbox } from 'restante'
import { expect, onTestFinished, test } from 'vitest'
import { type FloodMail, sendRaw, startFlood } from '../support/flood'
import { type ServiceProcess, startMeasured } from '../support/service-process'
import { temporaryFolder } from '../support/temporary-folder'
import { badFrames, badRequests, badUpgrades, halfRequests, type Wanted } from './bad-http'
import { badSmtp, brokenMails, halfMails } from './bad-smtp'
import { converse, hang, rubbish } from './bad-sockets'

const megabyte = 1024 * 1024
const rounds = 3

const goodMails: FloodMail[] = Array.from({ length: 400 }, (_, index) => {
  const messageId = `<good-${index}@example.com>`
  const text = `From: ana@example.com\r\nMessage-ID: ${messageId}\r\nSubject: ${index}\r\n\r\nGood ${index}\r\n`
  return { messageId, raw: Buffer.from(text) }
})

/** All requests that are refused, one after the other. */
async function sendBadRequests({ facts }: ServiceProcess, wanted: readonly Wanted[]): Promise<void> {
  for (const { what, path, status, error, method = 'POST', key = facts.api_key, body } of wanted) {
    const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
    const answer = await fetch(`${facts.url}${path}`, { method, headers, body: body?.() })
    const refusal = (await answer.json()) as { error: string; message: string }
    expect([answer.status, refusal.error], what).toEqual([status, error])
    expect(refusal.message, what).toMatch(/\w{3}/)
  }
}

/** Everything that is wrong, over every port, once. */
async function attack(service: ServiceProcess): Promise<void> {
  const { facts, httpPort, smtpPort } = service
  const overHttp = [...badUpgrades(facts.api_key), ...badFrames(facts.api_key)]
  const overSmtp = badSmtp(facts.address)
  await Promise.all([
    sendBadRequests(service, badRequests),
    ...overHttp.map(({ what, write, answer }) =>
      converse(httpPort, write).then((text) => expect(text, what).toMatch(answer)),
    ),
    ...overSmtp.map(({ what, write, answer }) =>
      converse(smtpPort, write).then((text) => expect(text, what).toMatch(answer)),
    ),
    ...rubbish().flatMap((bytes) => [converse(httpPort, [bytes]), converse(smtpPort, [bytes])]),
  ])
}

/** Sends a broken message, which is stored, or refused for its header. */
const sendBroken = (port: number, recipient: string, raw: Buffer): Promise<unknown> =>
  sendRaw(port, recipient, raw).catch((error) => expect(String(error)).toMatch(/550 5\.6\.0/))

test('a service that is given everything wrong at once still takes the mail that is right', async () => {
  const service = await startMeasured({ data: await temporaryFolder() })
  const { facts, smtpPort, httpPort } = service
  const { url, address, api_key: apiKey } = facts
  const mailbox = await Mailbox.open({ url, apiKey })
  onTestFinished(() => mailbox.close())
  const yielded: string[] = []
  const messages = mailbox.incoming({ unanswerable: true })
  const read = async () => {
    for await (const message of messages) yielded.push(message.record.rfc822_message_id ?? '')
  }
  void read()

  // Some hold what they began from the first to the last.
  const hanging = await Promise.all([
    ...halfRequests(apiKey).map((bytes) => hang(httpPort, bytes)),
    ...halfMails(address).map((bytes) => hang(smtpPort, bytes)),
  ])
  const broken = brokenMails()
  await sendRaw(smtpPort, address, goodMails[0]!.raw)
  await attack(service)
  const share = Math.ceil(goodMails.length / rounds)
  for (let round = 0; round < rounds; round++) {
    const mails = goodMails.slice(round * share, (round + 1) * share)
    const good = startFlood({ port: smtpPort, recipient: address, mails, connections: 2 })
    await Promise.all([
      good.done,
      attack(service),
      ...broken.map((raw) => sendBroken(smtpPort, address, raw)),
    ])
  }
  expect(service.running).toBe(true)
  // Bodies of 40 MB and mails of 26 MB are let go of, as soon as their connections are.
  const live = async () => (await service.memory()).live / megabyte
  await expect.poll(live).toBeLessThan(100)
  const resident = (await service.memory()).rss / megabyte
  const figures = `resident memory is ${resident.toFixed(0)} MB`
  expect(resident, figures).toBeLessThan(700)

  // Who hangs is in nobody's way, and what it began was not taken for a mail.
  for (const socket of hanging) expect(socket.readable, 'a socket that hangs is left alone').toBe(true)
  const wanted = goodMails.map(({ messageId }) => messageId)
  const goodYielded = () => yielded.filter((id) => id.startsWith('<good-'))
  await expect.poll(() => goodYielded().length).toBe(wanted.length)
  expect(goodYielded().toSorted()).toEqual(wanted.toSorted())
  const unsolicited = yielded.filter((id) => /hanging|refused/.test(id))
  expect(unsolicited).toEqual([])

  const fresh = `<fresh-${randomBytes(4).toString('hex')}@example.com>`
  await sendRaw(smtpPort, address, Buffer.from(`From: a@example.com\r\nMessage-ID: ${fresh}\r\n\r\nHi\r\n`))
  await expect.poll(() => yielded.at(-1)).toBe(fresh)
  const inbound = await countInbound(mailbox)
  // The broken ones are repeats of each other from round to round where they have a Message-ID.
  expect(inbound).toBe(yielded.length)
  const answer = await fetch(`${url.replace('/v1', '')}/healthz`)
  expect(answer.status).toBe(200)
  expect(service.complaints).toBe('')
  for (const socket of hanging) socket.destroy()
  expect(await service.end('SIGTERM')).toBe(0)
  console.info(figures)
})

async function countInbound({ client }: Mailbox): Promise<number> {
  let count = 0
  let cursor: string | undefined
  do {
    const page = await client.messages.list({ direction: 'inbound', limit: 100, cursor })
    count += page.messages.length
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return count
}
