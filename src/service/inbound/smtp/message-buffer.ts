import { joined } from '../../base/turns'

/** Memory limit of all messages in progress together, and its current use. */
export interface MemoryBudget {
  readonly maxBytes: number
  usedBytes: number
}

type MessageState = 'whole' | 'too-large' | 'out-of-memory'

// A stranger decides how finely the bytes are cut (each stuffed dot makes a separate piece), and a Buffer
// object costs a hundred bytes. So small pieces share blocks.
const smallBytes = 512
const blockBytes = 2048

/** Collects the content of one message; over a limit it drops everything and ignores the rest. */
export class MessageBuffer {
  readonly #pieces: Buffer[] = []
  readonly #maxBytes: number
  readonly #budget: MemoryBudget
  #block: Buffer | undefined
  #blockUsed = 0
  #heldBytes = 0
  state: MessageState = 'whole'

  constructor(maxBytes: number, budget: MemoryBudget) {
    this.#maxBytes = maxBytes
    this.#budget = budget
  }

  add(piece: Buffer): void {
    if (this.state !== 'whole') return
    if (this.#heldBytes + piece.length > this.#maxBytes) return this.#drop('too-large')
    if (this.#budget.usedBytes + piece.length > this.#budget.maxBytes) return this.#drop('out-of-memory')
    this.#heldBytes += piece.length
    this.#budget.usedBytes += piece.length
    if (piece.length > smallBytes) this.#push(piece)
    else this.#copy(piece)
  }

  /** Returns the message in a buffer of its own, which can be moved to a thread without another copy. */
  async take(): Promise<Uint8Array<ArrayBuffer>> {
    this.#seal()
    const whole = await joined(this.#pieces)
    this.#pieces.length = 0
    return whole
  }

  /** Releases its share of the budget; call it when the message is done. */
  release(): void {
    this.#budget.usedBytes -= this.#heldBytes
    this.#heldBytes = 0
    this.#pieces.length = 0
    this.#block = undefined
  }

  #push(piece: Buffer): void {
    this.#seal()
    this.#pieces.push(piece)
  }

  #copy(piece: Buffer): void {
    if (!this.#block || this.#blockUsed + piece.length > blockBytes) {
      this.#seal()
      this.#block = Buffer.allocUnsafe(blockBytes)
    }
    this.#blockUsed += piece.copy(this.#block, this.#blockUsed)
  }

  #seal(): void {
    if (this.#block) this.#pieces.push(this.#block.subarray(0, this.#blockUsed))
    this.#block = undefined
    this.#blockUsed = 0
  }

  #drop(state: MessageState): void {
    this.release()
    this.state = state
  }
}
