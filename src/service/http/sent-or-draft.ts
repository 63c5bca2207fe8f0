import type { SendAnswer } from '../core/sends'

/** A draft in the place of a result says with its status that nothing was sent yet. */
export const sentOrDraft = (answer: SendAnswer) =>
  'message_id' in answer ? answer : Response.json(answer, { status: 202 })
