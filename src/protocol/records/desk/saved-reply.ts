import * as z from 'zod'
import { timestamp } from '../common'
import { replyVariables, unknownVariables } from './reply-variables'

/** Longest saved reply, in characters. */
const maxText = 10_000

const known = replyVariables.map((name) => `{{${name}}}`).join(', ')

/** A text that operators use for replies. */
export const savedReply = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    text: z.string().meta({ description: `May contain ${known}.` }),
    created_at: timestamp,
  })
  .meta({ id: 'SavedReply' })
/** A text that operators use for replies. */
export type SavedReply = z.infer<typeof savedReply>

/** Body that saves a reply. */
export const savedReplyBody = z.strictObject({
  name: z.string().trim().min(1).max(100).meta({ description: 'A saved reply of this name is replaced.' }),
  text: z
    .string()
    .trim()
    .min(1)
    .max(maxText)
    .refine((text) => unknownVariables(text).length === 0, { message: `may contain ${known} only` })
    .meta({ description: `May contain ${known}.`, examples: ['Dear {{name}}, thank you.'] }),
})
export type SavedReplyBody = z.output<typeof savedReplyBody>
