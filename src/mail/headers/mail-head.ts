import { singleLine } from '../text'
import type { MailAddress } from './address'
import { parseAddressList } from './address-list'
import { decodeHeader, type MailHeader } from './header-reader'

/** The header of a message, of which each field is looked up by its name, and each look is done once. */
export class MailHead {
  readonly fields: readonly MailHeader[]
  readonly #first = new Map<string, string>()
  /** The values after the first, of names that stand there more than once. */
  readonly #others = new Map<string, string[]>()
  #subject: string | undefined
  #sender: MailAddress | null | undefined

  /**
   * @param mailFrom the envelope sender, where that is known: it stands for the Return-Path, which the delivering server
   * writes on top of a message (RFC 5321 §4.4)
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

  /** The names of its fields, in lower case. */
  get names(): Iterable<string> {
    return this.#first.keys()
  }

  has(name: string): boolean {
    return this.#first.has(name)
  }

  /** Gives the first field of a name (lower case), raw; empty where it is missing. */
  value(name: string): string {
    return this.#first.get(name) ?? ''
  }

  /** Gives all fields of a name (lower case), raw. */
  values(name: string): string[] {
    const first = this.#first.get(name)
    return first === undefined ? [] : [first, ...(this.#others.get(name) ?? [])]
  }

  /** Decoded, on one line. */
  get subject(): string {
    this.#subject ??= singleLine(decodeHeader(this.value('subject')))
    return this.#subject
  }

  /** The first mailbox of From. */
  get sender(): MailAddress | null {
    if (this.#sender === undefined) this.#sender = parseAddressList(this.value('from'))[0] ?? null
    return this.#sender
  }
}
