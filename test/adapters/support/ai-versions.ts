import type { InboxAgent } from 'restante/ai-sdk'
import { wordsOf } from './steps'

/** The part that all versions have. */
interface Sdk {
  generateText(options: object): Promise<{ text: string; content: { type: string }[] }>
  streamText(options: object): { textStream: AsyncIterable<string>; text: PromiseLike<string> }
  stepCountIs(count: number): unknown
  ToolLoopAgent: new (options: object) => InboxAgent
  Experimental_Agent: new (options: object) => InboxAgent
}
export interface Model {
  doGenerateCalls: { prompt: { content: unknown }[] }[]
}
interface Generated extends Record<string, unknown> {
  content: readonly { type: string; text?: string }[]
}
type MakeModel = new (options: {
  doGenerate(options: { prompt: unknown }): Promise<Generated>
  doStream(options: { prompt: unknown }): Promise<object>
}) => Model

/** The same answer in pieces. */
const piecesOf = ({ content, ...end }: Generated): object[] => [
  { type: 'stream-start', warnings: [] },
  ...content.flatMap((part) => {
    if (part.type !== 'text') return [part]
    const deltas = wordsOf(part.text!).map((delta) => ({ type: 'text-delta', id: 'text', delta }))
    return [{ type: 'text-start', id: 'text' }, ...deltas, { type: 'text-end', id: 'text' }]
  }),
  { type: 'finish', ...end },
]

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
  next: (reported: string) => Step | Promise<Step>,
): Promise<Model> {
  const Mock = await loadModel()
  const doGenerate = async (options: { prompt: unknown }): Promise<Generated> => {
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
  const doStream = async (options: { prompt: unknown }) => {
    const pieces = piecesOf(await doGenerate(options))
    const start = (stream: ReadableStreamDefaultController) => {
      for (const piece of pieces) stream.enqueue(piece)
      stream.close()
    }
    return { stream: new ReadableStream({ start }) }
  }
  return new Mock({ doGenerate, doStream })
}
