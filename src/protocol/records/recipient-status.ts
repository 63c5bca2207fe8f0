import { z } from 'zod'
import { openEnum } from './common'

/** The reason why a mail is not with a recipient. */
const deliveryReason = openEnum([
  'unknown_address',
  'unknown_domain',
  'mailbox_full',
  'greylisted',
  'throttled',
  'policy',
  'content',
  'too_large',
  'unsupported',
  'dns_failure',
  'unreachable',
  'tls_failure',
  'suppressed',
  'other',
])
export type DeliveryReason = z.infer<typeof deliveryReason>

/** The status of a mail that was sent, for one of its recipients. */
export const recipientStatus = z
  .looseObject({
    address: z.string(),
    status: openEnum(['queued', 'deferred', 'sent', 'delivered', 'bounced', 'complained', 'rejected']),
    reason: deliveryReason.nullable().meta({ description: 'Why it is not there; null where it is.' }),
    kind: openEnum(['hard', 'soft']).nullable().meta({
      description:
        'hard: the address takes no mail, now and ever. soft: it may another time. Null where nothing failed.',
    }),
    detail: z
      .string()
      .nullable()
      .meta({ description: 'What the other side last said; null where it said nothing.' }),
  })
  .meta({ id: 'RecipientStatus' })
export type RecipientStatus = z.infer<typeof recipientStatus>
