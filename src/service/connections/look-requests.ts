import type { LookRequests } from './session'

/** Requests to look at what a person sent, of one connection that this node works. */
export class Requests implements LookRequests {
  #waiting: (() => void)[] = []
  #listener = () => {}

  take(): (() => void)[] {
    const taken = this.#waiting
    this.#waiting = []
    return taken
  }

  onRequest(listener: () => void): () => void {
    this.#listener = listener
    if (this.#waiting.length > 0) listener()
    return () => {
      this.#listener = () => {}
    }
  }

  /** Resolves once a look that began later is over. */
  look(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#listener()
    })
  }
}
