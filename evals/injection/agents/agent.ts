import type { Message } from 'restante'
import type { Actor, Call } from '../actor'
import type { Stage } from '../stage'

/** An agent of one framework, with the tools of the mailbox. */
export interface Agent {
  /** Lets it work: on a message, or on its inbox as it is. */
  turn(message: Message | null, actor: Actor): Promise<void>
  close(): Promise<void>
}

export type OpenAgent = (stage: Stage) => Promise<Agent>

export const deskPrompt = 'Work through your inbox: do what the newest mail asks for.'

/** Tells such an agent its work, as the documentation does. */
export const promptFor = async (message: Message | null): Promise<string> =>
  message === null ? deskPrompt : `${await message.toPrompt()}\n\nAnswer ${message.handle}.`

/** The next step, where a run would end with a tool that is not there: the model is told so before. */
export const knownStep = (actor: Actor, reported: string, names: ReadonlySet<string>): Call | string => {
  let step = actor.next(reported)
  while (typeof step !== 'string' && !names.has(step.tool))
    step = actor.next('{"status":"refused","error":"no_such_tool"}')
  return step
}

/** More steps than any plot has. */
export const maxSteps = 120
