import { z } from 'zod'

const secret = z
  .string()
  .trim()
  .min(8, 'must have 8 characters at least')
  .max(4_096, 'must have 4096 characters at most')

/** A provider that brings mail, and what its requests are checked with, by its name. */
export const inboundProvider = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('cloudflare') }),
  z.strictObject({
    type: z.literal('ses'),
    topic_arn: z
      .string()
      .regex(
        /^arn:aws[\w-]*:sns:[a-z\d-]+:\d{12}:[\w-]+(\.fifo)?$/,
        'must be the ARN of an SNS topic, as arn:aws:sns:eu-west-1:123456789012:mail',
      ),
    access_key_id: secret.optional().meta({ description: 'To read mail that SES puts into S3.' }),
    secret_access_key: secret.optional(),
  }),
  z.strictObject({ type: z.literal('mailgun'), signing_key: secret }),
  z.strictObject({ type: z.literal('postmark') }),
  z.strictObject({ type: z.literal('sendgrid'), public_key: secret }),
  z.strictObject({ type: z.literal('resend'), signing_secret: secret, api_key: secret }),
])
/** A provider that brings mail, and what its requests are checked with. */
export type InboundProvider = z.infer<typeof inboundProvider>

/** The last part of the address that each provider posts to; Mailgun posts mail as it is only where that ends so. */
export const providerPaths = {
  cloudflare: 'cloudflare',
  ses: 'ses',
  mailgun: 'mailgun-mime',
  postmark: 'postmark',
  sendgrid: 'sendgrid',
  resend: 'resend',
} as const satisfies Record<InboundProvider['type'], string>
