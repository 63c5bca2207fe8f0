import {
  askByMail,
  type DurableRun,
  type MailAnswer,
  type Question,
  resumeByMail,
  sendQuestion,
  tokenOf,
} from 'restante/durable'
import { createWorld } from 'restante/testing'
import { expect, onTestFinished, test } from 'vitest'

// Stand-ins for engines whose servers cannot run here. Each does what the documentation of its engine says of keeping,
// waiting and waking, and nothing else: what is shown is that the contract is enough.

interface StandIn {
  /** Runs the workflow, from its beginning if it was run before. */
  run(ask: (run: DurableRun) => Promise<MailAnswer | null>): Promise<MailAnswer | null>
  wake(token: string, answer: MailAnswer): Promise<unknown>
}

const kept = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** Keeps outcomes of steps, runs functions again, and refuses a signal that nobody waits for. */
const inngest = (): StandIn => {
  const memory = new Map<string, unknown>()
  const waits = new Map<string, { woken: (answer: MailAnswer) => void; answer: Promise<MailAnswer> }>()
  const run: DurableRun = {
    id: 'run-17',
    step: async <T>(name: string, action: () => Promise<T>) => {
      if (!memory.has(name)) memory.set(name, kept(await action()))
      return memory.get(name) as T
    },
    wait: async (_name, token) => {
      let woken = (_: MailAnswer) => {}
      const answer = new Promise<MailAnswer>((resolve) => {
        woken = resolve
      })
      if (!waits.has(token)) waits.set(token, { woken, answer })
      return waits.get(token)!.answer
    },
  }
  return {
    run: (ask) => ask(run),
    wake: async (token, answer) => {
      const waiting = waits.get(token)
      if (!waiting) throw new Error('nobody waits for this signal')
      waiting.woken(kept(answer))
    },
  }
}

/** Keeps signals until the workflow looks, and does activities elsewhere. */
const temporal = (): StandIn => {
  const signals = new Map<string, MailAnswer>()
  const done = new Map<string, unknown>()
  const lookers = new Set<() => void>()
  const run: DurableRun = {
    id: 'order-17',
    step: async <T>(name: string, action: () => Promise<T>) => {
      if (!done.has(name)) done.set(name, kept(await action()))
      return done.get(name) as T
    },
    wait: async (_name, token, timeoutMs) => {
      if (timeoutMs === 0) return signals.get(token) ?? null
      while (!signals.has(token)) await new Promise<void>((resolve) => lookers.add(resolve))
      return signals.get(token)!
    },
  }
  return {
    run: (ask) => ask(run),
    wake: async (token, answer) => {
      if (!signals.has(token)) signals.set(token, kept(answer))
      for (const look of lookers) look()
    },
  }
}

/** Waits by tokens that it makes, one for each idempotency key; runs no step again by itself. */
const trigger = (): StandIn => {
  const tokens = new Map<
    string,
    { answer: Promise<MailAnswer | null>; complete: (answer: MailAnswer) => void }
  >()
  const createToken = (key: string) => {
    let complete = (_: MailAnswer) => {}
    const answer = new Promise<MailAnswer | null>((resolve) => {
      complete = resolve
    })
    if (!tokens.has(key)) tokens.set(key, { answer, complete })
    return tokens.get(key)!
  }
  const run: DurableRun = {
    id: 'run-17',
    step: (_name, action) => action(),
    wait: (_name, token) => createToken(token).answer,
  }
  return {
    run: (ask) => ask(run),
    wake: async (token, answer) => {
      const found = tokens.get(token)
      if (!found) throw new Error('there is no such token')
      found.complete(kept(answer))
    },
  }
}

const question: Question = { key: 'approval', to: 'boss@example.com', subject: 'May I?', text: 'Yes or no?' }

const openWorld = async () => {
  const world = await createWorld()
  onTestFinished(() => world[Symbol.asyncDispose]())
  const mailbox = await world.open()
  const boss = world.person('boss@example.com')
  const arrived = async () => {
    await expect.poll(() => world.settle().then(() => boss.mails.length)).toBe(1)
    return boss.mails[0]!
  }
  return { world, mailbox, boss, arrived }
}

test.each([
  ['Inngest', inngest],
  ['Temporal', temporal],
  ['Trigger.dev', trigger],
])(
  '%s, by a stand-in: a run that is begun again sends one mail, and wakes by its answer',
  async (_name, open) => {
    const { world, mailbox, boss, arrived } = await openWorld()
    const engine = open()
    // It is killed while it waits, and begun again.
    void engine.run((run) => askByMail(run, mailbox, question))
    const mail = await arrived()
    const answer = engine.run((run) => askByMail(run, mailbox, { ...question, text: 'In other words?' }))
    let failures = 1
    const woken: string[] = []
    await using run = resumeByMail(
      mailbox,
      async (token, given) => {
        woken.push(`${token} ${given.id.slice(0, 4)}`)
        if (failures-- > 0) throw new Error('the engine is not there')
        return engine.wake(token, given)
      },
      { onError: () => {} },
    )
    await boss.reply({ text: 'I am away.', to: mail, headers: { 'Auto-Submitted': 'auto-replied' } })
    await boss.reply({ text: 'Yes.', to: mail })
    const settled = () => world.advance({ seconds: 5 }).then(() => [woken.length, run.active])
    await expect.poll(settled).toEqual([2, 0])
    expect(await answer).toMatchObject({ text: 'Yes.', verified: true, from: 'boss@example.com' })
    expect(woken[0]).toMatch(/^(?:run|order)-17\/approval msg_$/)
    expect(boss.mails).toHaveLength(1)
  },
)

test('an answer that comes before anybody waits comes again', async () => {
  const { world, mailbox, boss, arrived } = await openWorld()
  const engine = inngest()
  // As in a process that was killed after its mail went out.
  await sendQuestion(mailbox, { id: 'run-17' }, question)
  await boss.reply({ text: 'Yes.', to: await arrived() })
  const failed: unknown[] = []
  await using _run = resumeByMail(mailbox, engine.wake, { onError: (error) => failed.push(error) })
  await expect.poll(() => world.settle().then(() => failed.length > 0)).toBe(true)
  let said: string | undefined
  void engine
    .run((one) => askByMail(one, mailbox, question))
    .then((answer) => {
      said = answer?.text
    })
  const later = () => world.advance({ seconds: 20 }).then(() => said)
  await expect.poll(later).toBe('Yes.')
  expect(boss.mails).toHaveLength(1)
})

test('a run whose id would be read as that of another is refused', async () => {
  const { mailbox } = await openWorld()
  await expect(sendQuestion(mailbox, { id: 'a/b' }, question)).rejects.toMatchObject({
    code: 'invalid_token',
  })
  await expect(sendQuestion(mailbox, { id: 'a\nb' }, question)).rejects.toMatchObject({
    code: 'invalid_token',
  })
  expect(tokenOf({ id: 'a' }, question)).toBe('a/approval')
})
