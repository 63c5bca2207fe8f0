import * as z from 'zod'
import { openEnum, timestamp } from './common'

/** A record to publish in the DNS, and the result of its last lookup. */
const domainRecord = z
  .looseObject({
    type: openEnum(['TXT', 'MX']),
    name: z.string().meta({ description: 'The whole name, without a dot at its end.' }),
    value: z.string().meta({ description: 'What to publish. Of an MX: its priority and its host.' }),
    purpose: openEnum(['ownership', 'dkim', 'dkim_next', 'receiving', 'return_path', 'dmarc']),
    required: z.boolean().meta({ description: 'Whether the domain is verified only once this is found.' }),
    status: openEnum(['ok', 'missing', 'wrong']),
    found: z.array(z.string()).meta({ description: 'What the DNS answered under this name.' }),
    hint: z.string().nullable().meta({ description: 'What to do about it; null where it is fine.' }),
  })
  .meta({ id: 'DomainRecord' })
/** A record to publish in the DNS, and the result of its last lookup. */
export type DomainRecord = z.infer<typeof domainRecord>

/** A domain of the account (specification 2.10). It sends messages once it is `verified`. */
export const domain = z
  .looseObject({
    id: z.uuid(),
    hostname: z.string(),
    mail_from_domain: z
      .string()
      .meta({ description: 'Where bounces go: the domain of the envelope sender.' }),
    status: openEnum(['pending', 'verified', 'failing']),
    verified_at: timestamp.nullable().meta({ description: 'Null until it is verified.' }),
    checked_at: timestamp
      .nullable()
      .meta({ description: 'When its records were last looked for; null before the first time.' }),
    created_at: timestamp,
    records: z.array(domainRecord),
  })
  .meta({ id: 'Domain' })
/** A domain of the account, with its status and the records to publish. */
export type Domain = z.infer<typeof domain>

/** Name of a domain in a request; it may have non-ASCII letters. */
export const domainName = z.string().trim().min(1).max(253)

/** Body of POST /domains. */
export const domainBody = z.strictObject({
  hostname: domainName.meta({ description: 'What stands behind the @ of its addresses.' }),
  mail_from_domain: domainName
    .optional()
    .meta({ description: 'A name below the hostname; `bounces.` before the hostname where it is left out.' }),
})
export type DomainBody = z.output<typeof domainBody>
