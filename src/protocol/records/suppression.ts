import { z } from 'zod'
import { openEnum, timestamp } from './common'
import { listPattern } from './list'

/** An address that the account sends nothing to. */
export const suppression = z
  .looseObject({
    id: z.string(),
    address: z.string().meta({ description: 'In lower case.' }),
    reason: openEnum(['bounce', 'complaint', 'manual']),
    detail: z.string().nullable().meta({ description: 'What the other side said; null for nothing.' }),
    created_at: timestamp,
  })
  .meta({ id: 'Suppression' })
/** An address that the account sends nothing to, and the reason. */
export type Suppression = z.infer<typeof suppression>

/** One address and nothing beside it. */
export const suppressedAddress = listPattern
  .refine((text) => /^[^*@]+@[^*@]+$/.test(text), { message: 'must be an address such as ana@example.com' })
  .meta({ description: 'An address without a name; case does not matter.', examples: ['ana@example.com'] })
