import * as z from 'zod'

/** An address of an envelope (RFC 5321 section 4.1.2). */
const envelopeAddress = z
  .string()
  .max(320)
  .refine((text) => !/[\s\p{Cc}]/u.test(text), 'must not have spaces: in a query a + is written %2B')

const recipient = envelopeAddress.refine(
  (text) => /^.+@[^@]+$/.test(text),
  'must be an address such as agent@example.com',
)

/** Envelope of an inbound message, as a query. */
export const inboundQuery = {
  from: z
    .union([z.literal(''), recipient], 'must be an address such as ana@example.com, or empty for a bounce')
    .meta({ description: 'The envelope sender (MAIL FROM); empty for the null sender of bounces.' }),
  to: z
    .array(recipient)
    .min(1)
    .max(100)
    .meta({ description: 'The envelope recipients (RCPT TO), each as a `to` of its own.' }),
  client_ip: z.union([z.ipv4(), z.ipv6()], 'must be an IP address').optional().meta({
    description:
      'The address that handed the mail over, where it is known; only of a `trusted` key it counts.',
  }),
  helo: z
    .string()
    .max(255)
    .refine((text) => !/[\s\p{Cc}]/u.test(text), 'must not have spaces')
    .optional()
    .meta({ description: 'The name by which that address called itself.' }),
}

/** Id of a message at its source. */
export const sourceId = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')

/** Result of an inbound message. */
export const inboundAnswer = z
  .looseObject({
    messages: z.array(z.looseObject({ id: z.string(), inbox_id: z.string(), thread_id: z.string() })),
    refused: z
      .array(z.looseObject({ to: z.string(), error: z.string(), message: z.string() }))
      .meta({ description: 'The recipients that do not take it, and never will.' }),
    idempotent: z.boolean().meta({ description: 'True where all of it had been taken before.' }),
  })
  .meta({ id: 'InboundResult' })
/** Result of an inbound message. */
export type InboundAnswer = z.infer<typeof inboundAnswer>
