import { z } from 'zod'
import type { ErrorCode } from '../errors'

/** A path that names one record. */
export const idParams = z.strictObject({ id: z.string().min(1).max(64) })

/** Narrows a list to a label. */
export const labelOfList = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .meta({ description: 'Name or id of a label.' })

/** The parameter that brings what a list leaves out otherwise. */
export const includeAway = z
  .enum(['spam', 'trash', 'all'])
  .optional()
  .meta({ description: '`spam`: with mail that is spam. `trash`: with mail in the trash. `all`: with both.' })

/** A body with a message in it, its attachments in base64. */
export const maxMailBodyBytes = 36 * 1024 * 1024

/** The codes with which every change to what the account has may be refused. */
export const changeErrors = ['account_expired', 'claim_required'] as const satisfies readonly ErrorCode[]

/** The codes with which every send may be refused, in the order in which they are looked at (specification 1.4). */
export const checkErrors = [
  'sending_paused',
  'recipient_blocked',
  'recipient_suppressed',
  'loop_suspected',
  'warmup_limit_reached',
  'daily_limit_reached',
  'recipient_domain_limit_reached',
  'storage_limit_reached',
] as const satisfies readonly ErrorCode[]

/** The longest query, in code points. */
const maxQueryCharacters = 2_000

/** The words to look for; undefined if there are none. Nothing in them is an error but their length. */
export const searchText = z
  .string()
  .refine((text) => text.length <= maxQueryCharacters || Array.from(text).length <= maxQueryCharacters, {
    error: `At most ${maxQueryCharacters} characters: give the words that matter.`,
  })
  .transform((text) => (text.trim() === '' ? undefined : text))

/** The way in which a search looks: for words, for meaning, or for both. */
export const searchMode = z.enum(['keyword', 'semantic', 'hybrid'])
/** The way in which a search looks. */
export type SearchMode = z.infer<typeof searchMode>

/** Something in a query that was probably meant otherwise than it was read. */
const searchWarning = z
  .looseObject({
    column: z.number().int().meta({ description: 'The place in `q`, from 1, in code points.' }),
    message: z.string(),
  })
  .meta({ id: 'SearchWarning' })
/** Something in a query that was probably meant otherwise than it was read. */
export type SearchWarning = z.infer<typeof searchWarning>

/** The part of an answer to a search that stands beside what was found. */
export const searchAnswer = {
  mode_used: z.string().meta({ description: '`keyword`, `semantic` or `hybrid`.' }),
  warnings: z
    .array(searchWarning)
    .optional()
    .meta({ description: 'What in `q` was not read as it was meant, probably; empty where nothing was.' }),
}
