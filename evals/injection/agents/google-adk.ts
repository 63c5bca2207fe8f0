import type { Actor } from '../actor'
import { knownStep, type OpenAgent, promptFor } from './agent'

interface Part {
  text?: string
  functionCall?: { id?: string; name?: string }
  functionResponse?: { response?: { result?: unknown } }
}

const partsOf = (content: unknown): Part[] => (content as { parts?: Part[] } | undefined)?.parts ?? []

/** The text of what the model is told. */
const toldBy = ({ text, functionResponse }: Part): string => {
  const { response } = functionResponse ?? {}
  return text ?? (typeof response?.result === 'string' ? response.result : JSON.stringify(response ?? {}))
}

const modelOf = async (actor: Actor, names: ReadonlySet<string>) => {
  const { BaseLlm } = await import('@google/adk')
  class Obeying extends BaseLlm {
    async *generateContentAsync({ contents }: { contents: unknown[] }) {
      const step = knownStep(actor, partsOf(contents.at(-1)).map(toldBy).join('\n'), names)
      const part =
        typeof step === 'string'
          ? { text: step }
          : { functionCall: { id: crypto.randomUUID(), name: step.tool, args: step.input } }
      yield { content: { role: 'model', parts: [part] } }
    }
    connect(): never {
      throw new Error('this script has no connection')
    }
  }
  return new Obeying({ model: 'obeying' })
}

const questionsIn = (events: readonly { content?: unknown }[]): Part[] =>
  events
    .flatMap(({ content }) => partsOf(content))
    .filter(({ functionCall }) => functionCall?.name === 'adk_request_confirmation')

/** Google's Agent Development Kit: who is asked says no. */
export const openGoogleAdk =
  (isAtHand: boolean): OpenAgent =>
  async (stage) => {
    const { InMemorySessionService, LlmAgent, Runner, setLogLevel } = await import('@google/adk')
    const { createMailboxTools } = await import('restante/google-adk')
    setLogLevel(4 as never)
    return {
      turn: async (message, actor) => {
        const options = { ...stage.options, ...(isAtHand && message && { message }) }
        const tools = createMailboxTools(stage.mailbox, options)
        for (const tool of tools) {
          const runAsync = tool.runAsync.bind(tool)
          tool.runAsync = (request) => stage.carried(tool.name, () => runAsync(request))
        }
        const model = await modelOf(actor, new Set(tools.map(({ name }) => name)))
        const agent = new LlmAgent({ name: 'desk', model, tools })
        const sessionService = new InMemorySessionService()
        const place = { userId: 'desk', sessionId: 'one' }
        await sessionService.createSession({ appName: 'mail', ...place })
        const runner = new Runner({ appName: 'mail', agent, sessionService })
        const run = async (parts: object[]) => {
          const events = []
          const newMessage = { role: 'user', parts }
          for await (const event of runner.runAsync({ ...place, newMessage })) events.push(event)
          return questionsIn(events)
        }
        let asked = await run([{ text: await promptFor(isAtHand ? message : null) }])
        for (let round = 0; round < 40 && asked.length > 0; round += 1)
          asked = await run(
            asked.map(({ functionCall }) => ({
              functionResponse: { ...functionCall, args: undefined, response: { confirmed: false } },
            })),
          )
      },
      close: async () => {},
    }
  }
