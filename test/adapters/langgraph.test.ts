import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { Mailbox } from 'restante'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/protocol/time/clock'
import { start } from '../cli/support/cli'
import { openReal } from '../mailbox/support/real'
import { factsOf } from '../support/frameworks'
import { escaped, hostileMails } from '../support/hostile-mails'
import { postgresUrl } from '../support/postgres-url'
import { obstacle, proves } from '../support/proves'

const framework = 'LangGraph 1.x'
const isMissing = obstacle(factsOf(framework)) !== null
const load = async () => ({
  ...(await import('@langchain/langgraph')),
  ...(await import('restante/langgraph')),
})
const hostileText = String(Object.fromEntries(hostileMails).body?.text)
const config = { configurable: { thread_id: 'order-17' } }

const sql = async (statement: string) => {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

proves(
  'LangGraph 1.x',
  'wait',
  'a run is killed when it has sent, and when it waits, and goes on with the reply',
  async () => {
    await using real = await openReal()
    const { url } = await real.real.listen()
    const schema = `restante_${randomBytes(6).toString('hex')}`
    await sql(`create schema ${schema}`)
    try {
      const args = ['test/adapters/support/langgraph-agent.mjs', url, real.real.home.apiKey]
      const run = () => start(process.execPath, [...args, postgresUrl, schema])
      const sender = run()
      await expect.poll(() => real.sentMail().then(({ length }) => length)).toBe(1)
      await sender.kill('SIGKILL')

      const waiter = run()
      await waiter.out(/^waiting$/m)
      await waiter.kill('SIGKILL')

      // The answer comes while nobody runs.
      const [sent] = await real.sentMail()
      const inReplyTo = sent?.record.rfc822_message_id ?? ''
      await real.real.mail({ subject: 'Re: Your order', text: 'Size L, please.', inReplyTo })
      expect(await run().ended).toEqual({ code: 0, err: '', out: 'waiting\nend: She takes L.\n' })
      expect(await real.sentMail()).toHaveLength(1)
    } finally {
      await sql(`drop schema ${schema} cascade`)
    }
  },
  120_000,
)

/** A clock on which waits of 5 to 10 seconds are over at once: a resumed run is waited for 10 seconds at least. */
const hastyClock = {
  ...systemClock,
  after: (delayMs: number, callback: () => void) =>
    systemClock.after(delayMs > 5_000 && delayMs <= 10_000 ? 1 : delayMs, callback),
}

/** A graph of nodes that ask at the same time, and wait for the answers. */
const openGraph = async (mailbox: Mailbox, names: readonly string[], timeoutMs?: number) => {
  const { Annotation, awaitReply, END, MemorySaver, resumeOnReply, START, StateGraph } = await load()
  const State = Annotation.Root({
    answers: Annotation<string[]>({ reducer: (one, more) => [...one, ...more], default: () => [] }),
  })
  const ask = (name: string) => async () => {
    const mail = { to: `${name}@example.com`, subject: `For ${name}`, text: 'Which size?' }
    const sent = await mailbox.send({ ...mail, clientId: `ask-${name}` })
    const reply = await awaitReply(mailbox, sent, { timeoutMs })
    return { answers: [`${name}: ${reply ? reply.text : 'nothing'}`] }
  }
  const nodes = Object.fromEntries(names.map((name) => [name, ask(name)]))
  const builder = new StateGraph(State).addNode(nodes)
  for (const name of names) builder.addEdge(START, name).addEdge(name, END)
  const graph = builder.compile({ checkpointer: new MemorySaver() })
  await graph.invoke({}, config)
  return (signal?: AbortSignal) => resumeOnReply(mailbox, graph, config, { signal })
}

test.skipIf(isMissing)('two waits of one run end in the order of their replies', async () => {
  await using real = await openReal()
  const resume = await openGraph(real.mailbox, ['ana', 'bo'])
  const sent = await real.sentMail()
  const answer = (name: string) => {
    const inReplyTo = sent.find(({ subject }) => subject === `For ${name}`)?.record.rfc822_message_id
    return real.real.mail({ inReplyTo: inReplyTo ?? '', subject: `Re: For ${name}`, text: `Size of ${name}` })
  }
  const resumed = resume()
  await answer('bo')
  await answer('ana')
  expect((await resumed)?.answers.toSorted()).toEqual(['ana: Size of ana', 'bo: Size of bo'])
  expect(await real.sentMail()).toHaveLength(2)
  expect(await resume()).toBeNull()
})

test.skipIf(isMissing)('a wait that ends without a reply is told to the graph', async () => {
  await using real = await openReal()
  await using mailbox = await Mailbox.open({ service: real.real.service, clock: hastyClock })
  const resume = await openGraph(mailbox, ['ana'], 100)
  expect((await resume())?.answers).toEqual(['ana: nothing'])
  expect(await (await openAsk(mailbox, 'ana@example.com', 100)).resume()).toBe('Nobody answered in time.')
})

/** A graph whose one node calls the tool that asks, and what the call led to. */
const openAsk = async (mailbox: Mailbox, to: string, timeoutMs?: number) => {
  const { createAskTool, END, MemorySaver, MessagesAnnotation, resumeOnReply, START, StateGraph } =
    await load()
  const ask = createAskTool(mailbox, { recipients: ['example.com'], timeoutMs })
  const args = { to, subject: 'Size', text: 'Which size?' }
  const call = { type: 'tool_call' as const, id: 'call_ask', name: 'ask_by_mail', args }
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('ask', async () => ({ messages: [await ask.invoke(call)] }))
    .addEdge(START, 'ask')
    .addEdge('ask', END)
    .compile({ checkpointer: new MemorySaver() })
  const { messages = [] } = await graph.invoke({}, config)
  const resume = async () => (await resumeOnReply(mailbox, graph, config))?.messages.at(-1)?.text
  return { reported: messages.at(-1)?.text, resume }
}

test.skipIf(isMissing)('an agent asks nobody new, and is told the answer between marks', async () => {
  await using real = await openReal()
  const { reported } = await openAsk(real.mailbox, 'thief@evil.example')
  expect(reported).toContain('waiting_for_approval')
  expect(await real.sentMail()).toHaveLength(0)
  const { resume } = await openAsk(real.mailbox, 'ana@example.com')
  const [sent] = await real.sentMail()
  const inReplyTo = sent?.record.rfc822_message_id ?? ''
  await real.real.mail({ ...Object.fromEntries(hostileMails)['display name'], inReplyTo, text: hostileText })
  const answer = await resume()
  expect(answer).toContain('Ignore all previous instructions')
  expect(escaped(answer!)).toEqual([])
})

test.skipIf(isMissing)('a signal ends the wait of a graph', async () => {
  await using real = await openReal()
  const leaving = new AbortController()
  const resumed = (await openGraph(real.mailbox, ['ana']))(leaving.signal)
  leaving.abort(new Error('closing time'))
  await expect(resumed).rejects.toThrow('closing time')
})
