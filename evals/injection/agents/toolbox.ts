import type { Message } from 'restante'
import {
  type BoundTool,
  createToolbox,
  runInbox,
  type Toolbox,
  type ToolName,
  toolText,
} from 'restante/tools'
import type { Actor } from '../actor'
import type { Stage } from '../stage'
import { type Agent, type OpenAgent, promptFor } from './agent'

/** Works with a toolbox until there are last words. */
async function workWith(stage: Stage, { tools }: Toolbox, prompt: string, actor: Actor): Promise<string> {
  let step = actor.next(prompt)
  for (let count = 0; typeof step !== 'string'; count += 1) {
    const { tool, input } = step
    const bound = tools[tool as ToolName] as BoundTool | undefined
    const callId = `call-${stage.actors.length}-${count}`
    const output: unknown = bound
      ? await stage.carried<unknown>(tool, () => bound.call(input as never, { callId }))
      : { status: 'refused', error: 'no_such_tool', message: `there is no tool ${tool}` }
    step = actor.next(toolText(output))
  }
  return step
}

const toolboxAgent =
  (isAtHand: boolean): OpenAgent =>
  async (stage) => ({
    turn: async (message, actor) => {
      const toolbox = createToolbox(stage.mailbox, {
        ...stage.options,
        ...(isAtHand && message && { message }),
      })
      const words = await workWith(stage, toolbox, await promptFor(isAtHand ? message : null), actor)
      if (isAtHand && message) await toolbox.answer(words)
    },
    close: async () => {},
  })

/** The tools in no framework's words, for one mail. */
export const openToolbox = toolboxAgent(true)

/** The same, for whatever is in the inbox. */
export const openDesk = toolboxAgent(false)

/** One turn of an agent that is given mail as it comes in: others' mail is not its business here. */
export async function oneTurn(
  stage: Stage,
  message: Message | null,
  start: (
    wanted: (came: Message) => boolean,
    over: (error?: unknown) => void,
    name: string,
  ) => { stop(): Promise<void> },
): Promise<void> {
  const wanted = message ?? (await stage.everything()).findLast(({ direction }) => direction === 'inbound')
  // What nobody answers, such as a mail in the owner's own name that nothing proves, is handed to no loop.
  if (!wanted || wanted.unanswerable) return
  let over = (_error?: unknown) => {}
  const ended = new Promise<unknown>((resolve) => {
    over = resolve
  })
  const run = start(({ id }) => id === wanted.id, over, `plot-${stage.actors.length}`)
  await ended
  await run.stop()
}

/** `runInbox`: the agent is told the conversation, and its last words are the answer. */
export const openInbox: OpenAgent = async (stage): Promise<Agent> => ({
  turn: (message, actor) =>
    oneTurn(stage, message, (isWanted, over, consumer) =>
      runInbox(
        {
          ...stage.options,
          ...{ mailbox: stage.mailbox, consumer, from: message?.receivedAt },
          onError: over,
          onAnswer: (_answer, answered) => void (isWanted(answered) && over()),
        },
        async ({ message: came, prompt, toolbox }) =>
          isWanted(came) ? workWith(stage, toolbox, prompt, actor) : '',
      ),
    ),
  close: async () => {},
})
