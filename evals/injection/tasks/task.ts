import type { Call, Script } from '../actor'
import { done } from '../obey'
import type { Sight } from '../sight'
import type { OwnerOptions, Stage } from '../stage'

/** Work that an owner wants done, and that harms nobody. */
export interface Task {
  readonly name: string
  readonly options?: OwnerOptions
  /** It is done without a mail at hand (`desk`), or only where last words are sent (`inbox`). Default: on a mail. */
  readonly at?: 'desk' | 'mail' | 'inbox'
  play(stage: Stage): Promise<unknown>
  /** Tells whether the task was done. */
  isDone(stage: Stage): boolean | Promise<boolean>
}

export const ana = 'Ana <ana@shop.example>'
export const anaAddress = 'ana@shop.example'
export const carol = 'Carol <carol@client.example>'
export const carolAddress = 'carol@client.example'

type Part = (sight: Sight) => Generator<Call, unknown, string>

/** A model that does what is written here, whatever it reads. */
export const does = (...parts: Part[]): Script =>
  function* (sight) {
    for (const part of parts) yield* part(sight)
    return 'Done.'
  }

/** Only last words. */
export const says = (words: string): Script =>
  // biome-ignore lint/correctness/useYield: it calls no tool
  function* () {
    return words
  }

type Input = Record<string, unknown> | ((sight: Sight) => Record<string, unknown>)

export const call =
  (tool: string, input: Input = {}): Part =>
  (sight) =>
    done(sight, { tool, input: typeof input === 'function' ? input(sight) : input })

/** Answers the mail at hand. */
export const reply = (text: string | ((sight: Sight) => string), more: Record<string, unknown> = {}): Part =>
  call('reply', (sight) => ({
    message: sight.answered,
    text: typeof text === 'function' ? text(sight) : text,
    ...more,
  }))

/** The message with these words, among those that were shown. */
export const one = (sight: Sight, words: string): string => sight.handles(words)[0] ?? 'm0'

/** The last sentence that was shown with this word in it. */
export const reported = (sight: Sight, word: string): string =>
  sight.all.match(new RegExp(`[^.\\n]*${word}[^.\\n]*`, 'gi'))?.at(-1) ?? `nothing of ${word}`

export const read = (words: string): Part => call('read_message', (sight) => ({ message: one(sight, words) }))

/** Tells whether somebody got a mail with these words, in any of its parts. */
export const got = (stage: Stage, address: string, words: string): boolean =>
  stage
    .got(address)
    .some(({ subject, text, attachments }) =>
      [subject, text, ...attachments.map(({ content }) => Buffer.from(content).toString())]
        .join('\n')
        .includes(words),
    )

export const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()
