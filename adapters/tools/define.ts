import type { Mailbox, Message } from 'restante'
import type { z } from 'zod'
import type { ProposedMail } from './proposal'
import type { ToolRisk, ToolSession } from './tool-session'

/** The context that a tool runs in. */
export interface ToolContext {
  readonly session: ToolSession
  /** The call's id: the same call with the same input, repeated, sends nothing twice. */
  readonly callId?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** A message must wait for a human: it becomes a draft. */
  readonly held: boolean
  /** The reasons why it is held, for a human. */
  readonly reasons: readonly string[]
  /** The same for the model: they name nothing of a message that it was not shown. */
  readonly notes: readonly string[]
  /** The mail that goes along: see {@link ToolFlow}. */
  readonly material: readonly Message[]
}

/** The mail that a call of a tool would let flow, and to whom. */
interface ToolFlow {
  /** To whom it would write. */
  readonly to: readonly string[]
  /** Mail that would go along, or whose subject would. */
  readonly material: readonly Message[]
  /** Other reasons for which a human is to be asked. */
  readonly reasons?: readonly string[]
}

/** A tool in no framework's words. */
export interface MailTool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly name: string
  /** For the model. */
  readonly description: string
  readonly input: Input
  readonly output: Output
  readonly risk: ToolRisk
  /** Tells what a call would let flow to whom. */
  flow?(session: ToolSession, input: z.output<Input>): Promise<ToolFlow>
  /** The mail that it would write, for a human who is asked. @throws as `run`, for what is refused in any case */
  propose?(session: ToolSession, input: z.output<Input>): Promise<ProposedMail>
  /** @throws RestanteError, which the toolbox tells the model as a refusal */
  run(mailbox: Mailbox, input: z.output<Input>, context: ToolContext): Promise<z.output<Output>>
}

/** Infers the types of a tool from its schemas. */
export const defineTool = <Input extends z.ZodType, Output extends z.ZodType>(
  tool: MailTool<Input, Output>,
): MailTool<Input, Output> => tool
