// npx jiti bench/imap.ts wake [mails]      how soon a mail at Dovecot is in the body of a loop, beside bare imapflow
// npx jiti bench/imap.ts backlog [mails]   what a mailbox with much old mail takes    (both after npm run build)
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ImapFlow } from 'imapflow'
import { Mailbox } from 'restante'
import { mailboxPassword, mailboxUser } from '../test/support/dovecot'
import { type MailboxServer, startMailboxServer } from '../test/support/mailbox-server'
import { percentile } from './figures.mjs'
import { residentMb, startProgram } from './processes.mjs'

const [what = 'wake', asked] = process.argv.slice(2)
const line = 'The quick brown fox jumps over the lazy dog while the agent reads its mail.\r\n'
const mailOf = (subject: string, lines = 50) =>
  `From: Ana <ana@example.com>\r\nTo: ${mailboxUser}\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.com>\r\nDate: Mon, 23 Nov 2026 08:00:00 +0000\r\n\r\n${line.repeat(lines)}`

const serviceFile = fileURLToPath(new URL('service.mjs', import.meta.url))
const settings = { RESTANTE_CONNECTIONS_ALLOW_PRIVATE: 'true', RESTANTE_LOG: 'silent' }
const openService = (data: string) => startProgram([serviceFile, data], settings)
type Program = Awaited<ReturnType<typeof openService>>

