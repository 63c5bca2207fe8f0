import type { Mailbox, Message } from 'restante'
import type * as z from 'zod'
import type { ProposedMail } from './proposal'
import type { ToolRisk, ToolSession } from './tool-session'

/** Context that a tool runs in. */
export interface ToolContext {
  readonly session: ToolSession
  /** Id of the call: the same call with the same input, repeated, sends nothing twice. */
  readonly callId?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Whether a message must wait for a human: it becomes a draft. */
  readonly held: boolean
  /** Reasons why it is held, for a human. */
  readonly reasons: readonly string[]
  /** The same reasons for the model: they name no message that it was not shown. */
  readonly notes: readonly string[]
  /** Messages whose content goes along: see {@link ToolFlow}. */
  readonly material: readonly Message[]
}

/** Content that a tool call would let flow, and its recipients. */
interface ToolFlow {
  /** Addresses that it would write to. */
  readonly to: readonly string[]
  /** Messages whose content or subject would go along. */
  readonly material: readonly Message[]
  /** Other reasons to ask a human. */
  readonly reasons?: readonly string[]
}

/** Tool independent of frameworks. */
export interface MailTool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly name: string
  /** Description for the model. */
  readonly description: string
  readonly input: Input
  readonly output: Output
  readonly risk: ToolRisk
  /** Returns the content that a call would let flow, and its recipients. */
  flow?(session: ToolSession, input: z.output<Input>): Promise<ToolFlow>
  /** Returns the message to show to an approver. @throws as `run`, for calls that are always refused */
  propose?(session: ToolSession, input: z.output<Input>): Promise<ProposedMail>
  /** @throws RestanteError, which the toolbox reports to the model as a refusal */
  run(mailbox: Mailbox, input: z.output<Input>, context: ToolContext): Promise<z.output<Output>>
}

/** Infers the types of a tool from its schemas. */
export const defineTool = <Input extends z.ZodType, Output extends z.ZodType>(
  tool: MailTool<Input, Output>,
): MailTool<Input, Output> => tool
