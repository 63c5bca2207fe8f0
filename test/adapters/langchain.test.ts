import type { Document } from '@langchain/core/documents'
import type { BaseMessage, ToolMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import type { Message } from 'restante'
import type { Answer } from 'restante/tools'
import { expect, test } from 'vitest'
import { openReal } from '../mailbox/support/real'
import { factsOf } from '../support/frameworks'
import { escaped, hostileMails } from '../support/hostile-mails'
import { photo, photoFile } from '../support/photo'
import { obstacle, proves } from '../support/proves'

const framework = 'LangChain 1.x'
const load = async () => ({
  ...(await import('langchain')),
  ...(await import('@langchain/langgraph')),
  ...(await import('restante/langchain')),
  ...(await import('restante/langchain-middleware')),
})
const isMissing = obstacle(factsOf(framework)) !== null

type Step = string | { name: string; args: Record<string, unknown>; id?: string }

/** A model that says what the script says. */
const scripted = async (...steps: Step[]) => {
  const { fakeModel, AIMessage } = await load()
  const model = fakeModel()
  for (const step of steps)
    if (typeof step === 'string') model.respond(new AIMessage(step))
    else model.respondWithTools([step])
  return model
}

const answersOf = (messages: readonly BaseMessage[]) =>
  messages
    .filter((message): message is ToolMessage => message.type === 'tool')
    .map(({ artifact }) => (artifact as { status: string }).status)

const said = (content: string) => ({ messages: [{ role: 'user' as const, content }] })

proves('LangChain 1.x', 'tools', 'an agent reads a mail as plain text and answers it once', async () => {
  const { createAgent, createMailboxTools } = await load()
  await using real = await openReal()
  const message = await real.receive({ subject: 'Bicycle', text: 'Is it blue?' })
  const { handle } = message
  const model = await scripted(
    { name: 'read_thread', args: { thread: handle } },
    { name: 'reply', args: { message: handle, text: 'Yes.' } },
    { name: 'reply', args: { message: handle, text: 'Yes, it is.' } },
    'It is answered.',
  )
  const agent = createAgent({ model, tools: createMailboxTools(real.mailbox, { message }) })
  const { messages } = await agent.invoke(said(await message.toPrompt()))
  expect(answersOf(messages)).toEqual(['ok', 'sent', 'refused'])
  expect(messages.find(({ type }) => type === 'tool')?.text).toMatch(
    new RegExp(`^E-mail thread: .*\\n\\n${handle}; `),
  )
  expect(await real.sentMail()).toHaveLength(1)
  await expect(message.reply({ text: 'Yes!' })).rejects.toMatchObject({ code: 'already_replied' })
})

test.skipIf(isMissing)('the same call of a tool, run again, sends nothing twice', async () => {
  const { createMailboxTools } = await load()
  await using real = await openReal()
  const args = { to: 'bo@other.example', subject: 'Hi', text: 'Hello' }
  for (let time = 0; time < 2; time += 1) {
    const [send] = createMailboxTools(real.mailbox, { only: ['send_mail'], flow: 'off' })
    await send!.invoke({ type: 'tool_call', id: 'call_1', name: 'send_mail', args })
  }
  expect(await real.sentMail()).toHaveLength(1)
})

test.skipIf(isMissing)('a picture is a content block of the answer, and stands there once', async () => {
  const { createMailboxTools } = await load()
  await using real = await openReal()
  const { handle: message } = await real.receive({ attachments: [photoFile] })
  const [read] = createMailboxTools(real.mailbox, { only: ['read_attachment'] })
  const call = { type: 'tool_call' as const, id: 'call_1', name: 'read_attachment', args: { message } }
  const answer: ToolMessage = await read!.invoke(call)
  expect(answer.content).toMatchObject([
    { type: 'text', text: expect.stringContaining('photo.png') },
    { type: 'image', mimeType: 'image/png', data: photo.toString('base64') },
  ])
  expect(JSON.stringify(answer.artifact)).not.toContain(photo.toString('base64'))
})

test.skipIf(isMissing)('pictures are counted by run, also over one middleware', async () => {
  const { createAgent, mailboxMiddleware, MemorySaver } = await load()
  await using real = await openReal()
  const { handle: message } = await real.receive({ attachments: [photoFile] })
  const read = { name: 'read_attachment', args: { message } }
  const { fakeModel, AIMessage } = await load()
  const model = fakeModel()
  // Two calls at once, then another; then the same in a second run of the same conversation.
  for (let run = 0; run < 2; run += 1)
    model
      .respondWithTools([
        { ...read, id: `a${run}` },
        { ...read, id: `b${run}` },
      ])
      .respondWithTools([{ ...read, id: `c${run}` }])
      .respond(new AIMessage('Done.'))
  const middleware = [mailboxMiddleware(real.mailbox, { pictures: { maxCount: 2 } })]
  const agent = createAgent({ model, middleware, checkpointer: new MemorySaver() })
  for (const statuses of [
    ['ok', 'ok', 'refused'],
    ['ok', 'ok', 'refused', 'ok', 'ok', 'refused'],
  ]) {
    const { messages } = await agent.invoke(said('Look.'), { configurable: { thread_id: 'one' } })
    expect(answersOf(messages)).toEqual(statuses)
  }
})

type Real = Awaited<ReturnType<typeof openReal>>
const newMail = { to: 'new@other.example', subject: 'Hi', text: 'Hello' }

/** A run in which an agent writes to somebody new. Each `open` is the agent as another process has it. */
const startApproval = async ({ mailbox }: Real) => {
  const { createAgent, mailboxMiddleware, MemorySaver, Command } = await load()
  const checkpointer = new MemorySaver()
  const config = { configurable: { thread_id: 'one' } }
  const open = async (...steps: Step[]) => {
    const model = await scripted(...steps)
    return createAgent({ model, middleware: [mailboxMiddleware(mailbox)], checkpointer })
  }
  const asking = await open(
    { name: 'list_threads', args: {} },
    { name: 'send_mail', args: newMail, id: 'call_mail' },
  )
  const asked = await asking.invoke(said('Write to new@other.example'), config)
  const [{ value }] = (asked as unknown as { __interrupt__: { value: object }[] }).__interrupt__ as [
    { value: object },
  ]
  expect(value).toMatchObject({
    actionRequests: [{ name: 'send_mail', args: newMail }],
    reviewConfigs: [{ allowedDecisions: ['approve', 'edit', 'reject'] }],
  })
  return {
    decide: async (decision: object) =>
      (await open('The end.')).invoke(new Command({ resume: { decisions: [decision] } }), config),
  }
}

proves('LangChain 1.x', 'approval', 'a human is asked by the middleware, and says yes', async () => {
  await using real = await openReal()
  const { decide } = await startApproval(real)
  expect(await real.sentMail()).toHaveLength(0)
  const { messages } = await decide({ type: 'approve' })
  expect(answersOf(messages)).toEqual(['ok', 'sent'])
  expect(await real.sentMail()).toMatchObject([{ to: ['new@other.example'] }])
})

test.skipIf(isMissing)(
  'a human says no, also to who has become known meanwhile, or writes it otherwise',
  async () => {
    await using real = await openReal()
    const { decide } = await startApproval(real)
    const other = await startApproval(real)
    const args = { to: 'bo@third.example', subject: 'Hi', text: 'Hello' }
    await other.decide({ type: 'edit', editedAction: { name: 'send_mail', args } })
    expect(await real.sentMail()).toMatchObject([{ to: ['bo@third.example'] }])
    await real.mailbox.send(newMail)
    const { messages } = await decide({ type: 'reject', message: 'Not now.' })
    expect(messages.map(({ text }) => text)).toContain('Not now.')
    expect(await real.sentMail()).toHaveLength(2)
  },
)

const toolCallsOf = (message: BaseMessage | undefined) =>
  (message as { tool_calls?: unknown[] } | undefined)?.tool_calls?.length ?? 0

test.skipIf(isMissing)('a call that runs without having been asked about was not approved', async () => {
  const { createAgent, createMiddleware, mailboxMiddleware, MemorySaver } = await load()
  await using real = await openReal()
  const model = await scripted({ name: 'send_mail', args: newMail }, 'It waits.')
  // Hooks run from the last to the first: this one keeps the others from running.
  const past = createMiddleware({
    name: 'Past',
    afterModel: {
      canJumpTo: ['tools'],
      hook: ({ messages }) => (toolCallsOf(messages.at(-1)) > 0 ? { jumpTo: 'tools' } : undefined),
    },
  })
  const middleware = [mailboxMiddleware(real.mailbox), past] as const
  const agent = createAgent({ model, middleware, checkpointer: new MemorySaver() })
  const { messages } = await agent.invoke(said('Write'), { configurable: { thread_id: 'one' } })
  expect(answersOf(messages)).toEqual(['waiting_for_approval'])
  expect(await real.sentMail()).toHaveLength(0)
})

test.skipIf(isMissing)('where no middleware asks, the mail waits as a draft', async () => {
  const { createAgent, MailboxToolkit } = await load()
  await using real = await openReal()
  const args = { to: 'new@other.example', subject: 'Hi', text: 'Hello' }
  const model = await scripted({ name: 'send_mail', args }, 'It waits.')
  const { tools } = new MailboxToolkit(real.mailbox)
  const { messages } = await createAgent({ model, tools }).invoke(said('Write'))
  expect(answersOf(messages)).toEqual(['waiting_for_approval'])
  expect(await real.sentMail()).toHaveLength(0)
  expect((await real.mailbox.drafts.list()).items).toMatchObject([{ subject: 'Hi', status: 'draft' }])
})

proves('LangChain 1.x', 'loop', 'mail comes in, and the last words go out once', async () => {
  const { agentInbox, createAgent } = await load()
  await using real = await openReal()
  const answers: [Answer['status'], Message][] = []
  const scripts: ((handle: string) => Step[])[] = [
    () => ['Yes, it is blue.'],
    (message) => [{ name: 'reply', args: { message, text: 'Forty crowns.' } }, 'I have answered.'],
  ]
  await using run = agentInbox({
    mailbox: real.mailbox,
    agent: async ({ message, tools }) =>
      createAgent({ model: await scripted(...scripts.shift()!(message.handle)), tools }),
    onAnswer: ({ status }, message) => answers.push([status, message]),
  })
  await real.real.mail({ subject: 'Bicycle', text: 'Is it blue?' })
  await expect.poll(() => answers.length).toBe(1)
  const [first] = await real.sentMail()
  const inReplyTo = first!.record.rfc822_message_id ?? undefined
  await real.real.mail({ subject: 'Re: Bicycle', text: 'What does it cost?', inReplyTo })
  await expect.poll(() => answers.length).toBe(2)
  expect(answers.map(([status]) => status)).toEqual(['sent', 'answered'])
  expect((await real.sentMail()).map(({ text }) => text)).toEqual(['Forty crowns.', 'Yes, it is blue.'])
  await run.stop()
})

test.skipIf(isMissing)('an agent that is there already, with tools of its own, answers once', async () => {
  const { agentInbox, createAgent, createMailboxTools } = await load()
  await using real = await openReal()
  const { handle } = await real.receive({ text: 'Is it blue?' })
  const args = { message: handle, text: 'Yes.' }
  const model = await scripted({ name: 'reply', args }, 'I have answered.')
  const agent = createAgent({ model, tools: createMailboxTools(real.mailbox, { only: ['reply'] }) })
  const answers: Answer['status'][] = []
  await using run = agentInbox({
    mailbox: real.mailbox,
    agent,
    onAnswer: ({ status }) => answers.push(status),
  })
  await expect.poll(() => answers).toEqual(['answered'])
  expect(await real.sentMail()).toMatchObject([{ text: 'Yes.' }])
  await run.stop()
})

test.skipIf(isMissing)('only an agent that was done answers; one that was cut off says by what', async () => {
  const { agentInbox, AIMessage, createAgent, fakeModel, modelCallLimitMiddleware } = await load()
  await using real = await openReal()
  const failures: { code?: string; message: string }[] = []
  const failed: Message[] = []
  const answers: Answer[] = []
  const reasons: Record<string, object> = {
    length: { finish_reason: 'length' },
    max_tokens: { stop_reason: 'max_tokens' },
    SAFETY: { finishReason: 'SAFETY' },
    refusal: { normalized_finish_reason: 'refusal', finish_reason: 'stop' },
    incomplete: { status: 'incomplete' },
  }
  const call = { name: 'account_status', args: {} }
  const limited = async (tools: StructuredToolInterface[]) =>
    createAgent({
      model: await scripted(call, call),
      tools,
      middleware: [modelCallLimitMiddleware({ runLimit: 1 })],
    })
  const recursing = async (tools: StructuredToolInterface[]) =>
    createAgent({ model: await scripted(call, call, call), tools }).withConfig({ recursionLimit: 3 })
  const ending = (subject: string) => {
    const response_metadata = reasons[subject] ?? { stop_reason: 'end_turn' }
    const said = new AIMessage({ content: reasons[subject] ? 'Yes, it' : 'Yes.', response_metadata })
    return createAgent({ model: fakeModel().respond(said) })
  }
  await using run = agentInbox({
    mailbox: real.mailbox,
    agent: async ({ message, tools }) => {
      if (message.subject === 'limit') return limited(tools)
      if (message.subject === 'recursion') return recursing(tools)
      const silence = { name: 'no_answer_needed', args: { reason: 'A newsletter.' } }
      if (message.subject === 'none')
        return createAgent({ model: await scripted(silence, 'I said nothing.'), tools })
      return ending(message.subject)
    },
    onAnswer: (answer) => answers.push(answer),
    onError: (error, message) => {
      failures.push(error as Error)
      failed.push(message)
    },
  })
  const cutOff = ['limit', 'recursion', ...Object.keys(reasons)]
  for (const subject of ['none', 'done', ...cutOff]) await real.real.mail({ subject })
  await expect.poll(() => new Set(failed.map(({ id }) => id)).size).toBe(cutOff.length)
  await expect.poll(() => answers.length).toBe(2)
  await run.stop()
  expect(answers.map(({ status }) => status).sort()).toEqual(['sent', 'silent'])
  expect((await real.sentMail()).map(({ text }) => text)).toEqual(['Yes.'])
  expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['unanswered']))
  const reported = failures.map(({ message }) => message).join('\n')
  for (const reason of Object.keys(reasons)) expect(reported).toContain(`"${reason}"`)
  expect(reported).toMatch(/Model call limits exceeded.*Raise the limit/)
  expect(reported).toMatch(/took all its steps: raise recursionLimit/)
})

