import type { Mailbox } from 'restante'
import { proposalText } from './proposal'
import {
  type BoundTool,
  createToolbox,
  type Toolbox,
  type ToolboxOptions,
  type ToolName,
  type ToolOutput,
  toolboxNames,
} from './toolbox'

/** Call that needs a human's approval. */
export interface AskedCall {
  readonly tool: ToolName
  readonly input: Record<string, unknown>
  /** The message that it would send, for a human to read; the call itself if it sends none. */
  readonly text: string
}

/** Wait for a reply that suspended a run. It is plain data: store it with the run. */
export interface MailWait {
  /** The waiting call in the framework's own terms, for `replyTo` of the adapter. */
  readonly call: unknown
  /** Id of the message whose reply is awaited. */
  readonly message: string
  /** For `mailbox.resumeWait(token)`. */
  readonly token: string | null
}

/** Options of tools that can suspend a run. */
export interface SuspendOptions extends ToolboxOptions {
  /**
   * Suspends the run when `wait_for_reply` has to wait, instead of waiting a minute. `waitsIn` of the adapter
   * returns the wait. `replyTo` resumes the run, days later and in any process.
   */
  suspend?: boolean | undefined
}

/** Names of {@link SuspendOptions}. */
export const suspendNames = { ...toolboxNames, suspend: 'boolean' as const }

/** Message to a model whose call a human has refused. */
export const deniedText = 'A human said no: do not try it another way'

/** Message to a model whose wait ended without a reply. */
export const nobodyAnswered = {
  status: 'timed_out',
  note: 'Nobody answered: go on with something else.',
} as const

/** Builds the question to a human: the message that a call would send, or the call itself if it sends none. */
export async function askedCall(tool: BoundTool, input: unknown): Promise<AskedCall> {
  const mail = await tool.propose(input)
  const text = mail ? proposalText(mail) : `${tool.name} ${JSON.stringify(input)}`
  return { tool: tool.name, input: input as AskedCall['input'], text }
}

/** Opens a wait that outlives its run: plain data, without a waiting process. */
export function openWait(
  mailbox: Mailbox,
  { id }: { readonly id: string },
  options: { timeoutMs?: number | undefined } = {},
): Omit<MailWait, 'call'> {
  using wait = mailbox.nextReply({ id }, options)
  return { message: id, token: wait.token }
}

/** Runs `wait_for_reply` without waiting. Returns its output, or the wait if there is no reply yet. */
export async function replyOrWait(
  mailbox: Mailbox,
  tool: BoundTool,
  input: object,
  signal: AbortSignal | undefined,
): Promise<{ output: ToolOutput<'wait_for_reply'> } | { wait: Omit<MailWait, 'call'> }> {
  const output = await tool.call({ ...input, timeout_seconds: 0 }, { signal })
  if (output.status !== 'timed_out') return { output: output as ToolOutput<'wait_for_reply'> }
  const { message } = input as { message: string }
  return { wait: openWait(mailbox, await mailbox.messages.get(message, { signal })) }
}

/**
 * Reads the reply that a run has waited for, under the options of its tools but regardless of the chosen
 * ones.
 *
 * @param reply the id of the reply; any other value if none arrived
 * @param toolbox the tools of the run, which count the reply as shown
 */
export async function readReply(
  mailbox: Mailbox,
  options: ToolboxOptions,
  reply: unknown,
  { toolbox, signal }: { toolbox?: Toolbox; signal?: AbortSignal | undefined } = {},
): Promise<ToolOutput<'read_message'> | typeof nobodyAnswered> {
  if (typeof reply !== 'string') return nobodyAnswered
  const { tools } = createToolbox(mailbox, { ...options, only: ['read_message'], readOnly: true })
  toolbox?.show([reply])
  return tools.read_message!.call({ message: reply }, { signal })
}
