import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { page, startFaultyProxy } from '../../../bench/faulty-proxy.mjs'
import { start } from '../../cli/support/cli'
import { openProject } from '../../support/tarball'
import { fast, hurried, type Kind, outlives, type Scene } from './kind'

/** A program with the packed package, whose mailbox goes through a proxy. */
export async function startProgram({ url, apiKey }: Scene, body: string, keepsOpen = false) {
  const proxy = await startFaultyProxy(url)
  onTestFinished(() => proxy.close())
  const folder = await openProject()
  const program = `import { Mailbox } from 'restante'\nconst { URL_: url, KEY: apiKey } = process.env\n${body}`
  await writeFile(join(folder, 'program.mjs'), program)
  const env = { URL_: proxy.url, KEY: apiKey }
  return { proxy, program: start(process.execPath, ['program.mjs'], { cwd: folder, env, keepsOpen }) }
}

const hourMs = 3_600_000

/** The wall clock is set while a mailbox polls or listens. */
const outlivesJump = (name: string, source: Kind['source'], byMs: number, kind: 'poll' | 'socket'): Kind => ({
  ...{ name, source, holds: 'mail arrives as if nobody had set the clock' },
  async run({ behind }) {
    let setByMs = 0
    const clock = { ...hurried, now: () => Date.now() + setByMs }
    const { mailbox, mail, received, proxy } = await behind({ clock, source: kind })
    await mail('before')
    await expect.poll(() => received).toEqual(['before'])
    setByMs = byMs
    await mail('after')
    await expect.poll(() => received).toEqual(['before', 'after'])
    proxy.cut()
    await mail('after a cut')
    await expect.poll(() => received).toEqual(['before', 'after', 'after a cut'])
    await expect.poll(() => mailbox.state.status).toBe('live')
  },
})

