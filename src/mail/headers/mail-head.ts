import { singleLine } from '../text/safe-text'
import type { MailAddress } from './address'
import { parseAddressList } from './address-list'
import { decodeHeader, type MailHeader } from './header-reader'

/** The header of a message, with fields by name and cached results. */
export class MailHead {
  readonly fields: readonly MailHeader[]
  readonly #first = new Map<string, string>()
  /** Further values of names that occur more than once. */
  readonly #others = new Map<string, string[]>()
  #subject: string | undefined
  #sender: MailAddress | null | undefined

  /**
   * @param mailFrom the envelope sender, if known. It replaces the Return-Path, which the delivering server
   * writes on top of a message (RFC 5321 §4.4).
   */
  constructor(fields: readonly MailHeader[], mailFrom?: string) {
    this.fields = fields
    if (mailFrom !== undefined) this.#first.set('return-path', `<${mailFrom}>`)
    for (const { name, value } of fields) {
      const key = name.toLowerCase()
      if (!this.#first.has(key)) this.#first.set(key, value)
      else if (this.#others.has(key)) this.#others.get(key)!.push(value)
      else this.#others.set(key, [value])
    }
  }

  /** Names of its fields, in lower case. */
  get names(): Iterable<string> {
    return this.#first.keys()
  }

  has(name: string): boolean {
    return this.#first.has(name)
  }

  /** Returns the first raw field of a name (lower case); empty if missing. */
  value(name: string): string {
    return this.#first.get(name) ?? ''
  }

  /** Returns all raw fields of a name (lower case). */
  values(name: string): string[] {
    const first = this.#first.get(name)
    return first === undefined ? [] : [first, ...(this.#others.get(name) ?? [])]
  }

  /** Decoded, on one line. */
  get subject(): string {
    this.#subject ??= singleLine(decodeHeader(this.value('subject')))
    return this.#subject
  }

  /** First mailbox of From. */
  get sender(): MailAddress | null {
    if (this.#sender === undefined) this.#sender = parseAddressList(this.value('from'))[0] ?? null
    return this.#sender
  }
}
