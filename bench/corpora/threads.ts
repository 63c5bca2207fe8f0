import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createService, type Service } from '../../src/service'
import { count, type Row } from './row'

const conversations = 150
const quietly = { log: 'silent', http: '127.0.0.1:0', smtp: '127.0.0.1:0' } as const
const encoder = new TextEncoder()

interface Written {
  id: string
  references: string[]
  /** A program that leaves out References, as some do. */
  isShort: boolean
}

/** The same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** A tree: every mail answers one before it. */
function conversation(name: string, next: (below: number) => number): Written[] {
  const mails: Written[] = [{ id: `<${name}.0@example.com>`, references: [], isShort: false }]
  for (let at = 1; at < 2 + next(8); at++) {
    const parent = mails[next(mails.length)]!
    const references = [...parent.references, parent.id]
    mails.push({ id: `<${name}.${at}@example.com>`, references, isShort: next(4) === 0 })
  }
  return mails
}

function rawOf({ id, references, isShort }: Written, to: string, bytes = 0): Uint8Array<ArrayBuffer> {
  const parent = references.at(-1)
  const fields = [
    'From: Ann <ann@example.com>',
    `To: ${to}`,
    `Subject: ${parent ? 'Re: ' : ''}Plans`,
    `Message-ID: ${id}`,
    ...(parent ? [`In-Reply-To: ${parent}`] : []),
    ...(parent && !isShort ? [`References: ${references.join('\r\n ')}`] : []),
    'Date: Mon, 2 Nov 2026 10:00:00 +0000',
    'Content-Type: text/plain; charset=utf-8',
  ]
  const line = 'The quick brown fox jumps over the lazy dog, and then goes home to sleep.\r\n'
  const quoted = 'On Mon, 2 Nov 2026 at 09:00, Bob <bob@example.com> wrote:\r\n> Shall we?\r\n'
  const body = `${line.repeat(Math.ceil(bytes / line.length))}I am ${id}\r\n\r\n${quoted}`
  return encoder.encode(`${fields.join('\r\n')}\r\n\r\n${body}`)
}

async function withService<T>(work: (service: Service) => Promise<T>): Promise<T> {
  const data = await mkdtemp(join(tmpdir(), 'restante-corpora-'))
  const service = await createService({ data, ...quietly })
  try {
    return await work(service)
  } finally {
    await service.close()
    await rm(data, { recursive: true, force: true })
  }
}

async function placesOf(service: Service, key: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const url = `http://restante.test/v1/messages?limit=100${cursor && `&cursor=${cursor}`}`
    const answer = await service.fetch(new Request(url, { headers: { authorization: `Bearer ${key}` } }))
    const page = await answer.json()
    for (const message of page.messages) found.set(message.rfc822_message_id, message.thread_id)
    cursor = page.next_cursor
  }
  return found
}

/** Tells whether all mails of a conversation are in one thread, and no other mail is. */
function isThread(mails: readonly Written[], places: ReadonlyMap<string, string>): boolean {
  const threads = new Set(mails.map(({ id }) => places.get(id)))
  const others = [...places.values()].filter((thread) => threads.has(thread)).length
  return threads.size === 1 && others === mails.length
}

/** Conversations whose mail comes in any order, taken in by the service. */
export const threadRows = (): Promise<Row[]> =>
  withService(async (service) => {
    const next = numbers(7)
    const known = Array.from({ length: conversations }, (_, at) => conversation(`c${at}`, next))
    const { address, apiKey } = await service.home()
    const mails = known.flat()
    while (mails.length > 0) {
      const some = Array.from(
        { length: Math.min(20, mails.length) },
        () => mails.splice(next(mails.length), 1)[0]!,
      )
      const envelope = { mailFrom: 'ann@example.com', recipients: [address] }
      await Promise.all(some.map((mail) => service.receive(envelope, rawOf(mail, address))))
    }
    const places = await placesOf(service, apiKey)
    return [
      [
        'threads equal to the known ones',
        known.length,
        count(known, (one) => isThread(one, places)),
        `made by us: trees of 2 to 9 mails (${places.size} in all) that come in any order, a quarter of the answers without References`,
      ],
    ]
  })

/**
 * Mails of 4 KiB that the service takes in per second of CPU time, without the wire: parsed, put into their threads, on
 * disk.
 */
export const takenInPerSecond = (): Promise<number> =>
  withService(async (service) => {
    const { address } = await service.home()
    const envelope = { mailFrom: 'ann@example.com', recipients: [address] }
    const receive = (name: string) => {
      const mail = { id: `<${name}@example.com>`, references: ['<root@example.com>'], isShort: false }
      return service.receive(envelope, rawOf(mail, address, 3500))
    }
    const batch = (at: number) =>
      Promise.all(Array.from({ length: 100 }, (_, one) => receive(`${at}-${one}`)))
    for (let at = 0; at < 5; at++) await batch(at)
    const start = process.cpuUsage()
    for (let at = 5; at < 25; at++) await batch(at)
    const { user, system } = process.cpuUsage(start)
    return 2000 / ((user + system) / 1e6)
  })
