import { type Actor, textIn } from '../actor'
import { knownStep, maxSteps, type OpenAgent, promptFor } from './agent'

const modelOf = async (actor: Actor, names: ReadonlySet<string>) => {
  const { Usage } = await import('@openai/agents')
  let heard = 0
  let calls = 0
  return {
    getResponse: async ({ input }: { input: string | { type?: string; role?: string }[] }) => {
      const items = typeof input === 'string' ? [input] : input
      const reported = items
        .slice(heard)
        .filter(
          (item) => typeof item === 'string' || (item.role !== 'assistant' && item.type !== 'function_call'),
        )
      heard = items.length + 1
      const step = knownStep(actor, reported.map(textIn).join('\n'), names)
      calls += 1
      const said = {
        ...{ type: 'message', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text: step }],
      }
      const call = typeof step !== 'string' && {
        ...{ type: 'function_call', callId: `call-${calls}`, name: step.tool, status: 'completed' },
        arguments: JSON.stringify(step.input),
      }
      return { usage: new Usage(), output: [call || said] }
    },
    getStreamedResponse: () => {
      throw new Error('this script is not streamed')
    },
  }
}

/** The OpenAI Agents SDK: who is asked says no. */
export const openOpenAi =
  (isAtHand: boolean): OpenAgent =>
  async (stage) => {
    const { Agent, Runner } = await import('@openai/agents')
    const { createMailboxTools } = await import('restante/openai-agents')
    return {
      turn: async (message, actor) => {
        const options = { ...stage.options, ...(isAtHand && message && { message }) }
        const tools = createMailboxTools(stage.mailbox, options).map((tool) => ({
          ...tool,
          invoke: (...given: Parameters<typeof tool.invoke>) =>
            stage.carried(tool.name, () => tool.invoke(...given)),
        }))
        const model = await modelOf(actor, new Set(tools.map(({ name }) => name)))
        const agent = new Agent({ name: 'Desk', model: model as never, tools })
        const runner = new Runner({ tracingDisabled: true })
        let run = await runner.run(agent, await promptFor(isAtHand ? message : null), { maxTurns: maxSteps })
        for (let round = 0; round < 40 && run.interruptions.length > 0; round += 1) {
          for (const asked of run.interruptions) run.state.reject(asked)
          run = await runner.run(agent, run.state, { maxTurns: maxSteps })
        }
      },
      close: async () => {},
    }
  }
