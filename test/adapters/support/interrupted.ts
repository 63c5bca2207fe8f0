/**
 * Runs that were interrupted to ask a human, in each framework: begun with one mailbox, and gone on with by another, in
 * this process or in another one. What is stored between the two is text.
 */
import { deserialize, serialize } from 'node:v8'
import type { Mailbox } from 'restante'
import { createToolbox } from 'restante/tools'
import { scriptedModel, versions } from './ai-versions'
import { interruptedAgents } from './interrupted-agents'

/** A call of a tool that a human is asked about. */
export interface Asked {
  name: 'reply' | 'send_draft'
  input: Record<string, unknown>
}

/** A run that was broken off while a human was asked. */
interface Interrupted {
  /** The state that the process leaves behind. */
  stored: string
  /** The call that a human was asked about; null where nobody was asked. */
  asked: Asked | null
  /** The text that a human was shown beside the call, where the framework has a place for it. */
  shown?: string
}

export interface InterruptedRun {
  name: string
  /** A row of `frameworks` that it cannot run without, for what it needs. */
  needs?: { node: number; needs?: string }
  begin(mailbox: Mailbox, call: Asked): Promise<Interrupted>
  /** Says yes and goes on to the end. */
  resume(mailbox: Mailbox, stored: string): Promise<void>
}

const options = { approve: 'send' } as const
const prompt = 'Answer Ana.'

const openAiAgent = async (mailbox: Mailbox, steps: (Asked | string)[]) => {
  const { Agent, Runner, RunState, Usage } = await import('@openai/agents')
  const { createMailboxTools } = await import('restante/openai-agents')
  const getResponse = async () => {
    const step = steps.shift() ?? 'The end.'
    const output =
      typeof step === 'string'
        ? { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: step }] }
        : { type: 'function_call', callId: 'call_0', name: step.name, arguments: JSON.stringify(step.input) }
    return { usage: new Usage(), output: [{ ...output, status: 'completed' }] }
  }
  const tools = createMailboxTools(mailbox, options)
  const agent = new Agent({ name: 'Desk', model: { getResponse } as never, tools })
  return { agent, runner: new Runner({ tracingDisabled: true }), RunState }
}

const openAi: InterruptedRun = {
  name: 'OpenAI Agents SDK',
  needs: { node: 22, needs: '@openai/agents' },
  begin: async (mailbox, call) => {
    const { agent, runner } = await openAiAgent(mailbox, [call])
    const { interruptions, state } = await runner.run(agent, prompt)
    const [one] = interruptions as unknown as { name: Asked['name']; arguments: string }[]
    const asked = one ? { name: one.name, input: JSON.parse(one.arguments) } : null
    return { stored: state.toString(), asked }
  },
  resume: async (mailbox, stored) => {
    const { agent, runner, RunState } = await openAiAgent(mailbox, [])
    const state = await RunState.fromString(agent, stored)
    for (const one of state.getInterruptions()) state.approve(one)
    await runner.run(agent, state)
  },
}

const langChainAgent = async (mailbox: Mailbox, steps: Asked[], stored?: string) => {
  const { AIMessage, createAgent, fakeModel } = await import('langchain')
  const { Command, MemorySaver } = await import('@langchain/langgraph')
  const { mailboxMiddleware } = await import('restante/langchain-middleware')
  const checkpointer = new MemorySaver()
  if (stored !== undefined) Object.assign(checkpointer, deserialize(Buffer.from(stored, 'base64')))
  const model = fakeModel()
  for (const { name, input } of steps) model.respondWithTools([{ name, args: input, id: 'call_0' }])
  model.respond(new AIMessage('The end.'))
  const agent = createAgent({ model, middleware: [mailboxMiddleware(mailbox, options)], checkpointer })
  return { agent, checkpointer, Command }
}

const checkpointsOf = ({ storage, writes }: { storage: unknown; writes: unknown }): string =>
  serialize({ storage, writes }).toString('base64')
const config = { configurable: { thread_id: 'one' } }

