import { scriptedStrands } from '../../../test/adapters/support/strands-model'
import { knownStep, maxSteps, type OpenAgent, promptFor } from './agent'

/** Strands Agents: who is asked says no. */
export const openStrands =
  (isAtHand: boolean): OpenAgent =>
  async (stage) => {
    const { Agent } = await import('@strands-agents/sdk')
    const { createMailboxTools } = await import('restante/strands')
    return {
      turn: async (message, actor) => {
        const options = { ...stage.options, ...(isAtHand && message && { message }) }
        const tools = createMailboxTools(stage.mailbox, options)
        for (const tool of tools) {
          const stream = tool.stream.bind(tool)
          tool.stream = async function* (context) {
            return await stage.carried(tool.name, async () => (await stream(context).next()).value as never)
          }
        }
        const names = new Set(tools.map(({ name }) => name))
        const model = await scriptedStrands((reported) => knownStep(actor, reported, names))
        const agent = new Agent({ model, tools, printer: false })
        let run = await agent.invoke(await promptFor(isAtHand ? message : null))
        for (let round = 0; round < maxSteps && run.stopReason === 'interrupt'; round += 1)
          run = await agent.invoke(
            (run.interrupts ?? []).map(({ id: interruptId }) => ({
              interruptResponse: { interruptId, response: false },
            })),
          )
      },
      close: async () => {},
    }
  }
