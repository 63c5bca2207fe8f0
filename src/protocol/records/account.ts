import * as z from 'zod'
import { openEnum, timestamp } from './common'

/** Operations that the account may do now (specification 2.2). */
const capabilities = z
  .looseObject({ receive: z.boolean(), read: z.boolean(), send: z.boolean(), manage: z.boolean() })
  .meta({
    id: 'Capabilities',
    description:
      'What may be done now: by the key that asks for it; in events and at the console, by the account.',
  })
export type Capabilities = z.infer<typeof capabilities>

const accountInbox = z.looseObject({ id: z.string(), address: z.email() })

const perDay = z.int().min(1)

/** Number of recipients that an account may send to in a UTC day. */
const sendingLimits = z.looseObject({
  messages_per_day: perDay.nullable().meta({ description: 'Now, in all; null for no limit.' }),
  messages_per_domain_per_day: perDay
    .nullable()
    .meta({ description: 'Now, to the addresses of one domain; null for no limit.' }),
  warmup: z
    .looseObject({
      day: z.int().min(1).meta({ description: 'The 24 hours since sending began that run now, from 1.' }),
      ends_at: timestamp.nullable().meta({ description: 'Null until sending begins, with the claim.' }),
      messages_per_day: z.array(perDay).meta({ description: 'For the first, second … 24 hours.' }),
      messages_per_domain_per_day: z.array(perDay).meta({ description: 'The same for one domain.' }),
    })
    .nullable()
    .meta({ description: 'The lower limits of the first days; null once they are over.' }),
})

/** State of the account, readable even when expired (specification 2.1). */
export const account = z
  .looseObject({
    tenant_id: z.string(),
    name: z.string(),
    onboarding_state: openEnum(['unclaimed', 'claimed']),
    claimed_at: timestamp.nullable().meta({ description: 'Null until a human claims it.' }),
    sending_enabled_at: timestamp
      .nullable()
      .meta({ description: 'When sending began, with the claim; null before.' }),
    unclaimed_expires_at: timestamp
      .nullable()
      .meta({ description: 'When it expires unless it is claimed; null where it was.' }),
    expired: z.boolean(),
    capabilities,
    limits: z.looseObject({
      inboxes: z.int().min(1),
      received_messages: z
        .int()
        .min(0)
        .nullable()
        .meta({ description: 'Until it is claimed; null after: the plan decides.' }),
      received_bytes: z.int().min(0).nullable().meta({ description: 'Until it is claimed; null after.' }),
    }),
    usage: z.looseObject({
      received_messages: z.int().min(0),
      received_bytes: z.int().min(0),
    }),
    storage: z
      .looseObject({
        used_bytes: z.int().min(0),
        max_bytes: z.int().min(0).nullable().meta({ description: 'By its plan; null for no limit.' }),
      })
      .meta({ description: 'What messages, uploads and draft files take, and may take.' }),
    sending_limits: sendingLimits
      .optional()
      .meta({ description: 'Recipients in a day of UTC. Events of earlier versions lack it.' }),
    inboxes: z.array(accountInbox),
    sending_status: openEnum(['enabled', 'paused', 'unclaimed', 'expired', 'suspended']),
    sending_paused_at: timestamp.nullable().meta({ description: 'Null where sending is not paused.' }),
  })
  .meta({ id: 'Account' })
/** State of an account: its limits, their usage, and its inboxes. */
export type Account = z.infer<typeof account>

/** The account without its inboxes, as in events: a key for one inbox receives these too. */
export const accountState = account.omit({ inboxes: true }).meta({ id: 'AccountState' })
export type AccountState = z.infer<typeof accountState>

/** Link that a human opens to claim the account: private, for one use (specification 2.6). */
export const claimLink = z
  .looseObject({
    claim_url: z.string().meta({ description: 'For your operator only: never log it or e-mail it.' }),
    claim_expires_at: timestamp,
  })
  .meta({ id: 'ClaimLink' })
/** Link that a human opens to claim an account, and the time at which it expires. */
export type ClaimLink = z.infer<typeof claimLink>

/** 32 to 128 URL-safe characters, encoding at least 32 random bytes (specification 4.1). */
export const idempotencyKey = z.string().regex(/^[A-Za-z0-9_-]{32,128}$/, {
  message:
    'must be 32 to 128 characters of A-Z a-z 0-9 _ -: make at least 32 random bytes, write them as base64url, keep them private',
})

/** Bounds of a name for JSON Schema. They count code points. */
export const nameLengths = { minLength: 1, maxLength: 100 }

const codePoints = (text: string) => [...text].length

const localPartRule =
  'must be 1 to 64 of a-z 0-9 . _ - with a letter or digit at each end and no two dots next to each other'

/** Local part of an address of the service (specification 4.1). */
export const localPart = z
  .string()
  .trim()
  .min(1, { error: localPartRule, abort: true })
  .max(64, localPartRule)
  // Before lowercasing, which turns the Kelvin sign (U+212A) into a letter.
  .regex(/^[A-Za-z0-9](?:(?:\.?[A-Za-z0-9_-])*\.?[A-Za-z0-9])?$/, localPartRule)
  .toLowerCase()

/** Body of a signup (specification 4.1); names are counted in code points. */
export const signupBody = z.strictObject({
  name: z
    .string()
    .trim()
    .refine((name) => codePoints(name) >= 1 && codePoints(name) <= 100, 'must be 1 to 100 characters')
    .refine((name) => !/\p{Cc}/u.test(name), 'must not have control characters')
    .meta(nameLengths)
    .default('Agent workspace'),
  local_part: localPart.optional(),
})

/** The new account, or on replay the one of the first request (specification 2.6). */
export const signupAnswer = z
  .looseObject({
    tenant_id: z.string(),
    inbox: accountInbox,
    api_key: z.string(),
    onboarding_state: openEnum(['unclaimed', 'claimed']),
    capabilities,
    limits: z.looseObject({
      inboxes: z.int().min(1),
      received_messages: z.int().min(0),
      received_bytes: z.int().min(0),
    }),
    unclaimed_expires_at: timestamp,
    claim_url: z.string(),
    claim_expires_at: timestamp,
    instructions: z.array(z.string()),
  })
  .meta({ id: 'AgentSignup' })
/** Response to a signup: the account, its first inbox, its API key and its claim link. */
export type SignupAnswer = z.infer<typeof signupAnswer>
