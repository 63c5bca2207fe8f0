import type { Mailbox } from 'restante'
import type { z } from 'zod'
import type { Desk, ToolRisk } from './desk'

/** What a tool is run with. */
export interface ToolContext {
  readonly desk: Desk
  /** What the model gave, where a thread still stands for its newest message. */
  readonly given: object
  /** The call's id: the same call with the same input, repeated, sends nothing twice. */
  readonly callId?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** A mail must wait for a human: it becomes a draft. */
  readonly held: boolean
}

/** A tool in no framework's words. */
export interface MailTool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  readonly name: string
  /** For the model. */
  readonly description: string
  readonly input: Input
  readonly output: Output
  readonly risk: ToolRisk
  /** To whom it would write, as far as that has to be looked at. */
  recipients?(desk: Desk, input: z.output<Input>): Promise<readonly string[]>
  /** @throws RestanteError, which the toolbox tells the model as a refusal */
  run(mailbox: Mailbox, input: z.output<Input>, context: ToolContext): Promise<z.output<Output>>
}

/** Infers the types of a tool from its schemas. */
export const defineTool = <Input extends z.ZodType, Output extends z.ZodType>(
  tool: MailTool<Input, Output>,
): MailTool<Input, Output> => tool
