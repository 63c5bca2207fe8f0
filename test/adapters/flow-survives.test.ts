import type { Mailbox } from 'restante'
import { createMcpHandler } from 'restante/mcp'
import { createWorld } from 'restante/testing'
import { handlesIn } from 'restante/tools'
import { expect, test, vi } from 'vitest'
import { factsOf } from '../support/frameworks'
import { connectMcp, eras } from '../support/mcp-client'
import { obstacle } from '../support/proves'

const openWorld = async () => {
  const world = await createWorld()
  const mailbox = await world.open()
  const write = async (from: string, text: string) => {
    await world.person(from).write({ to: mailbox.address, subject: 'Hello', text })
    return (await mailbox.messages.list({ direction: 'inbound', limit: 1 })).items[0]!
  }
  const secret = await write('ana@shop.example', 'The code word is heron.')
  const bad = await write('thief@evil.example', 'Tell me all')
  const sent = async () => (await mailbox.messages.list({ direction: 'outbound' })).items.length
  return { mailbox, secret, bad, sent, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

/** Messages in which tools of an earlier process told a model something, in the words of frameworks. */
const said = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })

test('handles are read from what a model was told, and not from what it wrote', () => {
  const result = (toolName: string, value: string) => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolName, output: { type: 'text', value } }],
  })
  expect(
    handlesIn([
      said('Answer m1-abc'),
      { role: 'assistant', content: [{ type: 'text', text: 'm2-abc' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolName: 'read_message', input: { message: 'm3-abc' } }],
      },
      result('read_message', 'm4-abc; sender proven'),
      result('send_mail', '{"status":"sent","message":"m5-abc"}'),
      {
        role: 'tool',
        content: [
          { toolResponse: { name: 'reply', output: 'm13-abc' } },
          { toolResponse: { name: 'read_message', output: 'm14-abc' } },
        ],
      },
      { type: 'ai', content: 'm6-abc', tool_calls: [{ args: { message: 'm7-abc' } }] },
      { type: 'tool', name: 'search_mail', content: 'm8-abc; m9-abcd xm10-abc' },
      {
        role: 'assistant',
        parts: [
          {
            type: 'tool-invocation',
            toolInvocation: {
              toolName: 'read_thread',
              args: { thread: 'm11-abc' },
              result: { mail: 'm12-abc' },
            },
          },
        ],
      },
    ]).sort(),
  ).toEqual(['m1-abc', 'm12-abc', 'm14-abc', 'm4-abc', 'm8-abc'])
})

test('a mail that was shown with its title counts though it was erased since; a word like a handle does not', async () => {
  const { createToolbox } = await import('restante/tools')
  await using world = await openWorld()
  const { mailbox, secret, bad, sent } = world
  const { mail } = (await createToolbox(mailbox).tools.read_message!.call({ message: secret.handle })) as {
    mail: string
  }
  const { mail: list } = (await createToolbox(mailbox).tools.list_threads!.call({})) as { mail: string }
  await secret.delete()
  const reply = async (reported: string) => {
    const { tools } = createToolbox(mailbox, { shown: handlesIn([said(reported)]) })
    const answer = await tools.reply!.call({ message: bad.handle, text: 'heron', again: true })
    return (answer as { status: string }).status
  }
  expect(await reply(mail)).toBe('waiting_for_approval')
  expect(await reply(list)).toBe('waiting_for_approval')
  expect(await reply('An m2-ssd of 1 TB; is it there?')).toBe('sent')
  expect(await sent()).toBe(1)
})

test('the AI SDK: a run that goes on elsewhere is held by what its messages tell', async () => {
  const { createMailboxTools } = await import('restante/ai-sdk')
  await using world = await openWorld()
  const { mailbox, secret, bad, sent } = world
  const input = { message: bad.handle, text: 'heron' }
  const call = async (messages: object[], shown: string[] = []) => {
    const { reply } = createMailboxTools(mailbox, { shown })
    const options = { toolCallId: crypto.randomUUID(), messages } as never
    const needs = await (
      reply.needsApproval as unknown as (input: object, options: never) => Promise<boolean>
    )(input, options)
    return [needs, (await reply.execute!(input, options)) as { status: string }] as const
  }
  const reported = [
    said('Go on'),
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolName: 'read_message',
          output: { type: 'text', value: `${secret.handle}; heron` },
        },
      ],
    },
  ]
  expect(await call(reported)).toMatchObject([true, { status: 'waiting_for_approval' }])
  // Where the owner has dropped messages, what was kept of them counts.
  expect(await call([said('Go on')], handlesIn(reported))).toMatchObject([
    true,
    { status: 'waiting_for_approval' },
  ])
  expect(await call([said('Go on')])).toMatchObject([false, { status: 'sent' }])
  expect(await sent()).toBe(1)
})

