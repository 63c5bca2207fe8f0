import type { Clock } from '../protocol/time/clock'

/** A fault of an item. */
export type Fault =
  | { readonly kind: 'drop' }
  | { readonly kind: 'delay'; readonly delayMs: number }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'reorder' }

/** An item in transit: it arrives, perhaps twice, or is lost. */
interface Parcel {
  arrive(): void
  lose(): void
}

/** Time for which a reordered item waits to be overtaken. */
const overtakenAfterMs = 1_000

/** A path of items, which stay in order unless a fault changes it. */
export class Lane {
  readonly #clock: Clock
  #faults: Fault[] = []
  readonly #waiting = new Set<{ parcel: Parcel; cancel: () => void; overtaken: boolean }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Plans a fault for the next item without one. */
  plan(fault: Fault): void {
    this.#faults.push(fault)
  }

  /** Cancels every fault that has not occurred yet. */
  clear(): void {
    this.#faults = []
  }

  /** Sends an item; without a fault it arrives before this returns. */
  send(parcel: Parcel): void {
    const fault = this.#faults.shift()
    switch (fault?.kind) {
      case 'drop':
        return parcel.lose()
      case 'delay':
        return this.#wait(parcel, fault.delayMs, false)
      case 'reorder':
        return this.#wait(parcel, overtakenAfterMs, true)
    }
    parcel.arrive()
    if (fault) parcel.arrive()
    this.#releaseOvertaken()
  }

  /** Sends a call and its answer; a lost one rejects. The first of two answers counts. */
  call<T>(work: () => Promise<T>, lost: () => Error): Promise<T> {
    return new Promise((resolve, reject) =>
      this.send({ arrive: () => void work().then(resolve, reject), lose: () => reject(lost()) }),
    )
  }

  /** Loses the items in transit. */
  cut(): void {
    for (const entry of [...this.#waiting]) {
      this.#waiting.delete(entry)
      entry.cancel()
      entry.parcel.lose()
    }
  }

  #wait(parcel: Parcel, delayMs: number, overtaken: boolean): void {
    const entry = { parcel, overtaken, cancel: () => {} }
    entry.cancel = this.#clock.background(delayMs, () => {
      this.#waiting.delete(entry)
      parcel.arrive()
    })
    this.#waiting.add(entry)
  }

  #releaseOvertaken(): void {
    for (const entry of [...this.#waiting]) {
      if (!entry.overtaken) continue
      this.#waiting.delete(entry)
      entry.cancel()
      entry.parcel.arrive()
    }
  }
}
