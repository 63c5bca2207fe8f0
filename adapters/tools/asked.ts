import type { Mailbox } from 'restante'
import { proposalText } from './proposal'
import type { BoundTool } from './toolbox'

/** Tells a model that a human has refused its call. */
export const deniedText = 'A human said no: do not try it another way'

/** Tells a model that its wait has ended without a reply. */
export const nobodyAnswered = {
  status: 'timed_out',
  note: 'Nobody answered: go on with something else.',
} as const

/** Writes a call out for the human who decides: the mail that it would write, or the call itself where it writes none. */
export async function questionText(tool: BoundTool, input: unknown): Promise<string> {
  const mail = await tool.propose(input)
  return mail ? proposalText(mail) : `${tool.name} ${JSON.stringify(input)}`
}

/** Opens the wait of a call of `wait_for_reply` that is to outlive its run: plain data, and nothing waits meanwhile. */
export async function openWait(
  mailbox: Mailbox,
  input: object,
  signal: AbortSignal | undefined,
): Promise<{ message: string; token: string | null }> {
  const { id: message } = await mailbox.messages.get((input as { message: string }).message, { signal })
  using wait = mailbox.nextReply({ id: message })
  return { message, token: wait.token }
}
