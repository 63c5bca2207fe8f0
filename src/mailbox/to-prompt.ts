import { createHeldTexts, type HeldTexts } from '../mail/held-quotes'
import { createPrompt, type PromptSubject } from '../mail/prompt'
import { preparePromptMessage } from '../mail/prompt-message'
import { isServiceError, type MessageSummary, UsageError } from '../protocol'
import type { ReadOptions } from './reader'

/** How mail is told to a model. */
export interface PromptOptions extends ReadOptions {
  /** What the text may count at most. Default 8,000; from 400 on the newest message is always in it. */
  maxTokens?: number
  /**
   * Counts tokens as the model does. Default: an estimate from the kinds of characters, which is a tenth above what
   * GPT's tokenizer counts in sum, 1.0 to 1.4 times it on nine of ten mails, and below it on base64 and long links.
   */
  countTokens?: (text: string) => number
}

/** A message as far as it is told. */
interface Told {
  readonly handle: string
  readonly record: MessageSummary
  body(options?: ReadOptions): Promise<{ text: string; html: string | null }>
}

const defaultTokens = 8_000
/** Quotes are looked for in so many messages. */
const mostHeld = 200

const heldBy = (messages: readonly Told[]): HeldTexts => {
  const held = createHeldTexts()
  for (const { record } of messages.slice(-mostHeld)) held.add(record.reply_text ?? record.preview)
  return held
}

const tell = async (
  subject: PromptSubject,
  messages: readonly Told[],
  held: HeldTexts | null,
  { maxTokens = defaultTokens, countTokens, signal }: PromptOptions,
): Promise<string> => {
  if (!(maxTokens >= 1))
    throw new UsageError('invalid_options', `maxTokens must be a number of tokens, not ${maxTokens}`)
  const prompt = createPrompt(subject, { maxTokens, countTokens })
  let gone: unknown
  let told = 0
  for (const message of messages.toReversed()) {
    if (!prompt.hasRoom) break
    const { handle, record } = message
    try {
      const { text: body_text, html: body_html } = await message.body({ signal })
      prompt.add(preparePromptMessage({ handle, record, body: { body_text, body_html } }, held))
      told += 1
    } catch (error) {
      // Erased since: there is nothing to tell of it.
      if (!isServiceError(error, 'not_found')) throw error
      gone = error
    }
  }
  if (told === 0) throw gone
  return prompt.finish()
}

/** A message as text for a model: see `Message.toPrompt`. */
export const messagePrompt = (message: Told, options: PromptOptions): Promise<string> =>
  tell({ handle: null, total: 1 }, [message], null, options)

/** A thread as text for a model: see `Thread.toPrompt`. */
export const threadPrompt = (
  handle: string,
  messages: readonly Told[],
  options: PromptOptions,
): Promise<string> => tell({ handle, total: messages.length }, messages, heldBy(messages), options)
