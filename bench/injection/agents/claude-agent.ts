import { claudeCode, type Step } from '../../../test/adapters/support/claude-code'
import { type Actor, textIn } from '../actor'
import { type OpenAgent, promptFor } from './agent'

/** What the program of Claude Code was told: an answer of the server, or why a call was denied. */
const readTold = (told: string): string => (told.startsWith('{') ? textIn(JSON.parse(told)) : told)

/** The model's steps, each after what it was told last. */
function* stepsOf(actor: Actor, prompt: string, told: readonly string[]): Generator<Step> {
  let step = actor.next(textIn(JSON.parse(prompt)))
  while (typeof step !== 'string') {
    yield step
    step = actor.next(readTold(told.at(-1) ?? ''))
  }
  yield step
}

/** The Claude Agent SDK: who is asked says no. */
export const openClaudeAgent =
  (isAtHand: boolean): OpenAgent =>
  async (stage) => {
    const { query } = await import('@anthropic-ai/claude-agent-sdk')
    const { createMailboxServer } = await import('restante/claude-agent')
    return {
      turn: async (message, actor) => {
        const server = createMailboxServer(stage.mailbox, {
          ...stage.options,
          ...(isAtHand && message && { message }),
          ask: async () => false,
        })
        const told: string[] = []
        const program = claudeCode(
          (prompt) => stepsOf(actor, prompt, told),
          told,
          (tool, work) => stage.carried(tool, work),
        )
        const prompt = await promptFor(isAtHand ? message : null)
        for await (const _ of query({ prompt, options: { ...server.options, ...program, tools: [] } }));
      },
      close: async () => {},
    }
  }
