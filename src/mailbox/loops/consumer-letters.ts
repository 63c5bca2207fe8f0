import type { Client } from '../../client/client'
import { checkOptions, type OptionNames } from '../../protocol/options'
import type { MessageSummary } from '../../protocol/records/message'
import type { Page } from '../base/pages'
import type { ReadOptions } from '../cache/reader'
import type { Message } from '../records/message'

/** A message that was delivered ten times and never acknowledged. */
export interface DeadLetter {
  readonly message: Message
  readonly attempts: number
  /** Time at which the service gave up. */
  readonly deadAt: Date
}

/** Selects a page of dead letters or skipped messages. */
export interface DeadLetterListOptions extends ReadOptions {
  /** 1 to 100; default 25. */
  limit?: number | undefined
  /** `nextCursor` of the page before. */
  cursor?: string | undefined
}

interface RedriveOptions extends ReadOptions {
  includeAnswered?: boolean | undefined
}

/** The name of a consumer, and the parts of its mailbox that it uses. */
export interface ConsumerParts {
  readonly name: string
  readonly client: Client
  toMessage(record: MessageSummary): Message
}

const listNames: OptionNames<DeadLetterListOptions> = { limit: true, cursor: true, signal: true }

/** Reads a page of dead letters. */
export async function readDeadLetters(
  { name, client, toMessage }: ConsumerParts,
  options: DeadLetterListOptions,
  cursor: string | undefined,
): Promise<Page<DeadLetter>> {
  checkOptions('deadLetters()', options, listNames)
  const { limit, signal } = options
  const page = await client.consumers.deadLetters({ name, limit, cursor }, { signal })
  const items = page.dead_letters.map(({ message, attempts, dead_at }) => ({
    message: toMessage(message),
    attempts,
    deadAt: new Date(dead_at),
  }))
  return { items, nextCursor: page.next_cursor }
}

/** Reads a page of skipped messages. */
export async function readSkipped(
  { name, client, toMessage }: ConsumerParts,
  options: DeadLetterListOptions,
  cursor: string | undefined,
): Promise<Page<Message>> {
  checkOptions('skipped()', options, listNames)
  const { limit, signal } = options
  const page = await client.consumers.skipped({ name, limit, cursor }, { signal })
  return { items: page.messages.map(toMessage), nextCursor: page.next_cursor }
}

/** Delivers dead letters again, and skipped messages that are given. */
export async function redrive(
  { name, client }: ConsumerParts,
  messages: readonly { readonly id: string }[] | undefined,
  options: RedriveOptions,
): Promise<number> {
  checkOptions<RedriveOptions>('redrive()', options, { includeAnswered: 'boolean', signal: true })
  const { includeAnswered, signal } = options
  if (messages?.length === 0) return 0
  const message_ids = messages?.map(({ id }) => id)
  const input = { name, message_ids, include_answered: includeAnswered }
  return (await client.consumers.redrive(input, { signal })).redriven
}

/** Pauses a consumer, or resumes it. */
export async function setPaused(
  { name, client }: ConsumerParts,
  method: 'pause' | 'resume',
  options: ReadOptions,
): Promise<void> {
  checkOptions<ReadOptions>(`${method}()`, options, { signal: true })
  await client.consumers[method]({ name }, options)
}
