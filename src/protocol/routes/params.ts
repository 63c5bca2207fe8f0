import * as z from 'zod'
import type { ErrorCode } from '../errors/error-codes'

/** Parameters of a path that names one record. */
export const idParams = z.strictObject({ id: z.string().min(1).max(64) })

/** Narrows a list to a label. */
export const labelOfList = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .meta({ description: 'Name or id of a label.' })

/** Parameter that includes messages which a list omits by default. */
export const includeAway = z
  .enum(['spam', 'trash', 'all'])
  .optional()
  .meta({ description: '`spam`: with mail that is spam. `trash`: with mail in the trash. `all`: with both.' })

/** Most bytes of a request body with a message and its attachments in base64. */
export const maxMailBodyBytes = 36 * 1024 * 1024

/** Codes with which every change to data of the account may be refused. */
export const changeErrors = ['account_expired', 'claim_required'] as const satisfies readonly ErrorCode[]

/** Codes with which every send may be refused, in the order of the checks (specification 1.4). */
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

/** Longest query, in code points. */
const maxQueryCharacters = 2_000

/** The words to search for; undefined if there are none. Only their length can be invalid. */
export const searchText = z
  .string()
  .refine((text) => text.length <= maxQueryCharacters || Array.from(text).length <= maxQueryCharacters, {
    error: `At most ${maxQueryCharacters} characters: give the words that matter.`,
  })
  .transform((text) => (text.trim() === '' ? undefined : text))

/** Mode of a search: ranked by keyword, by embedding, or both. */
export const searchMode = z.enum(['keyword', 'semantic', 'hybrid'])
/** Mode of a search. */
export type SearchMode = z.infer<typeof searchMode>

/** A part of a query that was probably misread. */
const searchWarning = z
  .looseObject({
    column: z.number().int().meta({ description: 'The place in `q`, from 1, in code points.' }),
    message: z.string(),
  })
  .meta({ id: 'SearchWarning' })
/** A part of a query that was probably misread. */
export type SearchWarning = z.infer<typeof searchWarning>

/** The fields of a search response beside its results. */
export const searchAnswer = {
  mode_used: z.string().meta({ description: '`keyword`, `semantic` or `hybrid`.' }),
  warnings: z
    .array(searchWarning)
    .optional()
    .meta({ description: 'What in `q` was not read as it was meant, probably; empty where nothing was.' }),
}
