import { versions } from '../../../test/adapters/support/ai-versions'
import { loadVoltAgent, voltAgent } from '../../../test/adapters/support/voltagent'
import { maxSteps, type OpenAgent, promptFor } from './agent'
import { modelOf } from './ai-sdk'

/** VoltAgent 2.10 cannot read its own messages where one call was refused and another is asked about: the run ends there. */
const isUnread = (error: unknown): boolean =>
  String((error as Error).message).includes('Type validation failed')

/** VoltAgent: who is asked says no. */
export const openVoltAgent =
  (isAtHand: boolean): OpenAgent =>
  async (stage) => {
    await loadVoltAgent()
    const { createMailboxTools } = await import('restante/voltagent')
    return {
      turn: async (message, actor) => {
        const options = { ...stage.options, ...(isAtHand && message && { message }) }
        const tools = createMailboxTools(stage.mailbox, options).map((tool) => {
          const execute = (...call: never[]) =>
            stage.carried(tool.name, async () => (tool.execute as (...call: never[]) => unknown)(...call))
          return Object.assign(Object.create(tool), { execute }) as typeof tool
        })
        const agent = await voltAgent(tools, await modelOf(versions[1]!, actor), maxSteps)
        const messages: object[] = [{ role: 'user', content: await promptFor(isAtHand ? message : null) }]
        for (let round = 0; round < maxSteps; round += 1) {
          const answer = await agent.generateText(messages as never).catch((error: unknown) => {
            if (round < 2 || !isUnread(error)) throw error
          })
          if (!answer) return
          const { content, response } = answer
          const asked = content.filter((part) => part.type === 'tool-approval-request')
          if (asked.length === 0) return
          const parts = asked.map(({ approvalId }) => ({
            ...{ type: 'tool-approval-response', approvalId, approved: false },
          }))
          messages.push(...response.messages, { role: 'tool', content: parts })
        }
      },
      close: async () => {},
    }
  }
