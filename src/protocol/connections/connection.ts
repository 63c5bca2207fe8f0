import * as z from 'zod'
import { openEnum, timeInput, timestamp } from '../records/common'

const host = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z\d_.:-]{1,253}$/, 'must be a host, such as imap.example.com')
const tls = z.enum(['implicit', 'starttls', 'off']).meta({
  description:
    'From the first byte on, after STARTTLS, or not at all, which only the administrator of a service on a private network may allow. Without it: what the port stands for.',
})
const port = z.int().min(1).max(65_535)

/** Address of a server, in a request. */
const serverBody = z.strictObject({ host, port: port.optional(), tls: tls.optional() })

const secret = z.string().min(1).max(16_384)
/** Login of the service. Both kinds are stored encrypted, and no response includes them. */
const loginBody = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('password'), password: secret }),
  z.strictObject({
    type: z.literal('oauth'),
    client_id: secret,
    client_secret: secret.optional(),
    refresh_token: secret,
    token_url: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .meta({
        description: 'Where the refresh token is exchanged, such as https://oauth2.googleapis.com/token.',
      }),
    scope: z.string().max(2_048).optional(),
  }),
])
export type MailLogin = z.output<typeof loginBody>

const folderPath = z.string().min(1).max(512)

/** Body that connects a mailbox. */
export const connectionBody = z.strictObject({
  address: z.email().max(254).meta({ description: 'The address of the mailbox, which replies come from.' }),
  name: z.string().trim().min(1).max(100).optional().meta({ description: 'Shown to recipients.' }),
  imap: serverBody.optional().meta({
    description:
      'Where its mail is read. Without it, the service finds the servers by the address: providers that it knows, SRV records (RFC 6186), the autoconfig file of the domain, and usual names.',
  }),
  smtp: serverBody.optional().meta({
    description:
      'Where its mail leaves. Without it: the one that is found by the address, or the same name as `imap` with `smtp.` for `imap.`, port 465.',
  }),
  user: z.string().min(1).max(320).optional().meta({ description: 'The address, where it is left out.' }),
  login: loginBody,
  folders: z.array(folderPath).min(1).max(20).default(['INBOX']).meta({
    description: 'The folders to import mail from, by their whole path. The first is watched with IDLE.',
  }),
  since: z
    .union([z.enum(['now', 'all']), timeInput])
    .default('now')
    .meta({
      description:
        'Mail from now on, all that there is, or what came since a time. For a mailbox that is connected already, `now` continues after the last message that was read.',
    }),
  mark_answered: z.boolean().default(false).meta({
    description:
      'Whether a message gets `\\Answered` once the reply to it is sent. `\\Seen` is never changed.',
  }),
  keyword: z
    .string()
    .regex(/^[A-Za-z\d_$.-]{1,64}$/, 'must be letters, digits, and $ _ . -')
    .optional()
    .meta({ description: 'A keyword that an answered message gets, too.' }),
  authserv_id: z.string().min(1).max(253).optional().meta({
    description:
      'The name under which the server of the mailbox writes Authentication-Results (RFC 8601), such as mx.google.com. These results are believed if they name the domain that they are about (`header.from`). Without this name, only signatures (DKIM) prove a sender.',
  }),
  sent_copy: z.enum(['auto', 'server', 'append', 'none']).default('auto').meta({
    description:
      'Who stores a copy in the Sent folder. `server`: the mail server does. `append`: the service does, if it finds no copy. `auto`: whichever the server is known for.',
  }),
})
export type ConnectionBody = z.output<typeof connectionBody>

const server = z.looseObject({
  host: z.string(),
  port: z.int(),
  tls: openEnum(['implicit', 'starttls', 'off']),
})

/** A mailbox at another server, whose messages arrive in an inbox. */
export const connection = z
  .looseObject({
    id: z.string(),
    kind: openEnum(['imap']),
    inbox_id: z.string(),
    address: z.string(),
    user: z.string(),
    login: openEnum(['password', 'oauth']),
    imap: server,
    smtp: server,
    since: timestamp
      .nullable()
      .meta({ description: 'Messages from this time on are imported. Null: all messages.' }),
    state: openEnum(['connecting', 'catching_up', 'live', 'failing', 'needs_sign_in']).meta({
      description:
        '`live` while new messages are imported as they arrive; `failing` while the service waits for its next attempt; `needs_sign_in` if the login or its consent has ended: connect the mailbox again with a new one.',
    }),
    live_since: timestamp.nullable().meta({ description: 'Null where it is not live.' }),
    looked_at: timestamp
      .nullable()
      .meta({ description: 'When the mailbox was last looked at; null before.' }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'What went wrong last, and what helps; null where all is well.' }),
    failing_since: timestamp.nullable().meta({
      description: 'Since when it did not become live again; null where it is live.',
    }),
    next_attempt_at: timestamp
      .nullable()
      .meta({ description: 'Null where it is neither failing nor needs a sign-in.' }),
    folders: z.array(
      z.looseObject({
        path: z.string(),
        role: openEnum(['incoming', 'sent']),
        uid_validity: z.string(),
        uid: z.int().min(0).meta({ description: 'Mail up to this UID was looked at.' }),
        waiting: z
          .int()
          .min(0)
          .meta({ description: 'Number of messages that were found and are not imported yet.' }),
        skipped: z
          .array(z.looseObject({ uid: z.int().min(1), reason: z.string(), skipped_at: timestamp }))
          .meta({
            description:
              'Mail that was left out, 100 at the most, since its server does not give it: POST /connections/{id}/retry tries it again.',
          }),
      }),
    ),
    mark_answered: z.boolean(),
    keyword: z.string().nullable().meta({ description: 'Null where answered mail gets none.' }),
    authserv_id: z.string().nullable().meta({
      description: 'Null where no Authentication-Results are believed.',
    }),
    sent_copy: openEnum(['auto', 'server', 'append', 'none']),
    created_at: timestamp,
  })
  .meta({ id: 'Connection' })
/** A mailbox at another server, whose messages arrive in an inbox, with its state. */
export type Connection = z.infer<typeof connection>
