const quietTurns = 6
/** Work that rests for so long, on the clock of the machine, waits for something that will not come by itself. */
const patienceMs = 250
/** A process that got no turns in that time did not rest. */
const patienceTurns = 500

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Tracks whether anything still happens although the clock stands. */
export class Activity {
  #moves = 0
  /** The work that goes on, but for that which was found to wait for the clock. */
  readonly #busy = new Set<object>()

  /** Notes that something happened. */
  readonly moved = (): void => {
    this.#moves += 1
  }

  /** Counts the work as going on until it is done. */
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
   * Resolves when nothing happens any more. Work that rests for long counts as waiting for the clock.
   *
   * @param preparing Counts the work that goes on and was not given to `during`.
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
