import type { BaseMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { type Actor, textIn } from '../actor'
import type { Stage } from '../stage'
import { maxSteps, type OpenAgent, promptFor } from './agent'
import { oneTurn } from './toolbox'

const load = async () => ({
  ...(await import('langchain')),
  ...(await import('@langchain/langgraph')),
  ...(await import('restante/langchain')),
  ...(await import('restante/langchain-middleware')),
})

const modelOf = async (actor: Actor) => {
  const { fakeModel, AIMessage } = await load()
  let heard = 0
  let calls = 0
  const think = (messages: BaseMessage[]) => {
    const reported = messages.slice(heard).filter(({ type }) => type !== 'ai')
    heard = messages.length + 1
    const step = actor.next(reported.map(({ content }) => textIn(content)).join('\n'))
    if (typeof step === 'string') return new AIMessage(step)
    calls += 1
    const call = { name: step.tool, args: step.input, id: `call_${actor.outcomes.length}_${calls}` }
    return new AIMessage({ content: '', tool_calls: [call] })
  }
  let model = fakeModel()
  for (let step = 0; step < maxSteps; step += 1) model = model.respond(think)
  return model
}

/** Time passes while a tool waits. */
const timed = (stage: Stage, tools: readonly StructuredToolInterface[]): StructuredToolInterface[] => {
  for (const tool of tools) {
    const invoke = tool.invoke.bind(tool)
    tool.invoke = ((...given: Parameters<typeof invoke>) =>
      stage.carried(tool.name, () => invoke(...given))) as typeof tool.invoke
  }
  return [...tools]
}

const said = (content: string) => ({ messages: [{ role: 'user' as const, content }] })
const config = { recursionLimit: 4 * maxSteps }

/** An agent of LangChain with the tools: what a human is to approve waits as a draft. */
export const openLangChain =
  (isAtHand: boolean): OpenAgent =>
  async (stage) => {
    const { createAgent, createMailboxTools } = await load()
    return {
      turn: async (message, actor) => {
        const options = { ...stage.options, ...(isAtHand && message && { message }) }
        const tools = timed(stage, createMailboxTools(stage.mailbox, options))
        const agent = createAgent({ model: await modelOf(actor), tools })
        await agent.invoke(said(await promptFor(isAtHand ? message : null)), config)
      },
      close: async () => {},
    }
  }

interface Interrupted {
  __interrupt__?: { value: { actionRequests: unknown[] } }[]
}

/** The same with the middleware, which asks: who is asked says no. */
export const openLangChainAsking =
  (isAtHand: boolean): OpenAgent =>
  async (stage) => {
    const { createAgent, mailboxMiddleware, MemorySaver, Command } = await load()
    return {
      turn: async (message, actor) => {
        const options = { ...stage.options, ...(isAtHand && message && { message }) }
        const middleware = [mailboxMiddleware(stage.mailbox, options)]
        const agent = createAgent({
          model: await modelOf(actor),
          middleware,
          checkpointer: new MemorySaver(),
        })
        const thread = { ...config, configurable: { thread_id: 'plot' } }
        const prompt = await promptFor(isAtHand ? message : null)
        const invoke = (input: unknown) =>
          stage.carried('wait_maybe', () => agent.invoke(input as never, thread)) as Promise<unknown>
        let state = (await invoke(said(prompt))) as Interrupted
        for (let round = 0; round < 40 && state.__interrupt__?.length; round += 1) {
          const decisions = state.__interrupt__.flatMap(({ value }) =>
            value.actionRequests.map(() => ({ type: 'reject', message: 'Nobody can be asked now.' })),
          )
          state = (await invoke(new Command({ resume: { decisions } }))) as Interrupted
        }
      },
      close: async () => {},
    }
  }

/** `agentInbox` of LangChain. */
export const openLangChainInbox: OpenAgent = async (stage) => {
  const { createAgent } = await load()
  const { agentInbox } = await import('restante/langchain')
  return {
    turn: (message, actor) =>
      oneTurn(stage, message, (isWanted, over, consumer) =>
        agentInbox({
          ...stage.options,
          ...{ mailbox: stage.mailbox, consumer, from: message?.receivedAt, onError: over },
          onAnswer: (_answer, answered) => void (isWanted(answered) && over()),
          agent: async ({ message: came, tools }) => {
            if (!isWanted(came)) throw new Error('the mail of another plot')
            const agent = createAgent({ model: await modelOf(actor), tools: timed(stage, tools) })
            return agent.withConfig(config) as never
          },
        }),
      ),
    close: async () => {},
  }
}
