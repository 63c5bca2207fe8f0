import * as z from 'zod'

const secret = z
  .string()
  .trim()
  .min(8, 'must have 8 characters at least')
  .max(4_096, 'must have 4096 characters at most')

/** A provider that delivers messages, with the values that verify its requests. */
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
/** A provider that delivers messages, with the values that verify its requests. */
export type InboundProvider = z.infer<typeof inboundProvider>

/** Last part of the URL that each provider posts to. Mailgun posts originals only to `…mime`. */
export const providerPaths = {
  cloudflare: 'cloudflare',
  ses: 'ses',
  mailgun: 'mailgun-mime',
  postmark: 'postmark',
  sendgrid: 'sendgrid',
  resend: 'resend',
} as const satisfies Record<InboundProvider['type'], string>
