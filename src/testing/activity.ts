const quietTurns = 6
/** Real time without activity after which work counts as waiting for the virtual clock. */
const patienceMs = 250
/** Least turns of the event loop in that time: a process that got fewer was starved, not idle. */
const patienceTurns = 500

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Tracks whether anything still happens although the clock stands. */
export class Activity {
  #moves = 0
  /** Work in progress, except work that was found to wait for the clock. */
  readonly #busy = new Set<object>()

  /** Notes that something happened. */
  readonly moved = (): void => {
    this.#moves += 1
  }

  /** Counts the work as in progress until it is done. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const entry = {}
    this.#busy.add(entry)
    this.moved()
    try {
      return await work()
    } finally {
      this.#busy.delete(entry)
      this.moved()
    }
  }

  /**
   * Resolves when nothing happens any more. Work without activity for long counts as waiting for the clock.
   *
   * @param preparing Counts work in progress that was not passed to `during`.
   */
  async settle(preparing: () => Promise<number> = async () => 0): Promise<void> {
    let movedAtMs = performance.now()
    let seen = this.#moves
    let still = 0
    for (let quiet = 0; quiet < quietTurns; ) {
      await turn()
      if (this.#moves !== seen) {
        seen = this.#moves
        quiet = 0
        still = 0
        movedAtMs = performance.now()
        continue
      }
      still += 1
      const rests = still >= patienceTurns && performance.now() - movedAtMs >= patienceMs
      if (rests) this.#busy.clear()
      if (rests || (this.#busy.size === 0 && (await preparing()) <= 0)) quiet += 1
    }
  }
}
