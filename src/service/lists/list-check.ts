import type { Kysely, Selectable } from 'kysely'
import type { ParsedMail } from '../../mail/parsed-mail'
import { fieldProof, provenView } from '../../protocol/proven-view'
import type { Authentication } from '../../protocol/records/message'
import { refuse } from '../base/refuse'
import type { SenderProof } from '../base/sender-proof'
import type { AccountTable } from '../store/tables/account-tables'
import type { Database } from '../store/tables/schema'
import { judge, type ListEntry, patternsFor } from './list-match'

type AccountRow = Pick<Selectable<AccountTable>, 'tenant_id' | 'receive_lists' | 'send_lists'>

/** Returns the entries that match any of these addresses. */
async function entriesFor(
  db: Kysely<Database>,
  tenantId: string,
  direction: 'receive' | 'send',
  addresses: readonly string[],
): Promise<{ entries: ListEntry[]; hasAllow: boolean }> {
  const of = db.selectFrom('lists').where('tenant_id', '=', tenantId).where('direction', '=', direction)
  const patterns = [...new Set(addresses.flatMap(patternsFor))]
  const fitting = of.select(['pattern', 'kind']).where('pattern', 'in', patterns)
  const [entries, allow] = [
    patterns.length === 0 ? [] : await fitting.execute(),
    await of.select('id').where('kind', '=', 'allow').limit(1).executeTakeFirst(),
  ]
  return { entries, hasAllow: allow !== undefined }
}

const senderBlocked = () => refuse('sender_blocked', 'The lists of the recipient refuse this sender.')

/**
 * Refuses a blocked sender at RCPT if the account has never written to the address: then the message cannot
 * be a reply. All else is judged once the message is there.
 *
 * @throws ServiceError `sender_blocked`
 */
export async function refuseBlockedSender(
  db: Kysely<Database>,
  account: AccountRow,
  mailFrom: string,
): Promise<void> {
  if (account.receive_lists === 0 || mailFrom === '') return
  const { entries } = await entriesFor(db, account.tenant_id, 'receive', [mailFrom])
  if (judge(mailFrom, entries)?.kind !== 'block') return
  const writtenTo = await db
    .selectFrom('recipients')
    .select('message_id')
    .where('tenant_id', '=', account.tenant_id)
    .where('address', '=', mailFrom)
    .limit(1)
    .executeTakeFirst()
  if (!writtenTo) throw senderBlocked()
}

/** Checks whether a message refers to one that its inbox sent. */
async function refersToOwn(
  db: Kysely<Database>,
  tenantId: string,
  inboxId: string,
  mail: ParsedMail,
): Promise<boolean> {
  const ids = [...new Set([...mail.references, ...(mail.inReplyTo === null ? [] : [mail.inReplyTo])])]
  if (ids.length === 0) return false
  const row = await db
    .selectFrom('thread_keys')
    .innerJoin('messages', (join) =>
      join
        .onRef('messages.tenant_id', '=', 'thread_keys.tenant_id')
        .onRef('messages.id', '=', 'thread_keys.message_id'),
    )
    .select('messages.id')
    .where('thread_keys.tenant_id', '=', tenantId)
    .where('thread_keys.inbox_id', '=', inboxId)
    .where('thread_keys.rfc822_message_id', 'in', ids)
    .where('messages.direction', '=', 'outbound')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** An incoming message, as the lists see it. */
interface ListedMail {
  inboxId: string
  mailFrom: string
  mail: ParsedMail
  /** Proof of the senders of inbound email. */
  proof?: SenderProof
  /** Verdict on the sender, which says which fields are proven. */
  authentication?: Authentication | null
  /**
   * The signed address that the message came to; if it is a report, it must be about that address's message.
   */
  returnPath?: object | undefined
}

/**
 * Checks whether the inbox caused this message: a reply of a proven sender, or a report to our signed
 * address.
 */
async function isAnswer(
  db: Kysely<Database>,
  tenantId: string,
  { inboxId, mail, proof, authentication = null, returnPath }: ListedMail,
): Promise<boolean> {
  if (returnPath !== undefined && (mail.bounce ?? mail.complaint)) return true
  if (proof?.from !== true) return false
  return refersToOwn(db, tenantId, inboxId, provenView(mail, fieldProof({ authentication })))
}

/**
 * Judges a message by its envelope sender and its From. A block of either refuses it; if an allow is needed,
 * one of a proven sender suffices. A reply to a message of the inbox always passes.
 *
 * @throws ServiceError `sender_blocked`
 */
export async function requireListedSender(
  db: Kysely<Database>,
  account: AccountRow,
  listed: ListedMail,
): Promise<void> {
  if (account.receive_lists === 0) return
  const { mailFrom, mail, proof } = listed
  const senders = [
    { address: mailFrom, isProven: proof?.envelope },
    { address: mail.from?.address ?? '', isProven: proof?.from },
  ].filter(({ address }) => address !== '')
  const addresses = senders.map(({ address }) => address)
  const { entries, hasAllow } = await entriesFor(db, account.tenant_id, 'receive', addresses)
  const verdicts = senders.map((one) => ({ ...one, kind: judge(one.address, entries)?.kind }))
  const isAllowed = verdicts.some(({ kind, isProven }) => kind === 'allow' && isProven)
  const isBlocked = verdicts.some(({ kind }) => kind === 'block')
  if (!isBlocked && (!hasAllow || isAllowed)) return
  if (await isAnswer(db, account.tenant_id, listed)) return
  throw senderBlocked()
}

/**
 * Judges the recipients of a message. @throws ServiceError `recipient_blocked`, naming the pattern and the
 * remedy
 */
export async function requireListedRecipients(
  db: Kysely<Database>,
  account: AccountRow,
  addresses: readonly string[],
): Promise<void> {
  if (account.send_lists === 0) return
  const { entries, hasAllow } = await entriesFor(db, account.tenant_id, 'send', addresses)
  for (const address of addresses) {
    const entry = judge(address, entries)
    if (entry?.kind === 'allow' || (!entry && !hasAllow)) continue
    const why = entry ? `the entry ${entry.pattern} blocks it` : 'no allow entry names it'
    const remedy = entry ? 'delete that entry, or allow the address by a narrower one' : 'allow the address'
    throw refuse(
      'recipient_blocked',
      `The send lists refuse ${address}: ${why}. Leave the recipient out, or ${remedy} (GET /lists?direction=send, POST /lists).`,
      { address, pattern: entry?.pattern ?? null },
    )
  }
}
