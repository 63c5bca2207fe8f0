import type { Part } from 'genkit'
import { wordsOf } from './steps'

export type Step = string | { tool: string; input: object }

/** The text of what the model was told last. */
const lastOf = (content: readonly Part[] = []): string =>
  content
    .flatMap(({ text, toolResponse }) => text ?? [toolResponse?.output, ...(toolResponse?.content ?? [])])
    .map((reported) => (typeof reported === 'string' ? reported : JSON.stringify(reported)))
    .join('\n')

/** Genkit with a model that does what `next` says, given what it was told last; several steps are done at once. */
export async function scriptedGenkit(
  next: (
    reported: string,
    request: { tools?: object[] },
  ) => Step | readonly Step[] | Promise<Step | readonly Step[]>,
) {
  const { genkit } = await import('genkit')
  const ai = genkit({ model: 'scripted' })
  ai.defineModel(
    { name: 'scripted', supports: { tools: true, multiturn: true } },
    async (request, onPiece) => {
      const steps = [await next(lastOf(request.messages.at(-1)?.content), request)].flat() as Step[]
      const content = steps.map((step) =>
        typeof step === 'string'
          ? { text: step }
          : { toolRequest: { name: step.tool, input: step.input, ref: crypto.randomUUID() } },
      )
      for (const text of steps.flatMap((step) => (typeof step === 'string' ? wordsOf(step) : [])))
        onPiece?.({ content: [{ text }] })
      return { message: { role: 'model' as const, content }, finishReason: 'stop' as const }
    },
  )
  return ai
}
