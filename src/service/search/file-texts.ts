import type { Kysely } from 'kysely'
import type { FileHighlights } from '../../protocol/records/message'
import { turn } from '../base/turns'
import { readKeptText } from '../extraction/kept-texts'
import type { Store } from '../store/store'
import type { Database } from '../store/tables/schema'
import { type IsSought, snippetOf } from './highlight'
import { tokensOf } from './terms/tokens'

/** UTF-16 code units of one file that are searched. */
const maxFileLength = 50_000
/** UTF-16 code units of all files of one message that are searched. */
const maxLength = 100_000
/** Files of one message that are searched. */
const maxFiles = 20
/** Files of one page of results in which the words of the query are looked for. */
const maxShown = 50

/** Attachment whose text is stored. */
interface ReadFile {
  readonly id: string
  readonly message_id: string
  readonly filename: string | null
  readonly content_hash: string | null
}

/** Returns the attachments of messages that were read, also those within files. */
const readFilesOf = (
  db: Kysely<Database>,
  tenantId: string,
  messageIds: readonly string[],
): Promise<ReadFile[]> =>
  db
    .selectFrom('attachments')
    .select(['id', 'message_id', 'filename', 'content_hash'])
    .where('tenant_id', '=', tenantId)
    .where('message_id', 'in', messageIds)
    .where('content_hash', 'is not', null)
    .where('decorative', '=', 0)
    .orderBy('message_id')
    .orderBy('id')
    .execute()

/** Returns the pages of a file up to a number of UTF-16 code units; none if it has no text. */
async function pagesOf(
  store: Pick<Store, 'db'>,
  tenantId: string,
  { content_hash: hash }: ReadFile,
  maxPagesLength: number,
): Promise<string[]> {
  // Text is the same in all versions.
  const kept = await readKeptText(store, { tenantId, hash: hash! }, 1)
  const pages: string[] = []
  let left = maxPagesLength
  for (const page of kept?.status === 'ready' ? kept.pages : []) {
    if (left <= 0) break
    pages.push(page.slice(0, left))
    left -= page.length
  }
  return pages
}

/** Returns the texts of the files of messages, as far as they are searched, by message. */
export async function fileTextsOf(
  db: Kysely<Database>,
  tenantId: string,
  messageIds: readonly string[],
): Promise<Map<string, string[]>> {
  const texts = new Map<string, string[]>()
  if (messageIds.length === 0) return texts
  for (const file of await readFilesOf(db, tenantId, messageIds)) {
    const own = texts.get(file.message_id) ?? []
    texts.set(file.message_id, own)
    const left = maxLength - own.reduce((sum, text) => sum + text.length, 0)
    if (own.length >= maxFiles || left <= 0) continue
    const pages = await pagesOf({ db }, tenantId, file, Math.min(maxFileLength, left))
    if (pages.length > 0) own.push(pages.join('\n'))
  }
  return texts
}

/** Finds the files of found messages that have words of the query, by message. */
export async function fileHighlightsOf(
  store: Pick<Store, 'db'>,
  tenantId: string,
  messages: readonly { readonly id: string }[],
  isSought: IsSought,
): Promise<Map<string, FileHighlights[]>> {
  const found = new Map<string, FileHighlights[]>()
  if (messages.length === 0) return found
  const messageIds = messages.map(({ id }) => id)
  const files = await readFilesOf(store.db, tenantId, messageIds)
  const byRank = files.toSorted(
    (one, other) => messageIds.indexOf(one.message_id) - messageIds.indexOf(other.message_id),
  )
  for (const file of byRank.slice(0, maxShown)) {
    const pages = await pagesOf(store, tenantId, file, maxFileLength)
    const at = pages.findIndex((page) => tokensOf(page).some(isSought))
    await turn()
    if (at < 0) continue
    const { id: attachment_id, filename } = file
    const snippet = snippetOf(pages[at]!, isSought)
    const own = found.get(file.message_id) ?? []
    found.set(file.message_id, [...own, { attachment_id, filename, page: at + 1, snippet }])
  }
  return found
}
