import type { AIMessage, BaseMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { type AgentMiddleware, createMiddleware, humanInTheLoopMiddleware } from 'langchain'
import { checkOptions, isRestanteError, type Mailbox } from 'restante'
import {
  type BoundTool,
  createToolbox,
  handlesIn,
  proposalText,
  type Toolbox,
  type ToolboxOptions,
} from 'restante/tools'
import * as z from 'zod'
import { toTools } from './langchain/tools'
import { boundTools, toolboxNames, withPictures } from './tools/toolbox'

/** Mailbox tools, with a human who is asked about them. */
export type MailboxMiddleware = AgentMiddleware<
  undefined,
  undefined,
  unknown,
  readonly StructuredToolInterface[],
  readonly []
>

/**
 * Names under which a model's answer stores which of its calls need approval, and which were approved. They
 * are stored with the run: a call stays in question even if its recipient becomes known before the human says
 * no.
 */
const marks = { asked: 'restante_asked', approved: 'restante_approved', shown: 'restante_shown' } as const

const newestAnswer = (messages: readonly BaseMessage[]): AIMessage | undefined =>
  messages.findLast((message): message is AIMessage => message.type === 'ai')

const idsAt = (answer: AIMessage | undefined, mark: string): string[] => {
  const ids = answer?.response_metadata?.[mark] as unknown
  return Array.isArray(ids) ? ids : []
}

const setIds = (answer: AIMessage, mark: string, ids: readonly string[]): void => {
  answer.response_metadata = { ...answer.response_metadata, [mark]: ids }
}

/**
 * Finds what the model of a run was shown: by its messages now, and by those at its newest answer. Messages
 * may have been left out or summarized since.
 */
const shownIn = (messages: readonly BaseMessage[], kept: readonly string[] = []): string[] => [
  ...new Set([
    ...kept,
    ...messages.flatMap((message) => idsAt(message as AIMessage, marks.shown)),
    ...handlesIn(messages),
  ]),
]

/** Counts the pictures that the tools have shown since a person last wrote. */
const picturesIn = (messages: readonly BaseMessage[]): number =>
  messages
    .slice(messages.findLastIndex(({ type }) => type === 'human') + 1)
    .flatMap(({ type, content }) => (type === 'tool' && Array.isArray(content) ? content : []))
    .filter(({ type }) => type === 'image').length

/**
 * Returns the toolbox of a run by its messages. One middleware serves many runs: each has what it read in its
 * own state. The calls of one answer share a toolbox, so that together they keep to its limits.
 */
const runsOf = (toolbox: Toolbox) => {
  const forks = new WeakMap<AIMessage, Toolbox>()
  return (given: readonly unknown[]): Toolbox => {
    const messages = given as readonly BaseMessage[]
    const answer = newestAnswer(messages)
    const known = answer && forks.get(answer)
    const fork = known ?? toolbox.fork({ pictures: picturesIn(messages) })
    fork.show(shownIn(messages))
    if (answer) forks.set(answer, fork)
    return fork
  }
}

/** Returns the ids of the calls that need a human's approval. */
const askedOf = async ({ tools }: Toolbox, { tool_calls = [] }: AIMessage): Promise<string[]> => {
  const each = await Promise.all(
    tool_calls.map(async ({ id, name, args }) => {
      const bound = tools[name as keyof typeof tools]
      return id !== undefined && bound && (await bound.needsApproval(args)) ? [id] : []
    }),
  )
  return each.flat()
}

/** Describes a call to a human: the whole message, without the model's handles. */
const describe = async (tool: BoundTool, input: unknown): Promise<string> => {
  try {
    const mail = await tool.propose(input)
    return mail ? proposalText(mail) : `${tool.name} ${JSON.stringify(input, null, 2)}`
  } catch (error) {
    if (!isRestanteError(error)) throw error
    return `This call will be refused: ${error.message}`
  }
}

/** State of a run beside its messages, since those may be left out or summarized, the model's too. */
const stateSchema = z.object({ [marks.shown]: z.array(z.string()).default([]) })

interface State extends Partial<z.infer<typeof stateSchema>> {
  messages: BaseMessage[]
}
type AskHook = (state: State, runtime: object) => Promise<{ messages: BaseMessage[] } | undefined>

const createAsk = (toolbox: Toolbox, runOf: (messages: BaseMessage[]) => Toolbox): AskHook => {
  const when = ({ toolCall: { id = '' }, state }: { toolCall: { id?: string | undefined }; state: State }) =>
    idsAt(newestAnswer(state.messages), marks.asked).includes(id)
  const interruptOn = Object.fromEntries(
    boundTools(toolbox)
      .filter(({ risk }) => risk !== 'read')
      .map((bound) => [
        bound.name,
        {
          allowedDecisions: ['approve' as const, 'edit' as const, 'reject' as const],
          description: ({ args }: { args: unknown }, state: State) =>
            describe(runOf(state.messages).tools[bound.name]!, args),
          when,
        },
      ]),
  )
  const { afterModel } = humanInTheLoopMiddleware({ interruptOn: interruptOn as never })
  return (afterModel as unknown as { hook: AskHook }).hook
}

/**
 * Mailbox tools as a middleware of LangChain 1.4.6 and newer. It asks a human as `approve` and `flow`
 * require, in the way of `humanInTheLoopMiddleware`. The run is interrupted with a `HITLRequest`, whose
 * `description` is the whole message. The `decisions` to approve, edit or reject resume it, also in another
 * process. It needs a checkpointer.
 *
 * @throws UsageError `invalid_options`
 * @example
 * ```ts
 * import { MemorySaver } from '@langchain/langgraph'
 * import { createAgent } from 'langchain'
 * import { mailboxMiddleware } from 'restante/langchain-middleware'
 *
 * const middleware = [mailboxMiddleware(mailbox, { approve: 'send' })]
 * const desk = createAgent({ model, middleware, checkpointer: new MemorySaver() })
 * ```
 */
export function mailboxMiddleware(mailbox: Mailbox, options: ToolboxOptions = {}): MailboxMiddleware {
  checkOptions('mailboxMiddleware()', options, toolboxNames)
  const toolbox = createToolbox(mailbox, withPictures(options))
  const approved = new Set<string>()
  const runOf = runsOf(toolbox)
  const ask = createAsk(toolbox, runOf)
  return createMiddleware({
    name: 'MailboxMiddleware',
    stateSchema,
    tools: toTools(toolbox, approved, runOf),
    wrapModelCall: async (request, handler) => {
      const answer = await handler(request)
      if (!('tool_calls' in answer)) return answer
      const { messages, [marks.shown]: kept } = request.state as State
      const shown = shownIn([...messages, ...request.messages], kept)
      setIds(answer, marks.shown, shown)
      setIds(answer, marks.asked, await askedOf(toolbox.fork({ shown }), answer))
      return answer
    },
    afterModel: {
      canJumpTo: ['model'],
      hook: async (state, runtime) => {
        const { messages, [marks.shown]: kept } = state as State
        const decided = await ask(state as State, runtime)
        const answer = decided && newestAnswer(decided.messages)
        if (answer) setIds(answer, marks.approved, idsAt(answer, marks.asked))
        return { ...decided, [marks.shown]: shownIn(messages, kept) } as never
      },
    },
    wrapToolCall: (request, handler) => {
      const { id } = request.toolCall
      if (id !== undefined && idsAt(newestAnswer(request.state.messages), marks.approved).includes(id))
        approved.add(id)
      return handler(request)
    },
  }) as unknown as MailboxMiddleware
}
