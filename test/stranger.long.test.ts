import { createTransport } from 'nodemailer'
import type { Mailbox, Message } from 'restante'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { scriptedModel, versions } from './adapters/support/ai-versions'
import { allBlocks } from './snippets/blocks'
import { type Host, openScene, type Scene, startHost } from './snippets/scene'
import { type StrangerMail, strangerMails } from './stranger/mails'
import { openSession } from './support/smtp-dialog'
import { isInstalled } from './support/tarball'

// biome-ignore lint/suspicious/noExplicitAny: whatever a snippet exports
type Exports = any

/** A snippet as a module, and a mailbox for it. */
const openModule = async (scene: Scene): Promise<{ exports: Exports; mailbox: Mailbox }> => ({
  mailbox: await scene.open(),
  exports: await scene.load(),
})

/** An agent of the documentation that answers whoever writes. */
interface Agent {
  /** What its snippet contains. */
  of: string
  also?: Record<string, string>
  /** Starts it; resolves with what settles only when it ends. */
  start(scene: Scene): Promise<{ ended?: Promise<unknown>; stop?(): Promise<unknown> }>
}

// A bot of the Chat SDK answers whoever mentions it, which mail by Bcc does not.
const agents: readonly Agent[] = [
  {
    of: "consumer: 'support-bot', onError:",
    async start(scene) {
      const { ended, kill } = await scene.run()
      return { ended, stop: () => kill('SIGKILL') }
    },
  },
  {
    of: 'export async function answerWith(',
    async start(scene) {
      const { exports, mailbox } = await openModule(scene)
      return { ended: exports.answerWith(mailbox, async () => 'Yes.') }
    },
  },
  {
    of: 'export async function runBot(',
    async start(scene) {
      const { exports, mailbox } = await openModule(scene)
      return { ended: exports.runBot(mailbox, async () => 'Yes.') }
    },
  },
  {
    of: 'export async function answerAll(',
    also: { ai: 'ai' },
    async start(scene) {
      const { exports, mailbox } = await openModule(scene)
      const answered = new Set<string>()
      const model = await scriptedModel(versions[1]!, (reported) => {
        const handle = reported.match(/\\n(m\d+-\w+); /)?.[1] ?? ''
        if (answered.has(handle)) return 'I have answered.'
        answered.add(handle)
        return { tool: 'reply', input: { message: handle, text: 'Yes.' } }
      })
      return { ended: exports.answerAll(mailbox, model) }
    },
  },
  {
    of: 'export function answerAlways(',
    also: { ai: 'ai' },
    async start(scene) {
      const { exports, mailbox } = await openModule(scene)
      const run = exports.answerAlways(mailbox, await scriptedModel(versions[1]!, () => 'Yes.'))
      return { stop: () => run.stop() }
    },
  },
]

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.stop())

const maxSmallBytes = 1_000_000

/** Sends a mail whose lines begin with no dot. nodemailer looks at each byte, which takes seconds for 60 MB. */
async function sendLarge(port: number, address: string, { from, raw }: Pick<StrangerMail, 'from' | 'raw'>) {
  const dialog = await openSession(port)
  await dialog.say(`MAIL FROM:<${from}>`, 250)
  await dialog.say(`RCPT TO:<${address}>`, 250)
  await dialog.say('DATA', 354)
  dialog.write(raw)
  await dialog.say('\r\n.', 250)
}

const senderOf = ({ service }: Scene) => {
  const port = Number(service.smtp.split(':')[1])
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  onTestFinished(() => transport.close())
  return async ({ from, raw, times = 1, wants }: Pick<StrangerMail, 'from' | 'raw' | 'times' | 'wants'>) => {
    for (let time = 0; time < times; time += 1) {
      const sending =
        raw.length > maxSmallBytes
          ? sendLarge(port, service.address, { from, raw })
          : transport.sendMail({ envelope: { from, to: [service.address] }, raw })
      // What the service refuses at once needs no agent; people's mail it takes.
      if (wants === 'an answer') await sending
      else await sending.catch(() => {})
    }
  }
}

/** Whom mail has gone to, as the log tells of it. */
function recipientsOf(mailbox: Mailbox): string[] {
  const recipients: string[] = []
  mailbox.on('event', ({ type, data }) => {
    if (type === 'message.queued') recipients.push(...(data.to_addrs as string[]))
  })
  return recipients
}

async function outbound({ messages }: Mailbox): Promise<Message[]> {
  const all: Message[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await messages.list({ direction: 'outbound', limit: 100, ...(cursor && { cursor }) })
    all.push(...page.items)
    cursor = page.nextCursor
  }
  return all
}

const person = (who: string, subject: string) => ({
  ...{ from: who, wants: 'an answer' as const },
  raw: Buffer.from(
    `From: ${who}\r\nTo: agent\r\nSubject: ${subject}\r\nMessage-ID: <${who}>\r\n\r\nIs it blue?\r\n`,
  ),
})

describe("an hour of strangers' mail", () => {
  test.for(agents.map((agent) => [agent.of, agent] as const))(
    'leaves every person answered once, and the agent at work: %s',
    async ([, { of, also = {}, start }], { skip }) => {
      skip(!Object.values(also).every(isInstalled), 'npm ci --prefix test/frameworks')
      const block = allBlocks().find(({ text }) => text.includes(of))
      const scene = await openScene(host, block!, also)
      const watching = await scene.open()
      const reported = recipientsOf(watching)
      let end: unknown = 'none'
      const { ended, stop } = await start(scene)
      ended?.then(
        () => (end = 'it returned'),
        (error) => (end = error),
      )
      onTestFinished(async () => void (await stop?.()))
      const send = senderOf(scene)
      await send(person('ana@example.com', 'Hello'))
      await expect.poll(() => reported).toEqual(['ana@example.com'])
      const [sent] = await outbound(watching)
      const known = { messageId: sent!.record.rfc822_message_id!, subject: sent!.subject }
      const mails = strangerMails({ agent: scene.service.address, sent: known })
      expect(mails.length).toBeGreaterThanOrEqual(60)
      for (const mail of mails) await send(mail)
      await send(person('zoe@example.com', 'Goodbye'))
      const people = mails.filter(({ wants }) => wants === 'an answer')
      const expected = ['ana@example.com', 'zoe@example.com', ...people.map(({ who }) => who)]
      const waiting = () => expected.filter((who) => !reported.includes(who))
      await expect.poll(waiting).toEqual([])
      expect(end).toBe('none')
      const reached = (await outbound(watching)).flatMap(({ to }) => to)
      expect(reached.toSorted()).toEqual(expected.toSorted())
    },
  )
})
