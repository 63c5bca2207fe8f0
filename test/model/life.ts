import { type Event, type IncomingMessages, Mailbox, type MailboxSettings } from 'restante'
import type { World } from 'restante/testing'
import { Line } from './line'

/** One process with a mailbox, from its opening to its end, and what it heard. */
export class Life {
  readonly mailbox: Mailbox
  readonly line: Line
  readonly world: World
  /** The cursor at its opening. */
  readonly start: number
  /** Of each event that it heard. */
  readonly seqs: number[] = []
  /** Messages that listeners were told of. */
  readonly reported: string[] = []
  /** Messages that a quick loop got. */
  readonly yielded: string[] = []
  /** Messages that a loop got which takes nothing until the end. */
  readonly rested: string[] = []
  /** The number of times that it said `live` and was not level. */
  untrue = 0
  isOver = false
  readonly #resting: IncomingMessages

  private constructor(mailbox: Mailbox, line: Line, world: World) {
    this.mailbox = mailbox
    this.line = line
    this.world = world
    this.start = mailbox.state.cursor
    mailbox.on('event', ({ seq }: Event) => this.seqs.push(seq))
    mailbox.on('message', ({ id }) => this.reported.push(id))
    mailbox.on('state', ({ status, lag }) => {
      if (status === 'live' && lag > 0) this.untrue += 1
    })
    this.#resting = mailbox.incoming()
    void this.#read()
  }

  static async open(world: World, settings: MailboxSettings): Promise<Life> {
    const line = new Line(world.service)
    const options = { service: line, clock: world.clock, openTimeoutMs: 600_000, ...settings }
    return new Life(await Mailbox.open(options), line, world)
  }

  /** Takes what the resting loop has not taken, as far as it comes without waiting. */
  async drain(count: number): Promise<void> {
    const read = async () => {
      while (this.rested.length < count) {
        const { value } = await this.#resting.next()
        if (!value) return
        this.rested.push(value.id)
      }
    }
    void read()
    for (let turn = 0; turn < 100 && this.rested.length < count; turn += 1)
      await this.world.advance({ seconds: 1 })
  }

  async end(): Promise<void> {
    this.isOver = true
    await this.mailbox.close()
  }

  async #read(): Promise<void> {
    for await (const { id } of this.mailbox.incoming()) this.yielded.push(id)
  }
}
