import * as z from 'zod'
import { openEnum, timestamp } from './common'
import { listPattern } from './list'

/** An address to which the account sends nothing. */
export const suppression = z
  .looseObject({
    id: z.string(),
    address: z.string().meta({ description: 'In lower case.' }),
    reason: openEnum(['bounce', 'complaint', 'manual']),
    detail: z.string().nullable().meta({ description: 'What the other side said; null for nothing.' }),
    created_at: timestamp,
  })
  .meta({ id: 'Suppression' })
/** An address to which the account sends nothing, and the reason. */
export type Suppression = z.infer<typeof suppression>

/** A single address without a name. */
export const suppressedAddress = listPattern
  .refine((text) => /^[^*@]+@[^*@]+$/.test(text), { message: 'must be an address such as ana@example.com' })
  .meta({ description: 'An address without a name; case does not matter.', examples: ['ana@example.com'] })
