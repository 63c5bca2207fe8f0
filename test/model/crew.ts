import { isRestanteError, type Message, RestanteError } from 'restante'
import type { Life } from './life'

/** The deeds of a worker's bodies with the messages that they are given. */
export const ways = ['acks', 'throws', 'dies', 'is slow', 'runs', 'drafts', 'waits'] as const
export type Way = (typeof ways)[number]

export const consumer = 'bot'
const workMs = 5_000
const maxMessages = 3

class Mishap extends Error {}

/** The messages of a thread that were handled, in the order in which bodies began. */
interface Handled {
  readonly id: string
  readonly position: number
}

/** The workers of one consumer, and what they saw. */
export class Crew {
  readonly handled = new Map<string, Handled[]>()
  /** The promises that were broken. */
  readonly violations: string[] = []
  readonly #positions: ReadonlyMap<string, number>
  readonly #working = new Set<Promise<void>>()
  readonly #inHand = new Map<string, { readonly life: Life; readonly epoch: number }>()
  #epoch = 0

  /** @param positions Of each message, where it came in. */
  constructor(positions: ReadonlyMap<string, number>) {
    this.#positions = positions
  }

  get isIdle(): boolean {
    return this.#working.size === 0
  }

  /** Leases have ended by themselves: somebody else may have what is in hand. */
  expire(): void {
    this.#epoch += 1
  }

  /** A worker of this process takes what there is for some seconds. */
  begin(life: Life, way: Way): void {
    const work = (way === 'runs' ? this.#run(life) : this.#loop(life, way))
      .catch((error) => {
        // Its body threw, or its process or the service is away.
        if (!(error instanceof Mishap) && !isRestanteError(error)) this.violations.push(String(error))
      })
      .finally(() => this.#working.delete(work))
    this.#working.add(work)
  }

  finished(): Promise<unknown> {
    return Promise.all(this.#working)
  }

  async #loop(life: Life, way: Way): Promise<void> {
    const loop = life.mailbox.incoming({ consumer })
    const cancel = life.world.clock.after(workMs, () => loop.stop())
    let left = maxMessages
    try {
      for await (const message of loop) {
        await this.#body(life, message, way)
        left -= 1
        if (left === 0) loop.stop()
      }
    } finally {
      cancel()
    }
  }

  async #run(life: Life): Promise<void> {
    let count = 0
    const run = life.mailbox.run(
      (message) => {
        count += 1
        return this.#body(life, message, count % 2 === 0 ? 'throws' : 'acks')
      },
      { consumer, concurrency: 2, onError: () => {} },
    )
    const cancel = life.world.clock.after(workMs, () => void run.stop())
    await run.done.finally(cancel)
  }

  async #body(life: Life, message: Message, way: Way): Promise<void> {
    if (life.isOver) return
    const { threadId } = message
    this.#note(message)
    const holder = this.#inHand.get(threadId)
    if (holder && !holder.life.isOver && holder.epoch === this.#epoch)
      this.violations.push(`S6: two messages of ${threadId} at a time`)
    const mine = { life, epoch: this.#epoch }
    this.#inHand.set(threadId, mine)
    try {
      await this.#handle(life, message, way)
    } finally {
      if (this.#inHand.get(threadId) === mine) this.#inHand.delete(threadId)
    }
  }

  #note({ id, threadId }: Message): void {
    const position = this.#positions.get(id) ?? Number.POSITIVE_INFINITY
    this.handled.set(threadId, [...(this.handled.get(threadId) ?? []), { id, position }])
  }

  async #handle(life: Life, message: Message, way: Way): Promise<void> {
    const { clock } = life.world
    if (way === 'is slow') await new Promise<void>((resolve) => clock.after(8_000, resolve))
    if (life.isOver) return
    if (way === 'waits') await this.#awaitAnother(message)
    if (way === 'drafts') await this.#draft(message)
    else await this.#reply(life, message)
    if (way === 'throws') throw new Mishap()
    if (way === 'dies') {
      life.line.cut()
      void life.end()
    }
  }

  async #awaitAnother(message: Message): Promise<void> {
    const next = (await message.thread()).nextReply({ timeoutMs: 4_000 })
    const another = await next.catch(() => null)
    if (!another) return
    this.#note(another)
    await another.reply({ text: 'Waited for you.' })
  }

  async #draft(message: Message): Promise<void> {
    try {
      await (await message.draft({ text: `A draft for ${message.id}` })).send()
    } catch (error) {
      if (!(error instanceof RestanteError) || error.code !== 'replied_before') throw error
    }
  }

  async #reply({ mailbox }: Life, message: Message): Promise<void> {
    try {
      await message.reply({ text: `Attempt ${message.attempt} at ${message.id}` })
    } catch (error) {
      if (!(error instanceof RestanteError) || error.code !== 'drafted_before') throw error
      await mailbox.drafts.send((error.details as { draft_id: string }).draft_id)
    }
  }
}
