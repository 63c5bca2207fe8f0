import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createResolver } from '../../../src/service/net/resolver'

type Answer = { code: number } | { type: number; data: Buffer }[] | 'SILENCE'

const types = { A: 1, PTR: 12, MX: 15, TXT: 16, AAAA: 28 } as const

/** A name server of one table, in the few lines of RFC 1035 that it takes. */
async function startDns(table: Record<string, Answer>): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, client) => {
    const end = query.indexOf(0, 12)
    const labels: string[] = []
    for (let at = 12; at < end; at += 1 + (query[at] ?? 0))
      labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)))
    const type = query.readUInt16BE(end + 1)
    const name = Object.entries(types).find(([, number]) => number === type)?.[0]
    const answer = table[`${name} ${labels.join('.')}`] ?? { code: 3 }
    if (answer === 'SILENCE') return
    const records = Array.isArray(answer) ? answer : []
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 | ('code' in answer ? answer.code : 0), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    const body = records.map(({ type: recordType, data }) => {
      const fixed = Buffer.from([0xc0, 12, 0, recordType, 0, 1, 0, 0, 0, 60, 0, data.length])
      return Buffer.concat([fixed, data])
    })
    socket.send(Buffer.concat([head, query.subarray(12, end + 5), ...body]), client.port, client.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}

const exchange = (priority: number, ...labels: string[]) => ({
  type: types.MX,
  data: Buffer.concat([
    Buffer.from([0, priority]),
    ...labels.map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.from([0]),
  ]),
})
const pointer = (...labels: string[]) => ({ type: types.PTR, data: exchange(0, ...labels).data.subarray(2) })
const ipv4 = (...bytes: number[]) => ({ type: types.A, data: Buffer.from(bytes) })
const ipv6 = { type: types.AAAA, data: Buffer.concat([Buffer.alloc(15), Buffer.from([1])]) }

async function resolverOf(table: Record<string, Answer>) {
  return createResolver({ servers: [await startDns(table)], timeoutMs: 50, tries: 1 })
}

test('the resolver finds mail exchangers, the null one too', async () => {
  const resolver = await resolverOf({
    'MX a.test': [exchange(10, 'mx', 'a', 'test')],
    'MX none.test': [exchange(0)],
  })
  expect(await resolver.mx('a.test')).toEqual([{ exchange: 'mx.a.test', priority: 10 }])
  expect(await resolver.mx('none.test')).toEqual([{ exchange: '', priority: 0 }])
})

test('the resolver finds addresses of both families, of one where the other has none, and of an address itself', async () => {
  const resolver = await resolverOf({
    'A both.test': [ipv4(192, 0, 2, 1)],
    'AAAA both.test': [ipv6],
    'A four.test': [ipv4(192, 0, 2, 2)],
    'AAAA four.test': [],
  })
  expect(await resolver.addresses('both.test')).toEqual(['192.0.2.1', '::1'])
  expect(await resolver.addresses('four.test')).toEqual(['192.0.2.2'])
  expect(await resolver.addresses('192.0.2.3')).toEqual(['192.0.2.3'])
})

test('the resolver gives a text record as its strings', async () => {
  const resolver = await resolverOf({
    'TXT a.test': [{ type: types.TXT, data: Buffer.from('\u0003abc\u0002de') }],
  })
  expect(await resolver.txt('a.test')).toEqual([['abc', 'de']])
})

test('the resolver finds the names of an address', async () => {
  const resolver = await resolverOf({
    'PTR 1.2.0.192.in-addr.arpa': [pointer('mx', 'a', 'test'), pointer('b', 'test')],
    [`PTR 1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`]: [pointer('six', 'test')],
  })
  expect(await resolver.ptr('192.0.2.1')).toEqual(['mx.a.test', 'b.test'])
  expect(await resolver.ptr('2001:db8::1')).toEqual(['six.test'])
  await expect(resolver.ptr('192.0.2.2')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test.each<[string, Answer, string]>([
  ['no such name', { code: 3 }, 'ENOTFOUND'],
  ['no such records', [], 'ENODATA'],
  ['a server that failed', { code: 2 }, 'ETIMEOUT'],
  ['a server that refuses', { code: 5 }, 'ETIMEOUT'],
  ['no answer', 'SILENCE', 'ETIMEOUT'],
])('the resolver fails where there is: %s', async (_, answer, code) => {
  const resolver = await resolverOf({
    'MX a.test': answer,
    'A a.test': answer,
    'AAAA a.test': answer,
    'TXT a.test': answer,
    'PTR 1.2.0.192.in-addr.arpa': answer,
  })
  await expect(resolver.mx('a.test')).rejects.toMatchObject({ code })
  await expect(resolver.addresses('a.test')).rejects.toMatchObject({ code })
  await expect(resolver.txt('a.test')).rejects.toMatchObject({ code })
  await expect(resolver.ptr('192.0.2.1')).rejects.toMatchObject({ code })
})

test('the resolver takes addresses that could not be asked for for an error, not for none', async () => {
  const resolver = await resolverOf({ 'A a.test': [], 'AAAA a.test': 'SILENCE' })
  await expect(resolver.addresses('a.test')).rejects.toMatchObject({ code: 'ETIMEOUT' })
})

test('the resolver says of a name that cannot exist that it does not exist', async () => {
  const resolver = await resolverOf({})
  await expect(resolver.mx(`${'x'.repeat(64)}.test`)).rejects.toMatchObject({ code: 'ENOTFOUND' })
})
