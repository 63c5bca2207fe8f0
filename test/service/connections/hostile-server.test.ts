import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openImapSource } from '../../../src/service/connections/imap-source'
import { claimed } from '../../support/accounts'
import { JumpClock } from '../../support/jump-clock'
import { startScriptedImap } from '../../support/scripted-imap'
import { openService } from '../../support/service'
import { type ScriptedMailbox, startScriptedMailbox } from './support/scripted-mailbox'

const hourMs = 3_600_000
const never = new AbortController().signal

async function idlingSource() {
  const imap = await startScriptedImap()
  onTestFinished(() => imap[Symbol.asyncDispose]())
  const server = { host: '127.0.0.1', port: imap.port, tls: 'off' as const }
  const credentials = { user: 'kim', pass: 'right' }
  const source = await openImapSource(
    { server, address: '127.0.0.1', credentials, anyCertificate: true },
    never,
  )
  onTestFinished(() => source.close())
  await source.list('INBOX', 0, null)
  const waiting = source.wait('INBOX', never)
  const outcome = waiting.then(
    () => 'news',
    (error: Error) => error.message,
  )
  await expect.poll(() => imap.commands.at(-1)).toBe('IDLE')
  return { imap, outcome }
}

describe('a server that sends what nobody asked for', () => {
  it.each([
    ['10,001 lines', '* OK Still here\r\n'.repeat(10_001)],
    ['10,001 empty lines', '\r\n'.repeat(10_001)],
    ['one line of more than 1 MiB', `* OK ${'x'.repeat(1024 * 1024)}\r\n`],
    ['more than 1 MiB without a line end', 'x'.repeat(1024 * 1024 + 1)],
    ['rows of flags without end', '* 1 FETCH (FLAGS (\\Seen))\r\n'.repeat(10_001)],
  ])('is closed after %s', async (_what, flood) => {
    const { imap, outcome } = await idlingSource()
    imap.sayToAll(flood)
    expect(await outcome).toContain('ended the connection')
    await expect.poll(() => imap.connections).toBe(0)
  })

  it('leaves the event loop to others once it has worked for 20 ms', async () => {
    const { imap, outcome } = await idlingSource()
    let isOver = false
    let turn = 0
    const count = () => {
      turn++
      if (!isOver) setImmediate(count)
    }
    count()
    // Each line takes 20 ms of this clock, which the client looks at before each line.
    let nowMs = 0
    const turnsOfLines = new Set<number>()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      turnsOfLines.add(turn)
      nowMs += 20
      return nowMs
    })
    onTestFinished(() => clock.mockRestore())
    imap.sayToAll('* 1 FETCH (FLAGS (\\Seen))\r\n'.repeat(1_000))
    imap.append('Subject: new\r\n\r\nx')
    expect(await outcome).toBe('news')
    isOver = true
    expect(turnsOfLines.size).toBeGreaterThan(400)
  })

  it('stays open for what an honest one says, such as flags that a person changes', async () => {
    const { imap, outcome } = await idlingSource()
    imap.sayToAll('* 1 FETCH (FLAGS (\\Seen))\r\n'.repeat(9_000))
    imap.append('Subject: new\r\n\r\nx')
    expect(await outcome).toBe('news')
    expect(imap.connections).toBe(1)
  })
})

describe('trials of connections', () => {
  const clock = new JumpClock()
  let service: Awaited<ReturnType<typeof openService>>
  let mailbox: ScriptedMailbox
  let data: string
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'restante-trials-'))
    service = await openService({ data, unlimited: '192.0.2.1' }, { clock })
    mailbox = await startScriptedMailbox()
    mailbox.imap.admits = () => false
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await mailbox[Symbol.asyncDispose]()
    await rm(data, { recursive: true, force: true, maxRetries: 3 })
  })
  const account = () => claimed(service, { data }, { at: clock.now() })
  type Account = Awaited<ReturnType<typeof account>>
  const tried = async (one: Pick<Account, 'call'>, more: object) =>
    (await one.call('POST', '/connections', { body: mailbox.body({ ...more }) })).body.error

  it('of one user at one host are 10 in an hour, whoever asks and however it is written', async () => {
    const accounts = [await account(), await account(), { call: service.call }]
    const login = (n: number) => ({ type: 'password', password: `guess-${n}` })
    const names = ['victim@example.com', 'Victim@Example.com', 'VICTIM@EXAMPLE.COM']
    const answers: string[] = []
    for (let n = 0; n < 14; n++)
      answers.push(await tried(accounts[n % 3]!, { user: names[n % 3], login: login(n) }))
    expect(answers).toEqual([...Array(10).fill('connection_failed'), ...Array(4).fill('rate_limited')])
    expect(mailbox.imap.logins.filter((login) => login.includes('guess-'))).toHaveLength(10)
    // One at another IMAP server does not free the one at the SMTP server.
    const elsewhere = { host: 'localhost', port: mailbox.imap.port, tls: 'off' }
    expect(await tried(accounts[2]!, { user: names[0], imap: elsewhere, login: login(99) })).toBe(
      'rate_limited',
    )
    clock.jump(hourMs)
    expect(await tried(accounts[0]!, { user: names[0], login: login(100) })).toBe('connection_failed')
  })

  it('of one account are 30 in an hour', async () => {
    clock.jump(hourMs)
    const one = await account()
    const answers: string[] = []
    for (let n = 0; n < 31; n++) answers.push(await tried(one, {}))
    expect(answers).toEqual([...Array(30).fill('connection_failed'), 'rate_limited'])
    expect(await tried(await account(), {})).toBe('connection_failed')
  })

  it('of one client address are 30 in an hour, for all its accounts together', async () => {
    clock.jump(hourMs)
    const { url } = await service.listen()
    const accounts = [await account(), await account()]
    const answers: string[] = []
    for (let n = 0; n < 31; n++) {
      const response = await fetch(`${url}/connections`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accounts[n % 2]!.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(mailbox.body()),
      })
      answers.push(((await response.json()) as { error: string }).error)
    }
    expect(answers).toEqual([...Array(30).fill('connection_failed'), 'rate_limited'])
  })

  it('end after 30 s, whatever the server does meanwhile', async () => {
    const sockets = new Set<{ destroy(): void }>()
    const silent = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
    }).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    const { port } = silent.address() as AddressInfo
    const trial = service.call('POST', '/connections', {
      body: mailbox.body({ imap: { host: '127.0.0.1', port, tls: 'off' } }),
    })
    await expect.poll(() => sockets.size).toBe(1)
    clock.jump(30_000)
    expect((await trial).body).toMatchObject({
      error: 'connection_failed',
      message: expect.stringContaining('longer than 30 s'),
    })
  })
})