interface HumanAsked {
  actionRequests: { name: Asked['name']; args: Asked['input']; description: string }[]
}
interface InterruptedState {
  __interrupt__?: { value: unknown }[]
}

const langChain: InterruptedRun = {
  name: 'LangChain 1.x middleware',
  needs: { node: 20, needs: 'langchain' },
  begin: async (mailbox, call) => {
    const { agent, checkpointer } = await langChainAgent(mailbox, [call])
    const messages = [{ role: 'user' as const, content: prompt }]
    const { __interrupt__: [interrupt] = [] } = (await agent.invoke(
      { messages },
      config,
    )) as unknown as InterruptedState
    const [request] = (interrupt?.value as HumanAsked | undefined)?.actionRequests ?? []
    const asked = request ? { name: request.name, input: request.args } : null
    return { stored: checkpointsOf(checkpointer), asked, shown: request?.description ?? '' }
  },
  resume: async (mailbox, stored) => {
    const { agent, Command } = await langChainAgent(mailbox, [], stored)
    await agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), config)
  },
}

/** A graph of the user's own: it keeps the call in its state, asks, and runs the tool after a yes. */
const ownGraph = async (mailbox: Mailbox, stored?: string) => {
  const { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } = await import(
    '@langchain/langgraph'
  )
  const { proposalText } = await import('restante/tools')
  const checkpointer = new MemorySaver()
  if (stored !== undefined) Object.assign(checkpointer, deserialize(Buffer.from(stored, 'base64')))
  const State = Annotation.Root({ call: Annotation<Asked>() })
  const desk = async ({ call }: { call: Asked }) => {
    const tool = createToolbox(mailbox, options).tools[call.name]!
    if (!(await tool.needsApproval(call.input))) await tool.call(call.input, { callId: 'call_0' })
    else {
      const mail = await tool.propose(call.input)
      const approved = interrupt<string, boolean>(mail ? proposalText(mail) : '')
      await tool.call(call.input, { callId: 'call_0', approved })
    }
    return {}
  }
  const graph = new StateGraph(State)
    .addNode('desk', desk)
    .addEdge(START, 'desk')
    .addEdge('desk', END)
    .compile({ checkpointer })
  return { graph, checkpointer, Command }
}

const langGraph: InterruptedRun = {
  name: 'LangGraph 1.x',
  needs: { node: 20, needs: '@langchain/langgraph' },
  begin: async (mailbox, call) => {
    const { graph, checkpointer } = await ownGraph(mailbox)
    const { __interrupt__: [interrupt] = [] } = (await graph.invoke(
      { call },
      config,
    )) as unknown as InterruptedState
    const asked = interrupt ? call : null
    return { stored: checkpointsOf(checkpointer), asked, shown: String(interrupt?.value ?? '') }
  },
  resume: async (mailbox, stored) => {
    const { graph, Command } = await ownGraph(mailbox, stored)
    await graph.invoke(new Command({ resume: true }), config)
  },
}

interface ApprovalPart {
  type: string
  approvalId?: string
  toolCall?: { toolName: Asked['name']; input: Asked['input'] }
}
interface AiResult {
  content: ApprovalPart[]
  response: { messages: unknown[] }
}

const aiSdk = (wanted: 6 | 7): InterruptedRun => {
  const version = versions.find((one) => one.version === wanted)!
  const run = async (mailbox: Mailbox, steps: Asked[], messages: unknown[]) => {
    const { generateText, stepCountIs } = await version.sdk()
    const { createMailboxTools } = await import('restante/ai-sdk')
    const model = await scriptedModel(version, () => {
      const step = steps.shift()
      return step ? { tool: step.name, input: step.input } : 'The end.'
    })
    const tools = createMailboxTools(mailbox, options)
    const result = await generateText({ model, tools, messages, stopWhen: stepCountIs(3) })
    return result as unknown as AiResult
  }
  return {
    name: `Vercel AI SDK ${wanted}`,
    needs: { node: wanted === 7 ? 22 : 20 },
    begin: async (mailbox, call) => {
      const begun = [{ role: 'user', content: prompt }]
      const { content, response } = await run(mailbox, [call], begun)
      const request = content.find(({ type }) => type === 'tool-approval-request')
      const { toolName: name, input } = request?.toolCall ?? {}
      const asked = name && input ? { name, input } : null
      const answer = { type: 'tool-approval-response', approvalId: request?.approvalId, approved: true }
      const messages = [...begun, ...response.messages, { role: 'tool', content: [answer] }]
      return { stored: JSON.stringify(messages), asked }
    },
    resume: async (mailbox, stored) => {
      await run(mailbox, [], JSON.parse(stored))
    },
  }
}