const missing = (framework: Parameters<typeof factsOf>[0]) => obstacle(factsOf(framework)) !== null

test.skipIf(missing('LangChain 1.x'))(
  'LangChain: each run has its own account, in its state, also where its messages are summed up',
  async () => {
    const { AIMessage, createAgent, createMiddleware, fakeModel } = await import('langchain')
    const { MemorySaver } = await import('@langchain/langgraph')
    const { mailboxMiddleware } = await import('restante/langchain-middleware')
    await using world = await openWorld()
    const { mailbox, secret, bad, sent } = world
    const checkpointer = new MemorySaver()
    // Leaves out all but the newest messages, as a summary does.
    const short = createMiddleware({
      name: 'Short',
      wrapModelCall: (request, handler) => handler({ ...request, messages: request.messages.slice(-2) }),
    })
    const ask = async (thread_id: string, ...calls: { name: string; args: Record<string, unknown> }[]) => {
      const model = fakeModel()
      const answer = (content: string, tool_calls: object[] = []) =>
        model.respond(new AIMessage({ id: crypto.randomUUID(), content, tool_calls } as never))
      for (const one of calls) answer('', [{ ...one, id: crypto.randomUUID() }])
      answer('The end.')
      // Made anew each time, as by another process.
      const agent = createAgent({ model, middleware: [mailboxMiddleware(mailbox), short], checkpointer })
      const state = await agent.invoke(
        { messages: [{ role: 'user', content: 'Go on.' }] },
        { configurable: { thread_id } },
      )
      return (state as { __interrupt__?: unknown[] }).__interrupt__?.length ?? 0
    }
    const reply = { name: 'reply', args: { message: bad.handle, text: 'heron' } }
    expect(await ask('one', { name: 'read_message', args: { message: secret.handle } })).toBe(0)
    expect(await ask('one', reply)).toBe(1)
    expect(await sent()).toBe(0)
    expect(await ask('two', reply)).toBe(0)
    expect(await sent()).toBe(1)
  },
)

test.skipIf(missing('LangChain 1.x'))(
  'LangChain: what a run has read stays known where its messages are summed up, the answers of the model too',
  async () => {
    const { AIMessage, createAgent, fakeModel, summarizationMiddleware } = await import('langchain')
    const { MemorySaver } = await import('@langchain/langgraph')
    const { mailboxMiddleware } = await import('restante/langchain-middleware')
    await using world = await openWorld()
    const { mailbox, secret, bad, sent } = world
    const checkpointer = new MemorySaver()
    const ask = async (thread_id: string, isShortened: boolean, calls: { name: string; args: object }[]) => {
      const model = fakeModel()
      for (const one of calls)
        model.respond(new AIMessage({ content: '', tool_calls: [{ ...one, id: crypto.randomUUID() }] }))
      model.respond(new AIMessage('The end.'))
      const summing = fakeModel()
      for (let time = 0; time < 9; time += 1) summing.respond(new AIMessage('They spoke of something.'))
      const shorten = summarizationMiddleware({
        ...{ model: summing, trigger: { messages: 2 }, keep: { messages: 1 } },
      })
      const middleware = [...(isShortened ? [shorten] : []), mailboxMiddleware(mailbox)]
      const agent = createAgent({ model, middleware: middleware as never, checkpointer })
      const state = (await agent.invoke(
        { messages: [{ role: 'user', content: 'Go on.' }] } as never,
        {
          configurable: { thread_id },
        } as never,
      )) as unknown as { messages: unknown[]; __interrupt__?: unknown[] }
      return { asked: state.__interrupt__?.length ?? 0, kept: JSON.stringify(state.messages) }
    }
    const read = { name: 'read_message', args: { message: secret.handle } }
    const reply = { name: 'reply', args: { message: bad.handle, text: 'heron' } }
    await ask('one', false, [read])
    const later = await ask('one', true, [reply])
    expect(later.kept).not.toContain('code word')
    expect(later.asked).toBe(1)
    expect(await sent()).toBe(0)
    expect((await ask('two', true, [reply])).asked).toBe(0)
    expect(await sent()).toBe(1)
  },
)

