import { scriptedGenkit } from '../../../test/adapters/support/genkit-model'
import { knownStep, maxSteps, type OpenAgent, promptFor } from './agent'

/** Genkit: who is asked says no. */
export const openGenkit =
  (isAtHand: boolean): OpenAgent =>
  async (stage) => {
    const { restartTool } = await import('genkit')
    const { createMailboxTools } = await import('restante/genkit')
    return {
      turn: async (message, actor) => {
        const options = { ...stage.options, ...(isAtHand && message && { message }) }
        const tools = createMailboxTools(stage.mailbox, options)
        const { instantiate } = tools.__def
        tools.__def.instantiate = (given) => {
          const hooks = instantiate(given)
          const tool: typeof hooks.tool = (part, context, next) =>
            stage.carried(part.toolRequest.name, () => hooks.tool!(part, context, next))
          return { ...hooks, tool }
        }
        const ai = await scriptedGenkit((reported, { tools: known = [] }) =>
          knownStep(actor, reported, new Set((known as { name: string }[]).map(({ name }) => name))),
        )
        const always = { use: [tools], maxTurns: maxSteps }
        let run = await ai.generate({ prompt: await promptFor(isAtHand ? message : null), ...always })
        for (let round = 0; round < maxSteps && run.interrupts.length > 0; round += 1) {
          const restart = run.interrupts.map((call) => restartTool(call, { approved: false }))
          run = await ai.generate({ messages: run.messages, resume: { restart }, ...always })
        }
      },
      close: async () => {},
    }
  }
