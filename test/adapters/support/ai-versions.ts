import type { InboxAgent } from 'restante/ai-sdk'

/** The part that all versions have. */
interface Sdk {
  generateText(options: object): Promise<{ text: string; content: { type: string }[] }>
  stepCountIs(count: number): unknown
  ToolLoopAgent: new (options: object) => InboxAgent
  Experimental_Agent: new (options: object) => InboxAgent
}
export interface Model {
  doGenerateCalls: { prompt: { content: unknown }[] }[]
}
type MakeModel = new (options: { doGenerate(options: { prompt: unknown }): Promise<object> }) => Model

const oldUsage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

export const versions = [
  {
    version: 5,
    sdk: async () => (await import('ai-5')) as unknown as Sdk,
    model: async () => (await import('ai-5/test')).MockLanguageModelV2 as unknown as MakeModel,
    answer: (reason: string) => ({ finishReason: reason, usage: oldUsage }),
    canAsk: false,
  },
  {
    version: 6,
    sdk: async () => (await import('ai')) as unknown as Sdk,
    model: async () => (await import('ai/test')).MockLanguageModelV3 as unknown as MakeModel,
    answer: (reason: string) => ({ finishReason: { unified: reason, raw: undefined }, usage }),
    canAsk: true,
  },
  {
    version: 7,
    sdk: async () => (await import('ai-7')) as unknown as Sdk,
    model: async () => (await import('ai-7/test')).MockLanguageModelV4 as unknown as MakeModel,
    answer: (reason: string) => ({ finishReason: { unified: reason, raw: undefined }, usage }),
    canAsk: true,
  },
]

/** Version 7 needs Node 22. */
export const isTooNew = ({ version }: { version: number }): boolean =>
  version === 7 && Number(process.versions.node.split('.')[0]) < 22

/** A step of a model: words, words that end otherwise than by `stop`, or a call of a tool. */
export type Step = string | { words: string; finish: string } | { tool: string; input: object }

let calls = 0

/** A model of this version that says what the script says, and then nothing new. */
export async function scriptedModel(
  { model: loadModel, answer }: (typeof versions)[number],
  next: (told: string) => Step | Promise<Step>,
): Promise<Model> {
  const Mock = await loadModel()
  const doGenerate = async (options: { prompt: unknown }) => {
    const step = await next(JSON.stringify(options.prompt))
    calls += 1
    if (typeof step === 'object' && 'tool' in step) {
      const { tool: toolName, input } = step
      const call = { type: 'tool-call', toolCallId: `call-${calls}`, toolName, input: JSON.stringify(input) }
      return { content: [call], ...answer('tool-calls'), warnings: [] }
    }
    const { words, finish } = typeof step === 'string' ? { words: step, finish: 'stop' } : step
    return { content: [{ type: 'text', text: words }], ...answer(finish), warnings: [] }
  }
  return new Mock({ doGenerate })
}
