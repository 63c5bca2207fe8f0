import { join } from 'node:path'
import { build } from 'esbuild'
import { expect } from 'vitest'
import { page } from '../../../bench/faulty-proxy.mjs'
import { installTarball } from '../../support/tarball'
import { hurried, type Kind } from './kind'
import { startProgram } from './kinds-of-connections'

/** Loops of agents, and programs around them. */
export const kindsOfLoops: readonly Kind[] = [
  {
    name: 'one error of a handler ends the loop',
    source: 'HKUDS/nanobot#1999',
    holds: 'the message comes again, and others meanwhile',
    async run({ behind }) {
      const { mailbox, mail } = await behind()
      const handled: string[] = []
      let failures = 0
      const run = mailbox.run(
        ({ subject }) => {
          if (subject === 'poison' && failures < 2) {
            failures += 1
            throw new Error('not yet')
          }
          handled.push(subject)
        },
        { consumer: 'errors', onError: () => {} },
      )
      await mail('poison')
      await mail('fine')
      await expect.poll(() => handled.toSorted()).toEqual(['fine', 'poison'])
      expect(failures).toBe(2)
      await run.stop()
    },
  },
  {
    name: 'a message that fails always is tried for ever',
    source: 'MemberJunction/MJ#1184',
    holds: 'its attempts are counted, and others are handled meanwhile',
    async run({ behind }) {
      const { mailbox, mail } = await behind()
      const attempts: number[] = []
      const handled: string[] = []
      const run = mailbox.run(
        (message) => {
          handled.push(message.subject)
          if (message.subject !== 'poison') return
          attempts.push(handled.length)
          throw new Error('never')
        },
        { consumer: 'poisoned', onError: () => {} },
      )
      await mail('poison')
      await expect.poll(() => attempts.length).toBe(2)
      await mail('fine')
      await expect.poll(() => handled.at(-1)).toBe('fine')
      // The third attempt is due in a minute, not at once.
      expect(attempts).toHaveLength(2)
      await run.stop()
    },
  },
  {
    name: 'each worker of a cluster handles each event',
    source: 'websockets/ws#1841',
    holds: 'two mailboxes with one consumer share the messages',
    async run({ behind, restante, apiKey }) {
      const { proxy, mailbox, inbox, mail } = await behind()
      const other = await restante.Mailbox.open({ url: proxy.url, apiKey, inbox: inbox.id, clock: hurried })
      const handled: string[] = []
      const runs = [mailbox, other].map((one) =>
        one.run(({ subject }) => handled.push(subject), { consumer: 'shared' }),
      )
      const subjects = Array.from({ length: 12 }, (_, index) => `Message ${index + 10}`)
      for (const subject of subjects) await mail(subject)
      await expect.poll(() => handled.toSorted()).toEqual(subjects)
      await Promise.all(runs.map((run) => run.stop()))
      await other.close()
    },
  },
  {
    name: 'two programs answer each other for ever',
    source: 'freescout-help-desk/freescout#3670',
    holds: 'no loop delivers what a program wrote, and a reply to it is refused',
    async run({ behind }) {
      const { mailbox, mail, received } = await behind()
      await mail('Out of office', { 'Auto-Submitted': 'auto-replied' })
      await mail('by a person')
      await expect.poll(() => received).toEqual(['by a person'])
      const [, automatic] = (await mailbox.messages.list()).items
      expect(automatic!.automatic).toBeTruthy()
      await expect(automatic!.reply({ text: 'Hello.' })).rejects.toMatchObject({ code: 'automatic_mail' })
    },
  },
  {
    name: 'an agent stops, and nobody hears of it',
    source: 'codefuturist/email-mcp#29',
    holds: 'without a listener the error is printed, and the process ends with 1',
    async run(scene) {
      const { proxy, program } = await startProgram(
        scene,
        `const mailbox = await Mailbox.open({ url, apiKey })
         mailbox.run(() => {}, { consumer: 'silent' })
         console.log('open')`,
      )
      await program.out(/open/)
      const refusal = JSON.stringify({ error: 'unauthorized', message: 'The key was revoked.' })
      proxy.behave(() => ({ page: page(401, { 'content-type': 'application/json' }, refusal) }))
      proxy.cut()
      expect(await program.ended).toMatchObject({ code: 1, err: expect.stringContaining('unauthorized') })
    },
  },
  {
    name: 'an error of a handler is printed nowhere',
    source: 'w3c/specberus#111',
    holds: 'without a listener it is printed, and the process ends with 1',
    async run(scene) {
      const inbox = await scene.newInbox()
      const { program } = await startProgram(
        scene,
        `const mailbox = await Mailbox.open({ url, apiKey, inbox: '${inbox.id}' })
         const run = mailbox.run(() => {
           setTimeout(() => mailbox.close(), 200)
           throw new Error('the model is away')
         }, { consumer: 'printing' })
         console.log('open')`,
      )
      await program.out(/open/)
      await scene.mail(inbox.address, 'Bicycle')
      const { code, err } = await program.ended
      expect(code).toBe(1)
      expect(err).toMatch(/handler_failed|HandlerError/)
      expect(err).toContain('the model is away')
    },
  },
  {
    name: 'a handler that waits for days makes the loop grow with each message',
    source: 'nodejs/node#17469',
    holds: 'no promise collects a reaction for each message',
    async run(scene) {
      const inbox = await scene.newInbox()
      const { program } = await startProgram(
        scene,
        `const counts = new WeakMap()
         let most = 0
         const then = Promise.prototype.then
         // Promise.race adds a reaction to each promise by its method.
         Promise.prototype.then = function (...args) {
           counts.set(this, (counts.get(this) ?? 0) + 1)
           most = Math.max(most, counts.get(this))
           return then.apply(this, args)
         }
         const mailbox = await Mailbox.open({ url, apiKey, inbox: '${inbox.id}' })
         let handled = 0
         mailbox.run(async ({ subject }) => {
           if (subject === 'pending') return new Promise(() => {})
           handled += 1
           if (handled === 40) console.log(most < 20 ? 'few reactions' : most + ' reactions')
         }, { consumer: 'pending', concurrency: 2 })
         console.log('open')`,
      )
      await program.out(/open/)
      await scene.mail(inbox.address, 'pending')
      for (let number = 1; number <= 40; number += 1) await scene.mail(inbox.address, `Message ${number}`)
      await program.out(/few reactions/)
    },
  },
  {
    name: 'each wait leaves a listener at a signal that lives long',
    source: 'nodejs/node#47449',
    holds: '50 loops and waits with one signal warn of nothing',
    async run(scene) {
      const { program } = await startProgram(
        scene,
        `const mailbox = await Mailbox.open({ url, apiKey })
         const { signal } = new AbortController()
         for (let number = 0; number < 50; number += 1) {
           await mailbox.messages.list({}, { signal }).catch(() => {})
           const loop = mailbox.incoming({ signal })
           mailbox.waitFor({ subject: 'never', signal }).catch(() => {})
           if (number % 2) await loop.return()
         }
         await mailbox.close()`,
      )
      expect(await program.ended).toEqual({ code: 0, out: '', err: '' })
    },
  },
  {
    name: 'in a minified bundle an error is named e',
    source: 'bjyoungblood/es6-error#31',
    holds: 'each class of error has its name',
    async run() {
      const folder = await installTarball()
      const { outputFiles } = await build({
        stdin: {
          contents: `import * as all from 'restante'
            const classes = Object.entries(all).filter(([name]) => name.endsWith('Error') && /^[A-Z]/.test(name))
            globalThis.named = classes.map(([name, one]) => [name, new one('code', 'text', { status: 400 }).name])`,
          resolveDir: folder,
        },
        ...{
          bundle: true,
          minify: true,
          format: 'iife',
          platform: 'browser',
          write: false,
          logLevel: 'silent',
        },
        absWorkingDir: join(folder),
      })
      const shared: { named?: [string, string][] } = {}
      new Function('globalThis', outputFiles[0]!.text)(shared)
      expect(shared.named!.length).toBeGreaterThan(3)
      for (const [exported, name] of shared.named!) expect(name).toBe(exported)
    },
  },
]
