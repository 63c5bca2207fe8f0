import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { mailboxUser } from '../../../support/dovecot'
import { composed, personAt, startMailboxServer } from '../../../support/mailbox-server'
import { openService } from '../../../support/service'

/** Options of {@link livingMailbox}. */
interface Life {
  mails: number
  kills: number
  withoutCondstore?: boolean
  /** Hears how it goes. */
  tell?: ((words: string) => void) | undefined
}

/** What went wrong, by the names of mails. */
interface Wrongs {
  lost: string[]
  twice: string[]
  answeredAfterPerson: string[]
  /** Messages that came to be twice. */
  doubled: string[]
}

const secret = 'a secret of the tests of mailboxes'

/** Starts a service that answers every mail, in a process of its own. */
async function startAgent(data: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'answering-service.mjs')], {
    env: { ...process.env, RESTANTE_TEST_DATA: data, RESTANTE_TEST_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([
    once(child.stdout!, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('the service ended'))),
  ])
  return child
}

async function killAgent(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const named = (raw: string) => /^Subject: (?:Re: )?mail (\d+)\s*$/m.exec(raw)?.[1]

/**
 * Lets mail come into a mailbox while its server, the connections and the service are killed, UIDs begin anew, mails are
 * moved and uploaded again, and a person answers every fifth.
 */
export async function livingMailbox({ mails, kills, withoutCondstore = false, tell }: Life): Promise<Wrongs> {
  await using server = await startMailboxServer({ withoutCondstore })
  const data = mkdtempSync(join(tmpdir(), 'restante-mailbox-'))
  const byPerson = (i: number) => i % 5 === 4
  {
    await using service = await openService({ data, secret })
    const answer = await service.call('POST', '/connections', { body: server.body })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  }
  let agent = await startAgent(data)
  let person = await personAt(server.dovecot)

  /** Does something as a person does: again, where the server was killed meanwhile. */
  async function insist<T>(work: () => Promise<T>): Promise<T> {
    for (let i = 0; ; i++)
      try {
        if (!person.usable) person = await personAt(server.dovecot)
        return await work()
      } catch (error) {
        if (i > 100) throw error
        person.close()
        await delay(50)
      }
  }

  async function has(folder: string, id: string): Promise<boolean> {
    await person.mailboxOpen(folder)
    const found = await person.search({ header: { 'message-id': id } })
    return Boolean(found && found.length > 0)
  }

  /** A crash in between leaves nobody wondering: it is looked for first. */
  async function put(folder: string, id: string, raw: Buffer): Promise<void> {
    await insist(async () => {
      if (!(await has(folder, id))) await person.append(folder, raw, [])
    })
  }

  async function arrive(i: number): Promise<void> {
    const messageId = `<mail-${i}@example.net>`
    const subject = `mail ${i}`
    if (byPerson(i)) {
      const id = `<hand-${i}@company.test>`
      const mail = { from: mailboxUser, to: 'ana@example.net', subject: `Re: ${subject}`, text: 'By hand' }
      await put('Sent', id, await composed({ ...mail, inReplyTo: messageId, messageId: id }))
    }
    await put('INBOX', messageId, await composed({ subject, messageId, text: `This is mail ${i}` }))
  }

  async function stir(turn: number): Promise<void> {
    const kind = turn % 6
    tell?.(`turn ${turn}: ${['service', 'connections', 'server', 'UIDs', 'move', 'upload'][kind]}`)
    if (kind === 0) {
      await killAgent(agent)
      agent = await startAgent(data)
    } else if (kind === 1) server.dovecot.kickAll()
    else if (kind === 2) {
      await server.dovecot.kill()
      await server.dovecot.start()
    } else if (kind === 3) {
      await server.dovecot.kill()
      server.dovecot.resetUids('INBOX')
      server.dovecot.resetUids('Sent')
      await server.dovecot.start()
    } else if (kind === 4)
      await insist(async () => {
        await person.mailboxOpen('INBOX')
        await person.messageMove('1:3', 'Archive')
        await person.mailboxOpen('Archive')
        await person.messageMove('1:*', 'INBOX')
      })
    else
      await insist(async () => {
        await person.mailboxOpen('INBOX')
        const some = await person.fetchAll('1:3', { source: true })
        for (const { source } of some) await person.append('INBOX', source!, [])
      })
  }

  const every = Math.max(1, Math.floor(mails / (kills + 1)))
  for (let i = 0, turn = 0; i < mails; i++) {
    await arrive(i)
    if (i % every === every - 1 && turn < kills) await stir(turn++)
  }
  // What was moved away as the server was killed goes back.
  await insist(async () => {
    await person.mailboxOpen('Archive')
    if (person.mailbox && person.mailbox.exists > 0) await person.messageMove('1:*', 'INBOX')
  })
  const answersTo = () => {
    // One mail whose sender was killed before it heard that it was taken goes out again, with the same Message-ID.
    const answers = new Map(
      server.sent.map(({ raw }) => [/^Message-ID: (.*)$/im.exec(raw)?.[1], Number(named(raw))]),
    )
    const counts = new Map<number, number>()
    for (const i of answers.values()) counts.set(i, (counts.get(i) ?? 0) + 1)
    return counts
  }
  const all = Array.from({ length: mails }, (_, i) => i)
  const expected = all.filter((i) => !byPerson(i))
  for (let i = 0; i < 1_200 && !expected.every((one) => answersTo().has(one)); i++) await delay(50)
  // Time for what must not happen.
  await delay(1_500)
  await killAgent(agent)
  person.close()
  const answers = answersTo()
  const doubled: string[] = []
  {
    await using service = await openService({ data, secret })
    const counts = new Map<string, number>()
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query = cursor ? `&cursor=${cursor}` : ''
      const { body } = await service.call('GET', `/messages?direction=inbound&limit=100${query}`)
      for (const { subject } of body.messages) counts.set(subject, (counts.get(subject) ?? 0) + 1)
      cursor = body.next_cursor ?? undefined
    }
    for (const [subject, count] of counts) if (count > 1) doubled.push(subject)
  }
  rmSync(data, { recursive: true, force: true, maxRetries: 5 })
  const name = (i: number) => `mail ${i}`
  return {
    lost: expected.filter((i) => !answers.has(i)).map(name),
    twice: expected.filter((i) => (answers.get(i) ?? 0) > 1).map(name),
    answeredAfterPerson: all.filter((i) => byPerson(i) && answers.has(i)).map(name),
    doubled,
  }
}