test.skipIf(isMissing)('mail is found and loaded as documents', async () => {
  const { MailLoader, MailRetriever } = await load()
  await using real = await openReal()
  for (const subject of ['Invoice of May', 'Lunch', 'Invoice of June']) await real.real.mail({ subject })
  const { mailbox } = real
  expect(await new MailRetriever({ mailbox }).invoke('lunch')).toMatchObject([
    { pageContent: expect.stringContaining('Lunch') },
  ])
  const found = await new MailRetriever({ mailbox, k: 1 }).invoke('invoice')
  expect(found).toMatchObject([
    {
      pageContent: expect.stringContaining('Invoice of June'),
      metadata: { source: expect.stringMatching(/^msg_/), direction: 'inbound', verified: false },
    },
  ])
  const documents = await new MailLoader({ mailbox, order: 'asc' }).load()
  expect(documents).toHaveLength(3)
  expect(documents[0]!.pageContent).toContain('Invoice of May')
  expect(await new MailLoader({ mailbox, limit: 2 }).load()).toHaveLength(2)
  // However small the pages are.
  const list: typeof mailbox.messages.list = (options) => mailbox.messages.list({ ...options, limit: 1 })
  const inPages = { messages: { list } } as unknown as typeof mailbox
  expect(await new MailLoader({ mailbox: inPages }).load()).toHaveLength(3)
})

test.skipIf(isMissing).each(hostileMails)(
  'instructions in %s stay between the marks',
  async (_place, mail) => {
    const { createMailboxTools, MailLoader } = await load()
    await using real = await openReal()
    const { handle } = await real.receive({ text: 'Hello', ...mail })
    const tools = createMailboxTools(real.mailbox, { only: ['search_mail', 'read_thread'] })
    const reported: string[] = []
    for (const one of tools)
      reported.push(await one.invoke(one.name === 'read_thread' ? { thread: handle } : {}))
    const documents: Document[] = await new MailLoader({ mailbox: real.mailbox }).load()
    for (const { pageContent, metadata } of documents) {
      reported.push(pageContent)
      expect(JSON.stringify(metadata)).not.toMatch(/ignore/i)
    }
    expect(reported).toHaveLength(3)
    expect(reported.map(escaped)).toEqual([[], [], []])
  },
)
