import { z } from 'zod'
import type { ErrorCode } from '../error-codes'

/** A path that names one record. */
export const idParams = z.strictObject({ id: z.string().min(1).max(64) })

/** Narrows a list to a label. */
export const labelOfList = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .meta({ description: 'Name or id of a label.' })

/** What a list leaves out otherwise. */
export const includeSpam = z
  .enum(['spam'])
  .optional()
  .meta({ description: '`spam`: with mail that is spam.' })

/** A body with a mail in it, its attachments in base64. */
export const largestMailBody = 36 * 1024 * 1024

/** What every change to what the account has may be refused with. */
export const changeErrors = [
  'account_expired',
  'claim_required',
  'insufficient_scope',
] as const satisfies readonly ErrorCode[]

/** What every send may be refused with, in the order in which it is looked at (specification 1.4). */
export const checkErrors = [
  'sending_paused',
  'recipient_blocked',
  'recipient_suppressed',
  'loop_suspected',
  'warmup_limit_reached',
  'daily_limit_reached',
  'recipient_domain_limit_reached',
] as const satisfies readonly ErrorCode[]
