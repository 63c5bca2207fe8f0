import { agentInbox, createMailboxTools, type InboxAgent } from 'restante/ai-sdk'
import { type Model, scriptedModel, versions } from '../../../test/adapters/support/ai-versions'
import { type Actor, textIn } from '../actor'
import type { Stage } from '../stage'
import { maxSteps, type OpenAgent, promptFor } from './agent'
import { oneTurn } from './toolbox'

type Version = (typeof versions)[number]

/** A model of the SDK that says what the actor says. */
export const modelOf = (version: Version, actor: Actor): Promise<Model> => {
  let heard = 0
  return scriptedModel(version, (prompt) => {
    const messages = JSON.parse(prompt) as { role: string; content: unknown }[]
    const reported = messages.slice(heard).filter(({ role }) => role !== 'assistant')
    // What it says now stands in the next prompt.
    heard = messages.length + 1
    return actor.next(reported.map(({ content }) => textIn(content)).join('\n'))
  })
}

interface Part {
  type: string
  approvalId?: string
}

const denialsIn = (content: readonly Part[]) =>
  content
    .filter(({ type }) => type === 'tool-approval-request')
    .map(({ approvalId }) => ({
      ...{ type: 'tool-approval-response', approvalId, approved: false },
      reason: 'Nobody can be asked now.',
    }))

/** Time passes while the tools of a set wait. */
const timed = <T extends object>(stage: Stage, tools: T): T =>
  Object.fromEntries(
    Object.entries(tools).map(
      ([name, tool]: [string, { execute?: (...given: unknown[]) => Promise<unknown> }]) => [
        name,
        { ...tool, execute: (...given: unknown[]) => stage.carried(name, () => tool.execute!(...given)) },
      ],
    ),
  ) as T

/** `generateText` with the tools; a human who is asked says nothing, which the model is told as a no. */
export const openGenerateText =
  (at: number, isAtHand: boolean): OpenAgent =>
  async (stage) => ({
    turn: async (message, actor) => {
      const version = versions[at]!
      const { generateText, stepCountIs } = (await version.sdk()) as unknown as {
        generateText(
          options: object,
        ): Promise<{ content: Part[]; response: { messages: object[] }; responseMessages?: object[] }>
        stepCountIs(count: number): unknown
      }
      const options = { ...stage.options, ...(isAtHand && message && { message }) }
      const tools = timed(stage, createMailboxTools(stage.mailbox, options))
      const model = await modelOf(version, actor)
      const messages: object[] = [{ role: 'user', content: await promptFor(isAtHand ? message : null) }]
      for (let round = 0; round < 30; round += 1) {
        const { content, response, responseMessages } = await generateText({
          model,
          tools,
          messages,
          stopWhen: stepCountIs(maxSteps),
        })
        const denied = denialsIn(content)
        if (denied.length === 0) return
        // Version 7 has what became of the calls that were denied before in messages of their own.
        messages.push(...(responseMessages ?? response.messages), { role: 'tool', content: denied })
      }
    },
    close: async () => {},
  })

/** `agentInbox` of a version of the SDK. */
export const openAgentInbox =
  (at: number): OpenAgent =>
  async (stage) => ({
    turn: (message, actor) =>
      oneTurn(stage, message, (isWanted, over, consumer) =>
        agentInbox({
          ...stage.options,
          ...{ mailbox: stage.mailbox, consumer, from: message?.receivedAt, onError: over },
          onAnswer: (_answer, answered) => void (isWanted(answered) && over()),
          agent: async ({ message: came, tools }): Promise<InboxAgent> => {
            const version = versions[at]!
            const { ToolLoopAgent, Experimental_Agent, stepCountIs } = await version.sdk()
            const Agent = version.version === 5 ? Experimental_Agent : ToolLoopAgent
            const model = await modelOf(version, actor)
            if (!isWanted(came)) throw new Error('the mail of another plot')
            return new Agent({ model, tools: timed(stage, tools), stopWhen: stepCountIs(maxSteps) })
          },
        }),
      ),
    close: async () => {},
  })
