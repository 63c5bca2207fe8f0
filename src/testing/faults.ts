import { checkChoice, checkOptions, type OptionNames } from '../protocol/options'
import type { Clock } from '../protocol/time/clock'
import { type Fault, Lane } from './lane'
import { type Duration, durationNames, milliseconds } from './virtual-clock'

/**
 * Place of a fault. `frames`: from the service to the socket of a mailbox. `requests` of a mailbox, and
 * `answers` to them. `webhooks` to an endpoint. `mails`: from the service to people.
 */
export type FaultPlace = 'frames' | 'requests' | 'answers' | 'webhooks' | 'mails'

/** Number of times that a fault occurs. */
export interface FaultOptions {
  /** The next items that it affects. Default 1. */
  times?: number | undefined
}

const names: OptionNames<FaultOptions> = { times: 'number' }

/** Every lane by its name. */
export type Lanes = Readonly<Record<FaultPlace, Lane>>

export const createLanes = (clock: Clock): Lanes => ({
  frames: new Lane(clock),
  requests: new Lane(clock),
  answers: new Lane(clock),
  webhooks: new Lane(clock),
  mails: new Lane(clock),
})

/**
 * Network faults on demand: each affects the next item that passes its place. Several faults at one place
 * affect one item after the other.
 *
 * @example
 * ```ts
 * import { createWorld } from 'restante/testing'
 *
 * const world = await createWorld()
 * world.faults.drop('answers') // the next request is carried out, and its answer is lost
 * world.faults.delay('frames', { seconds: 3 })
 * world.faults.duplicate('webhooks', { times: 2 })
 * ```
 */
export class Faults {
  readonly #lanes: Lanes

  /** @internal */
  constructor(lanes: Lanes) {
    this.#lanes = lanes
  }

  /**
   * Loses the item. A request fails, a webhook is retried, a message to a person is deferred.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * world.faults.drop('answers') // it is carried out, and its answer is lost
   * ```
   */
  drop(place: FaultPlace, options: FaultOptions = {}): void {
    this.#plan(place, { kind: 'drop' }, options)
  }

  /**
   * Delays the item by this time, on the clock of the world. Later items do not wait.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * world.faults.delay('webhooks', { minutes: 1 })
   * ```
   */
  delay(place: FaultPlace, options: FaultOptions & Duration): void {
    checkOptions('delay()', options, { ...names, ...durationNames })
    const { times, ...duration } = options
    this.#plan(place, { kind: 'delay', delayMs: milliseconds(duration) }, { times })
  }

  /**
   * Repeats the item: it arrives twice.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * world.faults.duplicate('frames', { times: 3 })
   * ```
   */
  duplicate(place: FaultPlace, options: FaultOptions = {}): void {
    this.#plan(place, { kind: 'duplicate' }, options)
  }

  /**
   * Lets the next item overtake this one. Without a next item, it arrives a second later.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * world.faults.reorder('webhooks')
   * ```
   */
  reorder(place: FaultPlace, options: FaultOptions = {}): void {
    this.#plan(place, { kind: 'reorder' }, options)
  }

  /**
   * Cancels the planned faults that have not occurred yet.
   *
   * @example
   * ```ts
   * import { createWorld } from 'restante/testing'
   *
   * const world = await createWorld()
   * world.faults.drop('requests', { times: 9 })
   * world.faults.clear()
   * ```
   */
  clear(): void {
    for (const lane of Object.values(this.#lanes)) lane.clear()
  }

  #plan(place: FaultPlace, fault: Fault, options: FaultOptions): void {
    checkChoice(`the place of ${fault.kind}()`, place, Object.keys(this.#lanes))
    checkOptions(`${fault.kind}()`, options, names)
    const { times = 1 } = options
    for (let count = 0; count < times; count += 1) this.#lanes[place].plan(fault)
  }
}
