/** Agents of several frameworks that stream their answers to the mail of an inbox. */
import type { Mailbox, Message, Run } from 'restante'
import { runInbox } from 'restante/tools'
import { openAdk, partsOf } from './adk'
import { scriptedModel, versions } from './ai-versions'
import { claudeCode } from './claude-code'
import { scriptedGenkit } from './genkit-model'
import { scriptedStrands } from './strands-model'
import { loadVoltAgent, voltAgent } from './voltagent'

type Step = string | { tool: string; input: object }
/** What a model says next, given what it was told last; it may be long about it. */
export type Next = (reported: string) => Step | Promise<Step>

interface Turn {
  readonly mailbox: Mailbox
  readonly message: Message
  readonly prompt: string
  readonly next: Next
}

/** Has an agent with the tools for one mail say what it streams, piece by piece. */
type LoopAgent = (turn: Turn, onPiece: (piece: string) => unknown) => Promise<string>

const strands: LoopAgent = async ({ mailbox, message, prompt, next }, onPiece) => {
  const { Agent } = await import('@strands-agents/sdk')
  const { createMailboxTools } = await import('restante/strands')
  const model = await scriptedStrands(next)
  const agent = new Agent({ model, tools: createMailboxTools(mailbox, { message }), printer: false })
  const events = agent.stream(prompt)
  for (;;) {
    const { done, value } = await events.next()
    if (done) return value.toString().trim()
    const { delta } = (value as { event?: { delta?: { type: string; text: string } } }).event ?? {}
    if (delta?.type === 'textDelta') onPiece(delta.text)
  }
}

const genkit: LoopAgent = async ({ mailbox, message, prompt, next }, onPiece) => {
  const { createMailboxTools } = await import('restante/genkit')
  const ai = await scriptedGenkit(next)
  const { stream, response } = ai.generateStream({ prompt, use: [createMailboxTools(mailbox, { message })] })
  for await (const { text } of stream) if (text !== '') onPiece(text)
  return (await response).text
}

const voltagent: LoopAgent = async ({ mailbox, message, prompt, next }, onPiece) => {
  await loadVoltAgent()
  const model = await scriptedModel(versions[1]!, (reported) =>
    next(JSON.stringify(JSON.parse(reported).at(-1))),
  )
  const { createMailboxTools } = await import('restante/voltagent')
  const agent = await voltAgent(createMailboxTools(mailbox, { message }), model)
  const { textStream, text } = await agent.streamText(prompt)
  for await (const piece of textStream) onPiece(piece)
  return text
}

const adk: LoopAgent = async ({ mailbox, message, prompt, next }, onPiece) => {
  const { run } = await openAdk(mailbox, next, { message })
  return partsOf(await run([{ text: prompt }], onPiece)).at(-1)?.text ?? ''
}

const claude: LoopAgent = async ({ mailbox, message, prompt, next }, onPiece) => {
  const { query } = await import('@anthropic-ai/claude-agent-sdk')
  const { createMailboxServer } = await import('restante/claude-agent')
  const reported: string[] = []
  async function* script(asked: string) {
    for (let step = await next(asked); ; step = await next(reported.at(-1) ?? '')) {
      yield step
      if (typeof step === 'string') return
    }
  }
  const { options } = createMailboxServer(mailbox, { message })
  const run = { ...options, ...claudeCode(script, reported), tools: [], includePartialMessages: true }
  for await (const one of query({ prompt, options: run })) {
    if (one.type === 'result' && one.subtype === 'success') return one.result
    if (one.type !== 'stream_event' || one.event.type !== 'content_block_delta') continue
    if (one.event.delta.type === 'text_delta') onPiece(one.event.delta.text)
  }
  throw new Error('the run has no result')
}

const aiSdk: LoopAgent = async ({ mailbox, message, prompt, next }, onPiece) => {
  const version = versions[1]!
  const { stepCountIs, streamText } = await version.sdk()
  const { createMailboxTools } = await import('restante/ai-sdk')
  const model = await scriptedModel(version, (reported) => next(JSON.stringify(JSON.parse(reported).at(-1))))
  const tools = createMailboxTools(mailbox, { message })
  const { textStream, text } = streamText({ model, tools, prompt, stopWhen: stepCountIs(20) })
  for await (const piece of textStream) onPiece(piece)
  return text
}

const loopAgents = { strands, genkit, voltagent, adk, claude, aiSdk }
export type LoopAgentName = keyof typeof loopAgents

/** Runs the agent of that name on each mail that comes in. */
export const runLoop = (
  name: LoopAgentName,
  mailbox: Mailbox,
  next: Next,
  onPiece: (piece: string) => unknown = () => {},
): Run =>
  runInbox({ mailbox, consumer: 'desk' }, ({ message, prompt }) =>
    loopAgents[name]({ mailbox, message, prompt, next }, onPiece),
  )
