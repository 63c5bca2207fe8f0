import * as z from 'zod'
import { account } from './account'
import { openEnum, timestamp } from './common'
import { inboundProvider } from './inbound/provider'

/** Secret of a claim link, from its fragment. */
export const claimBody = z.strictObject({
  token: z.string().min(1).max(200).meta({ description: 'What stands after `#token=` in the claim link.' }),
})

/** The account of a claim link, before it is claimed. */
export const claimPreview = z
  .looseObject({
    tenant_id: z.string(),
    name: z.string(),
    addresses: z.array(z.string()),
    received_messages: z.number().meta({ description: 'How many messages have come in so far.' }),
    created_at: timestamp,
    claim_expires_at: timestamp,
    claimed: z.boolean().meta({ description: 'Whether it is yours already.' }),
    verification: openEnum(['verified', 'unverified', 'own_address']).meta({
      description:
        'Whether the address of the operator is verified, which a claim needs. `own_address`: this service receives its mail, so that it never counts.',
    }),
  })
  .meta({ id: 'ClaimPreview' })
export type ClaimPreview = z.infer<typeof claimPreview>

/** The claimed account. */
export const claimAnswer = z
  .looseObject({
    account,
    already_claimed: z.boolean().meta({ description: 'True where it was yours before.' }),
  })
  .meta({ id: 'Claim' })
export type ClaimAnswer = z.infer<typeof claimAnswer>

/** Body of POST /console/accounts/{account_id}/talk. */
export const talkBody = z.strictObject({
  inbox_id: z.string().min(1).max(64).meta({ description: 'The inbox that it is written to.' }),
  from: z
    .string()
    .min(1)
    .max(320)
    .meta({ description: 'Who writes, anybody at all: `ana@example.com`, or `Ana <ana@example.com>`.' }),
  subject: z
    .string()
    .max(2_000)
    .optional()
    .meta({ description: 'Without it that of the mail which it answers, or none.' }),
  text: z.string().min(1).max(100_000),
  proven: z.boolean().default(true).meta({
    description:
      'Whether SPF, DKIM or DMARC prove that the domain of `from` sent it. The records are known to this service only, for this message only. Absent: nothing proves it.',
  }),
  in_reply_to: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'The message of the inbox that it answers.' }),
})
export type TalkBody = z.output<typeof talkBody>

/** A message that was written to an inbox. */
export const talkAnswer = z
  .looseObject({
    id: z.string().meta({ description: 'Of the message.' }),
    rfc822_message_id: z.string(),
  })
  .meta({ id: 'Talk' })
export type TalkAnswer = z.infer<typeof talkAnswer>

const keyScopes = ['read', 'send', 'manage', 'inbound'] as const
const usualScopes = ['read', 'send', 'manage'] as const

/** An API key for its owner: never the key itself. */
export const apiKey = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    hint: z.string().nullable().meta({
      description: 'The last four characters of the key, to recognise it; null if they were not stored.',
    }),
    scopes: z.array(openEnum(keyScopes)),
    inbox_id: z
      .string()
      .nullable()
      .meta({ description: 'The one inbox it opens; null for the whole account.' }),
    trusted: z.boolean().meta({
      description: 'Of a key that brings mail in: what it says of where mail comes from counts for SPF.',
    }),
    everywhere: z.boolean().meta({
      description:
        'It brings mail in for every account of the service; only the administrator makes such a key.',
    }),
    provider: z
      .string()
      .nullable()
      .meta({ description: 'The provider that brings mail under it, such as `ses`; null where none does.' }),
    refused_at: timestamp.nullable().meta({
      description:
        'When the provider was last refused, since nothing showed that it was it; null where it never was.',
    }),
    refused_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why, and what to look at; null where it never was.' }),
    created_at: timestamp,
    last_used_at: timestamp
      .nullable()
      .meta({ description: 'Up to a minute late; null where it was never used.' }),
    revoked_at: timestamp.nullable().meta({ description: 'Null for a key that was not revoked.' }),
    expires_at: timestamp.nullable().meta({ description: 'Null for a key that does not expire.' }),
  })
  .meta({ id: 'ApiKey' })
/** An API key for its owner: its name, scopes and last characters, never the key itself. */
export type ApiKey = z.infer<typeof apiKey>

/** A new key: the only response that has it. */
export const newApiKey = apiKey
  .extend({ api_key: z.string().meta({ description: 'Shown this once: save it.' }) })
  .meta({ id: 'NewApiKey' })
/** A new API key; only this has the key itself. */
export type NewApiKey = z.infer<typeof newApiKey>

/** Body of POST /console/accounts/{account_id}/keys. */
export const apiKeyBody = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .refine((name) => !/\p{Cc}/u.test(name), 'must not have control characters'),
  scopes: z
    .array(z.enum(keyScopes))
    .min(1)
    .max(keyScopes.length)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'must name each scope once')
    .refine(
      (scopes) => scopes.length === 1 || !scopes.includes('inbound'),
      'inbound cannot be combined with another scope: a key that delivers mail may do nothing else',
    )
    .default([...usualScopes]),
  inbox_id: z.string().min(1).max(64).optional(),
  trusted: z.boolean().default(false).meta({
    description: 'With the scope `inbound`: what its owner says of where mail comes from counts for SPF.',
  }),
  provider: inboundProvider.optional().meta({
    description:
      'With the scope `inbound`: the provider that posts mail, and what its requests are checked with.',
  }),
})

/** An operator of an account. */
export const accountOperator = z
  .looseObject({
    id: z.string(),
    name: z.string().meta({ description: 'Its name; of an operator without a name the address.' }),
    email: z.string(),
  })
  .meta({ id: 'AccountOperator' })
/** An operator of an account. */
export type AccountOperator = z.infer<typeof accountOperator>
