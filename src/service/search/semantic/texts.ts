import { type Kysely, sql, type Transaction } from 'kysely'
import { bodyTextOf, selectVerbatim } from '../../store'
import type { Database } from '../../store/tables'
import type { MailScope } from './models'

/** A message for the embedder. */
export interface MessageText {
  readonly seq: number
  readonly inboxId: string
  readonly text: string
}

/** Maximum characters: the topic comes early, and models accept no more. */
const maxCharacters = 8_000

const select = (db: Kysely<Database>, { tenant_id, inbox_id }: MailScope) =>
  db
    .selectFrom('messages')
    .select(['created_seq', 'inbox_id', 'subject', 'from_name', 'reply_text', 'body_text'])
    .select(selectVerbatim)
    .where('tenant_id', '=', tenant_id)
    .$if(inbox_id !== null, (some) => some.where('inbox_id', '=', inbox_id))
    .orderBy('created_seq')

type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

/** Returns the text; the newly written part counts twice if there is more, such as a quotation. */
function textOf(row: Row): MessageText {
  const text = [row.subject, row.from_name ?? '', row.reply_text ?? '', bodyTextOf(row)].join('\n')
  return { seq: row.created_seq, inboxId: row.inbox_id, text: text.slice(0, maxCharacters) }
}

/** Returns the texts of the messages after a log position, oldest first. */
export async function textsAfter(
  db: Kysely<Database>,
  mail: MailScope,
  after: number,
  limit: number,
): Promise<MessageText[]> {
  const rows = await select(db, mail).where('created_seq', '>', after).limit(limit).execute()
  return rows.map(textOf)
}

/**
 * Sample that a model is learned from: a share of the messages up to a position, pseudo-random but
 * repeatable.
 */
export interface Sample {
  learned_seq: number
  /** Share out of 65,536. */
  learned_share: number
}

export const wholeShare = 65_536

const isIn = ({ learned_share }: Sample) =>
  sql<boolean>`(created_seq * 40503) % ${sql.lit(wholeShare)} < ${learned_share}`

/** Checks whether a message is in the sample of a model. */
export const isSampled = (seq: number, { learned_seq, learned_share }: Sample): boolean =>
  seq <= learned_seq && (seq * 40_503) % wholeShare < learned_share

/** Returns the texts of a sample, in pages. */
export async function* sampledTexts(
  db: Kysely<Database>,
  mail: MailScope,
  sample: Sample,
  atOnce = 50,
): AsyncGenerator<string[]> {
  for (let after = 0; ; ) {
    const rows = await select(db, mail)
      .where('created_seq', '>', after)
      .where('created_seq', '<=', sample.learned_seq)
      .where(isIn(sample))
      .limit(atOnce)
      .execute()
    if (rows.length > 0) yield rows.map((row) => textOf(row).text)
    if (rows.length < atOnce) return
    after = rows.at(-1)!.created_seq
  }
}

/** Returns the number of messages, and the position of the last. */
export async function extentOf(
  db: Kysely<Database> | Transaction<Database>,
  { tenant_id, inbox_id }: MailScope,
): Promise<{ count: number; lastSeq: number }> {
  const row = await db
    .selectFrom('messages')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('created_seq').as('last')])
    .where('tenant_id', '=', tenant_id)
    .$if(inbox_id !== null, (some) => some.where('inbox_id', '=', inbox_id))
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), lastSeq: Number(row.last ?? 0) }
}
