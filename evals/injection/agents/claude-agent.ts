import { claudeCode, type Step } from '../../../test/adapters/support/claude-code'
import { type Actor, textIn } from '../actor'
import { type OpenAgent, promptFor } from './agent'

/** What the program of Claude Code was told: an answer of the server, or why a call was denied. */
const readTold = (reported: string): string =>
  reported.startsWith('{') ? textIn(JSON.parse(reported)) : reported

/** The model's steps, each after what it was told last. */
function* stepsOf(actor: Actor, prompt: string, reported: readonly string[]): Generator<Step> {
  let step = actor.next(textIn(JSON.parse(prompt)))
  while (typeof step !== 'string') {
    yield step
    step = actor.next(readTold(reported.at(-1) ?? ''))
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
        const reported: string[] = []
        const program = claudeCode(
          (prompt) => stepsOf(actor, prompt, reported),
          reported,
          (tool, work) => stage.carried(tool, work),
        )
        const prompt = await promptFor(isAtHand ? message : null)
        for await (const _ of query({ prompt, options: { ...server.options, ...program, tools: [] } }));
      },
      close: async () => {},
    }
  }
