interface Wait {
  readonly seq: number
  resolve(): void
  reject(error: unknown): void
}

/** Promises that resolve when the log is applied up to a position. */
export class CursorWaits {
  #waits: Wait[] = []

  add(seq: number): Promise<void> {
    return new Promise((resolve, reject) => this.#waits.push({ seq, resolve, reject }))
  }

  /** Resolves those that the cursor has reached. */
  reached(cursor: number): void {
    if (this.#waits.length === 0) return
    for (const { resolve } of this.#take((wait) => wait.seq <= cursor)) resolve()
  }

  /** Rejects all: this error keeps the log from being applied now. */
  fail(error: unknown): void {
    for (const { reject } of this.#take(() => true)) reject(error)
  }

  #take(which: (wait: Wait) => boolean): Wait[] {
    const taken = this.#waits.filter(which)
    this.#waits = this.#waits.filter((wait) => !which(wait))
    return taken
  }
}
