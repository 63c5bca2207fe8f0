import { z } from 'zod'

/** A path that names one record. */
export const idParams = z.strictObject({ id: z.string().min(1).max(64) })

/** A body with a mail in it, its attachments in base64. */
export const largestMailBody = 36 * 1024 * 1024
