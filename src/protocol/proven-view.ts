import type { Authentication, MessageSummary } from './records/message'

/** Part of the verdict on a message that decides which of its header fields are proven. */
type Judged = Pick<MessageSummary, 'authentication'> & { direction?: MessageSummary['direction'] | undefined }

/** Test that returns whether a header field, by its lower-case name, may be acted on. */
export type FieldProof = (name: string) => boolean

const isVerified = ({ from_verified, dkim_aligned }: Authentication): boolean =>
  from_verified || dkim_aligned === true

/**
 * Returns the test for the header fields of a message that may be acted on.
 *
 * In a verified message, a field counts if an aligned DKIM signature covers it. It also counts if SPF passed
 * for an aligned domain and the message is no replay. Anybody can add other fields to a signed message and
 * send it again. Nothing in an unverified message is proven, so all its fields count alike, and each caller
 * must treat them with care.
 */
export function fieldProof({ direction, authentication }: Judged): FieldProof {
  if (direction === 'outbound' || !authentication || !isVerified(authentication)) return () => true
  const { spf_aligned = false, replayed = false, signed_fields = [] } = authentication
  if (spf_aligned && !replayed) return () => true
  const signed = new Set(signed_fields)
  return (name) => signed.has(name)
}

/** Replacement of each unproven field, by the names of records and of parsed messages. */
const absent: Readonly<Record<string, readonly [field: string, value: unknown]>> = {
  reply_to: ['reply-to', []],
  replyTo: ['reply-to', []],
  to_addrs: ['to', []],
  to: ['to', []],
  cc_addrs: ['cc', []],
  cc: ['cc', []],
  in_reply_to: ['in-reply-to', null],
  inReplyTo: ['in-reply-to', null],
  references: ['references', []],
  subject: ['subject', ''],
}

/** The same for the record of a mailing list. */
const absentOfList: Readonly<Record<string, readonly [field: string, value: unknown]>> = {
  id: ['list-id', null],
  post: ['list-post', null],
  author: ['x-original-from', null],
  author_addr: ['x-original-from', null],
  author_name: ['x-original-from', null],
}

const without = <T extends object>(whole: T, claims: typeof absent, isProven: FieldProof): T => {
  const dropped = Object.entries(claims).filter(([name, [field]]) => name in whole && !isProven(field))
  return dropped.length === 0
    ? whole
    : { ...whole, ...Object.fromEntries(dropped.map(([name, [, value]]) => [name, value])) }
}

/**
 * Returns a message without its unproven fields: in a verified message, these count as absent. Takes a record
 * or a parsed message. Returns an unverified message unchanged.
 *
 * @param isProven the proof of a parsed message, which has no verdict of its own
 *
 * @example
 * ```ts
 * import { provenView } from 'restante'
 *
 * const { cc_addrs } = provenView(message.record)
 * console.log('its sender wrote to', cc_addrs)
 * ```
 */
export function provenView<T extends object>(message: T, isProven = fieldProof(message as Judged)): T {
  const view = without(message, absent, isProven)
  const { list } = message as { list?: object | null }
  if (!list) return view
  const proven = without(list, absentOfList, isProven)
  return proven === list ? view : { ...view, list: proven }
}

const names: readonly (readonly [field: string, isThere: (record: MessageSummary) => boolean])[] = [
  ['to', ({ to_addrs }) => to_addrs.length > 0],
  ['cc', ({ cc_addrs }) => cc_addrs.length > 0],
  ['reply-to', ({ reply_to }) => reply_to.length > 0],
  ['in-reply-to', ({ in_reply_to }) => in_reply_to !== null],
  ['references', ({ references }) => references.length > 0],
  ['subject', ({ subject }) => subject !== ''],
  ['list-id', ({ list }) => (list?.id ?? null) !== null],
  ['list-post', ({ list }) => (list?.post ?? null) !== null],
  ['x-original-from', ({ list }) => (list?.author_addr ?? null) !== null],
]

/**
 * Returns the header fields of a message that count as absent because nothing proves them, in lower case;
 * empty for an unverified message.
 *
 * @example
 * ```ts
 * import { ignoredFields } from 'restante'
 *
 * if (ignoredFields(message.record).includes('reply-to')) console.log('a reply goes to the sender')
 * ```
 */
export function ignoredFields(record: MessageSummary): string[] {
  const isProven = fieldProof(record)
  return names.filter(([field, isThere]) => isThere(record) && !isProven(field)).map(([field]) => field)
}
