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

/** Values of In-Reply-To and References that lead nowhere, whoever shares them. */
const leadsNowhere = [
  'yes',
  '<yes>',
  '<y>',
  '<no>',
  'n',
  'none',
  '<none>',
  '[PATCH v2 0/3]',
  'Your message',
  'Your message of "Mon, 3 Jan 2000 10:00:00 EST."',
  'message from Ann Lee <ann.lee@kernel.example> of Mon, 3 Jan 2000 10:00:00 +0100',
  'Message from Ann Lee <ann.lee@kernel.example> of "Mon, 3 Jan 2000 10:00:00 EST."',
  'message from Ann Lee on Mon, Jan 03, 2000 at 10:00:00AM -0500',
  "Mail from 'Ann Lee <ann.lee@kernel.example>' dated: Mon, 3 Jan 2000",
  '<ann.lee@kernel.example>\'s message of "Mon, 3 Jan 2000 10:00:00 EST"',
  'ann.lee@kernel.example\'s message of "Mon, 3 Jan 2000 10:00:00 EST"',
  'ann.lee@kernel.example (Ann Lee) of 3 Jan',
  'ann.lee@kernel.example',
  'Ann Lee <ann.lee@kernel.example> wrote on Monday',
  'from "Ann Lee" at Jan 3, 2000 10:00:00 am',
  '<>',
  '<@>',
  'a letter by ann.lee@kernel.example to <bob.ray@kernel.example>',
]

/** What programs of all years write to refer to a mail; `ID` stands for it. */
const leadsThere = [
  '<ID>',
  ' <ID>',
  '<ID> (Ann Lee\'s message of "Mon, 3 Jan 2000 10:00:00 -0500")',
  '<ID> (message from Ann Lee on Mon, 3 Jan 2000)',
  "<ID> (ann.lee@kernel.example's message of Mon)",
  '<ID>; from ann.lee@kernel.example on Mon, Jan 03, 2000 at 10:00:00AM -0500',
  '<ID>; from Ann Lee <ann.lee@kernel.example> on Mon, Jan 03, 2000',
  '<ID> from "Ann Lee" at Jan 3, 2000 10:00:00 am',
  'Your message of "Mon, 3 Jan 2000 10:00:00 EST." <ID>',
  'Your message of Mon, 3 Jan 2000 10:00:00 -0500. <ID>',
  'Message from Ann Lee <ann.lee@kernel.example> of "Mon, 3 Jan 2000 10:00:00 EST." <ID>',
  'Message from ann.lee@kernel.example (Ann Lee) of "Mon, 3 Jan 2000 10:00:00 EST." <ID>',
  '"Ann Lee"\'s message of "03 Jan 2000 10:00:00 -0500" <ID>',
  '<ID>,',
  '<ID> <other.1@kernel.example>',
  '<other.2@kernel.example>,<ID>',
  '<other.3@kernel.example>\r\n\t<ID>',
  '(reply) <ID>',
  '< ID >',
  '<<ID>>',
]

async function oddRows(service: Service): Promise<Row[]> {
  const { address, apiKey } = await service.home()
  const write = (id: string, from: string, value: string) => {
    const head = `From: ${from}\r\nTo: ${address}\r\nMessage-ID: <${id}>\r\nIn-Reply-To: ${value}`
    const raw = `${head}\r\nReferences: ${value}\r\nSubject: About ${id}\r\n\r\nI am ${id}\r\n`
    return service.receive({ mailFrom: from, recipients: [address] }, encoder.encode(raw))
  }
  for (const [at, value] of leadsNowhere.entries())
    for (const one of ['ann', 'bob'])
      await write(`odd.${at}.${one}@x.example`, `${one}@${one}.example`, value)
  for (const [at, value] of leadsThere.entries()) {
    const id = `q8rootfsf${at}@y.example`
    await write(id, 'ann@ann.example', '')
    await write(`old.${at}@x.example`, 'bob@bob.example', value.replace('ID', id))
  }
  const places = await placesOf(service, apiKey)
  const place = (id: string) => places.get(`<${id}>`)
  const [nowhere, there] = [[...leadsNowhere.keys()], [...leadsThere.keys()]]
  const isApart = (at: number) => place(`odd.${at}.ann@x.example`) !== place(`odd.${at}.bob@x.example`)
  const isFound = (at: number) => place(`q8rootfsf${at}@y.example`) === place(`old.${at}@x.example`)
  return [
    ['strangers apart who refer to nothing', nowhere.length, count(nowhere, isApart), 'words, addresses'],
    ['answers found as programs of all years write them', there.length, count(there, isFound)],
  ]
}

/** Conversations whose mail comes in any order, and mail that refers oddly, taken in by the service. */
export const threadRows = async (): Promise<Row[]> => [
  ...(await knownRows()),
  ...(await withService(oddRows)),
]

const knownRows = (): Promise<Row[]> =>
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