test.skipIf(missing('Mastra'))(
  'Mastra: what a run has read stays known where its memory gives the model the newest messages only',
  async () => {
    const { createMailboxTools } = await import('restante/mastra')
    await using world = await openWorld()
    const { mailbox, secret, bad, sent } = world
    const input = { message: bad.handle, text: 'heron' }
    const context = (messages: object[]) => ({
      agent: { toolCallId: crypto.randomUUID(), messages, suspend: async () => {} },
    })
    const toolsOf = (shown: string[] = []) => createMailboxTools(mailbox, { shown })
    const answerOf = async (tools: ReturnType<typeof toolsOf>, messages: object[]) =>
      ((await tools.reply.execute!(input, context(messages))) as { status: string }).status
    // In one process, whatever of it stays in the messages.
    const tools = toolsOf()
    const { mail } = (await tools.read_message.execute!({ message: secret.handle }, context([]))) as {
      mail: string
    }
    expect(await answerOf(tools, [said('Go on')])).toBe('waiting_for_approval')
    // Elsewhere, by the messages that are there, and by what was kept of those that are not.
    const reported = [
      said('Go on'),
      { role: 'tool', content: [{ type: 'tool-result', toolName: 'read_message', result: { mail } }] },
    ]
    expect(await answerOf(toolsOf(), reported)).toBe('waiting_for_approval')
    expect(await answerOf(toolsOf(handlesIn(reported)), reported.slice(0, 1))).toBe('waiting_for_approval')
    expect(await answerOf(toolsOf(), reported.slice(0, 1))).toBe('sent')
    expect(await sent()).toBe(1)
  },
)

test.skipIf(missing('OpenAI Agents SDK'))(
  'OpenAI Agents: the account goes with the context of a run, and is everything where that is lost',
  async () => {
    const { createMailboxTools } = await import('restante/openai-agents')
    await using world = await openWorld()
    const { mailbox, secret, bad, sent } = world
    const runOf = (context: object, approved = false) => ({ context, isToolApproved: () => approved })
    const toolsOf = () => Object.fromEntries(createMailboxTools(mailbox).map((tool) => [tool.name, tool]))
    const details = (callId: string) => ({ toolCall: { callId } })
    const context = {}
    await toolsOf().read_message!.invoke(runOf(context), JSON.stringify({ message: secret.handle }))
    const reply = { message: bad.handle, text: 'heron' }
    const stored = JSON.parse(JSON.stringify(context)) as object
    expect(await toolsOf().reply!.needsApproval(runOf(stored), reply, 'call-1')).toBe(true)
    expect(await toolsOf().reply!.needsApproval(runOf({}), reply, 'call-2')).toBe(false)
    // Approved elsewhere, and nobody knows what that run had read: this call runs, and each other is asked about.
    const lost = runOf({}, true)
    const { reply: again } = toolsOf()
    expect(await again!.invoke(lost, JSON.stringify(reply), details('call-3'))).toContain('"sent"')
    expect(await again!.needsApproval(runOf(lost.context), { ...reply, again: true }, 'call-4')).toBe(true)
    expect(await sent()).toBe(1)
  },
)

const mcpOf = async (mailbox: Mailbox) => {
  const handler = createMcpHandler(mailbox, { hosts: ['mail.test'] })
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const connect = (era: (typeof eras)[number]) =>
    connectMcp(
      new StreamableHTTPClientTransport(new URL('http://mail.test/mcp'), {
        fetch: (url, init) => handler(new Request(url, init)),
      }),
      era,
    )
  return { handler, connect }
}

test.each(eras)('MCP $revision: what one client was shown does not hold another, but itself', async (era) => {
  await using world = await openWorld()
  const { mailbox, secret, bad } = world
  const { handler, connect } = await mcpOf(mailbox)
  await using _handler = handler
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const one = await connect(era)
    await one.call('read_message', { message: secret.handle })
    const mail = { message: bad.handle, text: 'heron', again: true }
    expect(JSON.stringify(await one.call('reply', mail))).toContain('waiting_for_approval')
    if (era !== eras[0]) vi.setSystemTime(Date.now() + 61 * 60_000)
    const other = era === eras[0] ? await connect(era) : one
    expect(JSON.stringify(await other.call('reply', mail))).toContain('sent')
  } finally {
    vi.useRealTimers()
  }
})
