import * as z from 'zod'
import { timestamp } from './common'

/** A file that was uploaded before its message is sent. */
export const upload = z
  .looseObject({
    id: z.string().meta({ description: 'For `attachments: [{"upload_id": …}]`, as often as you like.' }),
    filename: z.string(),
    content_type: z.string(),
    size: z.int().min(0),
    created_at: timestamp,
    expires_at: timestamp.meta({ description: 'Until when it can be attached. What has it keeps it.' }),
  })
  .meta({ id: 'Upload' })
/** A file that was uploaded before its message, and the time until which it can be attached. */
export type Upload = z.infer<typeof upload>
