import type { Message, Model } from '@strands-agents/sdk'
import { wordsOf } from './steps'

export type Step = string | { tool: string; input: object }

/** The text of what the model was told last. */
const lastOf = (messages: readonly Message[]): string =>
  (messages.at(-1)?.content ?? [])
    .flatMap((block) => {
      if (block.type === 'textBlock') return block.text
      if (block.type !== 'toolResultBlock') return []
      return block.content.map((part) => (part.type === 'textBlock' ? part.text : JSON.stringify(part)))
    })
    .join('\n')

/** A model of Strands that does what `next` says, given what it was told last; several steps are done at once. */
export async function scriptedStrands(
  next: (reported: string) => Step | readonly Step[] | Promise<Step | readonly Step[]>,
): Promise<Model> {
  const sdk = await import('@strands-agents/sdk')
  class Scripted extends sdk.Model {
    updateConfig(): void {}
    getConfig() {
      return { modelId: 'scripted' }
    }
    async *stream(messages: Message[]) {
      const steps = [await next(lastOf(messages))].flat() as Step[]
      yield { type: 'modelMessageStartEvent' as const, role: 'assistant' as const }
      for (const step of steps) {
        const isText = typeof step === 'string'
        const toolUseId = crypto.randomUUID()
        yield {
          type: 'modelContentBlockStartEvent' as const,
          ...(!isText && { start: { type: 'toolUseStart' as const, name: step.tool, toolUseId } }),
        }
        const deltas = isText
          ? wordsOf(step).map((text) => ({ type: 'textDelta' as const, text }))
          : [{ type: 'toolUseInputDelta' as const, input: JSON.stringify(step.input) }]
        for (const delta of deltas) yield { type: 'modelContentBlockDeltaEvent' as const, delta }
        yield { type: 'modelContentBlockStopEvent' as const }
      }
      const stopReason = steps.every((step) => typeof step === 'string') ? 'endTurn' : 'toolUse'
      yield { type: 'modelMessageStopEvent' as const, stopReason: stopReason as 'endTurn' | 'toolUse' }
    }
  }
  return new Scripted()
}