/** The stores of Mastra, which the test keeps in place of a database. */
const storages = new Map<string, unknown>()

const mastraAgent = async (mailbox: Mailbox, steps: Asked[], storage: unknown) => {
  const { Mastra } = await import('@mastra/core/mastra')
  const { Agent } = await import('@mastra/core/agent')
  const { createMailboxTools } = await import('restante/mastra')
  const model = await scriptedModel(versions.find(({ version }) => version === 6)!, () => {
    const step = steps.shift()
    return step ? { tool: step.name, input: step.input } : 'The end.'
  })
  const tools = createMailboxTools(mailbox, options)
  const about = { id: 'desk', name: 'Desk', instructions: 'Answer the mail.' }
  const desk = new Agent({ ...about, model: model as never, tools })
  new Mastra({ agents: { desk }, storage: storage as never, logger: false })
  return desk
}

const mastra: InterruptedRun = {
  name: 'Mastra',
  needs: { node: 22, needs: '@mastra/core' },
  begin: async (mailbox, call) => {
    const { InMemoryStore } = await import('@mastra/core/storage')
    const storage = new InMemoryStore()
    const agent = await mastraAgent(mailbox, [call], storage)
    const { runId = '', finishReason, suspendPayload } = await agent.generate(prompt)
    storages.set(runId, storage)
    const { toolName: name, args: input } = (suspendPayload ?? {}) as {
      toolName: Asked['name']
      args: Asked['input']
    }
    return { stored: runId, asked: finishReason === 'suspended' ? { name, input } : null }
  },
  resume: async (mailbox, runId) => {
    const agent = await mastraAgent(mailbox, [], storages.get(runId))
    await agent.approveToolCallGenerate({ runId })
  },
}

/** The host of a client asks its human by itself: here, and while the server is another one. */
const mcp: InterruptedRun = {
  name: 'Model Context Protocol',
  begin: async (mailbox, call) => {
    const { tools } = createToolbox(mailbox, options)
    const isAsked = await tools[call.name]!.needsApproval(call.input)
    return { stored: JSON.stringify(call), asked: isAsked ? call : null }
  },
  resume: async (mailbox, stored) => {
    const { name, input } = JSON.parse(stored) as Asked
    const { createMcpHandler } = await import('restante/mcp')
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    await using handler = createMcpHandler(mailbox, { flow: 'off' })
    const fetch = async (url: string | URL, init?: RequestInit) => handler(new Request(url, init))
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }))
    await client.callTool({ name, arguments: input })
    await client.close()
  },
}

/** A durable workflow, as of DBOS or Restate, or a queue: what it keeps is the call as text. */
const workflow: InterruptedRun = {
  name: 'a workflow that keeps the call',
  begin: async (mailbox, call) => {
    const { tools } = createToolbox(mailbox, options)
    const isAsked = await tools[call.name]!.needsApproval(call.input)
    return { stored: JSON.stringify(call), asked: isAsked ? call : null }
  },
  resume: async (mailbox, stored) => {
    const { name, input } = JSON.parse(stored) as Asked
    const { tools } = createToolbox(mailbox, options)
    await tools[name]!.call(input, { callId: 'call_0', approved: true })
  },
}

export const interruptedRuns: readonly InterruptedRun[] = [
  ...[openAi, langChain, langGraph, aiSdk(6), aiSdk(7)],
  ...[mastra, mcp, workflow],
  ...interruptedAgents,
]
