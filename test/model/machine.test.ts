import fc from 'fast-check'
import { expect, test } from 'vitest'
import { initialSync, type SyncInput, type SyncModel, stepSync } from '../../src/mailbox/sync/sync-machine'
import { parameters } from './runs'

/** A log with a filter, a connection that loses, doubles and shuffles, and the machine that reads by it. */
class Reading {
  /** True where the event at that position passes the filter. */
  readonly log: boolean[] = []
  readonly applied: number[] = []
  model: SyncModel = initialSync
  /** The first position that the last snapshot left to be read. */
  #start = 0
  #way: SyncInput[] = []
  #reported = 0
  #fetching = false

  get head(): number {
    return this.log.length
  }

  take(input: SyncInput): void {
    const { model, effect } = stepSync(this.model, input)
    expect(model.cursor, 'the cursor never goes back').toBeGreaterThanOrEqual(this.model.cursor)
    this.model = model
    if (effect === 'apply' && 'seq' in input) this.applied.push(input.seq)
    if (effect === 'fetch') this.#fetching = true
    if (model.status === 'live') {
      expect(model.cursor).toBeGreaterThanOrEqual(Math.max(model.head, model.wanted))
      expect(this.model.cursor).toBeLessThanOrEqual(this.head)
    }
  }

  connect(): void {
    this.#way = []
    this.#reported = this.model.cursor
    this.take({ type: 'opened', head: this.head })
  }

  /** The source tells what it has not told: not yet heard. */
  tell(): void {
    this.#way.push(...this.#page(this.#reported))
    this.#reported = this.head
  }

  hear(index: number, fate: 'arrives' | 'lost' | 'twice'): void {
    const [input] = this.#way.splice(index % Math.max(1, this.#way.length), 1)
    if (!input || fate === 'lost') return
    this.take(input)
    if (fate === 'twice') this.take(input)
  }

  fetch(): void {
    if (!this.#fetching) return
    this.#fetching = false
    for (const input of this.#page(this.model.cursor)) this.take(input)
  }

  expire(): void {
    this.take({ type: 'expired' })
    this.#way = []
    this.take({ type: 'snapshot', cursor: this.head })
    this.#start = this.head
    this.applied.length = 0
  }

  #page(from: number): SyncInput[] {
    const inputs: SyncInput[] = []
    let prev = from
    for (let seq = from + 1; seq <= this.head; seq += 1) {
      if (!this.log[seq - 1]) continue
      inputs.push({ type: 'event', prev, seq })
      prev = seq
    }
    return [...inputs, { type: 'covered', prev, seq: this.head, head: this.head }]
  }

  /** S3: what passes the filter, each once, in order, and nothing else. */
  expectWhole(): void {
    const wanted = this.log.flatMap((passes, index) => {
      const seq = index + 1
      return passes && seq > this.#start && seq <= this.model.cursor ? [seq] : []
    })
    expect(this.applied).toEqual(wanted)
  }
}

const step = (name: string, run: (reading: Reading) => void): fc.Command<object, Reading> => ({
  check: () => true,
  run(_model, reading) {
    run(reading)
    reading.expectWhole()
  },
  toString: () => name,
})

const commands = [
  fc.boolean().map((passes) => step(`append ${passes}`, (reading) => void reading.log.push(passes))),
  fc.constant(step('connect', (reading) => reading.connect())),
  fc.constant(step('tell', (reading) => reading.tell())),
  fc
    .tuple(fc.nat(5), fc.constantFrom('arrives', 'arrives', 'lost', 'twice'))
    .map(([index, fate]) => step(`hear ${index} ${fate}`, (reading) => reading.hear(index, fate as 'lost'))),
  fc.constant(step('fetch', (reading) => reading.fetch())),
  fc.constant(step('lose', (reading) => reading.take({ type: 'lost' }))),
  fc.constant(step('expire', (reading) => reading.expire())),
  fc.nat(3).map((back) =>
    step(`hint ${back}`, (reading) => {
      const seq = Math.max(0, reading.head - back)
      reading.take({ type: 'hint', seq })
    }),
  ),
]

test('S3, S8, S9: the machine, over a log that is told badly, shows each event once, in order, and gets to its end', () => {
  fc.assert(
    fc.property(fc.commands(commands, { maxCommands: 60 }), (steps) => {
      const reading = new Reading()
      fc.modelRun(() => ({ model: {}, real: reading }), steps)
      reading.connect()
      reading.tell()
      for (let turn = 0; turn < 500 && reading.model.cursor < reading.head; turn += 1) {
        reading.hear(0, 'arrives')
        reading.fetch()
      }
      reading.fetch()
      reading.expectWhole()
      expect(reading.model).toMatchObject({ status: 'live', cursor: reading.head })
    }),
    parameters(2_000),
  )
})
