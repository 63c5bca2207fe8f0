import { scriptedModel, versions } from '../../../test/adapters/support/ai-versions'
import { type Actor, textIn } from '../actor'
import { maxSteps, type OpenAgent, promptFor } from './agent'

const modelOf = (actor: Actor) => {
  let heard = 0
  return scriptedModel(versions[1]!, (prompt) => {
    const messages = (JSON.parse(prompt) as { role: string; content: unknown }[]).filter(
      ({ role }) => role !== 'system',
    )
    const reported = messages.slice(heard).filter(({ role }) => role !== 'assistant')
    heard = messages.length + 1
    return actor.next(reported.map(({ content }) => textIn(content)).join('\n'))
  })
}

type Execute = (...given: unknown[]) => Promise<unknown>

/** Mastra: who is asked says no. */
export const openMastra =
  (isAtHand: boolean): OpenAgent =>
  async (stage) => {
    const { Mastra } = await import('@mastra/core/mastra')
    const { Agent } = await import('@mastra/core/agent')
    const { InMemoryStore } = await import('@mastra/core/storage')
    const { createMailboxTools } = await import('restante/mastra')
    return {
      turn: async (message, actor) => {
        const options = { ...stage.options, ...(isAtHand && message && { message }) }
        const tools = createMailboxTools(stage.mailbox, options)
        for (const tool of Object.values(tools) as { id: string; execute: Execute }[]) {
          const execute = tool.execute.bind(tool)
          tool.execute = (...given) => stage.carried(tool.id, () => execute(...given))
        }
        const model = (await modelOf(actor)) as never
        const agent = new Agent({ id: 'desk', name: 'Desk', instructions: 'Do the mail.', model, tools })
        new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false })
        let run = await agent.generate(await promptFor(isAtHand ? message : null), { maxSteps })
        for (let round = 0; round < 40 && run.finishReason === 'suspended'; round += 1)
          run = (await agent.declineToolCallGenerate({ runId: run.runId! })) as typeof run
      },
      close: async () => {},
    }
  }
