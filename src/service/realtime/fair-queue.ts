/** Maximum number of concurrent reads; between them, other work than sockets runs on the event loop. */
const maxAtOnce = 4

/**
 * Schedules log reads of sockets fairly by account: however many sockets of one account wait, another
 * account's wait for few of them.
 */
export class FairQueue {
  /** Waiting reads by account, in the order in which they came. */
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