/** Asks a service. */
const askerOf =
  ({ facts }: Program) =>
  async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${facts.apiKey}`, 'content-type': 'application/json' }
    const response = await fetch(`${facts.url}${path}`, { method, headers, body: JSON.stringify(body) })
    return response.json()
  }

/** Passes connections on to a server, and notes when it last told of new mail. */
async function startWitness(port: number) {
  const witness = { port: 0, toldAt: 0, close: () => {} }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const behind = connect(port, '127.0.0.1')
    for (const one of [socket, behind]) {
      sockets.add(one.setNoDelay(true))
      one.on('error', () => {})
    }
    socket.on('close', () => behind.destroy()).pipe(behind)
    behind.on('close', () => socket.destroy())
    behind.on('data', (chunk) => {
      if (chunk.includes(' EXISTS\r\n')) witness.toldAt = performance.now()
      socket.write(chunk)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  witness.port = (server.address() as { port: number }).port
  witness.close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return witness
}

/** A client that waits by IDLE and fetches what comes, and does nothing else. */
async function openBare(port: number, folder: string) {
  const auth = { user: mailboxUser, pass: mailboxPassword }
  const client = new ImapFlow({
    ...{ host: '127.0.0.1', port, secure: false, doSTARTTLS: false },
    ...{ auth, logger: false, disableAutoIdle: true },
  })
  await client.connect()
  await client.mailboxOpen(folder)
  return {
    client,
    /** The next mail that comes; whoever asks is to wait until it idles. */
    async next(): Promise<Uint8Array> {
      const reported = new Promise((resolve) => client.once('exists', resolve))
      void client.idle()
      await reported
      const mail = await client.fetchOne('*', { uid: true, flags: true, source: true })
      return (mail as { source: Uint8Array }).source
    },
  }
}

async function connected(ask: ReturnType<typeof askerOf>, server: MailboxServer, more: object) {
  const made = await ask('POST', '/connections', { ...server.body, ...more })
  if (!made.id) throw new Error(JSON.stringify(made))
  return made.id as string
}

const reported = (name: string, samples: readonly number[]) => {
  const found = [0.5, 0.95, 0.99].map((share) => percentile(samples, share))
  console.log(`| ${name} | ${found.map((ms) => `${ms.toFixed(1)} ms`).join(' | ')} |`)
  return found
}

/** Milliseconds from the notice of Dovecot to the mail in hand: of a bare client, and of a loop, in turn. */
async function wake(mails: number): Promise<void> {
  await using server = await startMailboxServer()
  const data = await mkdtemp(join(tmpdir(), 'restante-bench-'))
  const [ours, theirs] = await Promise.all([1, 2].map(() => startWitness(server.dovecot.port)))
  const service = await openService(data)
  const ask = askerOf(service)
  const imap = { host: '127.0.0.1', port: ours!.port, tls: 'off' }
  // A mailbox has old mail: what is measured is not how the first of it is learned.
  for (let i = 0; i < 500; i++) server.dovecot.deliver('INBOX', mailOf(`old-${i}`))
  const id = await connected(ask, server, { imap, since: 'all' })
  server.dovecot.deliver('Bare', mailOf('first'))
  const bare = await openBare(theirs!.port, 'Bare')
  while ((await ask('GET', `/connections/${id}`)).state !== 'live') await pause(50)
  await pause(5_000)
  const mailbox = await Mailbox.open({ url: service.facts.url, apiKey: service.facts.apiKey })
  const incoming = mailbox.incoming()
  const samples: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  const warmUp = Math.ceil(mails / 5)
  for (let i = 0; i < warmUp + mails; i++) {
    const inHand = incoming.next()
    // Mail comes at any time, and not in step with what is done each second.
    await pause(500 * Math.random())
    server.dovecot.deliver('INBOX', mailOf(`ours-${i}`))
    await inHand
    const own = performance.now() - ours!.toldAt
    const fetched = bare.next()
    // Both have been idle when their mail comes.
    await pause(20)
    server.dovecot.deliver('Bare', mailOf(`bare-${i}`))
    await fetched
    const other = performance.now() - theirs!.toldAt
    if (i < warmUp) continue
    samples.ours.push(own)
    samples.bare.push(other)
  }
  console.log(`| notice of Dovecot to mail in hand, ${mails} each | p50 | p95 | p99 |\n|---|---|---|---|`)
  reported('loop', samples.ours)
  const aims = reported('bare imapflow', samples.bare).map((ms) => 1.5 * ms + 5)
  console.log(`| aim: 1.5 times and 5 ms | ${aims.map((ms) => `${ms.toFixed(1)} ms`).join(' | ')} |`)
  await mailbox.close()
  bare.client.close()
  await service.stop()
  for (const witness of [ours!, theirs!]) witness.close()
  await rm(data, { recursive: true })
}

/** How a connection fares, and the memory of its service, until it is live or `until` says so. */
async function watch(service: Program, id: string, until: (taken: number) => boolean) {
  const ask = askerOf(service)
  const waiting: number[] = []
  let most = 0
  const beginning = performance.now()
  for (;;) {
    const { state, folders } = await ask('GET', `/connections/${id}`)
    waiting.push(folders[0].waiting)
    most = Math.max(most, residentMb(service.pid))
    if (state === 'live' || until(Math.max(...waiting) - waiting.at(-1)!)) break
    await pause(100)
  }
  return { waiting, most, seconds: (performance.now() - beginning) / 1_000 }
}

/** Takes in a folder with much old mail and one mail of 25 MiB; killed halfway, and gone on. */
async function backlog(mails: number): Promise<void> {
  await using server = await startMailboxServer()
  const data = await mkdtemp(join(tmpdir(), 'restante-bench-'))
  const large = mailOf('large', 0) + line.repeat(Math.floor((25 * 1024 * 1024 - 2_000) / line.length))
  for (let i = 0; i < mails; i++) {
    server.dovecot.deliver('INBOX', mailOf(`old-${i}`))
    if (i === Math.floor(mails * 0.7)) server.dovecot.deliver('INBOX', large)
  }
  let service = await openService(data)
  await pause(2_000)
  const idle = residentMb(service.pid)
  const id = await connected(askerOf(service), server, { since: 'all' })
  const first = await watch(service, id, (taken) => taken > mails / 2)
  process.kill(service.pid, 'SIGKILL')
  await service.stop()
  service = await openService(data)
  const second = await watch(service, id, () => false)
  const ask = askerOf(service)
  const subjects: string[] = []
  for (let cursor = ''; ; ) {
    const page = await ask('GET', `/messages?limit=100${cursor && `&cursor=${cursor}`}`)
    for (const { subject } of page.messages) subjects.push(subject)
    cursor = page.next_cursor
    if (!cursor) break
  }
  const steps = [first, second].map(({ waiting }) => new Set(waiting).size)
  console.log(
    `messages: ${subjects.length} of ${mails + 1}, ${subjects.length - new Set(subjects).size} twice`,
  )
  console.log(`seconds: ${first.seconds.toFixed(0)} until it was killed, ${second.seconds.toFixed(0)} more`)
  console.log(
    `memory: ${idle.toFixed(0)} MB idle, at most ${Math.max(first.most, second.most).toFixed(0)} MB`,
  )
  console.log(`steps of progress that were seen: ${steps.join(' and ')}`)
  await service.stop()
  await rm(data, { recursive: true })
}

await (what === 'backlog' ? backlog(Number(asked ?? 10_000)) : wake(Number(asked ?? 120)))
