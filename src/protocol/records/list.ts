import * as z from 'zod'
import { domainPattern } from '../names/domain-pattern'
import { timestamp } from './common'

/** An entry that allows or blocks messages, by the address on the other side. */
export const list = z
  .looseObject({
    id: z.string(),
    pattern: z.string(),
    kind: z.enum(['block', 'allow']),
    direction: z.enum(['receive', 'send']),
    warning: z.string().nullable().optional().meta({
      description:
        'Why the entry is worth less than it seems: an `allow` of received mail where the service does not check who sent it. Null where it is worth what it says.',
    }),
    created_at: timestamp,
  })
  .meta({ id: 'List' })
/** An entry of the block and allow lists, by the address on the other side. */
export type List = z.infer<typeof list>

let pattern: RegExp | undefined
// Compiled when the first entry is written, which is rare: it takes half a millisecond.
function isPattern(text: string): boolean {
  pattern ??= new RegExp(
    String.raw`^(?:(?:\*|[\p{L}\p{N}!#$%&'+/=?^_\x60{|}~.-]{1,64})@)?(?:\*\.)?${domainPattern}`,
    'u',
  )
  return !/@\*/.test(text) && pattern.test(text)
}

/** Pattern of a list entry. */
export const listPattern = z
  .string()
  .trim()
  .max(320)
  .refine(isPattern, {
    message: 'must be an address, *@example.com, *.example.com or example.com',
  })
  .meta({
    description:
      'An address; `*@domain`: every address of exactly this domain; `*.domain`: of its subdomains; `domain`: of the domain and its subdomains.',
    examples: ['ana@example.com', '*@example.com', '*.example.com', 'example.com'],
  })

/** Body of POST /lists (specification 4.8). */
export const listBody = z.strictObject({
  pattern: listPattern,
  kind: z.enum(['block', 'allow']).default('block').meta({
    description:
      'One `allow` makes everything refused that no `allow` names. Received mail has to be proven to be from whom it names (DMARC, an aligned DKIM signature, or SPF for the envelope sender), where the service checks senders; see `warning`.',
  }),
  direction: z.enum(['receive', 'send']).default('receive'),
})
