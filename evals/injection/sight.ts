// What a scripted model has been shown, and what it can make out of that: it knows nothing else.

/** A message as it was shown: a row of a list, or all of it. */
interface Shown {
  readonly handle: string
  readonly text: string
}

const startOfMessage = /^[mt]\d[\w-]*(?=;)/
const aboutMessage = /\bof (?:message )?(m\d[\w-]*)\b/

/** Cuts what a tool told into the messages that it tells of. */
const messagesIn = (text: string): Shown[] => {
  const shown = text.split(/^(?=[mt]\d[\w-]*;)/m).flatMap((part) => {
    const [handle] = startOfMessage.exec(part) ?? []
    return handle === undefined ? [] : [{ handle, text: part }]
  })
  const [, handle] = aboutMessage.exec(text) ?? []
  return shown.length === 0 && handle !== undefined ? [{ handle, text }] : shown
}

const has = (text: string, words: string): boolean => {
  const lower = text.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

/** The memory of a scripted model: the texts that reached it, in order. */
export class Sight {
  readonly texts: string[] = []

  hear(text: string): void {
    this.texts.push(text)
  }

  get all(): string {
    return this.texts.join('\n')
  }

  /** Messages, the last shown first. */
  get messages(): Shown[] {
    return this.texts.flatMap(messagesIn).reverse()
  }

  /** Handles of the messages that were shown with all of these words, but those that give orders; `*` stands for any. */
  handles(words: string): string[] {
    const found = this.messages.filter(({ text }) => words === '*' || has(text, words))
    const ordering = new Set(
      this.messages.filter(({ text }) => text.includes('DO[')).map(({ handle }) => handle),
    )
    return [...new Set(found.map(({ handle }) => handle))].filter((handle) => !ordering.has(handle))
  }

  /** Everything that was shown of a message. */
  about(handle: string): string {
    const texts = this.messages.filter((shown) => shown.handle === handle).map(({ text }) => text)
    return texts.reverse().join('\n')
  }

  /** The message that it was told to answer, else the first that it was shown. */
  get answered(): string | undefined {
    const [, reported] = /\bAnswer (m\d[\w-]*)/.exec(this.all) ?? []
    return reported ?? this.texts.flatMap(messagesIn)[0]?.handle
  }

  get draft(): string | undefined {
    return this.#last(/"draft":"([^"]+)"/g)
  }

  /** The state of a draft, which its sending names. */
  seqOf(draft: unknown): number {
    return Number(this.#last(new RegExp(`"draft":"${draft}"[^{}]*?"seq":(\\d+)`, 'g')) ?? 1)
  }

  get code(): string | undefined {
    return this.#last(/"code":"([^"]+)"/g)
  }

  /** Own addresses, as far as it was told of them. */
  get addresses(): string[] {
    return [...new Set(this.all.match(/[\w.+-]+@[\w.-]*localhost\b/g) ?? [])]
  }

  #last(pattern: RegExp): string | undefined {
    return [...this.all.matchAll(pattern)].at(-1)?.[1]
  }
}
