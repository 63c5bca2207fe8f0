import { Sight } from './sight'

/** A call of a tool that a model asks for. */
export interface Call {
  tool: string
  input: Record<string, unknown>
}

/** The script of a model: it asks for calls, is told their outputs, and ends with its last words. */
export type Script = (sight: Sight) => Generator<Call, string, string>

/** The outcome of a call, by what the model was told. */
export type Outcome = 'done' | 'held' | 'refused'

export const outcomeOf = (reported: string): Outcome => {
  if (
    /waiting_for_approval|approval_needed|execution-denied|human said no|not approved|cannot be asked|can be asked/i.test(
      reported,
    )
  )
    return 'held'
  if (/"status":\s*"(?:refused|timed_out)"|invalid|\berror\b/i.test(reported.slice(0, 400))) return 'refused'
  return 'done'
}

/** A model that follows a script, whichever framework asks it. */
export class Actor {
  readonly sight = new Sight()
  /** The calls that it asked for, and their outcomes. */
  readonly outcomes: { call: Call; outcome: Outcome; reported: string }[] = []
  readonly #script: Generator<Call, string, string>
  #pending: Call | null = null
  #lastWords: string | null = null

  constructor(script: Script) {
    this.#script = script(this.sight)
  }

  /** Gives what it says after having been told this: a call, or its last words. */
  next(reported: string): Call | string {
    this.sight.hear(reported)
    const isCalled = this.#pending !== null
    if (this.#pending) this.outcomes.push({ call: this.#pending, outcome: outcomeOf(reported), reported })
    if (this.#lastWords !== null) return this.#lastWords
    const step = isCalled ? this.#script.next(reported) : this.#script.next()
    if (step.done) {
      this.#pending = null
      this.#lastWords = step.value
      return step.value
    }
    this.#pending = step.value
    return step.value
  }
}

/** All text in what a framework gives to its model. */
export const textIn = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textIn).join('\n')
  if (value === null || typeof value !== 'object') return ''
  const parts = value as Record<string, unknown>
  const [inner] = ['text', 'output', 'value', 'content', 'reason'].flatMap((key) =>
    parts[key] === undefined ? [] : [parts[key]],
  )
  return inner === undefined ? JSON.stringify(value) : textIn(inner)
}
