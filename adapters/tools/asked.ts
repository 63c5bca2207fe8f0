import type { Mailbox } from 'restante'
import { proposalText } from './proposal'
import { type BoundTool, createToolbox, type Toolbox, type ToolboxOptions, type ToolOutput } from './toolbox'

/** Message to a model whose call a human has refused. */
export const deniedText = 'A human said no: do not try it another way'

/** Message to a model whose wait ended without a reply. */
export const nobodyAnswered = {
  status: 'timed_out',
  note: 'Nobody answered: go on with something else.',
} as const

/** Describes a call for the approver: the message that it would send, or the call itself if it sends none. */
export async function questionText(tool: BoundTool, input: unknown): Promise<string> {
  const mail = await tool.propose(input)
  return mail ? proposalText(mail) : `${tool.name} ${JSON.stringify(input)}`
}

/**
 * Reads the reply that a run has waited for, under the options of its tools but regardless of the chosen
 * ones.
 *
 * @param reply the id of the reply; null if none arrived
 * @param toolbox the tools of the run, which count the reply as shown
 */
export async function readReply(
  mailbox: Mailbox,
  options: ToolboxOptions,
  reply: string | null,
  { toolbox, signal }: { toolbox?: Toolbox; signal?: AbortSignal | undefined } = {},
): Promise<ToolOutput<'read_message'> | typeof nobodyAnswered> {
  if (reply === null) return nobodyAnswered
  const { tools } = createToolbox(mailbox, { ...options, only: ['read_message'], readOnly: true })
  toolbox?.show([reply])
  return tools.read_message!.call({ message: reply }, { signal })
}

/** Opens the wait of a `wait_for_reply` call that outlives its run: plain data, without a waiting process. */
export async function openWait(
  mailbox: Mailbox,
  input: object,
  signal: AbortSignal | undefined,
): Promise<{ message: string; token: string | null }> {
  const { id: message } = await mailbox.messages.get((input as { message: string }).message, { signal })
  using wait = mailbox.nextReply({ id: message })
  return { message, token: wait.token }
}
