import type { Client } from '../../client/client'
import { createPrompt, type PromptSubject } from '../../mail/prompt/prompt'
import { type PromptFile, preparePromptMessage } from '../../mail/prompt/prompt-message'
import { estimateTokens } from '../../mail/prompt/token-estimate'
import { createHeldTexts, type HeldTexts } from '../../mail/text/held-quotes'
import { isServiceError, UsageError } from '../../protocol/errors/error'
import type { MessageSummary } from '../../protocol/records/message'
import type { Reader, ReadOptions } from '../cache/reader'

/** Bounds of a prompt. */
export interface PromptOptions extends ReadOptions {
  /** Most tokens of the text. Default 8,000; from 400 on, the newest message always fits. */
  maxTokens?: number | undefined
  /**
   * Counts tokens as the model does. Default: an estimate from the kinds of characters. It is a tenth above
   * GPT's tokenizer in total: 1.0 to 1.4 times for most messages, less for base64 and long links.
   */
  countTokens?: ((text: string) => number) | undefined
  /**
   * Includes the text of files, within half of `maxTokens` and the newest message first. A file that does not
   * fit gives its first page. Default false.
   */
  attachments?: boolean | undefined
}

/** A file that a prompt may include. */
interface FileSource {
  readonly id: string
  readonly filename: string | null
  readonly record: MessageSummary['attachments'][number]
  text(options: {
    pages?: string | undefined
    maxTokens?: number
    signal?: AbortSignal | undefined
  }): Promise<string>
}

/** The parts of a message that a prompt needs. */
interface PromptSource {
  readonly handle: string
  readonly record: MessageSummary
  readonly attachments: readonly FileSource[]
  body(options?: ReadOptions): Promise<{ text: string; html: string | null }>
}

/** The calls that read notes. */
interface NoteSource {
  readonly client: Pick<Client, 'threads'>
  readonly reader: Pick<Reader, 'thread'>
}

const defaultTokens = 8_000
/** Most messages that are searched for quoted text. */
const maxHeld = 200

const heldBy = (messages: readonly PromptSource[]): HeldTexts => {
  const held = createHeldTexts()
  for (const { record } of messages.slice(-maxHeld)) held.add(record.reply_text ?? record.preview)
  return held
}

/** Most notes that a prompt is chosen from. */
const maxNotes = 1_000
const notesOnPage = 100

/** Returns the texts of the newest notes for the agent, oldest first. */
async function notesOf({ client, reader }: NoteSource, id: string, signal: ReadOptions): Promise<string[]> {
  const texts: string[] = []
  try {
    const { note_count = 0 } = await reader.thread(id, signal)
    if (note_count === 0) return []
    let cursor: string | undefined
    do {
      const page = await client.threads.notes({ id, order: 'desc', limit: notesOnPage, cursor }, signal)
      for (const { for_agent, by, text } of page.notes)
        if (for_agent && by.kind === 'operator') texts.push(text)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined && texts.length < maxNotes)
  } catch (error) {
    // Erased since it was listed.
    if (!isServiceError(error, 'not_found')) throw error
  }
  return texts.reverse()
}

/** A file with less room is left out. */
const minFileTokens = 50

const mayHaveText = new Set<string>(['ready', 'pending'])

/** Leaves out a file that turns out to have no text. */
function withoutText(error: unknown): null {
  if (error instanceof UsageError && error.code === 'not_text') return null
  throw error
}

/** Reads the files of a message that fit, and the first page of those that do not. */
async function filesOf(
  { attachments }: PromptSource,
  budget: { left: number },
  signal: AbortSignal | undefined,
): Promise<PromptFile[]> {
  const files: PromptFile[] = []
  for (const file of attachments) {
    const { decorative, text_status, text_tokens = 0, page_count = 1 } = file.record
    if (decorative || !mayHaveText.has(text_status ?? 'pending') || budget.left < minFileTokens) continue
    const isWhole = text_tokens <= budget.left
    const pages = isWhole ? undefined : '1'
    const text = await file.text({ pages, maxTokens: budget.left, signal }).catch(withoutText)
    if (text === null) continue
    budget.left -= estimateTokens(text)
    files.push({ id: file.id, filename: file.filename, text, pagesLeft: isWhole ? 0 : page_count - 1 })
  }
  return files
}

const tell = async (
  source: NoteSource,
  conversation: PromptSubject,
  messages: readonly PromptSource[],
  held: HeldTexts | null,
  { maxTokens = defaultTokens, countTokens, attachments = false, signal }: PromptOptions,
): Promise<string> => {
  if (!(maxTokens >= 1))
    throw new UsageError('invalid_options', `maxTokens must be a number of tokens, not ${maxTokens}`)
  const threadId = messages[0]?.record.thread_id
  const notes = threadId === undefined ? [] : await notesOf(source, threadId, { signal })
  const prompt = createPrompt({ ...conversation, notes }, { maxTokens, countTokens })
  const budget = { left: attachments ? Math.floor(maxTokens / 2) : 0 }
  let gone: unknown
  let included = 0
  for (const message of messages.toReversed()) {
    if (!prompt.hasTokensLeft) break
    const { handle, record } = message
    try {
      const { text: body_text, html: body_html } = await message.body({ signal })
      const files = await filesOf(message, budget, signal)
      prompt.add(preparePromptMessage({ handle, record, body: { body_text, body_html }, files }, held))
      included += 1
    } catch (error) {
      // Erased since it was listed: omit it.
      if (!isServiceError(error, 'not_found')) throw error
      gone = error
    }
  }
  if (included === 0) throw gone
  return prompt.finish()
}

/** Returns a message as text for a model: see `Message.toPrompt`. */
export const messagePrompt = (
  message: PromptSource,
  source: NoteSource,
  options: PromptOptions,
): Promise<string> => tell(source, { kind: 'message', total: 1 }, [message], null, options)

/** Returns a thread as text for a model: see `Thread.toPrompt`. */
export const threadPrompt = (
  messages: readonly PromptSource[],
  source: NoteSource,
  options: PromptOptions,
): Promise<string> =>
  tell(source, { kind: 'thread', total: messages.length }, messages, heldBy(messages), options)