/** What networks, clocks and the ends of processes do to a connection. */
export const kindsOfConnections: readonly Kind[] = [
  {
    name: 'what comes while a socket is away is lost',
    source: 'NodeBB/NodeBB#12458',
    holds: 'each message is received once, in order',
    async run({ behind }) {
      const { proxy, mail, received } = await behind({ source: 'socket' })
      await mail('one')
      await expect.poll(() => received).toEqual(['one'])
      proxy.behave(() => ({ cuts: true }))
      proxy.cut()
      await mail('two')
      await mail('three')
      proxy.behave()
      await expect.poll(() => received).toEqual(['one', 'two', 'three'])
    },
  },
  {
    name: 'each reconnect starts at the first position again',
    source: 'EventSource/eventsource#27',
    holds: 'no event is emitted twice',
    async run({ behind }) {
      const { proxy, mailbox, mail, received } = await behind({ source: 'socket' })
      const seqs: number[] = []
      mailbox.on('event', ({ seq }) => seqs.push(seq))
      for (const subject of ['one', 'two', 'three']) {
        await mail(subject)
        await expect.poll(() => received.at(-1)).toBe(subject)
        proxy.cut()
      }
      await expect.poll(() => mailbox.state.status).toBe('live')
      expect(received).toEqual(['one', 'two', 'three'])
      expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other))
    },
  },
  {
    name: 'events that do not concern the reader move it back',
    source: 'EventSource/eventsource#358',
    holds: 'the cursor moves over them, and stays there',
    async run({ behind, newInbox, mail: mailTo }) {
      const { proxy, mailbox, mail, received } = await behind({ source: 'socket' })
      const other = await newInbox()
      await mail('mine')
      await mailTo(other.address, 'not mine')
      await expect.poll(() => mailbox.state.lag).toBe(0)
      const { cursor } = mailbox.state
      proxy.cut()
      await expect.poll(() => mailbox.state.status).toBe('live')
      expect(mailbox.state.cursor).toBeGreaterThanOrEqual(cursor)
      expect(received).toEqual(['mine'])
    },
  },
  {
    name: 'a connection that carries nothing any more is not noticed',
    source: 'websockets/ws#686',
    holds: 'after 40 seconds of silence the mailbox opens another',
    async run({ behind }) {
      const { proxy, mail, received, mailbox } = await behind({ source: 'socket', clock: fast(20) })
      proxy.freeze()
      await mail('through another')
      await expect.poll(() => received).toEqual(['through another'])
      await expect.poll(() => mailbox.state.status).toBe('live')
    },
  },
  {
    name: 'a poll that is never answered has no time limit',
    source: 'sockjs/sockjs-client#33',
    holds: 'the mailbox asks again after 35 seconds',
    async run({ behind }) {
      const { proxy, mail, received } = await behind({ source: 'poll', clock: fast(10) })
      proxy.freeze()
      await mail('through another')
      await expect.poll(() => received).toEqual(['through another'])
    },
  },
  {
    name: 'all clients come back at the same moment',
    source: 'coder/coder#24096',
    holds: 'the wait is a random part of a bound that doubles',
    async run({ behind }) {
      const waitsBy = async (share: number) => {
        const waits: number[] = []
        const after = (delayMs: number, callback: () => void) => {
          if (delayMs < 5_000) waits.push(delayMs)
          return hurried.after(delayMs, callback)
        }
        const clock = { ...hurried, after, random: () => share }
        const { proxy, mailbox } = await behind({ clock, source: 'socket' })
        waits.length = 0
        proxy.behave(() => ({ cuts: true }))
        proxy.cut()
        await expect.poll(() => waits.length).toBeGreaterThan(3)
        await mailbox.close()
        return waits.slice(0, 4)
      }
      expect(await waitsBy(0.1)).toEqual([25, 50, 100, 200])
      expect(await waitsBy(0.5)).toEqual([125, 250, 500, 1_000])
    },
  },
  {
    name: 'the backoff starts again because the socket did open',
    source: 'destinygg/chat-gui#872',
    holds: 'a socket that did not hold counts as a failure',
    async run({ behind }) {
      const waits: number[] = []
      const after = (delayMs: number, callback: () => void) => {
        waits.push(delayMs)
        return hurried.after(delayMs, callback)
      }
      const { proxy } = await behind({ clock: { ...hurried, after }, source: 'socket' })
      waits.length = 0
      proxy.behave(() => ({ cutsAfterMs: 20 }))
      proxy.cut()
      await expect.poll(() => Math.max(...waits)).toBeGreaterThan(1_000)
    },
  },
  {
    name: 'a pooled connection that the server closed fails a request',
    source: 'denoland/deno#32566',
    holds: 'a read after idle time succeeds',
    async run({ behind }) {
      const { proxy, mailbox } = await behind()
      for (let turn = 0; turn < 5; turn += 1) {
        expect((await mailbox.messages.list()).items).toEqual([])
        proxy.cut()
      }
    },
  },
  {
    name: 'a POST whose answer was lost is sent twice',
    source: 'oven-sh/bun#28708',
    holds: 'a reply is repeated and sent once; a send without client_id is not repeated',
    async run({ behind, restante, apiKey }) {
      const { proxy, mailbox, inbox, mail } = await behind()
      await mail('Bicycle')
      const message = (await mailbox.incoming({ consumer: 'once' }).next()).value!
      let lost = 0
      proxy.behave(({ path }) => {
        if (!path.endsWith('/reply') || lost === 2) return undefined
        lost += 1
        return { cutsAnswer: true }
      })
      expect(await message.reply({ text: 'Yes.' })).toMatchObject({ idempotent: true })
      proxy.behave(({ method, path }) =>
        method === 'POST' && path.endsWith('/messages') ? { cutsAnswer: true } : undefined,
      )
      const client = restante.createClient({ url: proxy.url, apiKey })
      const sending = client.messages.send({
        inbox_id: inbox.id,
        to: ['ana@example.com'],
        subject: 'x',
        text: 'x',
      })
      await expect(sending).rejects.toMatchObject({ code: 'network_failed' })
      proxy.behave()
      const sent = (await mailbox.messages.list({ direction: 'outbound' })).items
      expect(sent.map(({ subject }) => subject).toSorted()).toEqual(['Re: Bicycle', 'x'])
    },
  },
  {
    name: 'an answer that ends early is taken for whole',
    source: 'FGRibreau/node-request-retry#145',
    holds: 'the read is repeated',
    async run({ behind }) {
      const { proxy, mailbox, mail } = await behind()
      await mail('whole')
      let short = 0
      proxy.behave(({ path }) => {
        if (!path.startsWith('/v1/messages') || short === 2) return undefined
        short += 1
        return { maxBytes: 30 }
      })
      expect((await mailbox.messages.list()).items.map(({ subject }) => subject)).toEqual(['whole'])
      expect(short).toBe(2)
    },
  },
  {
    name: 'a frame that is no JSON ends the program',
    source: 'theturtle32/WebSocket-Node#403',
    holds: 'the mailbox reports it, and opens another socket',
    async run({ behind }) {
      const it = await behind({ source: 'socket' })
      // A text frame with five characters (RFC 6455 section 5.2).
      const frame = Uint8Array.of(0x81, 5, ...Buffer.from('<html'))
      await outlives(it, (proxy) =>
        proxy.behave(({ isUpgrade }) => (isUpgrade ? { sends: frame } : undefined)),
      )
      expect(it.errors).toContain('unexpected_answer')
    },
  },
  {
    name: 'a position that the log no longer has is asked for ever',
    source: 'sboesebeck/morphium#329',
    holds: 'the mailbox takes a snapshot, and receives what came meanwhile',
    async run({ behind }) {
      const { proxy, mailbox, mail, received, errors } = await behind({ source: 'poll' })
      const expired = { error: 'cursor_expired', message: 'The log begins later.' }
      proxy.behave(({ path }) =>
        path.startsWith('/v1/events') && !path.includes('after=now')
          ? { page: page(410, { 'content-type': 'application/json' }, JSON.stringify(expired)) }
          : undefined,
      )
      proxy.cut()
      await mail('meanwhile')
      await expect.poll(() => errors).toContain('cursor_expired')
      await expect.poll(() => mailbox.state.lag).toBe(0)
      proxy.behave()
      await expect.poll(() => received).toEqual(['meanwhile'])
      await expect.poll(() => mailbox.state.status).toBe('live')
    },
  },
  outlivesJump('polling stops when the clock is set back', 'mcollina/retimer#2', -hourMs, 'poll'),
  outlivesJump(
    'heartbeats stop when the clock is set back',
    'sergey-dryabzhinsky/qt-webkit-kiosk#6',
    -hourMs,
    'socket',
  ),
  {
    name: 'a jump of the clock ends all retries',
    source: 'makecindy/cindy#944',
    holds: 'a read that is being repeated goes on',
    async run({ behind, restante, apiKey }) {
      let setByMs = 0
      const clock = { ...hurried, now: () => Date.now() + setByMs }
      const { proxy } = await behind()
      const client = restante.createClient({ url: proxy.url, apiKey, clock })
      proxy.behave(() => ({ page: page(503) }))
      const before = proxy.requests.length
      const reading = client.account.get()
      await expect.poll(() => proxy.requests.length).toBeGreaterThan(before)
      setByMs = hourMs
      await expect.poll(() => proxy.requests.length).toBeGreaterThan(before + 2)
      proxy.behave()
      expect(await reading).toMatchObject({ onboarding_state: expect.any(String) })
    },
  },
  {
    name: 'after a sleep of the machine nothing arrives any more',
    source: 'supabase/realtime-js#121',
    holds: 'a process that was stopped while its connections ended goes on',
    async run(scene) {
      const inbox = await scene.newInbox()
      const { proxy, program } = await startProgram(
        scene,
        `const mailbox = await Mailbox.open({ url, apiKey, inbox: '${inbox.id}' })
         console.log('open')
         for await (const { subject } of mailbox.incoming()) console.log('received', subject)`,
      )
      await program.out(/open/)
      program.child.kill('SIGSTOP')
      proxy.cut()
      await scene.mail(inbox.address, 'asleep')
      program.child.kill('SIGCONT')
      await program.out(/received asleep/)
      expect(program.text).not.toContain('Error')
    },
  },
  {
    name: 'closing before the socket is open is an unhandled error',
    source: 'websockets/ws#1835',
    holds: 'opening rejects with the reason of its signal, and nothing else is thrown',
    async run(scene) {
      const { proxy, program } = await startProgram(
        scene,
        `const signal = AbortSignal.timeout(1_500)
         await Mailbox.open({ url, apiKey, source: 'socket', signal }).catch(({ name }) => console.log(name))`,
      )
      proxy.behave(({ isUpgrade }) => (isUpgrade ? { hangs: true } : undefined))
      expect(await program.ended).toEqual({ code: 0, out: 'TimeoutError\n', err: '' })
    },
  },
  {
    name: 'the process does not end after close()',
    source: 'socketio/engine.io-client#528',
    holds: 'it ends, with nothing on its output',
    async run(scene) {
      const { program } = await startProgram(
        scene,
        `const mailbox = await Mailbox.open({ url, apiKey })
         const run = mailbox.run(() => {}, { consumer: 'ending' })
         await mailbox.close()`,
      )
      expect(await program.ended).toEqual({ code: 0, out: '', err: '' })
    },
  },
  {
    name: 'a reconnect that is due keeps the process alive after close()',
    source: 'socketio/socket.io#3236',
    holds: 'it ends while the service is away',
    async run(scene) {
      const { proxy, program } = await startProgram(
        scene,
        `const mailbox = await Mailbox.open({ url, apiKey })
         console.log('open')
         mailbox.on('state', ({ status }) => status === 'stale' && setTimeout(() => mailbox.close(), 100))`,
      )
      await program.out(/open/)
      proxy.behave(() => ({ cuts: true }))
      proxy.cut()
      expect(await program.ended).toMatchObject({ code: 0, err: '' })
    },
  },
  {
    name: 'the closing handshake with a dead peer keeps the process alive',
    source: 'faye/faye-websocket-node#64',
    holds: 'it ends a second later at most',
    async run(scene) {
      const { proxy, program } = await startProgram(
        scene,
        `const mailbox = await Mailbox.open({ url, apiKey })
         console.log('open')
         process.stdin.once('end', () => mailbox.close()).resume()`,
        true,
      )
      await program.out(/open/)
      proxy.freeze()
      program.child.stdin!.end()
      expect(await program.ended).toEqual({ code: 0, out: 'open\n', err: '' })
    },
  },
  {
    name: 'a component that mounts twice leaves a dead subscription',
    source: 'supabase/realtime-js#169',
    holds: 'the second mailbox is live, and receives each message once',
    async run({ behind, restante, apiKey }) {
      const { proxy, inbox, mail } = await behind()
      const open = () => restante.Mailbox.open({ url: proxy.url, apiKey, inbox: inbox.id })
      // The clean-up of the first effect comes before its mailbox is open.
      const first = open()
      const closed = first.then((mailbox) => mailbox.close())
      const second = await open()
      await closed
      const received: string[] = []
      second.on('message', ({ subject }) => received.push(subject))
      await mail('once')
      await expect.poll(() => received).toEqual(['once'])
      expect(second.state.status).toBe('live')
      await second.close()
    },
  },
]
