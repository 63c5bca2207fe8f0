/** The most reads at once; between them, others than sockets have the event loop. */
const maxAtOnce = 4

/**
 * Lets sockets read the log one after the other, account by account: however many of one account want to, those of
 * another wait for a few of them only.
 */
export class FairQueue {
  /** Those who wait, by account, in the order in which they asked. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #running = 0

  async run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= maxAtOnce) await this.#wait(tenantId)
    else this.#running += 1
    try {
      return await work()
    } finally {
      setImmediate(() => this.#next())
    }
  }

  #wait(tenantId: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#waiting.get(tenantId)
      if (queue) queue.push(resolve)
      else this.#waiting.set(tenantId, [resolve])
    })
  }

  #next(): void {
    const [first] = this.#waiting
    if (!first) {
      this.#running -= 1
      return
    }
    const [tenantId, queue] = first
    const go = queue.shift()!
    this.#waiting.delete(tenantId)
    if (queue.length > 0) this.#waiting.set(tenantId, queue)
    go()
  }
}
